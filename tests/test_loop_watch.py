"""The tests' own loop notes when it is blocked, and only then."""

import asyncio
import time

import pytest

from tests import loop_watch
from tests.loop_watch import WatchedLoop

LIMIT = 0.1


@pytest.fixture
def noted():
    """What was noted; taken back, so that the test that causes it does not fail for it."""
    yield loop_watch.blocked
    loop_watch.blocked.clear()


def run(task) -> None:
    with asyncio.Runner(loop_factory=lambda: WatchedLoop(LIMIT)) as runner:
        runner.run(task)


async def sleep_on_the_job() -> None:
    await asyncio.sleep(0)
    time.sleep(4 * LIMIT)  # noqa: ASYNC251
    await asyncio.sleep(0)


async def block_at_the_end() -> None:
    time.sleep(4 * LIMIT)  # noqa: ASYNC251


async def compute() -> None:
    until = time.thread_time() + 2 * LIMIT
    while time.thread_time() < until:
        pass


@pytest.mark.parametrize("work", [sleep_on_the_job, block_at_the_end, compute])
def test_a_blocked_loop_is_noted_with_the_place(noted, work):
    run(work())
    assert len(noted) == 1
    assert work.__name__ in noted[0]


async def wait() -> None:
    await asyncio.sleep(2 * LIMIT)


async def work_in_a_thread() -> None:
    await asyncio.to_thread(time.sleep, 2 * LIMIT)


async def work_in_steps() -> None:
    for _ in range(40):
        time.sleep(LIMIT / 20)  # noqa: ASYNC251
        await asyncio.sleep(0)


@pytest.mark.parametrize("work", [wait, work_in_a_thread, work_in_steps])
def test_a_loop_that_waits_is_not_blocked(noted, work):
    run(work())
    assert noted == []


def test_what_happens_between_two_runs_is_not_the_loops(noted):
    with asyncio.Runner(loop_factory=lambda: WatchedLoop(LIMIT)) as runner:
        runner.run(asyncio.sleep(0))
        time.sleep(2 * LIMIT)
        runner.run(asyncio.sleep(0))
    assert noted == []


async def test_every_test_runs_in_a_watched_loop():
    assert isinstance(asyncio.get_running_loop(), WatchedLoop)
