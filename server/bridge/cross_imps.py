"""Cross-IMPs: a result in IMPs against every other result of its board."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from server.bridge.imps import imps


@dataclass(frozen=True, slots=True)
class CrossImps:
    """Sum of IMPs for NS and the number of results it was taken against; EW has the negative."""

    total: int
    comparisons: int

    @property
    def mean(self) -> Fraction:
        """IMPs per comparison, 0 when there was none."""
        return Fraction(self.total, self.comparisons) if self.comparisons else Fraction(0)


def cross_imps_of(scores: Sequence[int], index: int) -> CrossImps:
    """Cross-IMPs of one of the ``scores`` (total points for NS) against all the others."""
    mine = scores[index]
    return CrossImps(sum(imps(mine - other) for other in scores), len(scores) - 1)


def cross_imps(scores: Sequence[int]) -> tuple[CrossImps, ...]:
    """Cross-IMPs of each of the ``scores`` (total points for NS), in their order; they add up to 0."""
    return tuple(cross_imps_of(scores, index) for index in range(len(scores)))
