"""Waking those who follow a channel, after the transaction that wrote to it has committed.

A wake-up only says that there is something to read; the bulletins are in their table. PostgreSQL carries it
to every process (one NOTIFY for a commit); with SQLite everybody who follows is in the process that wrote.
"""

from collections.abc import Callable, Iterable

from sqlalchemy import Connection, text

from server.storage.sets import Into, Writes

TOPIC = "crossruff"
EVERYTHING = "*"  # woken are all channels: the names would not fit, or some wake-ups may have been missed
_FITS = 7900  # bytes; PostgreSQL takes less than 8000

Wake = Callable[[set[str]], None]


def note(into: Into, channels: Iterable[str]) -> None:
    """Have these channels woken when the transaction commits."""
    names = sorted(set(channels))
    if not names:
        return
    if isinstance(into, Writes):
        into.notify(TOPIC, _payload(names))
    elif into.dialect.name == "postgresql":
        statement = text("SELECT pg_notify(:topic, :payload)")
        into.execute(statement, {"topic": TOPIC, "payload": _payload(names)})
    else:
        into.info.setdefault(TOPIC, set()).update(names)


def _payload(names: Iterable[str]) -> str:
    payload = " ".join(names)
    return payload if len(payload.encode()) < _FITS else EVERYTHING


def noted(connection: Connection) -> set[str]:
    """What was noted on a connection of SQLite; forgotten by asking."""
    names: set[str] = connection.info.pop(TOPIC, set())
    return names


def names(payload: str) -> set[str]:
    """The channels that a NOTIFY names."""
    return set(payload.split(" "))
