"""What happens on the boards of a week: how far they are, which of them moved last."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select, union

from server.storage.tables import boards, disconnects, results


@dataclass(frozen=True, slots=True)
class Counts:
    """How far the boards of a week and pool are."""

    boards: int
    in_play: int  # with results, and taking more
    retired: int


def counts(connection: Connection, week: str) -> dict[str, Counts]:
    """How far the boards of a week are, by pool; withdrawn ones are left out."""
    retired = boards.c.retired_at.is_not(None)
    statement = (
        select(
            boards.c.pool,
            func.count(),
            func.count(case((~retired & (boards.c.last_sequence > 0), 1))),
            func.count(case((retired, 1))),
        )
        .where(boards.c.week == week, boards.c.withdrawn_at.is_(None))
        .group_by(boards.c.pool)
    )
    return {pool: Counts(*numbers) for pool, *numbers in connection.execute(statement)}


def moving(connection: Connection, week: str, limit: int) -> list[int]:
    """Boards of a week that have results and take more, that with the newest result first."""
    newest = (results.c.board == boards.c.id) & (results.c.sequence == boards.c.last_sequence)
    statement = (
        select(boards.c.id)
        .join(results, newest)
        .where(boards.c.week == week, boards.c.retired_at.is_(None), boards.c.withdrawn_at.is_(None))
        .order_by(results.c.received_at.desc(), boards.c.id)
        .limit(limit)
    )
    return list(connection.execute(statement).scalars())


def retired(connection: Connection, weeks: Iterable[str], limit: int) -> list[int]:
    """Boards of these weeks that are retired, the newest first."""
    over = boards.c.retired_at.is_not(None) & boards.c.withdrawn_at.is_(None)
    statement = select(boards.c.id).where(boards.c.week.in_(list(weeks)), over)
    rows = connection.execute(statement.order_by(boards.c.retired_at.desc(), boards.c.id).limit(limit))
    return list(rows.scalars())


def reported(connection: Connection, week: str) -> dict[tuple[str, str], int]:
    """How many boards of a week each table has reported, abandoned ones too; tables by pool and name."""
    of_week = (
        select(boards.c.pool, table.c.board, table.c.table_name)
        .join(table, table.c.board == boards.c.id)
        .where(boards.c.week == week)
        for table in (results, disconnects)
    )
    finished, left = of_week
    done = union(finished, left.where(disconnects.c.sequence.is_(None))).subquery()
    statement = select(done.c.pool, done.c.table_name, func.count()).group_by(done.c.pool, done.c.table_name)
    return {(pool, table): count for pool, table, count in connection.execute(statement)}
