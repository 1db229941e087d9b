"""A board with rulings, computed straight from its story: no step is kept, everything is worked out again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Sides = tuple[int, int]
"""Of NS and EW, in hundredths."""


@dataclass
class Story:
    """What happened on a board, in order."""

    score_at: int
    retire_at: int | None
    score: Callable[[Sequence[int], int], Sides]  # of one of these scores among all of them
    against: Callable[[int, Sequence[int]], Sides] | None = None  # of a score against the datum of others
    told: list[tuple[int, int | None]] = field(default_factory=list)
    """Sequence and score; the first of a sequence is its arrival, later ones are rulings; None: void."""

    @property
    def arrived(self) -> int:
        """How many results have come."""
        return len({sequence for sequence, _ in self.told})

    def live(self, moment: int | None = None) -> dict[int, int]:
        """Scores of the results that stood after so many events, by sequence."""
        last = dict(self.told[: len(self.told) if moment is None else moment])
        return {sequence: score for sequence, score in sorted(last.items()) if score is not None}

    @property
    def retired(self) -> bool:
        """Whether the board was ever full."""
        moments = range(len(self.told) + 1)
        return any(len(self.live(moment)) == self.retire_at for moment in moments)

    def awarded_at(self, sequence: int) -> int | None:
        """After how many events it was awarded: with the first arrival that left the board full enough."""
        for moment in range(1, len(self.told) + 1):
            came, _ = self.told[moment - 1]
            arrival = came not in {earlier for earlier, _ in self.told[: moment - 1]}
            there = self.live(moment)
            if arrival and sequence in there and len(there) >= self.score_at:
                return moment
        return None

    def compared(self, sequence: int) -> tuple[list[int], int] | None:
        """What its award was measured against, and which of these scores is its own."""
        moment = self.awarded_at(sequence)
        if moment is None or sequence not in self.live():
            return None
        there = self.live(moment)
        return list(there.values()), list(there).index(sequence)

    def award(self, sequence: int) -> Sides | None:
        """The award that the result has now."""
        found = self.compared(sequence)
        if found is None:
            return None
        scores, index = found
        own = self.live()[sequence]
        if self.against is not None:
            return self.against(own, scores)
        return self.score([*scores[:index], own, *scores[index + 1 :]], index)

    def field_score(self, sequence: int) -> Sides | None:
        """Its score against all that stand now."""
        there = self.live()
        if sequence not in there or len(there) < self.score_at:
            return None
        return self.score(list(there.values()), list(there).index(sequence))
