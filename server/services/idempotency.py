"""Doing a thing once, however often it is asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection

from server.services.errors import IdempotencyKeyReused
from server.storage import idempotency
from server.storage.database import Database

T = TypeVar("T")

REMEMBERED = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Once:
    """A request that may come again."""

    client: int
    key: str
    fingerprint: str  # of its body


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a request, and whether it was given before."""

    status: int
    body: str
    replayed: bool = False


def once(
    connection: Connection,
    request: Once | None,
    now: datetime,
    verb: Callable[[], T],
    render: Callable[[T], str],
    status: int = 201,
) -> Answered:
    """Do ``verb`` and answer ``status`` with its rendered value; the same request again gets the same answer.

    Refusals are not remembered. Raises IdempotencyKeyReused when the key came with another body.
    """
    if request is None:
        return Answered(status, render(verb()))
    keys = (request.client, request.key)
    idempotency.hold(connection, *keys)
    earlier = idempotency.find(connection, [keys]).get(keys)
    if earlier is not None:
        return replay(earlier, request.fingerprint)
    body = render(verb())
    answer = idempotency.Answer(request.client, request.key, request.fingerprint, status, body)
    idempotency.add(connection, [answer], now)
    return Answered(status, body)


def replay(earlier: idempotency.Answer, fingerprint: str) -> Answered:
    """The first answer again; raises IdempotencyKeyReused when the body is another one."""
    if earlier.fingerprint != fingerprint:
        raise IdempotencyKeyReused
    return Answered(earlier.status, earlier.body, replayed=True)


async def forget_old_answers(database: Database, now: datetime) -> int:
    """Drop answers older than seven days; how many."""
    return await database.write(lambda connection: idempotency.forget(connection, now - REMEMBERED))
