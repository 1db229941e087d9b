"""Which results count for ratings, and why the others do not."""

from datetime import datetime
from zoneinfo import ZoneInfo

from server.bridge import rated
from server.bridge.rated import Standing
from server.storage.boards import Board


def standing(board: Board, live: bool, timely: int, late: bool, now: datetime, zone: ZoneInfo) -> Standing:
    """What decides whether a result is rated. ``timely``: live results of its board that were not late."""
    return Standing(
        live=live,
        weekly=board.week is not None,
        withdrawn=board.withdrawn_at is not None,
        adjusted=False,
        fouled=False,
        results=timely,
        score_at=board.terms.score_at,
        late=late,
        week_over=board.week is not None and now >= board.week.closes_at(zone),
    )


def not_rated(board: Board, live: bool, timely: int, late: bool, now: datetime, zone: ZoneInfo) -> str | None:
    """Why a result is not rated for anybody; None when it is."""
    why = rated.not_rated(standing(board, live, timely, late, now, zone))
    return None if why is None else why.value
