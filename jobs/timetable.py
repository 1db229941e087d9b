"""When jobs run. The truth about what is due is in the database; a missed or doubled run does no harm."""

from collections.abc import Awaitable, Callable
from datetime import UTC

from apscheduler.schedulers.asyncio import AsyncIOScheduler

SWEEP_SECONDS = 180


def timetable(sweep: Callable[[], Awaitable[None]]) -> AsyncIOScheduler:
    """A scheduler, not yet started, that sweeps every few minutes."""
    scheduler = AsyncIOScheduler(
        timezone=UTC,
        # Late is better than never: whatever is due is still due.
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
    )
    scheduler.add_job(sweep, "interval", seconds=SWEEP_SECONDS, id="sweep")
    return scheduler
