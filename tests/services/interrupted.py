"""A database that lets something happen between the transactions of whoever uses it."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from server.storage.database import Database, Verb
from server.storage.wakeups import Wake

T = TypeVar("T")


class Killed(Exception):
    """The process has ended"""


class Interrupted:
    """An open database; before its n-th transaction ``happen`` is called once, with the database itself."""

    def __init__(self, database: Database, at: int, happen: Callable[[Database], Awaitable[None]]) -> None:
        self.transactions = 0
        self._database = database
        self._at = at
        self._happen = happen

    async def write(self, verb: Verb[T]) -> T:
        """Run a verb and commit."""
        await self._count()
        return await self._database.write(verb)

    async def alter(self, verb: Verb[T]) -> T:
        """As ``write``."""
        await self._count()
        return await self._database.alter(verb)

    async def read(self, query: Verb[T]) -> T:
        """Run a query."""
        await self._count()
        return await self._database.read(query)

    def listen(self, wake: Wake) -> Callable[[], None]:
        """Be woken after commits."""
        return self._database.listen(wake)

    async def close(self) -> None:
        """Let go of it."""
        await self._database.close()

    async def _count(self) -> None:
        number, self.transactions = self.transactions, self.transactions + 1
        if number == self._at:
            await self._happen(self._database)
