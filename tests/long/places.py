"""Where programs run: a fresh database with clients and their tokens, and the folder of its server."""

import shutil
import sqlite3
import tempfile
from asyncio import to_thread
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import make_url

from server.services import installation, tokens
from server.storage.database import open_database
from tests import postgres

DATABASES = ("sqlite", "postgresql")
CLIENTS = {  # token: its scopes
    "platform": ("results:write", "boards:write"),
    "other": ("results:write", "boards:write"),
    "director": ("director",),
    "organiser": ("events:write", "results:write"),
    "admin": ("admin",),
}


@dataclass
class Place:
    """A database, and what it takes to speak with a server over it."""

    url: str
    folder: Path
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return make_url(self.url).get_backend_name()

    @property
    def environment(self) -> dict[str, str]:
        """Settings of a server over this database: no rate limit, no boards dealt ahead."""
        return {
            "CROSSRUFF_DATABASE_URL": self.url,
            "CROSSRUFF_DATA_DIR": str(self.folder),
            "CROSSRUFF_RATE_LIMIT": "0",
            "CROSSRUFF_WEEK_BOARDS": "0",
        }

    @property
    def file(self) -> Path:
        """The file of an SQLite database."""
        return Path(make_url(self.url).database or "")

    async def rows(self, sql: str) -> Sequence[Sequence[Any]]:
        """What plain SQL, the same on both databases, finds; by no code of the product."""
        if self.kind == "sqlite":
            return await to_thread(self._sqlite_rows, sql)
        connection = await self.connect()
        try:
            return await connection.fetch(sql)
        finally:
            await connection.close()

    async def connect(self) -> asyncpg.Connection:
        """A connection of one's own to PostgreSQL."""
        url = make_url(self.url).set(drivername="postgresql")
        return await asyncpg.connect(url.render_as_string(hide_password=False))

    def _sqlite_rows(self, sql: str) -> list[Any]:
        with closing(sqlite3.connect(self.file, timeout=20)) as connection, connection:
            return connection.execute(sql).fetchall()


@contextmanager
def fresh(kind: str) -> Iterator[Place]:
    """A place with a database that has every table, or, on SQLite, will have them when it is settled."""
    folder = Path(tempfile.mkdtemp(prefix="crossruff-long-"))
    try:
        if kind == "sqlite":
            yield Place(f"sqlite:///{folder / 'crossruff.sqlite3'}", folder)
            return
        with postgres.databases() as databases:
            yield Place(databases.url(databases.clone()), folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def settle(place: Place) -> None:
    """Make what is missing: tables, clients, tokens."""
    place.folder.mkdir(parents=True, exist_ok=True)
    database = open_database(place.url)
    try:
        if not await installation.at_head(database):
            await installation.migrate(database)
        now = datetime.now(UTC)
        for name, scopes in CLIENTS.items():
            place.tokens[name] = await tokens.create(database, name, frozenset(scopes), now)
    finally:
        await database.close()
