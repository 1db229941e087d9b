"""A process that closes the weeks that are due, and ends itself by SIGKILL at a moment.

Every transaction has two moments: before it begins, and when everything in it is done but the commit.

Processes are forked from one that has imported everything already (``closing.py``): they begin at once.
"""

import logging
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

import structlog
import uvloop
from sqlalchemy import Connection

from server.services import closing
from server.storage.database import Database, Verb, open_database
from server.storage.wakeups import Wake
from tests.clock import StandingClock
from tests.services.played_weeks import POOLS, Played

T = TypeVar("T")
FEW = 40  # rows of a snapshot in one transaction: there are several
# Two pools with sums of the joint rating; boards are never retired.
TWO_POOLS = {
    name: replace(POOLS[name], terms=replace(POOLS[name].terms, retire_at=None)) for name in ("imps", "cross")
}


class Mortal:
    """An open database whose user is killed at the n-th moment; 0: never."""

    def __init__(self, database: Database, moment: int) -> None:
        self._database = database
        self._left = moment

    async def write(self, verb: Verb[T]) -> T:
        """Run a verb and commit."""
        return await self._database.write(self._lived(verb))

    async def alter(self, verb: Verb[T]) -> T:
        """As ``write``."""
        return await self._database.alter(self._lived(verb))

    async def read(self, query: Verb[T]) -> T:
        """Run a query."""
        return await self._database.read(self._lived(query))

    def listen(self, wake: Wake) -> Callable[[], None]:
        """Be woken after commits."""
        return self._database.listen(wake)

    async def close(self) -> None:
        """Let go of it."""
        await self._database.close()

    def _lived(self, verb: Verb[T]) -> Verb[T]:
        self._live_on()

        def lived(connection: Connection) -> T:
            done = verb(connection)
            self._live_on()
            return done

        return lived

    def _live_on(self) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)  # no word to anybody
            time.sleep(60)


async def _close(url: str, instant: datetime, moment: int) -> None:
    database = Mortal(open_database(url), moment)
    found = Played(database, StandingClock(instant), dict(TWO_POOLS)).closing()
    await found.close_due()
    await found.tidy()
    await database.close()


def close(url: str, instant: datetime, moment: int) -> None:
    """Close what is due and tidy up, as far as it goes."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    closing.CHUNK = FEW
    uvloop.run(_close(url, instant, moment))
