"""Somebody in another process whose transaction stays open: begun before something, committed after it."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy import Connection

from server.storage.database import Database, Verb, open_database

T = TypeVar("T")
LONGEST = 20.0  # seconds, after which whoever holds something lets go by himself


class Held:
    """Runs ``act`` over a connection of its own, in a thread; its last writing transaction stays open.

    Only for PostgreSQL: on SQLite nobody else could write meanwhile.
    """

    def __init__(self, url: str, act: Callable[["Holding"], Awaitable[None]], writes: int) -> None:
        self._url = url
        self._act = act
        self._writes = writes  # transactions of ``act`` that write
        self._done = threading.Event()  # everything but the commit
        self._end = threading.Event()
        self._running: asyncio.Future[None] | None = None

    async def begin(self) -> None:
        """Goes on until nothing is left but to commit."""
        self._running = asyncio.ensure_future(asyncio.to_thread(asyncio.run, self._run()))
        await asyncio.to_thread(self._done.wait, LONGEST)

    async def commit(self) -> None:
        """Commits. Raises what ``act`` has raised."""
        assert self._running is not None
        self._end.set()
        await self._running

    async def _run(self) -> None:
        database = open_database(self._url)
        try:
            await self._act(Holding(database, self._writes, self._hold))
        finally:
            self._done.set()
            await database.close()

    def _hold(self) -> None:
        self._done.set()
        assert self._end.wait(LONGEST), "whoever waits for this transaction is waited for"


class Holding:
    """An open database; before its n-th writing transaction commits, ``hold`` is called."""

    def __init__(self, database: Database, last: int, hold: Callable[[], None]) -> None:
        self._database = database
        self._left = last
        self._hold = hold

    async def write(self, verb: Verb[T]) -> T:
        """Run a verb and commit."""
        self._left -= 1
        return await self._database.write(verb if self._left else self._held(verb))

    async def alter(self, verb: Verb[T]) -> T:
        """As it is."""
        return await self._database.alter(verb)

    async def read(self, query: Verb[T]) -> T:
        """As it is."""
        return await self._database.read(query)

    def listen(self, wake: Callable[[object], None]) -> Callable[[], None]:
        """As it is."""
        return self._database.listen(wake)

    async def close(self) -> None:
        """Let go of it."""
        await self._database.close()

    def _held(self, verb: Verb[T]) -> Verb[T]:
        def held(connection: Connection) -> T:
            done = verb(connection)
            self._hold()
            return done

        return held
