"""A process that closes the weeks that are due, and ends itself by SIGKILL after so many transactions.

``python -m tests.long.closer <url> <instant> <transactions>``; 0: it is not killed. Whoever is killed has
committed its last transaction and begun no other; a process killed within one is in `kills.py`.
"""

import asyncio
import os
import signal
import sys
from datetime import datetime

import uvloop

from server.storage.database import Database, open_database
from tests.clock import StandingClock
from tests.services.interrupted import Interrupted
from tests.services.played_weeks import ONE_POOL, Played


async def die(_database: Database) -> None:
    """No word to anybody."""
    os.kill(os.getpid(), signal.SIGKILL)
    await asyncio.sleep(60)


async def close(url: str, instant: datetime, transactions: int) -> None:
    """Close what is due, as far as it goes."""
    database = open_database(url)
    interrupted = Interrupted(database, transactions, die) if transactions else database
    played = Played(database, StandingClock(instant), dict(ONE_POOL))
    await played.closing(interrupted).close_due()
    await database.close()


if __name__ == "__main__":
    uvloop.run(close(sys.argv[1], datetime.fromisoformat(sys.argv[2]), int(sys.argv[3])))
