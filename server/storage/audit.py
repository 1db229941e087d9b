"""The audit: a row for everything that anybody changed, written in the transaction that changed it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from server.storage import sets
from server.storage.tables import audit, clients

ITSELF = 0  # no client: what was done by the timetable, as nobody asked for it


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing done. Players appear by their number only."""

    client: int  # or ITSELF
    verb: str
    subject: str
    detail: str


def add(into: sets.Into, entries: Sequence[Entry], now: datetime) -> None:
    """Note what was done."""
    rows = [
        {
            "at": now,
            "client": entry.client,
            "verb": entry.verb,
            "subject": entry.subject,
            "detail": entry.detail,
        }
        for entry in entries
    ]
    sets.insert(into, audit, rows)


@dataclass(frozen=True, slots=True)
class Noted:
    """A row of the audit."""

    id: int
    at: datetime
    client: str | None  # its name; None: by itself
    verb: str
    subject: str
    detail: str | None  # None: not for whoever reads


def page(connection: Connection, before: int | None, limit: int) -> list[Noted]:
    """The newest rows, or those noted before the one with the id ``before``; newest first."""
    statement = select(audit.c.id, audit.c.at, clients.c.name, audit.c.verb, audit.c.subject, audit.c.detail)
    statement = statement.outerjoin(clients, clients.c.number == audit.c.client).order_by(audit.c.id.desc())
    if before is not None:
        statement = statement.where(audit.c.id < before)
    rows = connection.execute(statement.limit(limit))
    return [Noted(row.id, row.at, row.name, row.verb, row.subject, row.detail) for row in rows]
