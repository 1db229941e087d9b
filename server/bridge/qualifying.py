"""Who goes on to a final, and the victory points carried over into it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from server.bridge.errors import Impossible
from server.bridge.standings import VP_BAND
from server.bridge.traveller import hundredths

MOST_CARRIED = 20
BONUS = 24  # divided by the rank in an earlier qualification


@dataclass(frozen=True, slots=True)
class Candidate:
    """A ranked pair of the qualification."""

    pair: int
    score: int  # its total, in hundredths
    flagged: bool = False  # protected places are meant for it


@dataclass(frozen=True, slots=True)
class Qualified:
    """Who goes on, each in the order of the standings."""

    by_score: tuple[int, ...]
    protected: tuple[int, ...] = ()  # who would not have qualified otherwise


def qualified(
    standings: Sequence[Candidate], places: int, protected_places: int = 0, band: int = VP_BAND
) -> Qualified:
    """Who goes on of those ranked, given in order of the final standings.

    The best ``places`` by score, and everybody less than ``band`` hundredths below the last of them: no
    tie-break has a say in who that is, and there are no chains. Then the best flagged pairs are added until
    ``protected_places`` of them are in. Both come in the order in which they are given.
    """
    best = sorted((each.score for each in standings), reverse=True)[: max(places, 0)]
    taken = [each for each in standings if best and best[-1] - each.score < band]
    missing = protected_places - sum(each.flagged for each in taken)
    inside = {each.pair for each in taken}
    others = [each.pair for each in standings if each.flagged and each.pair not in inside]
    return Qualified(tuple(each.pair for each in taken), tuple(others[: max(missing, 0)]))


@dataclass(frozen=True, slots=True)
class Finalist:
    """A pair that goes on, and what it brings."""

    pair: int
    score: Fraction  # in the qualification
    protected: bool = False  # goes on by a protected place alone
    bonus_ranks: tuple[int, ...] = ()  # in earlier qualifications, one for each


def carry_over(finalists: Sequence[Finalist]) -> dict[int, int]:
    """Victory points that each pair takes along, in hundredths: 20 the best, 0 the last, linear between.

    Those who go on by a protected place have 0. For each earlier qualification 24/rank are added; 20 are the
    most. When all have the same score it is that of the best. Raises Impossible for a protected pair with a
    score that would have qualified, and for a rank below 1.
    """
    by_score = [each.score for each in finalists if not each.protected]
    high, low = max(by_score, default=Fraction(0)), min(by_score, default=Fraction(0))
    for each in finalists:
        if each.protected and by_score and each.score > low:
            raise Impossible("protected", f"pair {each.pair} would have qualified without protection")
        if any(rank < 1 for rank in each.bonus_ranks):
            raise Impossible("bonus_ranks", "a rank is 1 or more")
    return {each.pair: hundredths(_carried(each, high, low)) for each in finalists}


def _carried(each: Finalist, high: Fraction, low: Fraction) -> Fraction:
    """Exact victory points of one pair; never negative, so that halves away from zero are halves up."""
    if each.protected:
        linear = Fraction(0)
    else:
        linear = (
            MOST_CARRIED * Fraction(each.score - low, high - low) if high > low else Fraction(MOST_CARRIED)
        )
    bonus = sum((Fraction(BONUS, rank) for rank in each.bonus_ranks), Fraction(0))
    return min(linear + bonus, Fraction(MOST_CARRIED))
