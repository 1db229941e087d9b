"""The way in for results: group commit.

Everything that queued while the last transaction ran goes into the next one together. A bad report never
fails its neighbours: a batch that the database refuses is split until the culprit stands alone.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

import structlog

from server.services.arrivals import Taken, Verdict
from server.services.errors import QueueFull
from server.services.reports import Report
from server.storage.database import Database, Verb
from server.storage.errors import ConstraintViolated, DatabaseBusy, StorageError

BATCH = 256  # reports in one transaction at most
QUEUE = 8192  # reports that may wait

_log = structlog.get_logger()


class Take(Protocol):
    """Makes the verb that takes some reports in, in one transaction."""

    def __call__(self, reports: Sequence[Report]) -> Verb[list[Verdict]]:
        """The verb for ``reports``."""
        ...


class Watch(Protocol):
    """Is told of every commit, for the metrics."""

    def __call__(self, reports: int, taken: int, seconds: float) -> None:
        """So many reports were committed in so many seconds; so many of them are new results."""
        ...


@dataclass(slots=True)
class _Waiting:
    report: Report
    verdict: asyncio.Future[Verdict]
    since: float


class Ingest:
    """One committer of one process."""

    def __init__(
        self, database: Database, take: Take, watch: Watch, batch: int = BATCH, limit: int = QUEUE
    ) -> None:
        self._database = database
        self._take = take
        self._watch = watch
        self._batch = batch
        self._limit = limit
        self._queue: deque[_Waiting] = deque()
        self._under_way: list[_Waiting] = []  # taken out of the queue, not yet answered
        self._wake = asyncio.Event()
        self._closing = False
        self._worker: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to take reports in; needs the running loop."""
        self._worker = asyncio.create_task(self._run(), name="ingest")

    async def stop(self) -> None:
        """Take in everything that waits, then end."""
        self._closing = True
        self._wake.set()
        if self._worker is not None:
            await self._worker

    @property
    def waiting(self) -> int:
        """Reports that wait for a transaction."""
        return len(self._queue)

    @property
    def oldest(self) -> float:
        """Seconds for which the first report without an answer has waited, in a transaction or for one."""
        first = self._under_way or self._queue
        return asyncio.get_running_loop().time() - first[0].since if first else 0.0

    async def submit(self, reports: Sequence[Report]) -> list[Verdict]:
        """Verdicts on ``reports``, in order, once committed; StorageError where the database refused.

        Raises QueueFull when they do not all fit. A caller that is cancelled meanwhile cancels nothing.
        """
        if self._closing or len(self._queue) + len(reports) > self._limit:
            raise QueueFull
        loop = asyncio.get_running_loop()
        waiting = [_Waiting(report, loop.create_future(), loop.time()) for report in reports]
        self._queue.extend(waiting)
        self._wake.set()
        return await asyncio.gather(*(each.verdict for each in waiting))

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                size = min(self._batch, len(self._queue))
                self._under_way = [self._queue.popleft() for _ in range(size)]
                await self._commit(self._under_way)
                self._under_way = []
            if self._closing:
                return

    async def _commit(self, batch: list[_Waiting], again: bool = True) -> None:
        started = asyncio.get_running_loop().time()
        try:
            verdicts = await self._database.write(self._take([each.report for each in batch]))
        except Exception as error:  # whatever it is, those who wait are told
            await self._failed(batch, error, again)
            return
        taken = sum(isinstance(verdict, Taken) for verdict in verdicts)
        self._watch(len(batch), taken, asyncio.get_running_loop().time() - started)
        for each, verdict in zip(batch, verdicts, strict=True):
            with suppress(asyncio.InvalidStateError):  # its client may have gone away
                each.verdict.set_result(verdict)

    async def _failed(self, batch: list[_Waiting], error: Exception, again: bool) -> None:
        if isinstance(error, DatabaseBusy) and not (again and error.passing):
            self._tell(batch, error)
        elif len(batch) > 1 and not isinstance(error, DatabaseBusy):
            middle = len(batch) // 2
            await self._commit(batch[:middle])
            await self._commit(batch[middle:])
        elif again and isinstance(error, ConstraintViolated | DatabaseBusy):
            # Another process won a race for a key or a player; now its rows can be seen.
            await self._commit(batch, again=False)
        else:
            _log.error("ingest.refused", exc_info=error, key=batch[0].report.once.key)
            self._tell(batch, error)

    @staticmethod
    def _tell(batch: list[_Waiting], error: Exception) -> None:
        for each in batch:
            if each.verdict.done():
                continue
            if isinstance(error, StorageError):
                each.verdict.set_result(error)
            else:
                each.verdict.set_exception(error)
