"""The audit: a row for everything that anybody changed, written in the transaction that changed it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from server.storage import sets
from server.storage.tables import audit


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing done. Players appear by their number only."""

    client: int
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
