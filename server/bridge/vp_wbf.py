"""The WBF's 20-point scales of 2013: the official table, the bare formula, and the one in whole points."""

from bisect import bisect_right
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate, pairwise

from server.bridge.vp_curve import (
    AVERAGE,
    MOST,
    Margin,
    VictoryPoints,
    beyond_the_curve,
    blitz,
    curve,
    nearest,
    size_of,
    whole,
)


def wbf(margin: Margin, boards: int) -> VictoryPoints:
    """The official table for any number of boards; a fractional margin is rounded to whole IMPs first."""
    table, size = wbf_table(boards), abs(whole(margin))
    return _both(table[min(size, len(table) - 1)], margin)


def wbf_formula(margin: Margin, boards: int) -> VictoryPoints:
    """The formula alone: fractional margins as they are, the winner's points rounded once, half up."""
    size = size_of(margin)
    winner = MOST if beyond_the_curve(size, boards) else nearest(curve(size, boards))
    return _both(winner, margin)


def wbf_discrete(margin: Margin, boards: int) -> VictoryPoints:
    """The scale in whole victory points; a fractional margin is rounded to whole IMPs first."""
    starts = wbf_discrete_starts(boards)
    return _both(AVERAGE + 100 * (bisect_right(starts, abs(whole(margin))) - 1), margin)


@lru_cache(256)
def wbf_table(boards: int) -> tuple[int, ...]:
    """The winner's points in hundredths by IMPs, from 0 to the first margin that is worth 20.

    The formula is rounded once; then the steps are put into descending order, so that no IMP is worth more
    than the one before it.
    """
    last = blitz(boards)
    rounded = [nearest(curve(size, boards)) for size in range(last)] + [MOST]
    steps = sorted((after - before for before, after in pairwise(rounded)), reverse=True)
    return tuple(accumulate(steps, initial=AVERAGE))


@lru_cache(256)
def wbf_discrete_starts(boards: int) -> tuple[int, ...]:
    """The smallest margin in IMPs that is worth 10, 11, … 20 victory points.

    A step ends with the last whole margin below its half point on the curve. Where a step would be narrower
    than the one before it, that one gives up its last margin. (The step around 10 goes to both sides.)
    """
    ends = [_last_below(1050 + 100 * step, boards) for step in range(10)]
    while (narrow := _narrower(ends)) is not None:
        ends[narrow - 1] -= 1
    return (0, *(end + 1 for end in ends))


def _narrower(ends: list[int]) -> int | None:
    """The first step that is narrower than the one before it."""
    widths = [2 * ends[0] + 1, *(after - before for before, after in pairwise(ends))]
    return next((step for step in range(1, len(widths)) if widths[step] < widths[step - 1]), None)


def _last_below(points: int, boards: int) -> int:
    """The largest whole margin whose value on the curve is below ``points`` hundredths."""
    margins = range(blitz(boards) + 1)
    return bisect_right(margins, Decimal(points) / 100, key=lambda size: curve(size, boards)) - 1


def _both(winner: int, margin: Margin) -> VictoryPoints:
    points = VictoryPoints(winner, MOST - winner)
    return points if margin >= 0 else points.swapped
