"""When jobs run. The truth about what is due is in the database; a missed or doubled run does no harm."""

from datetime import UTC
from typing import Protocol

from apscheduler.schedulers.asyncio import AsyncIOScheduler

SWEEP_SECONDS = 180
TELL_SECONDS = 0.5


class Job(Protocol):
    """Something to be done now and then."""

    async def __call__(self) -> None:
        """Do what is due."""
        ...


def timetable(sweep: Job, tell: Job, speed: float = 1) -> AsyncIOScheduler:
    """A scheduler, not yet started, that sweeps every few minutes and tells the news every half second.

    ``speed``: seconds of a simulated clock in a real one. Followers are real: they are told in real time.
    """
    scheduler = AsyncIOScheduler(
        timezone=UTC,
        # Late is better than never: whatever is due is still due.
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
    )
    # The bound methods: APScheduler awaits what it sees to be a coroutine function, an object that is called
    # like one it would only call.
    scheduler.add_job(
        sweep.__call__, "interval", seconds=max(TELL_SECONDS, SWEEP_SECONDS / speed), id="sweep"
    )
    scheduler.add_job(tell.__call__, "interval", seconds=TELL_SECONDS, id="tell")
    return scheduler
