"""Nobody keeps the clock of an event for a while: what ran gets that time back, and a second at most."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from server.bridge.swiss_clock import State
from server.bridge.swiss_event import Course, lengthened
from server.services import event_course
from server.services.event_course import Keeper
from server.storage.bulletin_tables import bulletins
from tests import event_days

TICK = timedelta(seconds=0.25)  # as the timetable looks
MOMENTS = [0.1, 1.05, 7.3, 14.9, 30.25, 59.99]  # in which the process is killed
SPARE = 1.5  # seconds: the clock was noted so long ago at most


async def look(server):
    await event_course.advance(server.database, Keeper(), server.clock.now)


async def keep(server, seconds):
    """A process keeps the clock for so long, and is killed between two looks."""
    end = server.clock.now() + timedelta(seconds=seconds)
    while server.clock.now() + TICK <= end:
        server.clock.advance(TICK)
        await look(server)
    server.clock.set(end)


async def ends_at(server, event):
    found = (await server.api.get(f"events/{event}")).body
    return found["state"], datetime.fromisoformat(found["ends_at"])


async def said(server):
    rows = (await server.api.get("audit", token="director")).body["rows"]
    return [(row["client"], row["detail"]) for row in rows if row["verb"] == "event lengthened"]


@pytest.mark.parametrize("killed", MOMENTS)
async def test_a_round_is_lengthened_by_the_outage(server, clock, killed):
    event = await event_days.running(server, round_s=900)
    _, end = await ends_at(server, event)
    await keep(server, killed)
    for outage in (61, 300):
        clock.advance(timedelta(seconds=outage))
        await look(server)
        state, later = await ends_at(server, event)
        assert state == "running"
        assert outage <= (later - end).total_seconds() <= outage + SPARE
        end = later
        await keep(server, 2)
    assert len(await said(server)) == 2
    assert all(client is None and "nobody kept the clock" in detail for client, detail in await said(server))


@pytest.mark.parametrize("killed", [0.1, 3.3, 20.9])
async def test_closing_is_lengthened_too(server, clock, killed):
    event = await event_days.running(server, closing_s=120)
    await event_days.report_all(server, event, 1)
    clock.advance(timedelta(seconds=50))
    await look(server)
    _, end = await ends_at(server, event)
    await keep(server, killed)
    clock.advance(timedelta(seconds=500))
    await look(server)
    state, later = await ends_at(server, event)
    assert state == "closing"
    assert 500 <= (later - end).total_seconds() <= 500 + SPARE


@pytest.mark.parametrize("away", [10, 40, 58])
async def test_a_short_outage_gives_nothing_back(server, clock, away):
    event = await event_days.running(server, round_s=900)
    before = await ends_at(server, event)
    await keep(server, 17.6)
    clock.advance(timedelta(seconds=away))
    await look(server)
    assert await ends_at(server, event) == before
    assert not await said(server)


async def test_a_process_that_goes_on_leaves_no_outage(serve, server, clock):
    """Two keep the clock, one is killed."""
    other = await serve()
    event = await event_days.running(server, round_s=900)
    before = await ends_at(server, event)
    await keep(server, 5)
    for _ in range(30):
        clock.advance(timedelta(seconds=10))
        await look(other)
    assert await ends_at(server, event) == before


async def test_a_result_that_comes_before_the_first_look_has_the_time_too(server, clock):
    """The round was to end during the outage: who reports first must not find it over."""
    event = await event_days.running(server)
    await keep(server, 40)
    clock.advance(timedelta(seconds=300))
    assert (await server.api.post(f"events/{event}/results", event_days.passed(1, 1, 1))).status == 201
    await look(server)
    assert (await ends_at(server, event))[0] == "running"


async def test_a_verb_that_comes_before_the_first_look_has_the_time_too(server, clock):
    event = await event_days.running(server)
    await keep(server, 40)
    clock.advance(timedelta(seconds=300))
    await event_days.arrive(server, event, "x1")
    assert (await ends_at(server, event))[0] == "running"


async def test_nothing_is_given_back_where_nothing_ran(server, clock):
    """In registration, and while the clock stands: the pause alone counts."""
    event = await event_days.pairs_event(server, round_s=900)
    clock.advance(timedelta(seconds=0.5))
    await look(server)
    clock.advance(timedelta(seconds=30))
    await look(server)
    state, end = await ends_at(server, event)
    assert (state, end) == ("running", clock.now() + timedelta(seconds=900 - 29.5))
    await server.api.post(f"events/{event}/pause", {"reason": "lights"})
    clock.advance(timedelta(hours=1))
    await look(server)
    await server.api.post(f"events/{event}/resume", {"reason": "on again"})
    clock.advance(timedelta(seconds=1))
    await look(server)
    assert (await ends_at(server, event))[1] == end + timedelta(hours=1)
    assert not await said(server)


async def test_no_warning_is_lost_between_two_notes(server, clock):
    """The clock is noted every second, and a warning due in between; it is told within a look, and once."""
    event = await event_days.running(server, round_s=311)
    told = []
    for _ in range(16):
        await keep(server, 0.75)
        told.append(await server.database.read(_warnings))
    assert told == [0] * 14 + [1] * 2  # due at 11 s
    assert (await ends_at(server, event))[0] == "running"


def _warnings(connection):
    statement = select(func.count()).where(bulletins.c.kind == "event-warning")
    return connection.execute(statement).scalar_one()


@settings(max_examples=200)
@given(st.floats(0, 1.25), st.floats(60, 10_000), st.floats(0.001, 3000))
def test_what_is_given_back_follows_from_when_the_clock_was_noted(noted_before, outage, left):
    """Whenever it is killed: all that lay ahead is as far ahead as it was when the clock was noted last."""
    killed = 1000.0
    seen, now = killed - noted_before, killed + outage
    course = Course(State.RUNNING, 1, killed + left, killed + left / 2)
    after = lengthened(course, seen, now)
    if now - seen <= 60:
        assert after == course
        return
    assert after.ends_at - now == pytest.approx(course.ends_at - seen)
    assert outage <= after.ends_at - course.ends_at + 1e-6
    assert after.ends_at - course.ends_at <= outage + noted_before + 1e-6
