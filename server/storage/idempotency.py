"""First answers, kept byte for byte, so that a repeated request gets the same again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, text

from server.storage import sets
from server.storage.tables import idempotency


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request with this key was answered the first time."""

    client: int
    key: str
    fingerprint: str  # of the body, without the key
    status: int
    body: str


def hold(connection: Connection, client: int, key: str) -> None:
    """Hold a key until the transaction ends, whether or not it was used: the same at once waits here."""
    if connection.dialect.name == "postgresql":  # on SQLite one transaction writes at a time
        statement = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, :client))")
        connection.execute(statement, {"key": key, "client": client})


def find(connection: Connection, wanted: Iterable[tuple[int, str]]) -> dict[tuple[int, str], Answer]:
    """Answers by client and key."""
    rows = _used(connection, [{"client": client, "key": key} for client, key in sorted(set(wanted))])
    if not rows:
        return {}
    asked = sets.record_set(connection, "asked", client="bigint", key="text")
    statement = text(
        f"SELECT i.client, i.key, i.fingerprint, i.status, i.body FROM {asked} JOIN idempotency AS i "
        "ON i.client = asked.client AND i.key = asked.key"
    )
    found = connection.execute(statement, {"asked": sets.as_json(rows)})
    return {
        (row.client, row.key): Answer(row.client, row.key, row.fingerprint, row.status, row.body)
        for row in found.all()
    }


def _used(connection: Connection, rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """The keys that were used before: nearly always none of them."""
    asked = sets.record_set(connection, "asked", client="bigint", key="text")
    # A subquery for each row: for a join PostgreSQL may read the whole table while it knows little of it.
    statement = text(
        "SELECT asked.client, asked.key, (SELECT i.status FROM idempotency AS i "
        f"WHERE i.client = asked.client AND i.key = asked.key) AS status FROM {asked}"
    )
    found = connection.execute(statement, {"asked": sets.as_json(rows)})
    return [{"client": row.client, "key": row.key} for row in found.all() if row.status is not None]


def add(into: sets.Into, answers: Sequence[Answer], now: datetime) -> None:
    """Keep first answers, in order of client and key."""
    rows = [
        {
            "client": answer.client,
            "key": answer.key,
            "fingerprint": answer.fingerprint,
            "status": answer.status,
            "body": answer.body,
            "created_at": now,
        }
        for answer in sorted(answers, key=lambda answer: (answer.client, answer.key))
    ]
    sets.insert(into, idempotency, rows)


def forget(connection: Connection, before: datetime) -> int:
    """Drop the answers first given before this moment; how many."""
    return connection.execute(delete(idempotency).where(idempotency.c.created_at < before)).rowcount
