"""Closing weeks: read, computed and written in stages, published in one short transaction.

Any number of processes may close the same week at once: each works on a snapshot of its own that nobody sees,
and the first to publish wins. Whatever ends half-way leaves the last published revision as it was, and the
next one begins anew. Nothing is locked while a week is read, computed and written.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Concatenate, ParamSpec, Protocol, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.bridge.rating import Rules
from server.bridge.rating_packing import packed
from server.bridge.week import Week, week_of
from server.services import closing_steps, weeks
from server.services.closing_figures import Figures, figures
from server.services.closing_steps import Superseded
from server.services.errors import WeekNotFound, WeekNotOver
from server.services.weeks import ALIVE
from server.storage import audit, ratings
from server.storage import weeks as stored_weeks
from server.storage.database import Database
from server.storage.weeks import WeekRow

P = ParamSpec("P")
T = TypeVar("T")
Query = Callable[Concatenate[Connection, P], T]

CHUNK = 2_000  # rows of a snapshot in one transaction


class Progress(Protocol):
    """Is told how far the closing of a week has come."""

    def __call__(self, week: Week, pool: str, stage: str, done: int, total: int) -> None:
        """So much of a stage is done."""
        ...


@dataclass(frozen=True, slots=True)
class Closed:
    """What the closing of a week and pool came to."""

    week: Week
    pool: str
    revision: int
    changed: bool  # false: this revision was published before
    players: int
    results: int | None  # that it was made from; None: it was not read again
    checksum: str


@dataclass(frozen=True, slots=True)
class Closing:
    """Closes weeks, by the rules of this installation."""

    database: Database
    now: Callable[[], datetime]
    zone: ZoneInfo
    pools: Mapping[str, Pool]
    rules: Rules
    grace: timedelta  # after the end of a week, until it is closed by itself
    late: timedelta  # after the end of a week, in which results are still rated

    async def due(self) -> list[tuple[str, Week]]:
        """What is to be closed by itself now, pool by pool, oldest first."""
        found: list[tuple[str, Week]] = []
        for pool in self.pools:
            listed = await self._read(weeks.due, pool, self.now(), self.zone, self.grace)
            found += [(pool, week) for week in listed]
        return found

    async def waiting(self, last: Week) -> list[tuple[str, Week]]:
        """Weeks up to ``last`` without ratings, or of which something changed since; and all after them."""
        found: list[tuple[str, Week]] = []
        for pool in self.pools:
            found += [(pool, week) for week in await self._read(weeks.waiting, pool, last)]
        return found

    async def close_up_to(
        self, last: Week, client: int | None = None, progress: Progress | None = None
    ) -> list[Closed]:
        """Close a week and every one before it, in every pool. Raises WeekNotOver, WeekNotFound.

        ``client``: who asks for it, for the audit.
        """
        if last >= week_of(self.now(), self.zone):
            raise WeekNotOver(last.closes_at(self.zone).isoformat().replace("+00:00", "Z"))
        if not any([await self._read(weeks.begun, pool, last) for pool in self.pools]):
            raise WeekNotFound(str(last))
        if client is not None:
            entry = audit.Entry(client, "rate", str(last), "")
            await self._write(audit.add, [entry], self.now())
        closed = [await self.close(pool, week, progress) for pool, week in await self.waiting(last)]
        again = [pool for pool in self.pools if (pool, last) not in {(c.pool, c.week) for c in closed}]
        return closed + [found for pool in again if (found := await self._read(_as_closed, pool, last))]

    async def close(self, pool: str, week: Week, progress: Progress | None = None) -> Closed:
        """Close a week that is over, upon the one before; again: nothing changes unless something came."""
        tell = partial(progress or _silent, week, pool)
        forgotten = await self._read(closing_steps.without_sums, week, self.pools[pool])
        if forgotten is not None:  # they are computed again, from the newest week before that has its own
            await self.close(pool, forgotten, progress)
        while True:
            try:
                return await self._attempt(self.pools[pool], week, tell)
            except Superseded:
                continue

    async def _attempt(self, pool: Pool, week: Week, tell: Callable[[str, int, int], None]) -> Closed:
        row = await self._write(closing_steps.begin, week, pool.name, self.now())
        await self._clear(row)
        earlier = await self._read(closing_steps.earlier, week, pool)
        tell("read", 0, 1)
        read = await self._read(closing_steps.read, row, pool, weeks.late_from(row, self.zone, self.late))
        tell("compute", 0, 1)
        # In a thread of its own: the process goes on answering.
        made = await asyncio.to_thread(figures, earlier.known, read, self.rules)
        results = sum(map(len, read.results))
        same = await self._write(closing_steps.unchanged, row, earlier.snapshot, read, made)
        if same is not None:
            await self._keep_sums(same.id, made)
            return Closed(week, pool.name, same.revision or 0, False, same.players, results, same.checksum)
        snapshot = await self._keep(row, earlier.snapshot, made, tell)
        revision = await self._write(closing_steps.publish, row, earlier.snapshot, read, snapshot, self.now())
        tell("write", 1, 1)
        return Closed(week, pool.name, revision, True, len(made.rated.players), results, made.checksum)

    async def _keep(
        self, row: WeekRow, before: int | None, made: Figures, tell: Callable[[str, int, int], None]
    ) -> int:
        """Keep a snapshot that nobody sees yet, in short transactions."""
        snapshot: int = await self._write(closing_steps.stage, row, before, made, self.rules, self.now())
        total = len(made.rated.players)
        for start in range(0, total, CHUNK):
            tell("write", start, total)
            columns = list(made.columns(slice(start, start + CHUNK)))
            await self._write(closing_steps.keep, row, snapshot, columns, self.now())
        await self._keep_sums(snapshot, made)
        return snapshot

    async def _keep_sums(self, snapshot: int, made: Figures) -> None:
        """Keep the sums of the joint rating, unless they are kept. Without the first part they are none."""
        state = made.rated.snapshot.joint
        if state is None or await self._read(ratings.has_sums, snapshot):
            return
        first, *others = enumerate(packed(state))
        for number, part in (*others, first):
            await self._write(ratings.add_sums, snapshot, number, part)

    async def _clear(self, row: WeekRow) -> None:
        """Drop what others began for this week long ago and never published."""
        for snapshot in await self._read(ratings.abandoned, row.week, row.pool, self.now() - ALIVE):
            while await self._write(ratings.drop_rows, snapshot, CHUNK):
                pass
            await self._write(ratings.drop, snapshot)

    async def _read(self, query: Query[P, T], *given: P.args, **named: P.kwargs) -> T:
        return await self.database.read(lambda connection: query(connection, *given, **named))

    async def _write(self, verb: Query[P, T], *given: P.args, **named: P.kwargs) -> T:
        return await self.database.write(lambda connection: verb(connection, *given, **named))


def _as_closed(connection: Connection, pool: str, week: Week) -> Closed | None:
    """A week that was closed before; None when the pool has no such week."""
    row = stored_weeks.get(connection, str(week), pool)
    if row.snapshot is None:
        return None
    found = ratings.get(connection, row.snapshot)
    return Closed(week, pool, row.revision, False, found.players, None, found.checksum)


def _silent(week: Week, pool: str, stage: str, done: int, total: int) -> None:
    """Nobody wants to know."""
