"""A pause shortly before a round ends: who had not come by then has not come in time because of it."""

from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests import event_days
from tests.services.test_event_early import arrive, go_to, kinds, report
from tests.web.verified import check_clean

RULES = {"round_s": 900, "last_board_s": 100, "absent_s": 60}  # boards are dealt until 800 s
WHY = {"reason": "lights"}


async def stand(server, event, seconds, how):
    """The clock stands: a director wants it so, or nobody keeps it."""
    if how == "pause":
        await server.api.post(f"events/{event}/pause", WHY)
    server.clock.advance(timedelta(seconds=seconds))
    if how == "pause":
        await server.api.post(f"events/{event}/resume", WHY)
    await event_course.advance(server.database, Keeper(), server.clock.now)


@pytest.mark.parametrize("how", ["never", "pause", "outage"])
async def test_who_came_too_late_to_play_is_absent_whatever_comes_then(server, how):
    event = await event_days.running(server, **RULES)
    begun = server.clock.now()
    await arrive(server, event, 1, "x4", "y4")
    await report(server, event, 2)
    await go_to(server, begun, 820)
    await arrive(server, event, 1, "x1", "y1")
    await go_to(server, begun, 850)
    if how != "never":
        await stand(server, event, 600, how)
        refused = await server.api.post(f"events/{event}/tables/1/next-board", {})
        assert refused.body["reason"] == "too_late"  # nor is any board dealt again
    for _ in range(2):
        server.clock.advance(timedelta(seconds=55))
        await event_course.advance(server.database, Keeper(), server.clock.now)
    assert await kinds(server, event) == {1: "absent", 2: "played", 3: "played", 4: "opponents_absent"}
    await check_clean(server)


@pytest.mark.parametrize("how", ["pause", "outage"])
async def test_what_lay_ahead_moves_with_the_clock(server, how):
    """30 s before the last board is dealt: there are 30 s still when the clock goes on."""
    event = await event_days.running(server, **RULES)
    begun = server.clock.now()
    await report(server, event, 2)
    await arrive(server, event, 1, "x4", "y4")
    await go_to(server, begun, 770)
    await stand(server, event, 600, how)
    await go_to(server, begun, 1395)
    await arrive(server, event, 1, "x1", "y1")
    assert (await server.api.post(f"events/{event}/tables/1/next-board", {})).status == 200
    await go_to(server, begun, 1500)
    server.clock.advance(timedelta(seconds=5))
    await event_course.advance(server.database, Keeper(), server.clock.now)
    assert set((await kinds(server, event)).values()) == {"played"}
    await check_clean(server)
