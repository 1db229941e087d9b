"""Live messages: what is told to whom, and who makes sure that it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

import msgspec
from sqlalchemy import Connection

from server.bridge.week import Week, week_of
from server.services import event_snapshot, travellers
from server.services.arrivals import Taken
from server.services.idempotency import REMEMBERED
from server.services.secrecy import Reader, Secrecy
from server.services.tokens import NOBODY
from server.services.travellers import TravellerView
from server.storage import boards, bulletins, players
from server.storage.boards import Board
from server.storage.bulletins import Bulletin
from server.storage.database import Database
from server.storage.ids import board_id
from server.storage.sets import Into

AT_ONCE = 1000  # bulletins numbered in one transaction
REVEALED_AT_ONCE = 20  # boards


class BulletinKind(StrEnum):
    """Every kind of live message, by the name under which it is sent."""

    RESULT = "result"  # board: results came in; the rows that changed, as far as the public may see them
    BOARD_REVEALED = "board-revealed"  # board: nobody plays it any more; the whole traveller
    RULING = "ruling"  # board: a director ruled; the rows that changed, likewise
    BOARD = "board"  # week: the state of a board; board: somebody disconnected, of which no more is told
    EVENT = "event"  # event: what changed, as a JSON merge patch of its snapshot
    EVENT_WARNING = "event-warning"  # event: so many seconds are left of the round
    EVENT_LISTED = "event-listed"  # events: what lists show of one of them changed, or there is one more
    RATED = "rated"  # week: ratings of it or of the week before were published, with the revision's number
    RESET = "reset"  # any stream: your position is gone; read the snapshot, then go on from here
    CLOSING = "closing"  # any stream: the server stops; come again


_WITH_PLAYERS = (BulletinKind.BOARD_REVEALED, BulletinKind.EVENT)


def board_channel(board: int) -> str:
    """The channel of a board."""
    return f"board:{board_id(board)}"


def week_channel(week: Week) -> str:
    """The channel of a week."""
    return f"week:{week}"


@dataclass(frozen=True, slots=True)
class BoardChange:
    """What a commit did to one board."""

    board: Board  # as it is now
    sequences: tuple[int, ...]  # results that are new, ruled upon, scored now or pending again
    void: int | None = None  # of these the one that is none any more
    kind: BulletinKind = BulletinKind.RESULT


@dataclass(frozen=True, slots=True)
class Wording:
    """How bulletins are written."""

    results: Callable[[BoardChange], str]
    board: Callable[[Board], str]
    revealed: Callable[[TravellerView], str]


def changes(taken: Sequence[Taken]) -> list[BoardChange]:
    """What these results changed, by board, in order of number; each board has one more bulletin."""
    last: dict[int, Board] = {}
    sequences: dict[int, set[int]] = {}
    for each in (taking.accepted for taking in taken):
        last[each.board.id] = each.board
        touched = {each.sequence, *(sequence for sequence, _ in each.awards)}
        sequences.setdefault(each.board.id, set()).update(touched)
    return [
        # A board that was revealed before has news for everybody: it is to be revealed again.
        BoardChange(
            last[number].after(bulletins=last[number].bulletins + 1, revealed_at=None),
            tuple(sorted(sequences[number])),
        )
        for number in sorted(last)
    ]


def announce(into: Into, changed: Sequence[BoardChange], wording: Wording, now: datetime) -> None:
    """Write the bulletins of one commit: one for each board, and one to its week."""
    rows = []
    for each in changed:
        channel, number = board_channel(each.board.id), each.board.bulletins
        plain = each.kind is BulletinKind.BOARD
        body = wording.board(each.board) if plain else wording.results(each)
        rows.append(Bulletin(channel, number, each.kind, body))
    for each in changed:
        if each.board.week is not None:
            channel = week_channel(each.board.week)
            rows.append(Bulletin(channel, None, BulletinKind.BOARD, wording.board(each.board)))
    bulletins.add(into, rows, now)


async def positions(database: Database, channels: Sequence[str]) -> dict[str, int]:
    """Where channels stand. What is read afterwards holds all that was told up to there."""
    return await database.read(
        lambda connection: {name: bulletins.kept(connection, name).last for name in channels}
    )


async def number_shared(database: Database) -> int:
    """Number what was written to shared channels; how many. Writes nothing when there is nothing to do."""
    if not await database.read(bulletins.any_unnumbered):
        return 0
    return await database.write(lambda connection: bulletins.number_shared(connection, AT_ONCE))


async def reveal(database: Database, secrecy: Secrecy, wording: Wording, now: datetime) -> int:
    """Tell the channels of boards that nobody plays any more everything about them; how many boards."""
    closed = str(week_of(now - secrecy.after_close, secrecy.zone).plus(-1))
    due = await database.read(lambda connection: boards.unrevealed(connection, closed, REVEALED_AT_ONCE))
    return await database.write(partial(_reveal, due, secrecy, wording, now)) if due else 0


def _reveal(
    due: Sequence[int], secrecy: Secrecy, wording: Wording, now: datetime, connection: Connection
) -> int:
    locked = [board for board in boards.lock(connection, due).values() if board.revealed_at is None]
    told = [board.after(bulletins=board.bulletins + 1, revealed_at=now) for board in locked]
    rows = []
    for board in told:
        view = travellers.view(connection, board, Reader(NOBODY), secrecy, now)
        body = wording.revealed(view)
        rows.append(Bulletin(board_channel(board.id), board.bulletins, BulletinKind.BOARD_REVEALED, body))
    boards.update(connection, told)
    bulletins.add(connection, rows, now)
    return len(told)


def after(connection: Connection, positions: Mapping[str, int], limit: int) -> list[Bulletin]:
    """Bulletins of these channels beyond their positions, in order, as they are sent.

    Kept are players' numbers; their names are filled in now, so that who was hidden or erased stays so.
    """
    rows = bulletins.after(connection, positions, limit)
    told = {i: msgspec.json.decode(row.body) for i, row in enumerate(rows) if row.kind in _WITH_PLAYERS}
    seated = [
        result["players"]
        for i, body in told.items()
        if rows[i].kind == BulletinKind.BOARD_REVEALED
        for result in body["results"]
    ]
    numbers = {number for seats in seated for number in seats.values()}
    numbers.update(event_snapshot.players_in([told[i] for i in told if rows[i].kind == BulletinKind.EVENT]))
    names = {number: player.public_id for number, player in players.by_number(connection, numbers).items()}
    for seats in seated:
        seats.update({seat: names[number] for seat, number in seats.items()})
    for i, body in told.items():
        named = event_snapshot.with_names(body, names) if rows[i].kind == BulletinKind.EVENT else body
        rows[i] = replace(rows[i], body=msgspec.json.encode(named).decode())
    return rows


async def forget_old(database: Database, now: datetime) -> int:
    """Drop bulletins older than seven days; how many. Older positions are answered by a reset."""
    return await database.write(lambda connection: bulletins.forget(connection, now - REMEMBERED))


async def late(database: Database, now: datetime) -> int:
    """How many rows of shared channels have waited for their number for more than a minute."""
    moment = now - timedelta(minutes=1)
    return await database.read(lambda connection: bulletins.unnumbered_before(connection, moment))
