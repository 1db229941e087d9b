"""Tallies: what each board has given to its players' week totals, and these totals."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, func, select, union

from server.storage import sets
from server.storage.tables import boards
from server.storage.week_tables import tallies, week_totals


class Line(msgspec.Struct, frozen=True, array_like=True):
    """What one board gives to one player. Points in ten-thousandths."""

    player: int
    points: int = 0  # field score, or the loss of a disconnect
    boards: int = 1
    disconnects: int = 0
    duplicate: int = 0  # award, or the loss of a disconnect
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def figures(self) -> tuple[int, ...]:
        """Everything but the player."""
        return msgspec.structs.astuple(self)[1:]


@dataclass(frozen=True, slots=True)
class Total:
    """A player's figures of a week and pool."""

    week: str
    pool: str
    player: int
    points: int  # ten-thousandths
    boards: int
    disconnects: int
    duplicate: int  # ten-thousandths
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class Tally:
    """A board as it was counted last."""

    change: int
    lines: tuple[Line, ...]


_lines = msgspec.json.Decoder(tuple[Line, ...]).decode
COUNTED = tuple(column.name for column in week_totals.c)[3:]
_ADD = "ON CONFLICT (week, pool, player) DO UPDATE SET " + ", ".join(
    f"{name} = week_totals.{name} + excluded.{name}" for name in COUNTED
)


def behind(connection: Connection, since: str, limit: int) -> list[int]:
    """Boards of weeks from ``since`` on that changed since they were counted."""
    statement = (
        select(boards.c.id)
        .join(tallies, tallies.c.board == boards.c.id, isouter=True)
        .where(boards.c.week >= since, boards.c.change > func.coalesce(tallies.c.change, 0))
        .order_by(boards.c.id)
        .limit(limit)
    )
    return list(connection.execute(statement).scalars())


def of_boards(connection: Connection, numbers: Iterable[int]) -> dict[int, Tally]:
    """What these boards gave when they were counted."""
    statement = select(tallies).where(tallies.c.board.in_(list(numbers)))
    return {row.board: Tally(row.change, _lines(row.lines)) for row in connection.execute(statement)}


def keep(connection: Connection, counted: Sequence[tuple[int, Tally]]) -> None:
    """Note what boards gave."""
    rows = [
        {"board": board, "change": tally.change, "lines": msgspec.json.encode(tally.lines).decode()}
        for board, tally in counted
    ]
    again = "ON CONFLICT (board) DO UPDATE SET change = excluded.change, lines = excluded.lines"
    sets.insert(connection, tallies, rows, again)


def add(connection: Connection, more: dict[tuple[str, str, int], list[int]]) -> None:
    """Add to the totals of players, by week, pool and player: in this order, so that none wait in a ring."""
    rows = [
        dict(zip(("week", "pool", "player", *COUNTED), (*key, *more[key]), strict=True))
        for key in sorted(more)
    ]
    sets.insert(connection, week_totals, rows, _ADD)


def of_player(connection: Connection, player: int, pool: str) -> list[Total]:
    """A player's totals in a pool, oldest week first."""
    statement = select(week_totals).where(week_totals.c.player == player, week_totals.c.pool == pool)
    return [_total(row) for row in connection.execute(statement.order_by(week_totals.c.week))]


def of_week(connection: Connection, week: str, pool: str, players: Iterable[int]) -> dict[int, Total]:
    """Totals of some players in a week and pool."""
    mine = and_(week_totals.c.week == week, week_totals.c.pool == pool)
    statement = select(week_totals).where(mine, week_totals.c.player.in_(list(players)))
    return {row.player: _total(row) for row in connection.execute(statement)}


def weeks(connection: Connection) -> list[tuple[str, str]]:
    """Every week and pool with totals or counted boards."""
    totals = select(week_totals.c.week, week_totals.c.pool)
    counted = select(boards.c.week, boards.c.pool).join(tallies, tallies.c.board == boards.c.id)
    found = connection.execute(union(totals, counted.where(boards.c.week.is_not(None))))
    return sorted((row.week, row.pool) for row in found)


def lines_of_week(connection: Connection, week: str, pool: str) -> Iterator[Line]:
    """What the boards of a week and pool gave when they were counted."""
    statement = select(tallies.c.lines).join(boards, boards.c.id == tallies.c.board)
    for text in connection.execute(statement.where(boards.c.week == week, boards.c.pool == pool)).scalars():
        yield from _lines(text)


def totals_of_week(connection: Connection, week: str, pool: str) -> dict[int, tuple[int, ...]]:
    """Figures of every player of a week and pool, as ``COUNTED`` has them."""
    mine = (week_totals.c.week == week) & (week_totals.c.pool == pool)
    rows = connection.execute(select(week_totals).where(mine))
    return {row.player: tuple(map(int, row[3:])) for row in rows}


def _total(row: Any) -> Total:
    return Total(*row)
