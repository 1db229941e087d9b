"""Weeks of a pool: which there are, what was made of them, and what changed since."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, exists, func, select, update

from server.storage import sets
from server.storage.tables import board_sets, boards
from server.storage.week_tables import snapshots, weeks


@dataclass(frozen=True, slots=True)
class WeekRow:
    """What is stored of a week and pool."""

    week: str
    pool: str
    revision: int  # the last published; 0: none
    snapshot: int | None  # of that revision
    late_from: datetime | None  # from then on what comes for it is late; None: never rated
    changes: int  # sum of the boards' change numbers that the published revision has read
    closing_at: datetime | None  # somebody who is rating it was alive then
    before: int | None  # the snapshot that the published one is built upon


_SELECT = select(weeks, snapshots.c.before).join(snapshots, snapshots.c.id == weeks.c.snapshot, isouter=True)


def get(connection: Connection, week: str, pool: str) -> WeekRow:
    """What is stored of a week; nothing yet for one that nobody has rated."""
    found = connection.execute(_SELECT.where(weeks.c.week == week, weeks.c.pool == pool)).first()
    return WeekRow(week, pool, 0, None, None, 0, None, None) if found is None else _row(found)


def lock(connection: Connection, week: str, pool: str) -> WeekRow:
    """As ``get``, held until the transaction ends; made when it is new."""
    sets.insert(connection, weeks, [{"week": week, "pool": pool}], "ON CONFLICT DO NOTHING")
    statement = _SELECT.where(weeks.c.week == week, weeks.c.pool == pool).with_for_update(of=weeks)
    return _row(connection.execute(statement).one())


def hold(connection: Connection, week: str, pool: str) -> WeekRow:
    """As ``get``; nobody publishes anything of the week until the transaction ends. May not be there."""
    mine = (weeks.c.week == week) & (weeks.c.pool == pool)
    connection.execute(select(weeks.c.week).where(mine).with_for_update(read=True))
    return get(connection, week, pool)


def of_pool(connection: Connection, pool: str) -> list[WeekRow]:
    """Every week of the pool that was ever rated or is being rated, oldest first."""
    statement = _SELECT.where(weeks.c.pool == pool).order_by(weeks.c.week)
    return [_row(row) for row in connection.execute(statement)]


def played(connection: Connection, pool: str) -> list[tuple[str, datetime]]:
    """Weeks of the pool on whose boards anything has happened, oldest first; when their sets were made."""
    happened = exists().where(
        boards.c.week == board_sets.c.week, boards.c.pool == board_sets.c.pool, boards.c.change > 0
    )
    statement = select(board_sets.c.week, board_sets.c.created_at).where(board_sets.c.pool == pool, happened)
    return [(week, at) for week, at in connection.execute(statement.order_by(board_sets.c.week))]


def changes(connection: Connection, pool: str, since: str, until: str | None = None) -> dict[str, int]:
    """Sums of the boards' change numbers of each week from ``since`` on, up to ``until``. They only rise."""
    chosen = (boards.c.pool == pool) & (boards.c.week >= since)
    if until is not None:
        chosen &= boards.c.week <= until
    statement = select(boards.c.week, func.sum(boards.c.change)).where(chosen).group_by(boards.c.week)
    return {week: int(total) for week, total in connection.execute(statement)}


def mark(connection: Connection, row: WeekRow, **values: Any) -> None:
    """Set some columns of a week."""
    statement = update(weeks).where(weeks.c.week == row.week, weeks.c.pool == row.pool)
    connection.execute(statement.values(**values))


def published(connection: Connection, pool: str, before: str | None = None) -> WeekRow | None:
    """The newest week with a published snapshot, or the newest before week ``before``."""
    statement = _SELECT.where(weeks.c.pool == pool, weeks.c.revision > 0)
    if before is not None:
        statement = statement.where(weeks.c.week < before)
    found = connection.execute(statement.order_by(weeks.c.week.desc()).limit(1)).first()
    return None if found is None else _row(found)


def snapshot_of(connection: Connection, week: str, pool: str, revision: int) -> int | None:
    """The snapshot that was published as this revision."""
    statement = select(snapshots.c.id).where(
        snapshots.c.week == week, snapshots.c.pool == pool, snapshots.c.revision == revision
    )
    return connection.execute(statement).scalar()


def _row(row: Sequence[Any]) -> WeekRow:
    return WeekRow(*row)
