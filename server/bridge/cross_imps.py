"""Cross-IMPs: a result in IMPs against every other result of its board."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import isqrt

from server.bridge.imps import imps

_MILLIONTHS = 10**6


class CrossImpsMode(StrEnum):
    """What the sum of IMPs is divided by."""

    PER_COMPARISON = "per_comparison"  # the results it was taken against
    SUM = "sum"  # nothing
    PER_TABLE = "per_table"  # tables less one, so that a missing comparison counts as 0
    EBU = "ebu"  # the square root of n (n - 1) / 2, n being the results of the board


@dataclass(frozen=True, slots=True)
class CrossImps:
    """Sum of IMPs for a side and the number of results it was taken against."""

    total: int | Fraction  # a whole number unless a weighted adjusted score is about
    comparisons: int

    @property
    def mean(self) -> Fraction:
        """IMPs per comparison, 0 when there was none."""
        return Fraction(self.total, self.comparisons) if self.comparisons else Fraction(0)

    def score(self, mode: CrossImpsMode, tables: int | None = None) -> Fraction:
        """The score in IMPs by ``mode``, of which ``per_table`` alone asks how many ``tables`` there were."""
        match mode:
            case CrossImpsMode.PER_COMPARISON:
                return self.mean
            case CrossImpsMode.SUM:
                return Fraction(self.total)
            case CrossImpsMode.PER_TABLE:
                others = self.comparisons if tables is None else tables - 1
                return Fraction(self.total, others) if others > 0 else Fraction(0)
            case CrossImpsMode.EBU:
                return self._per_root()

    def _per_root(self) -> Fraction:
        """The total over sqrt(n (n - 1) / 2), to the nearest millionth as the root is not rational."""
        if not self.comparisons:
            return Fraction(0)
        square = Fraction(2 * self.total**2, self.comparisons * (self.comparisons + 1))
        halves = isqrt(int(4 * _MILLIONTHS**2 * square))  # in half millionths, rounded down
        size = Fraction((halves + 1) // 2, _MILLIONTHS)
        return size if self.total > 0 else -size


def cross_imps_of(scores: Sequence[int], index: int) -> CrossImps:
    """Cross-IMPs of one of the ``scores`` (total points for NS) against all the others."""
    mine = scores[index]
    return CrossImps(sum(imps(mine - other) for other in scores), len(scores) - 1)


def cross_imps(scores: Sequence[int]) -> tuple[CrossImps, ...]:
    """Cross-IMPs of each of the ``scores`` (total points for NS), in their order; they add up to 0."""
    return tuple(cross_imps_of(scores, index) for index in range(len(scores)))
