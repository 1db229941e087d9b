"""International Match Points (Law 78B)."""

from bisect import bisect_right

IMP_LOWER_BOUNDS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""Smallest difference in total points that is worth 1, 2, … 24 IMPs (Law 78B)."""


def imps(difference: int) -> int:
    """IMPs for a difference in total points; an odd function, -24 to 24."""
    if difference < 0:
        return -bisect_right(IMP_LOWER_BOUNDS, -difference)
    return bisect_right(IMP_LOWER_BOUNDS, difference)
