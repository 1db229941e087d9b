"""Ruling on disconnects: taken back, or its consequence for the leaver's partner lifted."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from server.services.bulletins import BoardChange, BulletinKind, announce
from server.services.disconnects import DisconnectView
from server.services.errors import AlreadyVoid, DisconnectNotFound, NothingToLift
from server.services.rulings import Director, check_own, concerned
from server.storage import audit, boards, disconnects, players, results, rulings
from server.storage.boards import Board
from server.storage.disconnects import Disconnect
from server.storage.ids import board_id, disconnect_id
from server.storage.results import Result
from server.storage.rulings import Revision, RulingKind, Stand


def void(connection: Connection, director: Director, number: int, reason: str) -> DisconnectView:
    """Let a disconnect count no more. Runs in the caller's transaction.

    Raises DisconnectNotFound, OwnBoard, DirectorPlays, AlreadyVoid.
    """
    board, disconnect = _standing(connection, director, number)
    (revision,) = take_back(connection, director, board, [disconnect], reason)
    _note(connection, director, revision)
    lifted = rulings.of_disconnects(connection, [number])[number].get(RulingKind.PARTNER_LIFTED)
    return _ruled(connection, board, replace(disconnect, live=False), revision, lifted)


def lift(connection: Connection, director: Director, number: int, reason: str) -> DisconnectView:
    """Take from the leaver's partner what the board costs him. Runs in the caller's transaction.

    Raises DisconnectNotFound, OwnBoard, DirectorPlays, AlreadyVoid, NothingToLift.
    """
    board, disconnect = _standing(connection, director, number)
    if RulingKind.PARTNER_LIFTED in rulings.of_disconnects(connection, [number]).get(number, {}):
        raise NothingToLift(disconnect_id(number), "that was lifted before")
    if _finished(connection, disconnect):
        raise NothingToLift(disconnect_id(number), "a table that has a result costs the partner nothing")
    kept = _revision(board, board.version + 1, disconnect, director, reason)
    revision = replace(kept, kind=RulingKind.PARTNER_LIFTED, after=Stand(live=True))
    rulings.add(connection, revision)
    _changed(connection, director, board, revision.number)
    _note(connection, director, revision)
    return _ruled(connection, board, disconnect, None, revision)


def _finished(connection: Connection, disconnect: Disconnect) -> bool:
    alone = disconnect.sequence is None and disconnect.table is not None and disconnect.players is not None
    return not alone or results.of_table(connection, disconnect.board, disconnect.table or "") is not None


def _standing(connection: Connection, director: Director, number: int) -> tuple[Board, Disconnect]:
    """A disconnect that counts, and its board, held, if the director may rule about it."""
    named = disconnects.get(connection, number)
    board = None if named is None else boards.lock(connection, [named.board]).get(named.board)
    disconnect = disconnects.get(connection, number)  # as it is now that its board is held
    if board is None or disconnect is None:
        raise DisconnectNotFound(disconnect_id(number))
    everything: Sequence[Result] = results.of_board(connection, board.id)
    check_own(connection, director, board, concerned(connection, board.id, everything))
    if not disconnect.live:
        raise AlreadyVoid(disconnect_id(number))
    return board, disconnect


def _note(connection: Connection, director: Director, revision: Revision) -> None:
    detail = f"{disconnect_id(revision.disconnect or 0)}: {revision.reason}"
    entry = audit.Entry(director.client, revision.kind.value, board_id(revision.board), detail)
    audit.add(connection, [entry], director.now)


def _ruled(
    connection: Connection,
    board: Board,
    disconnect: Disconnect,
    voided: Revision | None,
    lifted: Revision | None,
) -> DisconnectView:
    people = players.by_number(connection, {disconnect.player, *(disconnect.players or ())})
    return DisconnectView(board, disconnect, people, True, voided, lifted)


def take_back(
    connection: Connection, director: Director, board: Board, some: Sequence[Disconnect], reason: str
) -> list[Revision]:
    """Let some disconnects on a held board count no more, a revision for each; the audit is the caller's."""
    made = [_revision(board, board.version + i, each, director, reason) for i, each in enumerate(some, 1)]
    disconnects.void(connection, [each.number for each in some])
    for revision in made:
        rulings.add(connection, revision)
    _changed(connection, director, board, made[-1].number)
    return made


def _changed(connection: Connection, director: Director, board: Board, version: int) -> None:
    """Its week is to be rated again, and whoever follows it is told."""
    after = board.after(version=version, change=board.change + 1, bulletins=board.bulletins + 1)
    rulings.change_board(connection, after)
    announce(connection, [BoardChange(after, (), kind=BulletinKind.BOARD)], director.wording, director.now)


def _revision(board: Board, number: int, disconnect: Disconnect, director: Director, reason: str) -> Revision:
    return Revision(
        board=board.id,
        number=number,
        kind=RulingKind.DISCONNECT_VOID,
        sequence=None,
        disconnect=disconnect.number,
        arrived=board.last_sequence,
        basis=None,
        infraction=None,
        damage=None,
        reason=reason,
        before=Stand(live=True),
        after=Stand(live=False),
        client=director.client,
        at=director.now,
    )
