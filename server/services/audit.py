"""Reading the audit: who did what and when, newest first."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from server.services.secrecy import Reader, Secrecy
from server.storage import audit, boards
from server.storage.audit import Noted
from server.storage.database import Database
from server.storage.ids import board_number, result_number


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Some rows of the audit, and whether older ones follow."""

    rows: list[Noted]
    more: bool


async def page(
    database: Database,
    reader: Reader,
    secrecy: Secrecy,
    now: datetime,
    before: int | None,
    limit: int,
) -> AuditPage:
    """At most ``limit`` rows, those before the row with the id ``before``.

    A director who plays reads no details about boards that he may still play.
    """

    def query(connection: Connection) -> AuditPage:
        found = audit.page(connection, before, limit + 1)
        rows, more = found[:limit], len(found) > limit
        if reader.caller.player is not None:
            rows = _without_secrets(connection, rows, reader, secrecy, now)
        return AuditPage(rows, more)

    return await database.read(query)


def _without_secrets(
    connection: Connection, rows: list[Noted], reader: Reader, secrecy: Secrecy, now: datetime
) -> list[Noted]:
    about = {row.subject: _board_of(row.subject) for row in rows}
    known = [boards.get(connection, number) for number in set(about.values()) if number is not None]
    hidden = {
        board.id
        for board in known
        if board is not None and not secrecy.open_to(connection, board, reader, now)
    }
    return [replace(row, detail=None) if about[row.subject] in hidden else row for row in rows]


def _board_of(subject: str) -> int | None:
    """The board that a subject is about; None when it is about none."""
    result = result_number(subject)
    return result[0] if result is not None else board_number(subject)
