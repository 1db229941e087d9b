"""Queries that only `crossruff verify` asks: what the stored figures are made of."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, select

from server.storage import boards
from server.storage.boards import Board
from server.storage.results import Result, StandingAward, awards_of, of_board
from server.storage.tables import boards as boards_table
from server.storage.tables import plays


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """A board with everything that is stored about its results."""

    board: Board
    results: tuple[Result, ...]  # in order of arrival, void ones included
    awards: dict[int, StandingAward]
    plays: frozenset[tuple[int, int]]  # player, sequence


def board_numbers(connection: Connection, after: int, limit: int) -> list[int]:
    """Numbers of the boards above ``after``, in order."""
    statement = select(boards_table.c.id).where(boards_table.c.id > after)
    return list(connection.execute(statement.order_by(boards_table.c.id).limit(limit)).scalars())


def stored(connection: Connection, numbers: list[int]) -> Iterator[StoredBoard]:
    """These boards with all their rows."""
    for number in numbers:
        board = boards.get(connection, number)
        if board is None:
            continue
        played = connection.execute(select(plays).where(plays.c.board == number))
        yield StoredBoard(
            board,
            tuple(of_board(connection, number)),
            awards_of(connection, number),
            frozenset((row.player, row.sequence) for row in played),
        )
