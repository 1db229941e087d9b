"""One look at all events: what happens to one of them is nothing to the others."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from server.services import event_course
from server.services.event_course import Keeper
from server.storage.errors import DatabaseBusy
from server.storage.event_tables import event_rounds
from server.storage.ids import event_number
from tests import event_days
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
