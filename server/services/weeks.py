"""Weeks: which is open, by the clock alone, and what was made of those that are over."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.week import (
    NOT_CLOSED,
    Closure,
    Week,
    WeekState,
    last_due,
    parse_week,
    week_of,
    week_state,
    weeks_to_rate,
)
from server.storage import weeks
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.weeks import WeekRow

UNNAMED = "its boards were made when it was over; `crossruff rate` with its name closes it and goes on"
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
ALIVE = timedelta(minutes=2)  # after which whoever was closing a week is taken to have ended


@dataclass(frozen=True, slots=True)
class WeekStatus:
    """A week of a pool and where it stands."""

    week: Week
    opens_at: datetime
    closes_at: datetime
    state: WeekState
    revision: int  # of its ratings; 0: none yet


async def status(database: Database, week: Week, pool: str, now: datetime, zone: ZoneInfo) -> WeekStatus:
    """Where ``week`` stands at this instant."""
    return await database.read(lambda connection: status_of(connection, week, pool, now, zone))


async def current(database: Database, pool: str, now: datetime, zone: ZoneInfo) -> WeekStatus:
    """The week that holds this instant."""
    return await status(database, week_of(now, zone), pool, now, zone)


def status_of(connection: Connection, week: Week, pool: str, now: datetime, zone: ZoneInfo) -> WeekStatus:
    """As ``status``, within a transaction."""
    opens, closes = week.opens_at(zone), week.closes_at(zone)
    row = weeks.get(connection, str(week), pool)
    closure = NOT_CLOSED if now < closes else _closure(connection, row, week, zone, now)
    return WeekStatus(week, opens, closes, week_state(week, now, zone, closure), row.revision)


def due(
    connection: Connection, pool: str, now: datetime, zone: ZoneInfo, grace: timedelta
) -> tuple[Week, ...]:
    """Weeks of a pool that are to be rated by themselves now, oldest first.

    A week whose boards were made when it was over is left alone until somebody has named it, and so are those
    after it: they build upon it.
    """
    found = _begun_in_time(connection, pool, last_due(now, zone, grace), zone)
    ends = _unnamed(connection, pool, found, zone)
    return found if ends is None else tuple(week for week in found if week < ends)


def unnamed(
    connection: Connection, pool: str, now: datetime, zone: ZoneInfo, grace: timedelta
) -> Week | None:
    """The week that holds up all after it until somebody names it: its boards were made when it was over."""
    return _unnamed(
        connection, pool, _begun_in_time(connection, pool, last_due(now, zone, grace), zone), zone
    )


def _unnamed(connection: Connection, pool: str, found: tuple[Week, ...], zone: ZoneInfo) -> Week | None:
    rated = {parse_week(row.week) for row in weeks.of_pool(connection, pool) if row.revision}
    made = {parse_week(week): at for week, at in weeks.played(connection, pool)}
    late = (week for week in found if week in made and made[week] >= week.closes_at(zone))
    return next((week for week in late if week not in rated), None)


def free(connection: Connection, pool: str, now: datetime, found: tuple[Week, ...]) -> tuple[Week, ...]:
    """Some weeks but for one that somebody is rating: it is left to him, and so are those after it."""
    busy = (row for row in weeks.of_pool(connection, pool) if _closing(row, now))
    ends = min((parse_week(row.week) for row in busy), default=None)
    return found if ends is None else tuple(week for week in found if week < ends)


def waiting(connection: Connection, pool: str, last: Week) -> tuple[Week, ...]:
    """Weeks of a pool up to ``last`` without ratings, or of which something changed since; and all after."""
    return _waiting(connection, pool, last, lambda week, made: True)


def _begun_in_time(connection: Connection, pool: str, last: Week, zone: ZoneInfo) -> tuple[Week, ...]:
    return _waiting(connection, pool, last, lambda week, made: made < week.closes_at(zone))


def _waiting(
    connection: Connection, pool: str, last: Week, counts: Callable[[Week, datetime], bool]
) -> tuple[Week, ...]:
    """``counts``: whether an unrated week counts whose boards were made at some moment."""
    rows = weeks.of_pool(connection, pool)
    published = {parse_week(row.week): row for row in rows if row.revision}
    played = [(parse_week(week), made) for week, made in weeks.played(connection, pool)]
    begun = [week for week, made in played if counts(week, made)]
    first = min([*published, *begun], default=None)
    if first is None:
        return ()
    changes = weeks.changes(connection, pool, str(first))
    dirty = {week for week, row in published.items() if changes.get(str(week), 0) > row.changes}
    return weeks_to_rate(first, last, published, dirty | _outdated(published))


def late_from(row: WeekRow) -> datetime:
    """The moment from which on what comes for a week is late. A week never rated takes everything."""
    return NEVER if row.late_from is None else row.late_from


def late_from_of(connection: Connection, board: Board, now: datetime, zone: ZoneInfo) -> datetime:
    """The moment from which on what comes for a board is late; of boards in play nothing is."""
    if board.week is None or board.pool is None or now < board.week.closes_at(zone):
        return NEVER
    return late_from(weeks.get(connection, str(board.week), board.pool))


def begun(connection: Connection, pool: str, last: Week) -> bool:
    """Whether anything has happened in the pool up to this week."""
    return any(parse_week(week) <= last for week, _ in weeks.played(connection, pool))


def _outdated(published: Mapping[Week, WeekRow]) -> set[Week]:
    """Weeks whose snapshot is built upon one that is not the current one of the week before any more."""
    found, before = set(), None
    for week in sorted(published):
        if published[week].before != before:
            found.add(week)
        before = published[week].snapshot
    return found


def _closing(row: WeekRow, now: datetime) -> bool:
    return row.closing_at is not None and now < row.closing_at + ALIVE


def _closure(connection: Connection, row: WeekRow, week: Week, zone: ZoneInfo, now: datetime) -> Closure:
    closing = _closing(row, now)
    if closing or not row.revision:
        return Closure(closing, bool(row.revision))
    return Closure(False, True, week in _begun_in_time(connection, row.pool, week, zone))
