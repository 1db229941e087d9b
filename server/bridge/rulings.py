"""What rulings make of a board: which results stand, and which award each of them has.

An award is fixed by the results that were there when it was given. A ruling gives the ruled result alone a
new one, against what it was compared with then; a void result loses its award. A board that fell below its
threshold is pending again; when it reaches it, only results without an award are awarded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from server.bridge.imps import imps
from server.bridge.pool import ScoringMethod
from server.bridge.traveller import Award, SideScores, Traveller


@dataclass(frozen=True, slots=True)
class RuledScore:
    """A ruling on one result that is not void."""

    sequence: int  # of the result, in order of arrival from 1
    arrived: int  # how many results had arrived on the board before the ruling
    score: int | None  # total points for NS from then on; None: void


@dataclass(frozen=True, slots=True)
class FixedAward:
    """An award with what it was measured against."""

    award: Award  # its index is that of the result among ``scores``
    scores: tuple[int, ...]  # that were there, in order of arrival; total points for NS
    own: int  # score of the result itself, as it stands now


@dataclass(frozen=True, slots=True)
class Course:
    """Where a board stands after everything that arrived and was ruled."""

    traveller: Traveller  # of the results that are not void
    sequences: tuple[int, ...]  # of these results
    awards: Mapping[int, FixedAward]  # by sequence


def replay(empty: Traveller, arrivals: Sequence[int], rulings: Sequence[RuledScore]) -> Course:
    """The course of a board: results with these scores arrived, and was ruled upon in the order given.

    ``empty`` is its traveller without results. Raises TravellerFull when a result came too many.
    """
    course = _Course(empty)
    left = list(rulings)
    for sequence, score in enumerate(arrivals, start=1):
        while left and left[0].arrived < sequence:
            course.rule(left.pop(0))
        course.arrive(sequence, score)
    for ruling in left:
        course.rule(ruling)
    return Course(course.traveller, tuple(course.live), course.awards)


class _Course:
    """A board on its way."""

    def __init__(self, empty: Traveller) -> None:
        self.traveller = empty
        self.live: dict[int, int] = {}  # scores by sequence, in order of arrival
        self.awards: dict[int, FixedAward] = {}

    def arrive(self, sequence: int, score: int) -> None:
        arrival = self.traveller.add(score)
        self.traveller = arrival.traveller
        self.live[sequence] = score
        sequences, scores = tuple(self.live), arrival.traveller.scores
        for award in arrival.awards:
            fixed = FixedAward(award, scores, scores[award.index])
            self.awards.setdefault(sequences[award.index], fixed)

    def rule(self, ruling: RuledScore) -> None:
        sequence, score = ruling.sequence, ruling.score
        if score is None:
            del self.live[sequence]
            self.awards.pop(sequence, None)
        else:
            self.live[sequence] = score
            if sequence in self.awards:
                self.awards[sequence] = _again(self.traveller, self.awards[sequence], score)
        # Having been retired it stays so.
        self.traveller = replace(self.traveller, scores=tuple(self.live.values()))


def _again(traveller: Traveller, fixed: FixedAward, score: int) -> FixedAward:
    """The award of a result that now has another score, everything else being as it was then."""
    if traveller.terms.method is ScoringMethod.DATUM:
        ns = 100 * imps(score - (fixed.award.datum or 0))
        return FixedAward(replace(fixed.award, score=SideScores(ns, -ns)), fixed.scores, score)
    index = fixed.award.index
    scores = (*fixed.scores[:index], score, *fixed.scores[index + 1 :])
    (award,) = replace(traveller, scores=scores).awards([index])
    return FixedAward(award, scores, score)
