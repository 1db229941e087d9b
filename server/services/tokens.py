"""Tokens: who may do what. Shown once, stored hashed."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection

from server.services.errors import TokenInvalid
from server.storage import audit, tokens
from server.storage.database import Database

PREFIX = "cr_"


class Scope(StrEnum):
    """What a token may allow."""

    RESULTS = "results:write"  # report results, ask for boards, name players
    BOARDS = "boards:write"  # make board sets
    EVENTS = "events:write"  # run events
    DIRECTOR = "director"  # rule, and read what is hidden
    ADMIN = "admin"  # everything


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. Without token: nobody, who may read what is public."""

    client: int | None = None
    token: int | None = None
    scopes: frozenset[str] = frozenset()
    player: str | None = None  # who he is when he plays

    def may(self, scope: Scope) -> bool:
        """Whether the token allows ``scope``; admin allows everything."""
        return scope in self.scopes or Scope.ADMIN in self.scopes


NOBODY = Caller()


def digest(token: str) -> str:
    """What is kept of a token. It is random enough that no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


async def recognise(database: Database, token: str) -> tokens.Token:
    """The token as kept; raises TokenInvalid when there is none like it."""
    if not token.startswith(PREFIX) or not token.isascii():
        raise TokenInvalid
    found = await database.read(lambda connection: tokens.find(connection, digest(token)))
    if found is None:
        raise TokenInvalid
    return found


def caller(token: tokens.Token, now: datetime) -> Caller:
    """Who calls with this token; raises TokenInvalid when it has expired or was revoked."""
    if token.revoked_at is not None or (token.expires_at is not None and token.expires_at <= now):
        raise TokenInvalid
    return Caller(token.client, token.number, token.scopes, token.player)


async def create(
    database: Database,
    name: str,
    scopes: frozenset[str],
    now: datetime,
    expires_at: datetime | None = None,
    player: str | None = None,
) -> str:
    """A new token for the client ``name``; this is the only time that it can be read."""
    return await database.write(
        lambda connection: create_in(connection, name, scopes, now, expires_at, player)
    )


def create_in(
    connection: Connection,
    name: str,
    scopes: frozenset[str],
    now: datetime,
    expires_at: datetime | None = None,
    player: str | None = None,
) -> str:
    """As ``create``, within a transaction."""
    token = PREFIX + secrets.token_urlsafe(32)
    client = tokens.client_number(connection, name, now)
    number = tokens.add(connection, client, digest(token), scopes, player, now, expires_at)
    detail = " ".join(sorted(scopes))
    audit.add(connection, [audit.Entry(client, "token create", str(number), detail)], now)
    return token


async def revoke(database: Database, number: int, now: datetime) -> bool:
    """Revoke a token for good; False when there is none with this number, or it was revoked before."""

    def verb(connection: Connection) -> bool:
        known = {token.number: token for token in tokens.get_all(connection)}
        if number not in known or not tokens.revoke(connection, number, now):
            return False
        entry = audit.Entry(known[number].client, "token revoke", str(number), "")
        audit.add(connection, [entry], now)
        return True

    return await database.write(verb)


async def get_all(database: Database) -> list[tokens.Token]:
    """Every token, oldest first."""
    return await database.read(tokens.get_all)
