"""Victory-point scales that are printed tables of whole points: linear, ACBL 20 and 30, the old 25-0."""

from bisect import bisect_right
from collections.abc import Mapping

from server.bridge.vp_curve import Margin, UnknownConversion, VictoryPoints, whole

LINEAR_STARTS = (0, 3, 9, 15, 21, 27, 33, 39, 45, 51, 57)
"""Smallest margin worth 10, 11, … 20, whatever the number of boards."""

ACBL20_STARTS: Mapping[range, tuple[int, ...]] = {
    range(6, 9): (0, 1, 3, 5, 8, 11, 14, 17, 20, 24, 28),
    range(9, 12): (0, 1, 3, 6, 10, 14, 18, 22, 26, 31, 36),
}
"""Smallest margin worth 10, 11, … 20, by the number of boards."""

ACBL30_STARTS: Mapping[range, tuple[int, ...]] = {
    range(6, 9): (0, 1, 2, 3, 4, 5, 7, 9, 11, 14, 17, 20, 24, 28),
    range(9, 12): (0, 1, 2, 3, 5, 7, 9, 12, 15, 18, 22, 26, 31, 36),
}
"""Smallest margin worth 15, 18, 19, … 30, by the number of boards; any win is worth 18 at least."""

OLD25_STARTS = (0, 2, 6, 9, 12, 15, 18, 21, 24, 27)
"""Smallest margin worth 15, 16, … 24 over eight boards; what more than OLD25_LAST is worth is not known."""

OLD25_LAST = 29


def linear(margin: Margin) -> VictoryPoints:
    """One victory point for every six IMPs; 10-10 up to two, 20-0 from 57 on."""
    return _steps(LINEAR_STARTS, margin, 20)


def acbl20(margin: Margin, boards: int) -> VictoryPoints:
    """ACBL's scale to 20, for 6 to 11 boards; raises UnknownConversion for others."""
    return _steps(_by_boards("acbl20", ACBL20_STARTS, boards), margin, 20)


def acbl30(margin: Margin, boards: int) -> VictoryPoints:
    """ACBL's scale to 30, for 6 to 11 boards; raises UnknownConversion for others."""
    return _steps(_by_boards("acbl30", ACBL30_STARTS, boards), margin, 30)


def old25(margin: Margin, boards: int) -> VictoryPoints:
    """The scale of old with 15-15 for a draw, eight boards, up to 24-6.

    Raises UnknownConversion for other numbers of boards and for margins above 29 IMPs.
    """
    if boards != 8:
        raise UnknownConversion("old25", f"only the table for 8 boards is known, not that for {boards}")
    if abs(whole(margin)) > OLD25_LAST:
        raise UnknownConversion("old25", f"what more than {OLD25_LAST} IMPs are worth is not known")
    return _steps(OLD25_STARTS, margin, 30)


def _by_boards(scale: str, tables: Mapping[range, tuple[int, ...]], boards: int) -> tuple[int, ...]:
    for known, starts in tables.items():
        if boards in known:
            return starts
    raise UnknownConversion(scale, f"only the tables for 6 to 11 boards are known, not that for {boards}")


def _steps(starts: tuple[int, ...], margin: Margin, both: int) -> VictoryPoints:
    """The points by the step that a margin is in; ``both`` is what those of the two sides add up to."""
    step = bisect_right(starts, abs(whole(margin))) - 1
    jump = len(starts) == 14 and step > 0  # ACBL 30 goes from 15 to 18 at once
    winner = 100 * (both // 2 + step + 2 * jump)
    points = VictoryPoints(winner, 100 * both - winner)
    return points if margin >= 0 else points.swapped
