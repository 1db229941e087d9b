"""Entries of a board that are not all plain results: adjusted scores, split scores, boards not played.

All values are exact. Scores are total points for NS, as everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from server.bridge.errors import Impossible
from server.bridge.seats import Side

Number = int | Fraction  # exact; an int wherever only plain results are involved


class Average(StrEnum):
    """An artificial adjusted score of one side (Law 12C2): it is awarded, not compared."""

    PLUS = "A+"  # in no way at fault
    AVERAGE = "A"  # partly at fault
    MINUS = "A-"  # directly at fault


@dataclass(frozen=True, slots=True)
class Averages:
    """What average plus is worth; average minus is as far on the other side of average."""

    percent_plus: Number = 60  # Law 12C2(a)
    imps_plus: Number = 3  # Law 12C2(b); conditions of contest may say otherwise, such as 2.5

    def percent(self, average: Average, own: Fraction | None = None) -> Fraction:
        """Share of the top in percent: 60, 50 or 40 by default.

        ``own`` is what the side has on its other boards, in percent: average plus is never less and average
        minus never more than that (Law 12C2(c)).
        """
        value = 50 + _SIGN[average] * (Fraction(self.percent_plus) - 50)
        if own is None or average is Average.AVERAGE:
            return value
        return max(value, own) if average is Average.PLUS else min(value, own)

    def imps(self, average: Average) -> Fraction:
        """IMPs to the side: 3, 0 or -3 by default."""
        return _SIGN[average] * Fraction(self.imps_plus)


_SIGN = {Average.PLUS: 1, Average.AVERAGE: 0, Average.MINUS: -1}
STANDARD = Averages()


@dataclass(frozen=True, slots=True)
class Played:
    """A result from the table, or an assigned adjusted score of one other result (Law 12C1)."""

    score: int  # total points for NS

    @property
    def outcomes(self) -> tuple[tuple[Number, int], ...]:
        """The one outcome with its weight, 1."""
        return ((1, self.score),)

    @property
    def mean(self) -> Number:
        """What enters a datum."""
        return self.score

    def part(self, side: Side) -> "Played":
        """The score of one side, signed for it."""
        return self if side is Side.NS else Played(-self.score)


@dataclass(frozen=True, slots=True)
class Weighted:
    """A weighted adjusted score (Law 12C1(c)): outcomes that might have been, with their weights."""

    outcomes: tuple[tuple[Number, int], ...]  # (weight, total points for NS); the weights add up to 1

    def __post_init__(self) -> None:
        weights = [weight for weight, _ in self.outcomes]
        if any(weight <= 0 for weight in weights) or sum(weights) != 1:
            raise Impossible("weights", "the weights of an adjusted score are positive and add up to 1")

    @property
    def mean(self) -> Number:
        """What enters a datum: the weighted mean in total points. Nothing else is computed from it."""
        return sum(weight * score for weight, score in self.outcomes)

    def part(self, side: Side) -> "Weighted":
        """The score of one side, signed for it."""
        if side is Side.NS:
            return self
        return Weighted(tuple((weight, -score) for weight, score in self.outcomes))


@dataclass(frozen=True, slots=True)
class Artificial:
    """An artificial adjusted score at a table without a usable result; each side has its own."""

    ns: Average
    ew: Average

    def part(self, side: Side) -> Average:
        """The score of one side."""
        return self.ns if side is Side.NS else self.ew


Part = Played | Weighted | Average


@dataclass(frozen=True, slots=True)
class Split:
    """Different adjusted scores for the two sides of a table (Law 12C1): each is scored in its own field.

    Both are written as total points for NS. What the two sides get need not balance.
    """

    ns: Part
    ew: Part

    def part(self, side: Side) -> Part:
        """The score of one side, signed for it."""
        own = self.ns if side is Side.NS else self.ew
        return own if isinstance(own, Average) else own.part(side)


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """A table that should have played the board and did not: nobody scores, there is one result fewer."""

    def part(self, _side: Side) -> None:
        """No score for either side."""
        return


Entry = Played | Weighted | Artificial | Split | NotPlayed


def converted(part: Played | Weighted, convert: Callable[[int], Number]) -> Fraction:
    """Each outcome converted on its own, then weighted (Law 12C1(c)): never the other way round."""
    return Fraction(sum(weight * convert(score) for weight, score in part.outcomes))
