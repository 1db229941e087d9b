"""Clients and their tokens."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from server.storage.tables import clients, tokens


@dataclass(frozen=True, slots=True)
class Token:
    """A login of a client. The token itself is not kept, only its digest."""

    number: int
    client: int
    client_name: str
    scopes: frozenset[str]
    player: str | None  # who a director is when he plays
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


def find(connection: Connection, digest: str) -> Token | None:
    """The token with this digest, also when it has expired or was revoked."""
    row = connection.execute(_SELECT.where(tokens.c.digest == digest)).first()
    return None if row is None else _token(row)


def get_all(connection: Connection) -> list[Token]:
    """Every token, oldest first."""
    return [_token(row) for row in connection.execute(_SELECT.order_by(tokens.c.number))]


def add(
    connection: Connection,
    client: int,
    digest: str,
    scopes: frozenset[str],
    player: str | None,
    created_at: datetime,
    expires_at: datetime | None,
) -> int:
    """Keep a new token; its number."""
    row = {
        "client": client,
        "digest": digest,
        "scopes": " ".join(sorted(scopes)),
        "player": player,
        "created_at": created_at,
        "expires_at": expires_at,
    }
    number: int = connection.execute(insert(tokens).values(row).returning(tokens.c.number)).scalar_one()
    return number


def revoke(connection: Connection, number: int, at: datetime) -> bool:
    """Revoke a token; False when there is none with this number or it was revoked before."""
    statement = update(tokens).where(tokens.c.number == number, tokens.c.revoked_at.is_(None))
    return connection.execute(statement.values(revoked_at=at)).rowcount == 1


def client_number(connection: Connection, name: str, now: datetime) -> int:
    """The client called ``name``, made when it is new."""
    found: int | None = connection.execute(select(clients.c.number).where(clients.c.name == name)).scalar()
    if found is not None:
        return found
    row = {"name": name, "created_at": now}
    number: int = connection.execute(insert(clients).values(row).returning(clients.c.number)).scalar_one()
    return number


_SELECT = select(tokens, clients.c.name.label("client_name")).join(clients)


def _token(row: Row[Any]) -> Token:
    return Token(
        number=row.number,
        client=row.client,
        client_name=row.client_name,
        scopes=frozenset(row.scopes.split()),
        player=row.player,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
    )
