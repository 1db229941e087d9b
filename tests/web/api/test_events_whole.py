"""Whole events over HTTP, from sign-up to final ranking."""

import pytest

from tests.event_days import Day


@pytest.fixture
def day(server):
    """An event to be held."""
    return Day(server)


async def test_a_small_event_goes_by_itself(day):
    await day.announce()
    assert await day.state() == ("registration", None)
    await day.enter(range(1, 8))
    assert [row["players"] for row in (await day.get("entries"))["entries"]] == [
        [f"a{n}", f"b{n}"] for n in range(1, 8)
    ]
    for number in (1, 2, 3):
        await day.until("running", number)
        await day.play(number)
    await day.until("finished")
    print(await day.get("standings"))
