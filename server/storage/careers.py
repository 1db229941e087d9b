"""What a player did in a pool, over all weeks."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, or_, select

from server.storage.results import Result, from_row
from server.storage.tables import boards, disconnects, plays, results
from server.storage.tallies import Line, read_lines
from server.storage.week_tables import tallies


@dataclass(frozen=True, slots=True)
class Shown:
    """A live result with its board, and what the board gave to its players when it was counted last."""

    result: Result
    week: str
    number: int
    scored: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """A board that the player left."""

    board: int
    week: str
    number: int
    method: str  # by which it is scored


def shown(connection: Connection, player: int, pool: str, closed: str, limit: int) -> list[Shown]:
    """His results on boards that are retired or of weeks up to ``closed``, newest boards first."""
    statement = (
        select(results, boards.c.week, boards.c.number, boards.c.score_at, boards.c.scores, tallies.c.lines)
        .select_from(plays)
        .join(boards, boards.c.id == plays.c.board)
        .join(results, (results.c.board == plays.c.board) & (results.c.sequence == plays.c.sequence))
        .join(tallies, tallies.c.board == plays.c.board)
        .where(plays.c.player == player, boards.c.pool == pool, boards.c.withdrawn_at.is_(None))
        .where(_revealed(closed))
        .order_by(plays.c.board.desc())
        .limit(limit)
    )
    return [
        Shown(from_row(row), row.week, row.number, len(row.scores) >= row.score_at, read_lines(row.lines))
        for row in connection.execute(statement)
    ]


def left(connection: Connection, player: int, pool: str, closed: str, limit: int) -> list[Left]:
    """Boards that he left, newest first: retired ones or of weeks up to ``closed``.

    Those where a director took it back are left out.
    """
    statement = (
        select(boards.c.id, boards.c.week, boards.c.number, boards.c.method)
        .join(disconnects, disconnects.c.board == boards.c.id)
        .where(disconnects.c.player == player, disconnects.c.live, boards.c.pool == pool)
        .where(boards.c.withdrawn_at.is_(None), _revealed(closed))
        .order_by(boards.c.id.desc())
        .limit(limit)
    )
    return [Left(*row) for row in connection.execute(statement)]


def _revealed(closed: str) -> ColumnElement[bool]:
    """Nobody can be playing the board any more; of withdrawn ones nothing is told anyway."""
    return or_(boards.c.retired_at.is_not(None), boards.c.week <= closed)
