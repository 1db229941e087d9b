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


@pytest.mark.parametrize(
    ("stopped_at", "kind"), [(59, "played"), (60, "played"), (61, "late"), (801, "absent")]
)
async def test_who_comes_while_the_clock_stands_comes_as_when_it_stopped(server, stopped_at, kind):
    """At the table by 60 s; boards are dealt until 800 s, and none while the clock stands."""
    event = await event_days.running(server, **RULES)
    begun = server.clock.now()
    await report(server, event, 2)
    await arrive(server, event, 1, "x4", "y4", "y1")
    await go_to(server, begun, stopped_at)
    await server.api.post(f"events/{event}/pause", WHY)
    server.clock.advance(timedelta(seconds=600))
    await arrive(server, event, 1, "x1")
    assert "x1" in (await server.api.get(f"events/{event}")).body["tables"]["1"]["arrived"]
    none = await server.api.post(f"events/{event}/tables/1/next-board", {})
    assert (none.status, none.slug) == (409, "event-state")
    await server.api.post(f"events/{event}/resume", WHY)
    await go_to(server, begun, 1500)
    server.clock.advance(timedelta(seconds=5))
    await event_course.advance(server.database, Keeper(), server.clock.now)
    # Nobody has played anything: who was late loses what he did not play, the others win it.
    found = await kinds(server, event)
    card = (await server.api.get(f"events/{event}/entries/1", token="events")).body["rounds"][0]
    assert (found[1], card["score"] < 0) == ("absent" if kind == "absent" else "played", kind != "played")
    await check_clean(server)


async def test_somebody_sits_in_while_the_clock_stands(server):
    event = await event_days.running(server, **RULES)
    await server.api.post(f"events/{event}/pause", WHY)
    body = {"player": "x1", "substitute": "eve"}
    assert (await server.api.post(f"events/{event}/substitutes", body)).status == 200
    await arrive(server, event, 1, "eve")
