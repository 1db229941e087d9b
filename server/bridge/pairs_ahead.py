"""Rounds without a rematch, sought ahead: so many at once, in each of which everybody meets somebody else.

Places stand for pairs; their number is even, as a place that is empty completes an odd field. They are sought
by climbing (Dinitz and Stinson, 1987): whoever lacks an opponent in a round meets one that he meets in no
round, and whoever loses his by that looks on. No step makes fewer matches than there were, and where most
can still meet most it hardly ever fails. If it does, all rounds are tried in order, so that of a small field
it is known for certain whether there are any.
"""

from collections.abc import Iterator, Sequence, Set

from server.bridge.swiss_draw import SplitMix64

Matches = list[tuple[int, int]]  # of a round, by places; the lower place first

CLIMB = 60  # steps for each match that is sought
TRIES = 50_000  # matches that are tried in order before it is given up


def rounds_ahead(unmet: Sequence[Set[int]], rounds: int, source: SplitMix64) -> list[Matches] | None:
    """So many rounds in which everybody plays and nobody meets anybody twice; None: there are none, or none
    was found. ``unmet``: for each place the others that it may meet.
    """
    if any(len(others) < rounds for others in unmet):
        return None
    return _Climb(unmet, rounds, source).rounds() or _Trial(unmet).rounds(rounds)


class _Bag:
    """Numbers of which any is drawn as fast as another."""

    def __init__(self, items: Sequence[int] = ()) -> None:
        self.items = list(items)
        self._at = {item: at for at, item in enumerate(self.items)}

    def __contains__(self, item: int) -> bool:
        return item in self._at

    def add(self, item: int) -> None:
        self._at[item] = len(self.items)
        self.items.append(item)

    def remove(self, item: int) -> None:
        at, last = self._at.pop(item), self.items.pop()
        if last != item:
            self.items[at] = last
            self._at[last] = at

    def draw(self, source: SplitMix64) -> int:
        return self.items[source.below(len(self.items))]


class _Climb:
    """Rounds that fill up step by step."""

    def __init__(self, unmet: Sequence[Set[int]], rounds: int, source: SplitMix64) -> None:
        places = range(len(unmet))
        self._source, self._count = source, rounds
        self._unmet = unmet
        self._free = [_Bag(sorted(others)) for others in unmet]  # whom a place meets in no round so far
        self._opponent: list[dict[int, int]] = [{} for _ in range(rounds)]  # in a round, by place
        self._round_of: dict[tuple[int, int], int] = {}
        self._idle = [_Bag(range(rounds)) for _ in places]  # rounds in which a place has nobody
        self._alone = [_Bag(places) for _ in range(rounds)]  # places that have nobody in a round
        self._looking = _Bag(places if rounds else ())  # places that have nobody in some round

    def rounds(self) -> list[Matches] | None:
        """The rounds, once they are full; None when that takes too long."""
        for _ in range(CLIMB * self._count * len(self._free)):
            if not self._looking.items:
                return [sorted((a, b) for a, b in each.items() if a < b) for each in self._opponent]
            place = self._looking.draw(self._source)
            number = self._idle[place].draw(self._source)
            if self._source.below(2):
                self._with_somebody_idle(place, number)
            else:
                self._with_somebody_new(place, number)
        return None

    def _with_somebody_new(self, place: int, number: int) -> None:
        """He meets one that he meets in no round; whoever was to meet that one has nobody."""
        other = self._free[place].draw(self._source)
        left = self._opponent[number].get(other)
        if left is not None:
            self._part(number, left, other)
        self._join(number, place, other)

    def _with_somebody_idle(self, place: int, number: int) -> None:
        """He meets another who has nobody in this round, and not in the round in which he was to."""
        other = self._alone[number].draw(self._source)
        if other == place or other not in self._unmet[place]:
            return
        before = self._round_of.get((min(place, other), max(place, other)))
        if before is not None:
            self._part(before, place, other)
        self._join(number, place, other)

    def _join(self, number: int, a: int, b: int) -> None:
        self._round_of[min(a, b), max(a, b)] = number
        for one, other in ((a, b), (b, a)):
            self._opponent[number][one] = other
            self._free[one].remove(other)
            self._alone[number].remove(one)
            self._idle[one].remove(number)
            if not self._idle[one].items:
                self._looking.remove(one)

    def _part(self, number: int, a: int, b: int) -> None:
        del self._round_of[min(a, b), max(a, b)]
        for one, other in ((a, b), (b, a)):
            del self._opponent[number][one]
            self._free[one].add(other)
            self._alone[number].add(one)
            self._idle[one].add(number)
            if one not in self._looking:
                self._looking.add(one)


class _Trial:
    """All rounds in order, until some fit or too many did not."""

    def __init__(self, unmet: Sequence[Set[int]]) -> None:
        self._unmet = [set(others) for others in unmet]
        self._left = TRIES

    def rounds(self, count: int, after: int = -1) -> list[Matches] | None:
        """So many rounds; the first place meets opponents after this one, each later than the one before."""
        if not count:
            return []
        choice = sum(other > after for other in self._unmet[0])
        if choice < count or any(len(others) < count for others in self._unmet):
            return None
        for found in self._matchings(list(range(len(self._unmet))), after):
            self._meet(found, met=True)
            others = self.rounds(count - 1, found[0][1])
            self._meet(found, met=False)
            if others is not None:
                return [found, *others]
            if self._left < 0:
                break
        return None

    def _matchings(self, places: list[int], after: int = -1) -> Iterator[Matches]:
        """Every round of these places in which the first one meets a place after this one."""
        self._left -= 1
        if not places:
            yield []
            return
        first, rest = places[0], places[1:]
        for other in rest:
            if other > after and other in self._unmet[first] and self._left >= 0:
                for found in self._matchings([place for place in rest if place != other]):
                    yield [(first, other), *found]

    def _meet(self, matches: Matches, met: bool) -> None:
        for a, b in matches:
            for one, other in ((a, b), (b, a)):
                (self._unmet[one].discard if met else self._unmet[one].add)(other)
