"""Who meets whom from the second round on: an exact rule with one answer.

Of all ways to pair a field the one is taken that has the smallest key, compared from left to right:

1. sit-outs that the pair now sitting out has had already (odd fields only);
2. the sum over all matches of their price: nothing for a first meeting, else the square of the times the two
   have met, and a million more when they met in the round before;
3. the pair that sits out, as low as possible;
4. the opponents read from the top: the first pair's as high as possible, then that of the next pair left, …

Scores are not read: the order of the pairs holds them. Where nothing forces a rematch the rule reads: the
first pair meets the nearest one that it has not met, then the next, but never so that somebody below is left
without opponents.

When each pair has met at most D others, any 2D + 2 pairs can be paired without a rematch: each has more than
half of the others to choose from (Dirac). So the first pairs simply take what is nearest, and only the last
2D + 2 need care.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from server.bridge.errors import Impossible
from server.bridge.swiss_draw import PairedRound
from server.bridge.swiss_matching import Matcher

P = TypeVar("P", bound=Hashable)

AT_ONCE = 1_000_000  # what meeting again in the very next round costs on top


@dataclass(frozen=True, slots=True)
class Meeting(Generic[P]):
    """Two pairs that have met."""

    round: int
    a: P
    b: P


def pair_round(
    order: Sequence[P], meetings: Iterable[Meeting[P]], byes: Mapping[P, int], round_number: int
) -> PairedRound[P]:
    """The matches of round ``round_number``.

    ``order``: the pairs that play on, best first. ``meetings``: of all earlier rounds, also with pairs no
    longer here. ``byes``: sit-outs that pairs have had; none where it says nothing. Raises Impossible when a
    pair is in the order twice.
    """
    history = _history(order, meetings, round_number)
    most = max((len(set(opponents)) for opponents in history.met), default=0)
    had = [byes.get(pair, 0) for pair in order]
    enough = len(order) // 2 * 2 >= 2 * most + 2
    places, cost = _of_many(history, most, had) if enough else _of_few(history, had)
    matches = tuple((order[a], order[b]) for a, b in places)
    playing = {place for match in places for place in match}
    sit_outs = tuple(pair for place, pair in enumerate(order) if place not in playing)
    return PairedRound(matches, sit_outs, cost)


def rounds_without_rematch(pairs: int) -> int:
    """Rounds that so many pairs can always play without a rematch, however the results turn out.

    That is half the field; and as far as that nobody sits out twice in an odd one.
    """
    return pairs // 2


def pairs_without_rematch(rounds: int) -> int:
    """How many pairs can always play so many rounds without a rematch; in an odd field it takes one more."""
    return 2 * rounds


@dataclass(frozen=True, slots=True)
class _History:
    """Who has met whom, by positions in the order."""

    met: list[list[int]]  # for each place: whom it has met, once for every time
    just_now: list[tuple[int, int]]  # who met in the round before

    def price(self, a: int, b: int) -> int:
        at_once = (a, b) in self.just_now or (b, a) in self.just_now
        return self.met[a].count(b) ** 2 + (AT_ONCE if at_once else 0)


Places = list[tuple[int, int]]  # matches, by positions in the order


def _history(order: Sequence[P], meetings: Iterable[Meeting[P]], round_number: int) -> _History:
    position = {pair: place for place, pair in enumerate(order)}
    if len(position) < len(order):
        raise Impossible("order", "each pair has one place in the order")
    met: list[list[int]] = [[] for _ in order]
    just_now = []
    for meeting in meetings:
        a, b = position.get(meeting.a), position.get(meeting.b)
        if a is None or b is None:
            continue
        met[a].append(b)
        met[b].append(a)
        if meeting.round == round_number - 1:
            just_now.append((a, b))
    return _History(met, just_now)


def _of_many(history: _History, most: int, had: Sequence[int]) -> tuple[Places, int]:
    """A field that can do without rematches whoever sits out: he is the lowest of those who did so least."""
    matches, rest = _nearest(history.met, max(_least_often(had)) if len(had) % 2 else None, 2 * most + 2)
    last = range(len(rest))
    met = [set(history.met[place]) for place in rest]
    matcher = Matcher({a: {b: 0 for b in last if b != a and rest[b] not in met[a]} for a in last})
    best = matcher.cheapest(last)
    if best is None:
        raise AssertionError("Dirac's theorem")
    return matches + [(rest[a], rest[b]) for a, b in matcher.first(last, best)], 0


def _nearest(met: Sequence[Sequence[int]], sit_out: int | None, keep: int) -> tuple[Places, list[int]]:
    """From the top, each with the nearest it has not met, until ``keep`` are left; these in order."""
    taken = bytearray(len(met))
    if sit_out is not None:
        taken[sit_out] = 1
    matches, top = [], 0
    for _ in range((len(met) - keep) // 2):
        while taken[top]:
            top += 1
        # What is taken further down lies near: a linked list would be no faster.
        other, before = top + 1, met[top]
        while taken[other] or other in before:
            other += 1
        taken[top] = taken[other] = 1
        matches.append((top, other))
    return matches, [place for place, gone in enumerate(taken) if not gone]


def _of_few(history: _History, had: Sequence[int]) -> tuple[Places, int]:
    """A small field: its sit-out and its rematches, where it cannot do without, are part of one matching."""
    places = range(len(had))
    prices = {a: {b: history.price(a, b) for b in places if b != a} for a in places}
    vertices = list(places)
    if len(had) % 2:
        nobody = len(had)
        prices[nobody] = dict.fromkeys(_least_often(had), 0)
        for place in prices[nobody]:
            prices[place][nobody] = 0
        vertices.append(nobody)
    matcher = Matcher(prices)
    best = matcher.cheapest(vertices)
    if best is None:
        raise AssertionError("everybody can meet everybody")
    cost = best.cost
    if len(had) % 2:
        sit_out, best = matcher.earliest(nobody, places[::-1], best)
        vertices = [place for place in places if place != sit_out]
    return matcher.first(vertices, best), cost


def _least_often(had: Sequence[int]) -> list[int]:
    """Places of those who sat out least."""
    fewest = min(had)
    return [place for place, byes in enumerate(had) if byes == fewest]
