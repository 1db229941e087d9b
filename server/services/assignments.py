"""Dealing a board to a table: one that nobody there, and no linked account, has played or seen."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.bridge.week import week_of
from server.services.errors import NoBoardAvailable
from server.services.players import seated
from server.storage import assignments, audit, boards, players
from server.storage.boards import Board
from server.storage.ids import board_id


@dataclass(frozen=True, slots=True)
class Seating:
    """Four players at a table who want a board."""

    table: str
    pool: Pool
    players: tuple[str, str, str, str]  # ids of N, E, S, W


@dataclass(frozen=True, slots=True)
class Dealt:
    """The board that a table was dealt."""

    id: int
    board: Board
    expires_at: datetime


def deal_to(
    connection: Connection,
    client: int,
    seating: Seating,
    create: bool,
    zone: ZoneInfo,
    lifetime: timedelta,
    now: datetime,
) -> Dealt:
    """Deal a board of the open week. Runs in the caller's transaction.

    Raises NoBoardAvailable, InvalidResult (somebody sits twice), UnknownPlayer, MembersOnly.
    """
    week, pool = str(week_of(now, zone)), seating.pool
    # One table at a time for a week and pool: two could otherwise be dealt the same last slot.
    boards.lock_set(connection, week, pool.name, now)
    people = seated(connection, seating.players, pool, create, now)
    accounts = players.accounts(connection, (player.person for player in people.values()))
    everybody = {player.number for player in people.values()} | accounts.keys()
    board = _hold_next(connection, week, pool, everybody, now)
    made = assignments.add(connection, board.id, seating.table, client, now, now + lifetime)
    # They stay excluded from this board, also when the assignment expires.
    assignments.expose(connection, [(board.id, player.number) for player in people.values()], now)
    entry = audit.Entry(client, "assignment", board_id(board.id), seating.table)
    audit.add(connection, [entry], now)
    return Dealt(made.id, board, made.expires_at)


def _hold_next(
    connection: Connection, week: str, pool: Pool, accounts: Collection[int], now: datetime
) -> Board:
    """The next board for these accounts, held: a result that was being kept meanwhile is seen."""
    number = assignments.next_board(connection, week, pool.name, accounts, now)
    while number is not None:
        held = boards.lock(connection, [number])
        again = assignments.next_board(connection, week, pool.name, accounts, now)
        if again == number:
            return held[number]
        number = again
    raise NoBoardAvailable
