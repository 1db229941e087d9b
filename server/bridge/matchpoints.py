"""Matchpoints: 2 for every worse result, 1 for every equal one (Law 78A)."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction


def top(results: int) -> int:
    """Most matchpoints that one of ``results`` results can have."""
    return 2 * (results - 1)


def matchpoints(scores: Sequence[int]) -> tuple[int, ...]:
    """Matchpoints of NS for each of the ``scores`` (total points for NS), in their order.

    EW has ``top(len(scores))`` less that.
    """
    order = sorted(scores)
    return tuple(bisect_left(order, score) + bisect_right(order, score) - 1 for score in scores)


def percentages(scores: Sequence[int]) -> tuple[Fraction, ...]:
    """Share of the top in percent, for NS, 0 to 100; 50 when there is nothing to compare with."""
    if len(scores) == 1:
        return (Fraction(50),)
    return tuple(Fraction(100 * points, top(len(scores))) for points in matchpoints(scores))
