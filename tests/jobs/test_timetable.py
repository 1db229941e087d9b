"""The timetable: everything runs by itself, and whatever ends one run, the next one comes."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from jobs import timetable as table
from jobs.timetable import Jobs, timetable

NAMES = ("sweep", "rate", "count", "count_all", "tell", "keep")


class Counted:
    """Something to do, and how often it was done."""

    def __init__(self, seconds=0.0, wrong=False):
        self.times, self.at_once, self.most = 0, 0, 0
        self._seconds, self._wrong = seconds, wrong

    async def __call__(self):
        self.times += 1
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await asyncio.sleep(self._seconds)
        self.at_once -= 1
        if self._wrong:
            raise RuntimeError("this run ends badly")


def jobs(**given):
    return Jobs(**{name: given.get(name) or Counted() for name in NAMES})


@pytest.fixture
def often(monkeypatch):
    """Every interval is a twentieth of a second."""
    for name in ("SWEEP_SECONDS", "COUNT_SECONDS", "TELL_SECONDS", "KEEP_SECONDS"):
        monkeypatch.setattr(table, name, 0.05)


async def run(made, seconds=0.5):
    """Run a timetable for a while."""
    scheduler = timetable(made, datetime.now(UTC))
    scheduler.start()
    await asyncio.sleep(seconds)
    scheduler.shutdown(wait=False)


@pytest.mark.usefixtures("often")
async def test_everything_comes_again_and_again():
    made = jobs()
    await run(made)
    assert all(getattr(made, name).times >= 3 for name in NAMES), {n: getattr(made, n).times for n in NAMES}


@pytest.mark.usefixtures("often")
async def test_what_takes_long_is_not_begun_twice():
    slow = Counted(0.2)
    await run(jobs(rate=slow), 0.9)
    assert slow.most == 1
    assert slow.times >= 2


@pytest.mark.usefixtures("often")
async def test_what_ends_badly_comes_again_and_holds_up_nobody():
    wrong, other = Counted(wrong=True), Counted()
    await run(jobs(rate=wrong, tell=other))
    assert wrong.times >= 3
    assert other.times >= 3


async def test_what_was_due_while_nothing_ran_is_done_at_once():
    made = jobs()
    await run(made, 0.2)
    assert (made.rate.times, made.count_all.times) == (1, 1)
    assert made.sweep.times == 0  # a server sweeps itself before it takes requests


async def test_a_simulated_clock_makes_weeks_due_more_often():
    now = datetime.now(UTC)

    def every(speed):
        scheduler = timetable(jobs(), now, speed)
        scheduler.start(paused=True)
        found = {job.id: job.trigger.interval for job in scheduler.get_jobs()}
        scheduler.shutdown(wait=False)
        return found

    real, fast = every(1), every(60)
    assert real["rate"] == timedelta(seconds=180)
    assert fast["rate"] == timedelta(seconds=3)
    assert fast["tell"] == real["tell"]  # followers are real
    assert every(1e9)["rate"] == timedelta(seconds=table.TELL_SECONDS)
