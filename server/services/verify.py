"""Computing everything again from the results, and naming every figure that differs."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from server.services import bulletins
from server.services.verify_boards import Discrepancy, check
from server.storage import checks
from server.storage.database import Database

PAGE = 200  # boards in one read


@dataclass(frozen=True, slots=True)
class Verified:
    """Some boards that were computed again."""

    boards: int
    results: int
    discrepancies: tuple[Discrepancy, ...]


async def verify(database: Database, now: datetime) -> AsyncIterator[Verified]:
    """Compute every board again, a page at a time; last, look for messages that nobody has numbered."""
    after = 0
    while True:
        found, last = await database.read(partial(_page, after))
        if last is None:
            yield Verified(0, 0, tuple(await _late(database, now)))
            return
        yield found
        after = last


async def _late(database: Database, now: datetime) -> list[Discrepancy]:
    late = await bulletins.late(database, now)
    what = "unnumbered for more than a minute; is the timetable running?"
    return [Discrepancy("bulletins", what, str(late), "0")] if late else []


def _page(after: int, connection: Connection) -> tuple[Verified, int | None]:
    numbers = checks.board_numbers(connection, after, PAGE)
    results, found = 0, []
    for each in checks.stored(connection, numbers):
        results += len(each.results)
        found += list(check(each))
    return Verified(len(numbers), results, tuple(found)), numbers[-1] if numbers else None
