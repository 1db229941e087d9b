"""One look at all events: what happens to one of them is nothing to the others."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from server.services import event_course
from server.services.event_course import Keeper
from server.storage.errors import DatabaseBusy
from server.storage.event_tables import event_rounds
from server.storage.ids import event_number
from tests import event_days
from tests.event_days import Day
from tests.services.interrupted import Interrupted


async def state(server, event):
    found = (await server.api.get(f"events/{event}")).body
    return found["state"], found.get("round")


async def test_an_event_that_the_database_cannot_serve_just_now_holds_up_no_other(server, clock):
    """Whoever comes first meets a busy database: the others are closed all the same, and it is told."""
    events = [await event_days.running(server) for _ in range(3)]
    clock.advance(timedelta(seconds=50))

    async def busy(_database):
        raise DatabaseBusy("away for a moment")

    first_write = Interrupted(server.database, 1, busy)
    with pytest.raises(DatabaseBusy, match="for a moment"):
        await event_course.advance(first_write, Keeper(), clock.now)
    found = [await state(server, event) for event in events]
    assert found == [("running", 1), ("closing", 1), ("closing", 1)]
    await event_course.advance(server.database, Keeper(), clock.now)  # the next look does it
    assert await state(server, events[0]) == ("closing", 1)


async def test_an_event_of_which_nobody_can_tell_what_is_due_holds_up_no_other(server, clock):
    """It is paused, the other one goes on."""
    broken, other = [await event_days.running(server) for _ in range(2)]
    for event in (broken, other):
        await event_days.report_all(server, event, 1)
    clock.advance(timedelta(seconds=50))
    await event_course.advance(server.database, Keeper(), clock.now)
    spoil = update(event_rounds).where(event_rounds.c.event == event_number(broken)).values(ended_at=None)
    await server.database.write(lambda connection: connection.execute(spoil))
    clock.advance(timedelta(seconds=5))
    await event_course.advance(server.database, Keeper(), clock.now)
    assert await state(server, broken) == ("paused", 1)
    assert await state(server, other) == ("running", 2)


@pytest.mark.parametrize(("before", "entered"), [(25, True), (20, True), (19, False), (10, False)])
async def test_a_late_pair_has_its_hands_up_long_enough_by_the_end_of_closing(server, clock, before, entered):
    """Or it is not entered, however much later somebody looks: seconds before the end, hands for 20 s."""
    day = Day(server)
    await day.announce(rounds=3, boards=1, round_s=600, closing_s=60, late_until=1)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    await day.play(1)
    await day.until("closing", 1)
    ends_at = datetime.fromisoformat((await day.get())["ends_at"])
    clock.advance(ends_at - timedelta(seconds=before) - clock.now())
    for name, seat in (("a5", "N"), ("b5", "S")):
        await day.post("room/sit", {"player": name, "table": 1, "seat": seat})
        await day.post("room/raise", {"player": name})
    clock.advance(timedelta(seconds=before + 15))
    await day.tick()
    assert await day.state() == ("running", 2)
    found = await day.get()
    assert ("5" in found["entries"], found["room"]["seats"]) == (entered, {})
    assert ((await day.get("rounds/2"))["sit_outs"] == [5]) is entered
