"""Making board sets, and reading boards."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import count
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.deal import Deal
from server.bridge.dealing import deal_at_random
from server.bridge.pool import Pool, ScoringMethod
from server.bridge.seats import Seat, Vulnerability, dealer_of, vulnerability_of
from server.bridge.week import Week, week_of
from server.services.errors import (
    BoardNotFound,
    BoardNumberTaken,
    InvalidBoard,
    ScopeMissing,
    UnknownPool,
)
from server.services.secrecy import Reader, Secrecy
from server.services.tokens import NOBODY, Caller, Scope
from server.storage import audit, boards
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.ids import board_id

HIGHEST_NUMBER = 1_000_000


@dataclass(frozen=True, slots=True)
class GivenBoard:
    """A board as an organiser gives it; what is None follows from its number."""

    number: int
    deal: Deal | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None


@dataclass(frozen=True, slots=True)
class BoardSet:
    """Boards made together."""

    week: Week
    pool: str
    boards: tuple[Board, ...]


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board as far as its reader may see it."""

    board: Board
    open: bool  # whether deal and results may be shown


def pool_named(pools: Mapping[str, Pool], name: str) -> Pool:
    """The configured pool; raises UnknownPool."""
    if name not in pools:
        raise UnknownPool("/pool", f"no pool is called {name!r}; there are {', '.join(sorted(pools))}")
    return pools[name]


def make_set(
    connection: Connection,
    caller: Caller,
    week: Week,
    pool: Pool,
    wanted: int | Sequence[GivenBoard],
    zone: ZoneInfo,
    now: datetime,
) -> BoardSet:
    """Make so many boards with fresh deals, or those given; numbers go on from those that are there.

    Runs in the caller's transaction. Raises ScopeMissing for a past week without admin, BoardNumberTaken,
    InvalidBoard.
    """
    if week < week_of(now, zone) and not caller.may(Scope.ADMIN):
        raise ScopeMissing(Scope.ADMIN)
    boards.lock_set(connection, str(week), pool.name, now)
    taken = boards.numbers_of_set(connection, str(week), pool.name)
    if isinstance(wanted, int):
        given = [GivenBoard(number, fresh_deal()) for number in _next_numbers(taken, wanted)]
    else:
        given = list(wanted)
        _check_given(given, taken, pool)
    if max(board.number for board in given) > HIGHEST_NUMBER:
        raise InvalidBoard("/count", f"board numbers go up to {HIGHEST_NUMBER}")
    made = boards.add(connection, week, pool.name, [_board(each, week, pool) for each in given], now)
    if caller.client is not None:
        detail = f"{made[0].number}-{made[-1].number}"
        entry = audit.Entry(caller.client, "board set", f"{week} {pool.name}", detail)
        audit.add(connection, [entry], now)
    return BoardSet(week, pool.name, tuple(made))


async def deal_ahead(
    database: Database, pools: Mapping[str, Pool], boards_each: int, zone: ZoneInfo, now: datetime
) -> int:
    """Deal the open and the next week's boards for every pool that has none yet; how many were made."""
    made = 0
    if boards_each == 0:
        return made
    for week in (week_of(now, zone), week_of(now, zone).plus(1)):
        for pool in pools.values():
            made += await database.write(partial(_deal_set, week, pool, boards_each, zone, now))
    return made


def _deal_set(
    week: Week, pool: Pool, wanted: int, zone: ZoneInfo, now: datetime, connection: Connection
) -> int:
    boards.lock_set(connection, str(week), pool.name, now)
    if boards.set_exists(connection, str(week), pool.name):
        return 0
    return len(make_set(connection, NOBODY, week, pool, wanted, zone, now).boards)


async def get(database: Database, number: int, reader: Reader, secrecy: Secrecy, now: datetime) -> BoardView:
    """One board. Raises BoardNotFound."""

    def query(connection: Connection) -> BoardView:
        board = boards.get(connection, number)
        if board is None:
            raise BoardNotFound(board_id(number))
        return BoardView(board, secrecy.open_to(connection, board, reader, now))

    return await database.read(query)


async def page(database: Database, week: Week, pool: str, after: int, limit: int) -> list[Board]:
    """Boards of a week and pool with a number above ``after``, in order of number."""
    return await database.read(lambda connection: boards.page(connection, str(week), pool, after, limit))


async def beside(database: Database, week: Week, pool: str, number: int) -> list[tuple[int, int] | None]:
    """Ids and numbers of the boards before and after one of a week and pool; None where there is none."""
    return await database.read(lambda connection: boards.beside(connection, str(week), pool, number))


def fresh_deal() -> Deal:
    """A deal that nobody can foretell."""
    # Players will see these cards: the source is the operating system's cryptographic one.
    return deal_at_random(secrets.randbelow)


def _next_numbers(taken: set[int], wanted: int) -> list[int]:
    start = max(taken, default=0) + 1
    return list(range(start, start + wanted))


def _check_given(given: Sequence[GivenBoard], taken: set[int], pool: Pool) -> None:
    seen = set(taken)
    for i, board in zip(count(), given):
        if board.number in seen:
            raise BoardNumberTaken(board.number)
        seen.add(board.number)
        needs_deal = pool.terms.method is ScoringMethod.HCP_COMPENSATION
        if needs_deal and (board.deal is None or not board.deal.complete):
            raise InvalidBoard(f"/boards/{i}/deal", f"pool {pool.name} scores by the cards: give the deal")


def _board(given: GivenBoard, week: Week, pool: Pool) -> Board:
    return Board(
        id=0,
        week=week,
        pool=pool.name,
        number=given.number,
        dealer=given.dealer or dealer_of(given.number),
        vulnerability=given.vulnerability or vulnerability_of(given.number),
        deal=given.deal,
        terms=pool.terms,
        scores=(),
        last_sequence=0,
        retired_at=None,
        withdrawn_at=None,
        version=1,
        change=0,
    )
