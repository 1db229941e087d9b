"""Clients who post one result after another, whatever becomes of the server or its database."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from tests.long.program import Run
from tests.long.traffic import Ledger, Post, Refused, Traffic, post
from tests.long.wire import Connection

AGAIN = 0.05  # seconds after which a client who was refused for lack of room asks again
AHEAD = 4000  # results for which there must be boards before the load begins
FEW = 1000  # results for which there must be boards all the time: otherwise more are dealt


class Load:
    """So many clients, as long as the block lasts; who gets 503 or no answer posts the same again.

    What may be answered is held against the ledger: 201, a board that is full, 503 with Retry-After.
    """

    def __init__(
        self, run: Run, urls: list[str], token: str, ledger: Ledger, traffic: Traffic, clients: int = 8
    ) -> None:
        self.run = run
        self.urls = urls
        self.token = token
        self.ledger = ledger
        self.traffic = traffic
        self.clients = clients
        self.busy = 0  # answers 503
        self.broken = 0  # requests without answer
        self._tasks: list[asyncio.Task[None]] = []
        self._dealing = asyncio.Lock()

    async def __aenter__(self) -> "Load":
        async with Connection(self.urls[0], self.token) as connection:
            await self._deal(connection, AHEAD)
        self._tasks = [
            asyncio.create_task(self._client(self.urls[i % len(self.urls)])) for i in range(self.clients)
        ]
        return self

    async def __aexit__(self, *_error: object) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    @property
    def taken(self) -> int:
        """Results acknowledged so far, by whomever."""
        return len(self.ledger.acknowledged)

    async def takes(self, seconds: float, more: int = 1) -> float:
        """Wait until so many more results are acknowledged; seconds that it took, a fault after too many."""
        wanted = self.taken + more
        return await self._until(lambda: self.taken >= wanted, seconds, "no result is taken")

    async def refuses(self, seconds: float) -> float:
        """Wait until somebody is answered 503; seconds that it took, a fault after too many."""
        before = self.busy
        return await self._until(lambda: self.busy > before, seconds, "nobody is told that it is busy")

    async def _until(self, holds: Callable[[], bool], seconds: float, otherwise: str) -> float:
        loop = asyncio.get_running_loop()
        started = loop.time()
        while not holds():
            if loop.time() - started > seconds or all(task.done() for task in self._tasks):
                self.run.fault(otherwise, f"for {loop.time() - started:.1f} s")
                break
            await asyncio.sleep(0.005)
        return loop.time() - started

    async def _client(self, url: str) -> None:
        async with Connection(url, self.token) as connection:
            while True:
                if not self.traffic.fits(FEW):
                    await self._deal(connection, FEW)
                if self.traffic.fits(self.clients):
                    await self._insist(connection, self.traffic.next())
                else:
                    await asyncio.sleep(AGAIN)

    async def _deal(self, connection: Connection, ahead: int) -> None:
        """Boards for so many results, unless there are; tried again later when nobody can deal now."""
        async with self._dealing:
            if not self.traffic.fits(ahead):
                with suppress(ConnectionError, Refused):
                    await self.traffic.deal(connection, 2 * AHEAD // self.traffic.tables)

    async def _insist(self, connection: Connection, given: Post) -> None:
        while True:
            try:
                answer = await post(connection, self.ledger, given, busy=True)
            except ConnectionError:
                self.broken += 1
            else:
                if answer.status != 503:
                    return
                self.busy += 1
            await asyncio.sleep(AGAIN)


async def finish(url: str, token: str, ledger: Ledger) -> None:
    """Post again what nobody has answered, and some of what was acknowledged."""
    async with Connection(url, token) as connection:
        for each in [*ledger.unknown, *list(ledger.posted.values())[-50:]]:
            await post(connection, ledger, each)
