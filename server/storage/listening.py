"""Hearing PostgreSQL's NOTIFY: one connection of its own, opened again whenever it is lost."""

import asyncio
from contextlib import suppress
from typing import Any

import asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine

from server.storage.wakeups import EVERYTHING, TOPIC, Wake, names

PAUSE = 1.0  # seconds before a lost connection is opened again


class Listener:
    """Listens from now on until it is stopped."""

    def __init__(self, engine: AsyncEngine, wake: Wake) -> None:
        self._arguments = engine.sync_engine.dialect.create_connect_args(engine.url)[1]
        self._wake = wake
        self._task = asyncio.create_task(self._run(), name="listen")

    def stop(self) -> None:
        """Hang up."""
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await self._listen()
            await asyncio.sleep(PAUSE)

    async def _listen(self) -> None:
        connection = await asyncpg.connect(
            **self._arguments, server_settings={"application_name": "crossruff"}
        )
        lost = asyncio.Event()
        try:
            connection.add_termination_listener(lambda _connection: lost.set())
            await connection.add_listener(TOPIC, self._heard)
            # What was told while nobody listened is lost: everybody looks.
            self._wake({EVERYTHING})
            await lost.wait()
        finally:
            connection.terminate()

    def _heard(self, _connection: Any, _process: int, _topic: str, payload: Any) -> None:
        self._wake(names(str(payload)))
