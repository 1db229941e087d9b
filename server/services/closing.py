"""Closing weeks: read, computed and written in stages, published in one short transaction.

Any number of processes may close the same week at once: each works on a snapshot of its own that nobody sees,
and the first to publish wins. Whatever ends half-way leaves the last published revision as it was, and the
next one begins anew. Nothing is locked while a week is read, computed and written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Concatenate, ParamSpec, Protocol, TypeVar
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.bridge.rating import Rules
from server.bridge.rating_packing import Damaged
from server.bridge.week import Week, parse_week, week_of
from server.services import closing_steps, weeks
from server.services.closing_figures import Figures, Gathered, figures, gathered
from server.services.closing_steps import Earlier, Moment, Superseded
from server.services.closing_sums import opened, parts_of, summed
from server.services.computing import aside
from server.services.errors import WeekNotFound, WeekNotOver
from server.services.weeks import ALIVE, NEVER
from server.storage import audit, ratings
from server.storage import weeks as stored_weeks
from server.storage.database import Database
from server.storage.weeks import WeekRow

P = ParamSpec("P")
T = TypeVar("T")
Query = Callable[Concatenate[Connection, P], T]
Tell = Callable[[str, int, int], None]

CHUNK = 1_000  # rows of a snapshot in one transaction
PARTS = 4  # parts of sums dropped in one transaction

_log = structlog.get_logger()


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


@dataclass(eq=False)
class SumsDamaged(Exception):
    """Kept sums of the joint rating are not what was kept"""

    snapshot: int
    detail: str

    def __str__(self) -> str:
        return self.detail


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

    async def due(self, pool: str, taken: bool = False) -> tuple[Week, ...]:
        """What is to be closed now, oldest first; ``taken``: also what somebody seems to be closing."""
        now = self.now()
        found = await self._read(weeks.due, pool, now, self.zone, self.grace)
        return found if taken else await self._read(weeks.free, pool, now, found)

    async def unnamed(self, pool: str) -> Week | None:
        """The week that all after it wait for: it was filled when it was over, and nobody has named it."""
        return await self._read(weeks.unnamed, pool, self.now(), self.zone, self.grace)

    async def waiting(self, pool: str, last: Week) -> tuple[Week, ...]:
        """Weeks up to ``last`` without ratings, or of which something changed since; and all after them."""
        return await self._read(weeks.waiting, pool, last)

    async def close_due(
        self, progress: Progress | None = None, done: Callable[[Closed], None] | None = None
    ) -> list[Closed]:
        """Close every week whose time has come, in every pool, whoever else seems to be at it.

        ``done`` is told of each as soon as it is closed: whatever happens to the next, that one stands.
        """
        closed = []
        for pool in self.pools:
            for week in await self.due(pool, taken=True):
                closed.append(await self.close(pool, week, progress))
                if done is not None:
                    done(closed[-1])
        return closed

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
        closed = [
            await self.close(pool, week, progress)
            for pool in self.pools
            for week in await self.waiting(pool, last)
        ]
        again = [pool for pool in self.pools if (pool, last) not in {(c.pool, c.week) for c in closed}]
        return closed + [found for pool in again if (found := await self._read(_as_closed, pool, last))]

    async def close(self, pool: str, week: Week, progress: Progress | None = None) -> Closed:
        """Close a week that is over, upon the one before; again: nothing changes unless something came."""
        tell, forgotten = partial(progress or _silent, week, pool), set[int]()
        while True:
            found = await self._read(_as_closed, pool, week)
            if found is not None and await self._read(closing_steps.clean, week, pool):
                return found
            try:
                return await self._attempt(self.pools[pool], week, tell)
            except Superseded:
                continue
            except SumsDamaged as damage:
                if damage.snapshot in forgotten:
                    raise
                _log.warning("rating.sums_damaged", snapshot=damage.snapshot, detail=str(damage))
                forgotten.add(damage.snapshot)
                await self._forget(damage.snapshot)  # they are computed again

    async def tidy(self) -> None:
        """Drop what was begun and never published, by whoever ended half-way, and sums that are too old."""
        before = self.now() - ALIVE
        for snapshot in await self._read(ratings.abandoned, before):
            await self._drop(snapshot, before)
        for pool in self.pools:
            await self._tidy_sums(pool)

    async def _attempt(self, pool: Pool, week: Week, tell: Tell) -> Closed:
        row = await self._write(closing_steps.begin, week, pool.name, self.now())
        tell("read", 0, 1)
        earlier = await self._read(closing_steps.earlier, week, pool)
        read = await self._read(closing_steps.read, row, pool)
        changes, results = read.changes, sum(part.shape[1] for part in read.results)
        tell("compute", 0, 1)
        found = await aside(partial(gathered, earlier.known, read, self.rules))
        same = await self._write(closing_steps.unchanged, row, earlier.snapshot, changes, found.input)
        if same is not None:
            return Closed(week, pool.name, same.revision or 0, False, same.players, results, same.checksum)
        del read  # what was gathered from it is smaller
        made = await self._made(pool, week, earlier, found)
        snapshot = await self._write(closing_steps.stage, row, earlier.snapshot, made, self.rules, self.now())
        moment = Moment(self.now, week.closes_at(self.zone) + self.late)
        try:
            await self._keep(row, snapshot, made, tell)
            publish = partial(closing_steps.publish, row=row, before=earlier.snapshot, changes=changes)
            revision = await self._write(publish, snapshot=snapshot, moment=moment)
        except Superseded:
            await self._drop(snapshot, NEVER)
            raise
        await self._tidy_sums(pool.name)
        tell("write", 1, 1)
        return Closed(week, pool.name, revision, True, len(found.players), results, made.checksum)

    async def _made(self, pool: Pool, week: Week, earlier: Earlier, found: Gathered) -> Figures:
        """The figures of a week. Sums that are not kept any more are computed again first."""
        for row in await self._read(closing_steps.without_sums, week, pool):
            await self._sum_again(pool, row)
        parts = await self._read(closing_steps.sums_before, week, pool)

        def compute() -> Figures:
            return figures(earlier.known, opened(earlier.known, parts), found, self.rules)

        with _sums_of(earlier):
            return await aside(compute)

    async def _keep(self, row: WeekRow, snapshot: int, made: Figures, tell: Tell) -> None:
        """Keep a snapshot that nobody sees yet, in short transactions. Raises Superseded."""
        total, columns = len(made.rated.players), made.columns()
        for start in range(0, total, CHUNK):
            tell("write", start, total)
            some = [column[start : start + CHUNK] for column in columns]
            await self._write(closing_steps.keep, row, snapshot, some, self.now())
        await self._keep_sums(snapshot, await aside(partial(parts_of, made)))
        await self._write(closing_steps.alive, row, snapshot, self.now())

    async def _sum_again(self, pool: Pool, row: WeekRow) -> None:
        """Compute the sums of a published week again, upon those of the week before, and keep them."""
        week = parse_week(row.week)
        earlier = await self._read(closing_steps.earlier, week, pool)
        parts = await self._read(closing_steps.sums_before, week, pool)
        read = await self._read(closing_steps.read, row, pool)
        again = await self._read(closing_steps.as_rated, row)
        work = partial(summed, earlier.known, parts, read, again.rated, again.rules)
        with _sums_of(earlier):
            sums = await aside(work)
        await self._keep_sums(again.snapshot, sums)
        await self._tidy_sums(pool.name, again.snapshot)

    async def _keep_sums(self, snapshot: int, parts: Sequence[bytes]) -> None:
        """Keep the parts of the sums. Without the first they are none: it is the last to be written."""
        for number in reversed(range(len(parts))):
            await self._write(ratings.add_sums, snapshot, number, parts[number])

    async def _tidy_sums(self, pool: str, but: int | None = None) -> None:
        """Drop sums that need not be kept, but those of one snapshot."""
        for snapshot in await self._read(closing_steps.old_sums, pool):
            if snapshot != but:
                await self._forget(snapshot)

    async def _forget(self, snapshot: int) -> None:
        while await self._write(ratings.forget_sums, snapshot, PARTS):
            pass

    async def _drop(self, snapshot: int, before: datetime) -> None:
        """Drop a snapshot that nobody has been making since a moment."""
        if not await self._write(ratings.give_up, snapshot, before):
            return
        while await self._write(ratings.drop_rows, snapshot, CHUNK):
            pass
        await self._forget(snapshot)
        await self._write(ratings.drop, snapshot)

    async def _read(self, query: Query[P, T], *given: P.args, **named: P.kwargs) -> T:
        return await self.database.read(lambda connection: query(connection, *given, **named))

    async def _write(self, verb: Query[P, T], *given: P.args, **named: P.kwargs) -> T:
        return await self.database.write(lambda connection: verb(connection, *given, **named))


@contextmanager
def _sums_of(earlier: Earlier) -> Iterator[None]:
    """Within the block the sums of a snapshot are read; raises SumsDamaged."""
    try:
        yield
    except Damaged as error:
        if earlier.snapshot is None:
            raise
        raise SumsDamaged(earlier.snapshot, str(error)) from error


def _as_closed(connection: Connection, pool: str, week: Week) -> Closed | None:
    """A week that was closed before; None when the pool has no such week."""
    row = stored_weeks.get(connection, str(week), pool)
    if row.snapshot is None:
        return None
    found = ratings.get(connection, row.snapshot)
    return Closed(week, pool, row.revision, False, found.players, None, found.checksum)


def _silent(week: Week, pool: str, stage: str, done: int, total: int) -> None:
    """Nobody wants to know."""
