"""Disconnects that come without a result, and taking disconnects back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.services import sittings
from server.services.bulletins import BoardChange, BulletinKind, Wording, announce
from server.services.errors import (
    AlreadyPlayed,
    BoardNotFound,
    BoardNotOpen,
    BoardWithdrawn,
    DisconnectAlreadyReported,
    DisconnectNotFound,
    InvalidResult,
)
from server.services.players import seated
from server.services.reports import BoardNumber
from server.services.secrecy import Reader, Secrecy
from server.storage import assignments, audit, boards, disconnects, players, results, rulings
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.disconnects import Disconnect
from server.storage.ids import board_id, disconnect_id, result_id
from server.storage.players import Player
from server.storage.rulings import Revision, RulingKind


@dataclass(frozen=True, slots=True)
class Leaving:
    """Somebody left a table before the board was finished, as a client reports it."""

    player: str
    board: int | BoardNumber | str  # a text is an id that is none of ours
    table: str
    players: tuple[str, str, str, str]  # ids of N, E, S, W, himself included
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reporting:
    """Who reports, and by what rules of this installation."""

    client: int
    now: datetime
    zone: ZoneInfo
    pools: Mapping[str, Pool]
    create_players: bool
    wording: Wording


@dataclass(frozen=True, slots=True)
class DisconnectView:
    """A disconnect as far as its reader may see it."""

    board: Board
    disconnect: Disconnect
    people: Mapping[int, Player]  # by number: who left, and who sat at the table
    open: bool
    voided: Revision | None = None
    lifted: Revision | None = None  # what it costs the leaver's partner


def report(connection: Connection, reporting: Reporting, leaving: Leaving) -> DisconnectView:
    """Take a disconnect in; all four count as having seen the board. Runs in the caller's transaction.

    A result of the table may still come, from a substitute or when the player is back; the disconnect stands.
    On a board of an event the four sit at that table, or have in the round, and it was dealt to them; who is
    no member any more may be told of like anybody. Raises BoardNotFound, UnknownPlayer, InvalidResult,
    MembersOnly, BoardNotOpen, BoardWithdrawn, DisconnectAlreadyReported, AlreadyPlayed.
    """
    now = reporting.now
    # Events come before boards, boards before players: whoever locks goes this way.
    of_event = sittings.check_leaving(connection, leaving.board, leaving.table, leaving.players)
    board = _board(connection, leaving.board)
    pool = reporting.pools.get(board.pool or "")
    people = seated(connection, leaving.players, pool, reporting.create_players, now, anybody=of_event)
    _check_open(board, reporting)
    _check_seen(connection, board, leaving, people)
    north, east, south, west = (people[name].number for name in leaving.players)
    disconnect = Disconnect(
        number=0,
        board=board.id,
        player=people[leaving.player].number,
        sequence=None,
        table=leaving.table,
        players=(north, east, south, west),
        at=leaving.at,
        live=True,
        client=reporting.client,
        received_at=now,
    )
    disconnect = replace(disconnect, number=disconnects.add_alone(connection, disconnect))
    assignments.expose(connection, [(board.id, player.number) for player in people.values()], now)
    entry = audit.Entry(reporting.client, "disconnect", board_id(board.id), disconnect_id(disconnect.number))
    audit.add(connection, [entry], now)
    after = board.after(change=board.change + 1, bulletins=board.bulletins + 1)
    boards.update(connection, [after])
    announce(connection, [BoardChange(after, (), kind=BulletinKind.BOARD)], reporting.wording, now)
    return DisconnectView(after, disconnect, {player.number: player for player in people.values()}, True)


def _board(connection: Connection, named: int | BoardNumber | str) -> Board:
    """The board, held until the transaction ends."""
    if isinstance(named, BoardNumber):
        key = (named.week, named.pool, named.number)
        found = boards.lock(connection, boards.numbered(connection, [key]).values())
        said = f"board {named.number} of {named.week}, {named.pool}"
    elif isinstance(named, int):
        found, said = boards.lock(connection, [named]), board_id(named)
    else:
        found, said = {}, named
    for board in found.values():
        return board
    raise BoardNotFound(said)


def _check_open(board: Board, reporting: Reporting) -> None:
    if board.week is not None and reporting.now < board.week.opens_at(reporting.zone):
        opens = board.week.opens_at(reporting.zone).isoformat()
        raise BoardNotOpen(opens.replace("+00:00", "Z"))
    if board.withdrawn_at is not None:
        raise BoardWithdrawn


def _check_seen(connection: Connection, board: Board, leaving: Leaving, people: Mapping[str, Player]) -> None:
    """Once a player and board; and nobody leaves a board that he has finished elsewhere."""
    himself = people[leaving.player].person
    accounts = players.accounts(connection, (player.person for player in people.values()))
    for earlier in disconnects.of_board(connection, board.id):
        if accounts.get(earlier.player) == himself:
            raise DisconnectAlreadyReported(leaving.player, disconnect_id(earlier.number))
    own = results.of_table(connection, board.id, leaving.table)
    if own is not None and himself not in {accounts.get(number) for number in own.people}:
        raise InvalidResult("/player", f"{leaving.player!r} has no part in the result of this table")
    names = {player.person: name for name, player in people.items()}
    for play in results.plays_of(connection, [(board.id, number) for number in accounts]):
        if own is None or play.sequence != own.sequence:
            raise AlreadyPlayed(names[accounts[play.player]], result_id(board.id, play.sequence))


async def get(
    database: Database, number: int, reader: Reader, secrecy: Secrecy, now: datetime
) -> DisconnectView:
    """One disconnect. Raises DisconnectNotFound."""

    def query(connection: Connection) -> DisconnectView:
        found = disconnects.get(connection, number)
        if found is None:
            raise DisconnectNotFound(disconnect_id(number))
        (view,) = _views(connection, [found], reader, secrecy, now)
        return view

    return await database.read(query)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which disconnects are asked for."""

    board: int | None
    player: str | None  # with his linked accounts
    after: int
    limit: int


async def page(
    database: Database, wanted: Wanted, reader: Reader, secrecy: Secrecy, now: datetime
) -> list[DisconnectView]:
    """Disconnects in order of arrival."""

    def query(connection: Connection) -> list[DisconnectView]:
        accounts = None
        if wanted.player is not None:
            player = players.find(connection, [wanted.player]).get(wanted.player)
            accounts = players.accounts(connection, [player.person]).keys() if player else ()
        found = disconnects.page(connection, wanted.board, accounts, wanted.after, wanted.limit)
        return _views(connection, found, reader, secrecy, now)

    return await database.read(query)


def _views(
    connection: Connection, found: Sequence[Disconnect], reader: Reader, secrecy: Secrecy, now: datetime
) -> list[DisconnectView]:
    known = {number: boards.get(connection, number) for number in {each.board for each in found}}
    is_open = {
        number: secrecy.open_to(connection, board, reader, now)
        for number, board in known.items()
        if board is not None
    }
    numbers = {number for each in found for number in (each.player, *(each.players or ()))}
    people = players.by_number(connection, numbers)
    revisions = rulings.of_disconnects(connection, [each.number for each in found])
    views = []
    for each in found:
        board, its = known[each.board], revisions.get(each.number, {})
        if board is not None:
            kinds = its.get(RulingKind.DISCONNECT_VOID), its.get(RulingKind.PARTNER_LIFTED)
            views.append(DisconnectView(board, each, people, is_open[each.board], *kinds))
    return views
