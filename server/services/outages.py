"""Outages: every disconnect within a window is taken back in one step, since nobody was to blame."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.services.disconnect_rulings import take_back
from server.services.errors import OutageRefused
from server.services.rulings import Director, check_own, concerned
from server.storage import audit, boards, disconnects, results
from server.storage.disconnects import Disconnect
from server.storage.ids import disconnect_id

MOST = 10_000  # disconnects that one step takes back


@dataclass(frozen=True, slots=True)
class Outage:
    """A window in which a platform or the network was down, and why it is believed."""

    begins: datetime
    ends: datetime  # belongs to it no more
    reason: str


@dataclass(frozen=True, slots=True)
class Declared:
    """What a declared outage takes back."""

    outage: Outage
    disconnects: tuple[Disconnect, ...]  # in order of arrival


def declare(connection: Connection, director: Director, outage: Outage) -> Declared:
    """Take back every disconnect that stands and happened within the window, in the caller's transaction.

    What comes in later stands until the window is declared again. Raises OutageRefused, OwnBoard,
    DirectorPlays.
    """
    _check(outage, director.now)
    numbers = {each.board for each in _found(connection, outage)}
    held = boards.lock(connection, numbers)
    # As they are now that their boards are held; what was added on others meanwhile came too late.
    found = [each for each in _found(connection, outage) if each.board in held]
    for board in held.values():
        _check_own(connection, director, board.id)
    for number, board in held.items():
        some = [each for each in found if each.board == number]
        if some:
            take_back(connection, director, board, some, outage.reason)
    window = f"{_text(outage.begins)}/{_text(outage.ends)}"
    said = f"{outage.reason}: {', '.join(disconnect_id(each.number) for each in found) or 'none'}"
    audit.add(connection, [audit.Entry(director.client, "outage", window, said)], director.now)
    return Declared(outage, tuple(found))


def preview(connection: Connection, director: Director, outage: Outage) -> Declared:
    """What ``declare`` would take back; changes nothing."""
    _check(outage, director.now)
    found = _found(connection, outage)
    for number in sorted({each.board for each in found}):
        _check_own(connection, director, number)
    return Declared(outage, tuple(found))


def _check(outage: Outage, now: datetime) -> None:
    if outage.ends <= outage.begins:
        raise OutageRefused("/until", "the window ends before it begins")
    if outage.ends > now:
        raise OutageRefused("/until", "nobody knows yet what happens until then")


def _found(connection: Connection, outage: Outage) -> Sequence[Disconnect]:
    found = disconnects.within(connection, outage.begins, outage.ends, MOST + 1)
    if len(found) > MOST:
        raise OutageRefused(
            "/until", f"more than {MOST} disconnects happened within: declare shorter windows"
        )
    return found


def _check_own(connection: Connection, director: Director, number: int) -> None:
    """Nobody who plays rules about a board that he played or may still play."""
    board = boards.get(connection, number)
    if director.player is not None and board is not None:
        everything = results.of_board(connection, number)
        check_own(connection, director, board, concerned(connection, number, everything))


def _text(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
