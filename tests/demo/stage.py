"""A small world that has played, for tests of several modules."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from server.app import Installed
from server.clock import SystemClock
from server.demo import platform_token
from server.demo.history import History, Spell
from server.demo.plan import BEGINS, Plan
from server.demo.settings import arguments
from server.services import installation
from server.services.closing import Closed
from server.settings import Settings, load_settings
from server.storage.database import Database, open_database

PLAN = Plan(seed=1, players=40, weeks=2, speed=60.0)


@dataclass(frozen=True)
class Told:
    """What was told while a world played."""

    spells: list[Spell]
    closed: list[Closed]


def settings_of(folder: Path, url: str) -> Settings:
    """Settings of a demonstration over a database."""
    return load_settings(**arguments(PLAN, folder) | {"database_url": url})


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """A database until the block ends."""
    database = open_database(url)
    yield database
    await database.close()


async def play(settings: Settings, database: Database, until: datetime = BEGINS) -> Told:
    """Play from the first week to a moment."""
    await installation.settle(database, settings.week_zone, PLAN.clock, BEGINS, with_token=False)
    login = await platform_token.login(settings.data_dir, Installed(database, SystemClock(), None))
    told = Told([], [])
    async with aclosing(History(settings, database, login, PLAN).play(PLAN.first, until)) as steps:
        async for step in steps:
            if isinstance(step, Spell):
                told.spells.append(step)
            else:
                told.closed.append(step)
    return told


def make(folder: Path, url: str) -> Told:
    """Play the world to the moment at which demonstrations begin; outside any loop."""

    async def run() -> Told:
        async with opened(url) as database:
            return await play(settings_of(folder, url), database)

    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        return runner.run(run())
