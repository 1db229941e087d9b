"""Boards dealt to tables, and who has seen which board."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, text

from server.storage import sets
from server.storage.tables import assignments, exposures
from server.storage.types import moment


@dataclass(frozen=True, slots=True)
class Assignment:
    """A board dealt to a table, holding a slot of it until it ends or expires."""

    id: int
    board: int
    expires_at: datetime


# How many live results a board has, from the cache of their scores.
_RESULTS = (
    "(CASE WHEN b.scores = '' THEN 0 ELSE length(b.scores) - length(replace(b.scores, ',', '')) + 1 END)"
)


def next_board(
    connection: Connection, week: str, pool: str, accounts: Iterable[int], now: datetime
) -> int | None:
    """The board to deal next to these accounts: one that none of them has played or seen, with a free slot.

    Boards short of what they are scored with come first, the fullest before the others; then those nearest
    to retirement. None when there is none.
    """
    inside = sets.elements(connection, "accounts")
    # The sign keeps SQLite from walking through all that was ever dealt, board by board: few are still open.
    statement = text(f"""
        SELECT b.id FROM boards AS b
        LEFT JOIN (
            SELECT board, count(*) AS open FROM (
                SELECT +board AS board FROM assignments WHERE ended_at IS NULL AND expires_at > :now
            ) AS dealt GROUP BY board
        ) AS a ON a.board = b.id
        WHERE b.week = :week AND b.pool = :pool AND b.retired_at IS NULL AND b.withdrawn_at IS NULL
        AND (b.retire_at IS NULL OR {_RESULTS} + coalesce(a.open, 0) < b.retire_at)
        AND NOT EXISTS (SELECT 1 FROM plays AS p WHERE p.board = b.id AND p.player IN {inside})
        AND NOT EXISTS (SELECT 1 FROM exposures AS e WHERE e.board = b.id AND e.player IN {inside})
        ORDER BY {_RESULTS} + coalesce(a.open, 0) < b.score_at DESC, {_RESULTS} + coalesce(a.open, 0) DESC,
            b.number
        LIMIT 1
    """).bindparams(moment(now))
    values = {"week": week, "pool": pool, "accounts": sets.as_json(sorted(set(accounts)))}
    return connection.execute(statement, values).scalar()


def add(
    connection: Connection, board: int, table: str, client: int, now: datetime, expires_at: datetime
) -> Assignment:
    """Deal a board to a table."""
    row = {
        "board": board,
        "table_name": table,
        "client": client,
        "created_at": now,
        "expires_at": expires_at,
    }
    number = connection.execute(insert(assignments).values(row).returning(assignments.c.id)).scalar_one()
    return Assignment(number, board, expires_at)


def end(into: sets.Into, tables: Iterable[tuple[int, str]], now: datetime) -> None:
    """End the assignments of these tables (board, name): their results are in."""
    rows = [{"board": board, "table_name": name, "ended_at": now} for board, name in sorted(set(tables))]
    sets.update(into, assignments, ("board", "table_name"), rows, "assignments.ended_at IS NULL")


def exposed(connection: Connection, boards: Iterable[int], players: Iterable[int]) -> set[tuple[int, int]]:
    """Which of these players have seen which of these boards: (board, player)."""
    statement = text(
        f"SELECT board, player FROM exposures WHERE board IN {sets.elements(connection, 'boards')} "
        f"AND player IN {sets.elements(connection, 'players')}"
    )
    wanted = {"boards": sets.as_json(sorted(set(boards))), "players": sets.as_json(sorted(set(players)))}
    return {(row.board, row.player) for row in connection.execute(statement, wanted)}


def expose(connection: Connection, seen: Sequence[tuple[int, int]], now: datetime) -> None:
    """Note that these players (board, player) have seen these boards."""
    rows = [{"board": board, "player": player, "since": now} for board, player in sorted(set(seen))]
    sets.insert(connection, exposures, rows, "ON CONFLICT DO NOTHING")
