"""Warnings before the end of a round: each is told once, also of a round that begins a little late."""

from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests import event_days
from tests.web.api.test_event_bulletins import since

BRIEF = {"round_s": 330, "last_board_s": 0}  # five minutes are left 30 s after its start


async def look(server, seconds):
    server.clock.advance(timedelta(seconds=seconds))
    await event_course.advance(server.database, Keeper(), server.clock.now)


async def warned(server, event, position=0):
    """What the channel of the event was told of time that is left: round and seconds."""
    found = await since(server, event, position)
    return [(body["round"], body["seconds"]) for kind, body in found if kind == "event-warning"]


@pytest.mark.parametrize("late", [0, 29, 30, 45, 60])
async def test_a_round_that_begins_late_has_its_warnings(server, late):
    """What is due by then is told with its beginning, the rest when it is due."""
    event = await event_days.pairs_event(server, **BRIEF)
    await look(server, 1 + late)
    assert await warned(server, event) == ([(1, 300)] if late >= 30 else [])
    kinds = [kind for kind, _ in await since(server, event, 0)]
    assert kinds[-1] == ("event-warning" if late >= 30 else "event")  # first that the round has begun
    await look(server, 1)
    await look(server, 60 - late)
    assert await warned(server, event) == [(1, 300)]


async def test_the_next_round_has_them_too(server):
    event = await event_days.running(server, **BRIEF)
    await event_days.report_all(server, event, 1)
    for _ in range(6):
        await look(server, 55)
    assert await warned(server, event) == [(1, 300), (1, 60)]
    await look(server, 5 + 40)
    assert (await server.api.get(f"events/{event}")).body["round"] == 2
    assert await warned(server, event) == [(1, 300), (1, 60), (2, 300)]


async def test_a_round_that_begins_later_than_a_short_delay_begins_then(server):
    event = await event_days.pairs_event(server, **BRIEF)
    await look(server, 1 + 61)
    assert await warned(server, event) == []
    await look(server, 30)
    assert await warned(server, event) == [(1, 300)]


@pytest.mark.parametrize("how", ["pause", "outage"])
async def test_no_warning_is_told_twice_because_the_clock_stood(server, how):
    event = await event_days.running(server, **BRIEF)
    await look(server, 31)
    assert await warned(server, event) == [(1, 300)]
    if how == "pause":
        await server.api.post(f"events/{event}/pause", {"reason": "lights"})
    server.clock.advance(timedelta(seconds=500))
    if how == "pause":
        await server.api.post(f"events/{event}/resume", {"reason": "on again"})
    await look(server, 0)
    assert await warned(server, event) == [(1, 300)]
    for _ in range(5):
        await look(server, 50)
    assert await warned(server, event) == [(1, 300), (1, 60)]
