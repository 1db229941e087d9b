"""Rows to begin with, made by the storage floor itself."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TypeVar

from sqlalchemy import Connection

from server.bridge.contract import parse_result
from server.bridge.datum import TENTH
from server.bridge.deal import Deal
from server.bridge.pool import ScoringMethod, Terms
from server.bridge.seats import dealer_of, vulnerability_of
from server.bridge.week import parse_week
from server.storage import boards, players, results, tokens
from server.storage.boards import Board
from server.storage.database import open_database
from server.storage.results import Result
from tests.clock import NOON

T = TypeVar("T")
WEEK = parse_week("2026-W48")
TERMS = Terms(ScoringMethod.DATUM, 6, 40, TENTH)

_fresh = count(1)


def new_board(number: int, terms: Terms = TERMS, deal: Deal | None = None, pool: str = "imps") -> Board:
    """A board that is not in the database yet."""
    return Board(
        id=0,
        week=WEEK,
        pool=pool,
        number=number,
        dealer=dealer_of(number),
        vulnerability=vulnerability_of(number),
        deal=deal,
        terms=terms,
        scores=(),
        last_sequence=0,
        retired_at=None,
        withdrawn_at=None,
        version=1,
        change=0,
    )


def add_boards(connection: Connection, *wanted: Board | int, pool: str = "imps") -> list[Board]:
    """Boards of the week, given or by their numbers; in order of number."""
    boards.lock_set(connection, str(WEEK), pool, NOON)
    made = [new_board(each, pool=pool) if isinstance(each, int) else each for each in wanted]
    return boards.add(connection, WEEK, pool, made, NOON)


def add_board(connection: Connection, number: int = 1) -> Board:
    """One board of the week."""
    (board,) = add_boards(connection, number)
    return board


def add_client(connection: Connection, name: str = "platform") -> int:
    """A client; its number."""
    return tokens.client_number(connection, name, NOON)


def add_people(connection: Connection, *ids: str) -> list[int]:
    """Players; their numbers in the order of ``ids``."""
    known = players.add(connection, ids, NOON)
    return [known[each].number for each in ids]


def four(connection: Connection) -> tuple[int, int, int, int]:
    """Numbers of four fresh players."""
    serial = next(_fresh)
    north, east, south, west = add_people(connection, *(f"{name}{serial}" for name in "nesw"))
    return north, east, south, west


def new_result(connection: Connection, board: int, sequence: int, **changes: object) -> Result:
    """A result of a fresh table of fresh players, not in the database yet."""
    result = Result(
        board=board,
        sequence=sequence,
        table=f"T-{next(_fresh)}",
        players=four(connection),
        outcome=parse_result("4SN="),
        lead=None,
        score=420,
        live=True,
        version=1,
        client=add_client(connection),
        received_at=NOON,
        played_at=None,
        details=None,
    )
    return replace(result, **changes)


def add_result(connection: Connection, board: int, sequence: int, **changes: object) -> Result:
    """A result of a fresh table of fresh players. The board's own row stays as it is."""
    result = new_result(connection, board, sequence, **changes)
    results.add(connection, [result])
    return result


def elsewhere(url: str, verb: Callable[[Connection], T]) -> T:
    """Run ``verb`` over another connection, in a thread, and wait for it; may be called within a verb."""
    answers: list[T] = []

    async def run() -> None:
        database = open_database(url)
        try:
            answers.append(await database.write(verb))
        finally:
            await database.close()

    def work() -> None:
        with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
            runner.run(run())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    (answer,) = answers
    return answer
