"""Rounds of a pairs event: a round robin where there are rounds enough for it, else drawn from a seed."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

from server.bridge.pairs_ahead import Matches, rounds_ahead
from server.bridge.swiss_draw import PairedRound, SplitMix64
from server.bridge.swiss_pairing import Meeting, pair_round, pairs_without_rematch

P = TypeVar("P", bound=Hashable)

ONE_BY_ONE = 8


@dataclass(frozen=True, slots=True)
class Plan(Generic[P]):
    """What the draw of a pairs event follows from; the seed is published with each round that is drawn."""

    pairs: tuple[P, ...]  # that started, in order of registration
    rounds: int
    seed: int

    @property
    def round_robin(self) -> bool:
        """Whether there are rounds enough for everybody to meet everybody."""
        return self.rounds >= rounds_of_all(len(self.pairs))


def rounds_of_all(pairs: int) -> int:
    """Rounds in which everybody meets everybody once; with an odd number each also sits out once."""
    return pairs - 1 + pairs % 2 if pairs else 0


def round_robin(pairs: Sequence[P], round_number: int) -> PairedRound[P]:
    """A round of the round robin of ``pairs``; after the last one it starts again.

    The first pair keeps its place and the others move on by one each round (the circle method); in an odd
    field whoever is to meet the place that is empty sits out.
    """
    ring: list[P | None] = [*pairs[1:], *([None] if len(pairs) % 2 else [])]
    shift = (round_number - 1) % max(len(ring), 1)
    circle = [*pairs[:1], *ring[shift:], *ring[:shift]]
    half = len(circle) // 2
    opposite = list(zip(circle[:half], reversed(circle), strict=False))
    matches = tuple((a, b) for a, b in opposite if a is not None and b is not None)
    sit_outs = (b if a is None else a for a, b in opposite if a is None or b is None)
    return PairedRound(matches, tuple(pair for pair in sit_outs if pair is not None))


def draw(
    plan: Plan[P],
    active: Sequence[P],
    round_number: int,
    meetings: Iterable[Meeting[P]],
    byes: Mapping[P, int],
) -> PairedRound[P]:
    """A round for the pairs that still play; ``meetings`` and ``byes`` as for `pair_round`.

    1. In a round robin, as long as nobody has met anybody but as it has it and nobody has entered since: its
       next round. The opponents of those who left sit out, so that all others still meet.
    2. Otherwise, as after a round by hand, the pairs are shuffled from seed and round. Where there are at
       least twice as many of them as rounds, the shuffle stands in for an order, and the round is that of
       `pair_round`: whoever meets whom, no later round has to be a rematch (see there).
    3. Where there are fewer it is the first of as many rounds, up to the last of the event, as are found to
       need no rematch (`rounds_ahead`): if all that are left are not, half as many are sought, and so on; up
       to ``ONE_BY_ONE`` one fewer. Once all have met each other, a rematch is who has met oftener than the
       fewest have, or in the round before. In a round robin those who left keep their places, and whoever is
       given one of these, or in an odd field the place that is empty, sits out: nobody does again who has,
       as long as there is another way. Where one sits out, it is one of those who have least often; that
       comes before any rematch, as in `pair_round`.
    4. Where not even one such round is found, it is that of `pair_round`, with as few rematches as can be.
    """
    met, there, began = list(meetings), set(active), set(plan.pairs)
    robin = plan.round_robin and there <= began
    if as_planned(plan, active, met):
        return _without(round_robin(plan.pairs, round_number), plan.pairs, active)
    source = SplitMix64((plan.seed + round_number) % 2**64)
    known = [pair for pair in plan.pairs if robin or pair in there]
    order = source.shuffled(known + [pair for pair in active if pair not in began])
    playing = [pair for pair in order if pair in there]
    if robin or len(playing) < pairs_without_rematch(plan.rounds):
        places: list[P | None] = [*order, *([None] if len(order) % 2 else [])]
        unmet = _unmet(places, there, met, byes)
        if found := _ahead(unmet, plan.rounds - round_number + 1, source):
            matches = tuple((places[a], places[b]) for a, b in found)
            return _without(_played(matches), playing, active)
    return pair_round(playing, met, byes, round_number)


def _ahead(unmet: Sequence[Set[int]], rounds: int, source: SplitMix64) -> Matches | None:
    """The first of as many rounds without a rematch as are found, up to ``rounds``; None: there is none."""
    count = min(rounds, *map(len, unmet)) if unmet else 0
    while count:
        if found := rounds_ahead(unmet, count, source):
            return found[0]
        count = count - 1 if count <= ONE_BY_ONE else count // 2
    return None


def as_planned(plan: Plan[P], active: Iterable[P], meetings: Sequence[Meeting[P]]) -> bool:
    """Whether the next round is that of the round robin, so that nothing is drawn: nobody has entered since,
    and everybody has met whom it has him meet, and when.
    """
    if not plan.round_robin or not set(active) <= set(plan.pairs):
        return False
    rounds = {
        number: {frozenset(match) for match in round_robin(plan.pairs, number).matches}
        for number in {each.round for each in meetings}
    }
    return all(frozenset((each.a, each.b)) in rounds[each.round] for each in meetings)


def _without(whole: PairedRound[P], order: Sequence[P], active: Sequence[P]) -> PairedRound[P]:
    """The round without those who do not play; whoever is left alone sits out."""
    there = set(active)
    matches = tuple(match for match in whole.matches if there.issuperset(match))
    playing = {pair for match in matches for pair in match}
    return PairedRound(matches, tuple(pair for pair in order if pair in there and pair not in playing))


def _played(matches: Iterable[tuple[P | None, P | None]]) -> PairedRound[P]:
    """The matches of those places that are not empty."""
    return PairedRound(tuple((a, b) for a, b in matches if a is not None and b is not None))


def _unmet(
    places: Sequence[P | None], active: Set[P], meetings: Sequence[Meeting[P]], byes: Mapping[P, int]
) -> list[set[int]]:
    """For each place the others that it may meet: those it has not met.

    Once all who play have met each other, those whom it has met no oftener than that, and not in the round
    before. Where one place is empty, only those who have sat out least may meet it; where more are, who has
    sat out has had so many of them, the last ones.
    """
    at = {pair: place for place, pair in enumerate(places)}
    times = Counter(frozenset((at[a], at[b])) for a, b in _named(meetings) if a in at and b in at)
    playing = [place for place, pair in enumerate(places) if pair is not None and pair in active]
    least = min((times[frozenset(two)] for two in combinations(playing, 2)), default=0)
    latest = max((each.round for each in meetings), default=0)
    last = _named(each for each in meetings if each.round == latest) if least else ()
    at_once = {frozenset((at.get(a), at.get(b))) for a, b in last}
    unmet = [
        {
            other
            for other in range(len(places))
            if other != place
            and times[frozenset((place, other))] <= least
            and frozenset((place, other)) not in at_once
        }
        for place in range(len(places))
    ]
    had = {at[pair]: byes.get(pair, 0) for pair in active}
    _sit_out_fairly(unmet, had, least)
    return unmet


def _sit_out_fairly(unmet: Sequence[set[int]], had: Mapping[int, int], least: int) -> None:
    """Take from who may sit out those who have; ``had``: of the places that play, how often."""
    nobody = [place for place in range(len(unmet)) if place not in had]
    fewest = min(had.values(), default=0)
    for place, times in had.items():
        left = [other for other in nobody if other in unmet[place]]
        over = times - (fewest if len(nobody) == 1 else least * len(nobody))
        for other in left[len(left) - min(max(over, 0), len(left)) :]:
            unmet[place].discard(other)
            unmet[other].discard(place)


def _named(meetings: Iterable[Meeting[P]]) -> Iterable[tuple[P, P]]:
    return ((each.a, each.b) for each in meetings)
