"""The timetable while a process runs it: started, and ended without breaking off what it is doing."""

import asyncio
from contextlib import suppress

from apscheduler.events import (
    EVENT_JOB_ERROR,
    EVENT_JOB_EXECUTED,
    EVENT_JOB_MISSED,
    EVENT_JOB_SUBMITTED,
    EVENT_SCHEDULER_SHUTDOWN,
    JobEvent,
    SchedulerEvent,
)
from apscheduler.schedulers.asyncio import AsyncIOScheduler

PATIENCE = 3.0  # seconds for a job that is under way when the server stops


class Timetabling:
    """Runs a scheduler's jobs. APScheduler itself cancels what is under way when it shuts down."""

    def __init__(self, scheduler: AsyncIOScheduler) -> None:
        self._scheduler = scheduler
        self._under_way: set[str] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._ended = asyncio.Event()
        scheduler.add_listener(
            self._note, EVENT_JOB_SUBMITTED | EVENT_JOB_EXECUTED | EVENT_JOB_ERROR | EVENT_JOB_MISSED
        )
        scheduler.add_listener(self._note_end, EVENT_SCHEDULER_SHUTDOWN)

    def start(self) -> None:
        """Begin; needs the running loop."""
        self._scheduler.start()

    async def stop(self) -> None:
        """Begin nothing more, and let what is under way come to its end."""
        if not self._scheduler.running:
            return
        self._scheduler.pause()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._idle.wait()
        self._scheduler.shutdown(wait=False)  # which APScheduler does a turn of the loop later
        await self._ended.wait()

    def _note(self, event: JobEvent) -> None:
        if event.code == EVENT_JOB_SUBMITTED:
            self._under_way.add(event.job_id)
            self._idle.clear()
            return
        self._under_way.discard(event.job_id)
        if not self._under_way:
            self._idle.set()

    def _note_end(self, _event: SchedulerEvent) -> None:
        self._ended.set()
