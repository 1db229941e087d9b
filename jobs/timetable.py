"""When jobs run. The truth about what is due is in the database; a missed or doubled run does no harm."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from apscheduler.schedulers.asyncio import AsyncIOScheduler

SWEEP_SECONDS = 180
COUNT_SECONDS = 2.0
TELL_SECONDS = 0.5
KEEP_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Jobs:
    """What there is to do."""

    sweep: "Job"
    rate: "Job"
    count: "Job"
    count_all: "Job"
    tell: "Job"
    keep: "Job"


class Job(Protocol):
    """Something to be done now and then."""

    async def __call__(self) -> None:
        """Do what is due."""
        ...


def timetable(jobs: Jobs, now: datetime, speed: float = 1) -> AsyncIOScheduler:
    """A scheduler, not yet started: sweeps and rates every few minutes, counts, tells and keeps
    the clocks of events every moment.

    What became due while nothing ran is rated and counted ``now``, the real time. ``speed``: seconds of a
    simulated clock in a real one. Followers are real: they are told in real time.
    """
    scheduler = AsyncIOScheduler(
        timezone=UTC,
        # Late is better than never: whatever is due is still due.
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
    )
    often = max(TELL_SECONDS, SWEEP_SECONDS / speed)
    due = (
        (jobs.sweep, often, "sweep"),
        (jobs.rate, often, "rate"),
        (jobs.count, COUNT_SECONDS, "count"),
        (jobs.count_all, often, "count all"),
        (jobs.tell, TELL_SECONDS, "tell"),
        (jobs.keep, KEEP_SECONDS, "keep"),
    )
    for job, seconds, name in due:
        at_once = {"next_run_time": now} if name in ("rate", "count all") else {}
        scheduler.add_job(_until_told, "interval", (job,), seconds=seconds, id=name, name=name, **at_once)
    return scheduler


async def _until_told(job: Job) -> None:
    """A run that is cut off when the process ends is no failure: the next one does what is due."""
    with suppress(asyncio.CancelledError):
        await job()
