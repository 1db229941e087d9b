"""The real application over a test's database, on a free port of this machine."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, web
from sqlalchemy import Connection

from server.app import Installed, make_app
from server.services import installation, tokens
from server.services.analysis import Analyst
from server.services.event_rounds import Dealing, fresh
from server.services.tokens import Scope
from server.settings import Settings, load_settings
from server.storage.database import Database, open_database
from tests.api import Api
from tests.clock import StandingClock
from tests.document import read_document

SCOPES = {
    "admin": Scope.ADMIN,
    "results": Scope.RESULTS,
    "boards": Scope.BOARDS,
    "events": Scope.EVENTS,
    "director": Scope.DIRECTOR,
}
QUIET = {"rate_limit": 0, "jobs": False, "host": "127.0.0.1", "port": 0}


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs."""

    url: str
    api: Api
    clock: StandingClock
    settings: Settings
    database: Database  # the server's own

    async def token(
        self, name: str, *scopes: str, expires_at: datetime | None = None, player: str | None = None
    ) -> str:
        """A further token with these scopes (as the API names them) for the client ``name``."""
        return await tokens.create(
            self.database, name, frozenset(scopes), self.clock.now(), expires_at, player
        )


@asynccontextmanager
async def serving(
    database_url: str,
    folder: Path,
    clock: StandingClock,
    *,
    analysis: bool = False,
    deal: Dealing = fresh,
    **changes: Any,
) -> AsyncIterator[Served]:
    """Serve until the block ends, with the default settings, QUIET and ``changes``.

    Each scope has a client and a token of its own. Deals are analysed, which takes time, only on request.
    ``deal``: whence boards of events come.
    """
    settings = _settings(QUIET | {"data_dir": folder, "database_url": database_url} | changes)
    database = open_database(settings.database)
    analyst = None if analysis else Analyst(available=False)
    app = make_app(settings, Installed(database, clock, None, deal), analyst=analyst)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=5)
    try:
        await installation.settle(database, settings.week_zone, settings.clock, clock.now(), False)
        known = await database.write(lambda connection: _tokens(connection, clock.now()))
        await runner.setup()
        site = web.TCPSite(runner, settings.host, settings.port)
        await site.start()
        host, port = runner.addresses[0][:2]
        url = f"http://{host}:{port}"
        async with ClientSession() as session:
            async with session.get(f"{url}/api/openapi.json") as response:
                document = read_document(await response.read())
            yield Served(url, Api(session, url, known, document), clock, settings, database)
    finally:
        await runner.cleanup()
        await database.close()


def _settings(values: dict[str, Any]) -> Settings:
    settings = load_settings(**values)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    return settings


def _tokens(connection: Connection, now: datetime) -> dict[str, str]:
    return {
        name: tokens.create_in(connection, f"{name} client", frozenset([scope]), now)
        for name, scope in SCOPES.items()
    }
