"""Queries that only `crossruff verify` asks: what the stored figures are made of."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Column, Connection, select, text

from server.storage import boards, disconnects, rulings, sets
from server.storage.boards import Board
from server.storage.disconnects import Disconnect
from server.storage.results import Result, StandingAward, awards_of, of_board
from server.storage.rulings import Revision
from server.storage.tables import boards as boards_table
from server.storage.tables import clients, players, plays


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """A board with everything that is stored about its results."""

    board: Board
    results: tuple[Result, ...]  # in order of arrival, void ones included
    awards: dict[int, StandingAward]
    plays: frozenset[tuple[int, int]]  # player, sequence
    strangers: frozenset[int]  # players and clients that are none, by their numbers
    disconnects: tuple[Disconnect, ...]
    revisions: tuple[Revision, ...]


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
        played = connection.execute(select(plays).where(plays.c.board == number)).all()
        results = tuple(of_board(connection, number))
        people = {row.player for row in played}.union(*(result.players for result in results))
        asked = {result.client for result in results}
        yield StoredBoard(
            board,
            results,
            awards_of(connection, number),
            frozenset((row.player, row.sequence) for row in played),
            frozenset(_missing(connection, players.c.number, people))
            | frozenset(_missing(connection, clients.c.number, asked)),
            tuple(disconnects.of_board(connection, number)),
            tuple(rulings.of_board(connection, number)),
        )


def _missing(connection: Connection, column: Column[int], numbers: set[int]) -> set[int]:
    """Which of these numbers no row has."""
    inside = text(f"{column} IN {sets.elements(connection, 'numbers')}")
    found = connection.execute(select(column).where(inside), {"numbers": sets.as_json(sorted(numbers))})
    return numbers - set(found.scalars())
