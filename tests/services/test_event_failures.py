"""A database that refuses a step of an event: it is paused once, says why, and goes on when mended."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from server.services import event_course
from server.services.event_course import Keeper
from server.storage.ids import event_number
from tests import event_days
from tests.event_days import Day
from tests.web.api.test_event_bulletins import follow
from tests.web.verified import check_clean

WHY = {"reason": "mended"}
FAULTY = {
    "sqlite": [
        "CREATE TRIGGER fault BEFORE INSERT ON {table} {only} BEGIN SELECT RAISE(ABORT, 'a bad sector'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'a bad sector'; END $$",
        "CREATE TRIGGER fault BEFORE INSERT ON {table} FOR EACH ROW {only} EXECUTE FUNCTION fault()",
    ],
}
MENDED = {
    "sqlite": ["DROP TRIGGER fault"],
    "postgresql": ["DROP TRIGGER fault ON {table}", "DROP FUNCTION fault()"],
}


async def alter(server, statements, table, event=None):
    """``table`` of the database keeps no new row of an event, or of any (FAULTY); or does again (MENDED)."""
    only = "" if event is None else f"WHEN (NEW.event = {event_number(event)})"

    def run(connection):
        for statement in statements[connection.dialect.name]:
            connection.execute(text(statement.format(table=table, only=only)))

    await server.database.alter(run)


async def look(server, times=1):
    for _ in range(times):
        await event_course.advance(server.database, Keeper(), server.clock.now)


async def shown(server, event):
    return (await server.api.get(f"events/{event}")).body


async def audited(server, event):
    """What the audit says of an event that nobody asked for."""
    rows = (await server.api.get("audit", token="director")).body["rows"]
    mine = [row for row in rows if row["subject"] == event and row["client"] is None]
    return [(row["verb"], row["detail"]) for row in mine]


def instant(at):
    return at.isoformat().replace("+00:00", "Z")


async def test_a_first_round_that_cannot_be_stored_waits_for_a_director(server, clock):
    event, other = [await event_days.pairs_event(server, round_s=900) for _ in range(2)]
    await alter(server, FAULTY, "event_matches")
    clock.advance(timedelta(seconds=1))
    await look(server, 3)
    found = await shown(server, event)
    why = "a pair could not be entered, or round 1 not be paired"
    assert (found["state"], found["paused_in"], found["pause_reason"]) == ("paused", "registration", why)
    assert ("round" in found, found["schedule"][0]["round"]) == (False, 1)
    assert await audited(server, event) == [("event paused", why)]  # once, and no more is tried
    await alter(server, MENDED, "event_matches")
    clock.advance(timedelta(minutes=20))
    await look(server)
    assert (await shown(server, event))["state"] == "paused"  # until a director says so
    before = await shown(server, event)
    assert (await server.api.post(f"events/{event}/resume", WHY)).status == 200
    after = await shown(server, event)
    assert after["state"] == "registration"
    assert after["rules"]["start_at"] == instant(clock.now()) == after["schedule"][0]["starts_at"]
    await follow(server, event, before, after)
    await look(server)
    found = await shown(server, event)
    assert (found["state"], found["round"]) == ("running", 1)
    assert found["ends_at"] == instant(clock.now() + timedelta(seconds=900))  # nobody has less time to play
    assert (await shown(server, other))["state"] == "paused"


async def test_resumed_too_soon_it_is_paused_again(server, clock):
    event = await event_days.pairs_event(server)
    await alter(server, FAULTY, "event_matches")
    clock.advance(timedelta(seconds=1))
    for pauses in (1, 2, 3):
        await look(server, 2)
        assert (await shown(server, event))["paused_in"] == "registration"
        assert len(await audited(server, event)) == pauses
        clock.advance(timedelta(minutes=5))
        assert (await server.api.post(f"events/{event}/resume", WHY)).status == 200
    await alter(server, MENDED, "event_matches")
    await look(server)
    assert (await shown(server, event))["state"] == "running"
    await check_clean(server)


async def test_pairs_still_register_while_the_first_round_waits(server, clock):
    day = Day(server)
    await day.announce()
    await day.enter(range(1, 5))
    await alter(server, FAULTY, "event_matches")
    clock.advance(timedelta(minutes=10))
    await look(server)
    assert (await day.get())["paused_in"] == "registration"
    assert (await day.get())["room"]["doors"] == "open"
    await day.enter([5])
    assert (await day.get("entries"))["entries"][4]["first_round"] == 1
    await alter(server, MENDED, "event_matches")
    await day.post("resume", WHY)
    await look(server)
    assert (await day.get("rounds/1"))["sit_outs"] == [5]


async def test_an_event_that_waits_for_its_first_round_is_called_off(server, clock):
    event = await event_days.pairs_event(server)
    await alter(server, FAULTY, "event_matches")
    clock.advance(timedelta(seconds=1))
    await look(server)
    assert (await server.api.post(f"events/{event}/cancel", {})).status == 200
    found = await shown(server, event)
    assert found["state"] == "cancelled"
    assert not {"paused_at", "paused_in", "pause_reason"} & found.keys()


async def test_registration_that_cannot_be_opened_is_opened_later(server, clock):
    """By the pause; the event starts as much later."""
    start = clock.now() + timedelta(hours=2)
    body = {"kind": "swiss_pairs", "name": "E", "start_at": start.isoformat(), "rounds": 2}
    opens = clock.now() + timedelta(hours=1)
    event = (await server.api.post("events", body | {"open_at": opens.isoformat()})).body["id"]
    await alter(server, FAULTY, "event_transitions")
    clock.set(opens)
    with pytest.raises(Exception, match="bad sector"):  # nor can the pause be kept
        await look(server)
    await alter(server, MENDED, "event_transitions")
    await look(server)
    assert (await shown(server, event))["state"] == "registration"


async def test_an_event_that_cannot_even_be_paused_holds_up_no_other(server, clock):
    """The database keeps no step of it; the other one, which comes later, is begun."""
    event, other = [await event_days.pairs_event(server) for _ in range(2)]
    await look(server)
    await alter(server, FAULTY, "event_transitions", event)
    clock.advance(timedelta(seconds=1))
    with pytest.raises(Exception, match="bad sector"):
        await look(server)
    assert (await shown(server, event))["state"] == "registration"
    assert (await shown(server, other))["state"] == "running"


async def test_the_next_round_keeps_its_whole_time_however_short_the_pause(server, clock):
    event = await event_days.running(server, round_s=900)
    await event_days.report_all(server, event, 1)
    for _ in range(18):
        clock.advance(timedelta(seconds=50))
        await look(server)
    await alter(server, FAULTY, "event_matches")
    clock.advance(timedelta(seconds=5))
    await look(server, 2)
    found = await shown(server, event)
    assert (found["state"], found["paused_in"]) == ("paused", "closing")
    why = "round 1 could not be scored, or the next one paired"
    assert await audited(server, event) == [("event paused", why)]
    await alter(server, MENDED, "event_matches")
    clock.advance(timedelta(seconds=40))
    await server.api.post(f"events/{event}/resume", WHY)
    await look(server)
    found = await shown(server, event)
    assert (found["state"], found["round"]) == ("running", 2)
    assert found["ends_at"] == instant(clock.now() + timedelta(seconds=900))


async def test_a_director_pauses_no_event_before_it_starts(server):
    event = await event_days.pairs_event(server)
    await look(server)
    refused = await server.api.post(f"events/{event}/pause", WHY)
    assert (refused.status, refused.slug) == (409, "event-state")


ROOM = "a pair could not be entered"


async def hands_up(day, pair):
    for name, seat in ((f"a{pair}", "N"), (f"b{pair}", "S")):
        await day.post("room/sit", {"player": name, "table": pair, "seat": seat})
        await day.post("room/raise", {"player": name})


async def fails_to_enter(day, pair):
    """The hands of a pair are up, and the database does not keep it."""
    await alter(day.served, FAULTY, "event_entries")
    await hands_up(day, pair)
    await day.wait(21)
    await look(day.served, 3)


async def test_a_pair_that_cannot_be_entered_is_tried_once_and_again_when_the_event_goes_on(server, clock):
    """Nothing else is held up by it: others sit down meanwhile, and keep their places in the order."""
    day = Day(server)
    await day.announce()
    await day.enter(range(1, 5))
    await fails_to_enter(day, 5)
    raised = clock.now() - timedelta(seconds=21)
    found = await day.get()
    why = "a pair could not be entered, or round 1 not be paired"
    assert (found["state"], found["paused_in"], found["pause_reason"]) == ("paused", "registration", why)
    assert await audited(server, day.id) == [("event paused", why)]  # once, and no more is tried
    await hands_up(day, 6)
    await day.wait(120)
    assert await audited(server, day.id) == [("event paused", why)]
    await alter(server, MENDED, "event_entries")
    await look(server)
    assert len((await day.get())["entries"]) == 4  # until a director says so
    await day.post("resume", WHY)
    await look(server)
    rows = (await day.get("entries"))["entries"]
    assert [row["players"] for row in rows[4:]] == [["a5", "b5"], ["a6", "b6"]]
    assert rows[4]["registered_at"] == instant(raised + timedelta(seconds=20))
    await day.until("running", 1)
    assert len((await day.get("rounds/1"))["tables"]) == 3
    await check_clean(server)


async def paused_by_director(day):
    """In round 1, while the room is open for late entries; what it says why."""
    await day.until("running", 1)
    await day.post("pause", {"reason": "fire alarm"})
    return "fire alarm"


async def paused_by_failure(day):
    """Before round 1, which could not be stored."""
    await alter(day.served, FAULTY, "event_matches")
    day.served.clock.set(datetime.fromisoformat((await day.get())["rules"]["start_at"]))
    await look(day.served)
    await alter(day.served, MENDED, "event_matches")
    return "a pair could not be entered, or round 1 not be paired"


@pytest.mark.parametrize("stopped", [paused_by_director, paused_by_failure])
async def test_registration_that_fails_while_the_clock_stands_waits_too(server, stopped):
    day = Day(server)
    await day.announce(late_until=1)
    await day.enter(range(1, 5))
    why = await stopped(day)
    told = len(await audited(server, day.id))
    before = await day.get()
    await fails_to_enter(day, 5)
    found = await day.get()
    assert (found["state"], found["pause_reason"]) == ("paused", f"{why}; {ROOM}")
    await follow(server, day.id, before, found)
    assert (await audited(server, day.id))[0] == ("event paused", ROOM)
    assert len(await audited(server, day.id)) == told + 1
    await day.post("room/stand", {"player": "a5"})
    await alter(server, MENDED, "event_entries")
    await day.post("room/sit", {"player": "a5", "table": 5, "seat": "N"})
    await day.post("room/raise", {"player": "a5"})
    await day.wait(30)
    assert len((await day.get())["entries"]) == 4
    await day.post("resume", WHY)
    await look(server)
    assert (await day.get("entries"))["entries"][4]["players"] == ["a5", "b5"]


async def test_an_event_whose_registration_waits_is_called_off(server):
    day = Day(server)
    await day.announce()
    await day.enter(range(1, 5))
    await fails_to_enter(day, 5)
    await day.post("cancel", {})
    found = await day.get()
    assert (found["state"], found["room"]["seats"]) == ("cancelled", {})


async def test_a_late_pair_that_cannot_be_entered_stops_the_round(server):
    """It says so; when the event goes on everybody has as long as before."""
    day = Day(server)
    await day.announce(late_until=1)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    before = await day.get()
    await fails_to_enter(day, 5)
    found = await day.get()
    why = "a pair could not be entered, or round 1 could not be closed"
    assert (found["state"], found["pause_reason"]) == ("paused", why)
    await alter(server, MENDED, "event_entries")
    paused_at = found["paused_at"]
    await day.wait(100)
    now = server.clock.now()
    await day.post("resume", WHY)
    await look(server)
    found = await day.get()
    assert (found["state"], found["entries"]["5"]["first_round"]) == ("running", 2)
    stood = now - datetime.fromisoformat(paused_at)
    assert datetime.fromisoformat(found["ends_at"]) == datetime.fromisoformat(before["ends_at"]) + stood


UNSEEN = {
    "sqlite": [
        "CREATE TRIGGER fault BEFORE UPDATE OF seen_at ON events WHEN NEW.id = {number} "
        "BEGIN SELECT RAISE(ABORT, 'a bad sector'); END"
    ],
    "postgresql": [
        FAULTY["postgresql"][0],
        "CREATE TRIGGER fault BEFORE UPDATE ON events FOR EACH ROW "
        "WHEN (NEW.id = {number} AND NEW.seen_at <> OLD.seen_at) EXECUTE FUNCTION fault()",
    ],
}


async def test_an_event_whose_clock_cannot_be_noted_makes_no_other_longer(server, clock):
    """Whose clock is noted by nobody would get its time back again and again, and never end."""
    faulty, other = [await event_days.running(server, round_s=300) for _ in range(2)]
    ends_at = (await shown(server, other))["ends_at"]

    def run(connection):
        for statement in UNSEEN[connection.dialect.name]:
            connection.execute(text(statement.format(number=event_number(faulty))))

    await server.database.alter(run)
    for _ in range(30):
        clock.advance(timedelta(seconds=10))
        with pytest.raises(Exception, match="bad sector"):
            await look(server)
    found = await shown(server, other)
    assert (found["state"], found["ends_at"]) == ("closing", instant(clock.now() + timedelta(seconds=5)))
    assert instant(clock.now()) == ends_at


async def test_what_fails_first_after_an_outage_costs_no_time(server):
    """Five minutes of nobody, then a late pair that cannot be entered, then a pause: all are given back."""
    day = Day(server)
    await day.announce(late_until=1)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    ends_at = datetime.fromisoformat((await day.get())["ends_at"])
    await alter(server, FAULTY, "event_entries")
    await hands_up(day, 5)
    seen = server.clock.now()
    server.clock.advance(timedelta(minutes=5))
    await look(server, 2)
    assert (await day.get())["state"] == "paused"
    await alter(server, MENDED, "event_entries")
    await day.wait(100)
    await day.post("resume", WHY)
    later = datetime.fromisoformat((await day.get())["ends_at"]) - ends_at
    assert later == server.clock.now() - seen
