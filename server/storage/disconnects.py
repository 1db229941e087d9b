"""Disconnects: one for each player and board, with a result or without."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, text, update

from server.storage import sets
from server.storage.tables import boards, disconnects, results


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Somebody left a table before the board was finished."""

    number: int  # of its row
    board: int
    player: int
    sequence: int | None  # of the result it came with; None: it was reported by itself
    table: str | None  # None only where neither was kept, by an early version
    players: tuple[int, int, int, int] | None  # numbers of N, E, S, W
    at: datetime | None  # when it happened, as its client says
    live: bool  # false: void
    client: int
    received_at: datetime


# Those that came with a result have its table and players.
_SEATED = ("table_name", "north", "east", "south", "west")
_SEATS = [getattr(results.c, name).label(f"result_{name}") for name in _SEATED]
_SELECT = select(disconnects, *_SEATS).outerjoin(
    results, (results.c.board == disconnects.c.board) & (results.c.sequence == disconnects.c.sequence)
)


def add(into: sets.Into, rows: Sequence[dict[str, Any]]) -> None:
    """Keep disconnects that come with results, one for each player and board; the first stands."""
    sets.insert(into, disconnects, rows, "ON CONFLICT DO NOTHING")


def add_alone(connection: Connection, disconnect: Disconnect) -> int:
    """Keep a disconnect that was reported by itself and has no number of row yet; its number."""
    seats = ("north", "east", "south", "west")
    row = {
        "board": disconnect.board,
        "player": disconnect.player,
        "table_name": disconnect.table,
        **dict(zip(seats, disconnect.players or (), strict=True)),
        "at": disconnect.at,
        "client": disconnect.client,
        "received_at": disconnect.received_at,
    }
    added = insert(disconnects).values(row).returning(disconnects.c.number)
    number: int = connection.execute(added).scalar_one()
    return number


def get(connection: Connection, number: int) -> Disconnect | None:
    """One disconnect."""
    row = connection.execute(_SELECT.where(disconnects.c.number == number)).first()
    return None if row is None else _disconnect(row)


def of_board(connection: Connection, board: int) -> list[Disconnect]:
    """Every disconnect on a board, void ones included, in order of arrival."""
    rows = connection.execute(_SELECT.where(disconnects.c.board == board).order_by(disconnects.c.number))
    return [_disconnect(row) for row in rows]


def of_boards(connection: Connection, boards: Iterable[int]) -> dict[int, list[Disconnect]]:
    """Every disconnect on some boards, void ones included, by board in order of arrival."""
    inside = text(f"disconnects.board IN {sets.elements(connection, 'boards')}")
    statement = _SELECT.where(inside).order_by(disconnects.c.number)
    found: dict[int, list[Disconnect]] = {}
    for row in connection.execute(statement, {"boards": sets.as_json(sorted(set(boards)))}):
        found.setdefault(row.board, []).append(_disconnect(row))
    return found


def left(connection: Connection, board: int) -> dict[int, datetime]:
    """Players who left a board, and when that came in; those left out whose disconnect was taken back."""
    statement = select(disconnects.c.player, disconnects.c.received_at).where(disconnects.c.board == board)
    rows = connection.execute(statement.where(disconnects.c.live).order_by(disconnects.c.player))
    return {row.player: row.received_at for row in rows}


def of_player(
    connection: Connection, player: int, week: str, pool: str, before: datetime | None = None
) -> list[Disconnect]:
    """A player's disconnects in a week and pool that stand, by number of board; ``before``: only such that
    came before this moment.
    """
    statement = (
        _SELECT.join(boards, boards.c.id == disconnects.c.board)
        .where(disconnects.c.player == player, disconnects.c.live)
        .where(boards.c.week == week, boards.c.pool == pool)
        .order_by(boards.c.number)
    )
    if before is not None:
        statement = statement.where(disconnects.c.received_at < before)
    return [_disconnect(row) for row in connection.execute(statement)]


def page(
    connection: Connection, board: int | None, accounts: Iterable[int] | None, after: int, limit: int
) -> list[Disconnect]:
    """Disconnects with a number above ``after``, in order; of one board and of these players, where given."""
    statement = _SELECT.where(disconnects.c.number > after)
    if board is not None:
        statement = statement.where(disconnects.c.board == board)
    if accounts is not None:
        inside = sets.elements(connection, "accounts")
        statement = statement.where(
            text(f"disconnects.player IN {inside}").bindparams(accounts=sets.as_json(sorted(set(accounts))))
        )
    rows = connection.execute(statement.order_by(disconnects.c.number).limit(limit))
    return [_disconnect(row) for row in rows]


def within(connection: Connection, begins: datetime, ends: datetime, limit: int) -> list[Disconnect]:
    """Disconnects that stand and happened in a window, its end left out; in order of arrival.

    When one happened is what its client says, and where that is not known, when it came in.
    """
    happened = func.coalesce(disconnects.c.at, disconnects.c.received_at)
    chosen = _SELECT.where(disconnects.c.live, happened >= begins, happened < ends)
    return [
        _disconnect(row) for row in connection.execute(chosen.order_by(disconnects.c.number).limit(limit))
    ]


def void(connection: Connection, numbers: Iterable[int]) -> None:
    """Let disconnects count no more."""
    inside = text(f"number IN {sets.elements(connection, 'numbers')}")
    statement = update(disconnects).where(inside).values(live=False)
    connection.execute(statement, {"numbers": sets.as_json(sorted(numbers))})


def _disconnect(row: Row[Any]) -> Disconnect:
    alone = row.sequence is None
    seats = (
        (row.north, row.east, row.south, row.west)
        if alone
        else (row.result_north, row.result_east, row.result_south, row.result_west)
    )
    return Disconnect(
        number=row.number,
        board=row.board,
        player=row.player,
        sequence=row.sequence,
        table=row.table_name if alone else row.result_table_name,
        players=None if None in seats else seats,
        at=row.at,
        live=bool(row.live),
        client=row.client,
        received_at=row.received_at,
    )
