"""Which results count for ratings, and why the others do not."""

from datetime import datetime
from zoneinfo import ZoneInfo

from server.storage.boards import Board


def not_rated(
    board: Board, live: bool, scored: bool, late: bool, now: datetime, zone: ZoneInfo
) -> str | None:
    """Why a result is not rated; None when it is. ``late``: it came after the window for late results."""
    if not live:
        return "void"
    if board.withdrawn_at is not None:
        return "withdrawn"
    if board.week is None:
        return "event"
    if late:
        return "late"
    if not scored:
        return "pending" if now < board.week.closes_at(zone) else "too-few-results"
    return None
