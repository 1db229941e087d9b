"""Rounds that end before the clock says so: when nothing more can come from any table."""

from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests import event_days
from tests.web.verified import check_clean

EARLY = {"early_close": True, "round_s": 900, "last_board_s": 100, "absent_s": 60}
AWARD = {"round": 1, "table": 1, "ns": "A", "ew": "A", "basis": "unplayable", "reason": "fouled"}


async def state(server, event):
    """State and round, once the clock was looked at."""
    await event_course.advance(server.database, Keeper(), server.clock.now)
    found = (await server.api.get(f"events/{event}")).body
    return found["state"], found.get("round")


async def go_to(server, begun, seconds):
    """Somebody keeps the clock until so long after the round began."""
    end = begun + timedelta(seconds=seconds)
    while server.clock.now() < end:
        server.clock.set(min(end, server.clock.now() + timedelta(seconds=50)))
        await event_course.advance(server.database, Keeper(), server.clock.now)


async def arrive(server, event, table, *players):
    for player in players:
        answer = await server.api.post(f"events/{event}/tables/{table}/arrive", {"player": player})
        assert answer.status == 200, answer


async def report(server, event, table, boards=(1, 2)):
    for board in boards:
        answer = await server.api.post(f"events/{event}/results", event_days.passed(1, table, board))
        assert answer.status == 201, answer


async def kinds(server, event, pairs=4):
    found = {}
    for pair in range(1, pairs + 1):
        card = (await server.api.get(f"events/{event}/entries/{pair}", token="events")).body
        found[pair] = card["rounds"][0]["kind"]
    return found


@pytest.mark.parametrize("pairs", [4, 5])  # with five pairs one sits out
async def test_a_round_ends_when_every_table_has_finished(server, pairs):
    event = await event_days.running(server, pairs, **EARLY)
    await report(server, event, 1)
    await report(server, event, 2, [1])
    server.clock.advance(timedelta(seconds=30))
    assert await state(server, event) == ("running", 1)
    await report(server, event, 2, [2])
    server.clock.advance(timedelta(seconds=1))
    ended = server.clock.now()
    assert await state(server, event) == ("closing", 1)
    shown = (await server.api.get(f"events/{event}")).body
    assert shown["ends_at"] == (ended + timedelta(seconds=5)).isoformat().replace("+00:00", "Z")
    late = await server.api.post(f"events/{event}/results", event_days.passed(1, 1, 1))
    assert late.status == 409
    server.clock.advance(timedelta(seconds=5))
    assert await state(server, event) == ("running", 2)


async def test_by_the_clock_alone_where_the_event_has_it_so(server):
    event = await event_days.running(server, **EARLY | {"early_close": False})
    await event_days.report_all(server, event, 1)
    server.clock.advance(timedelta(seconds=50))
    assert await state(server, event) == ("running", 1)


@pytest.mark.parametrize("there", [(), ("x1", "y1"), ("x1", "y1", "x4")], ids=len)
async def test_nobody_waits_for_an_absent_pair_once_no_board_is_dealt_any_more(server, there):
    """Until then it may still come, and play."""
    event = await event_days.running(server, **EARLY)
    begun = server.clock.now()
    await arrive(server, event, 1, *there)
    await arrive(server, event, 2, "x2", "y2", "x3", "y3")
    await report(server, event, 2)
    await go_to(server, begun, 800)
    assert await state(server, event) == ("running", 1)
    server.clock.advance(timedelta(microseconds=1))
    assert await state(server, event) == ("closing", 1)
    server.clock.advance(timedelta(seconds=5))
    await state(server, event)
    first = "opponents_absent" if len(there) > 1 else "absent"
    assert await kinds(server, event) == {1: first, 2: "played", 3: "played", 4: "absent"}
    await check_clean(server)


async def test_nobody_is_taken_as_absent_who_may_still_come_in_time(server):
    """Boards are dealt until 800 s, but one has until 850 s to come."""
    event = await event_days.running(server, **EARLY | {"absent_s": 850})
    begun = server.clock.now()
    await arrive(server, event, 2, "x2", "y2", "x3", "y3")
    await report(server, event, 2)
    await go_to(server, begun, 850)
    assert await state(server, event) == ("running", 1)
    server.clock.advance(timedelta(seconds=1))
    assert await state(server, event) == ("closing", 1)


async def test_who_comes_late_to_nobody_has_come_all_the_same(server):
    """He was there while boards were dealt; that the round is over early takes nothing from him."""
    event = await event_days.running(server, **EARLY)
    begun = server.clock.now()
    await arrive(server, event, 2, "x2", "y2", "x3", "y3")
    await report(server, event, 2)
    await go_to(server, begun, 795)
    await arrive(server, event, 1, "x1", "y1")
    server.clock.advance(timedelta(seconds=6))
    assert await state(server, event) == ("closing", 1)  # 100 s before the end, which was to be at 900 s
    server.clock.advance(timedelta(seconds=5))
    await state(server, event)
    assert (await kinds(server, event))[1] == "opponents_absent"
    await check_clean(server)


@pytest.mark.parametrize("dealt", [1, 2])
async def test_a_table_that_still_plays_keeps_the_round_open(server, dealt):
    """It is over when it has told what it was dealt, and is dealt no more."""
    event = await event_days.running(server, **EARLY)
    begun = server.clock.now()
    await report(server, event, 2)
    await arrive(server, event, 1, "x1", "y1", "x4", "y4")
    for _ in range(dealt):
        assert (await server.api.post(f"events/{event}/tables/1/next-board", {})).status == 200
    await go_to(server, begun, 850)
    assert await state(server, event) == ("running", 1)
    await report(server, event, 1, range(1, dealt + 1))
    assert await state(server, event) == ("closing", 1)


async def test_a_table_that_asks_for_no_boards_keeps_the_round_open(server):
    """Nobody tells who comes, nor what is dealt: whatever is missing may still be played."""
    event = await event_days.running(server, **EARLY)
    begun = server.clock.now()
    await report(server, event, 2)
    await go_to(server, begun, 899)
    assert await state(server, event) == ("running", 1)
    await report(server, event, 1, [1])
    assert await state(server, event) == ("running", 1)
    server.clock.advance(timedelta(seconds=1))
    assert await state(server, event) == ("closing", 1)


async def test_an_awarded_board_is_not_the_one_that_is_played(server):
    """One board dealt and one told are not enough: it is the other one that was awarded."""
    event = await event_days.running(server, **EARLY)
    begun = server.clock.now()
    await report(server, event, 2)
    await arrive(server, event, 1, "x1", "y1", "x4", "y4")
    assert (await server.api.post(f"events/{event}/tables/1/next-board", {})).status == 200
    awarded = await server.api.post(
        f"events/{event}/adjustments", AWARD | {"board": 2}, headers={"If-Match": '"v0"'}
    )
    assert awarded.status == 200
    await go_to(server, begun, 850)
    assert await state(server, event) == ("running", 1)
    await report(server, event, 1, [1])
    assert await state(server, event) == ("closing", 1)


async def test_the_last_round_is_ranked_as_soon_as_it_is_over_and_everybody_has_told(server):
    """By the very next look at the clock; a table that may still report is waited for."""
    event = await event_days.running(server, **EARLY | {"rounds": 1, "closing_s": 120})
    begun = server.clock.now()
    await report(server, event, 2)
    await go_to(server, begun, 899)
    await report(server, event, 1, [1])
    server.clock.advance(timedelta(seconds=1))
    ended = server.clock.now().isoformat()
    assert await state(server, event) == ("closing", 1)
    assert await state(server, event) == ("closing", 1)
    in_time = event_days.passed(1, 1, 2) | {"played_at": ended}
    assert (await server.api.post(f"events/{event}/results", in_time)).status == 201
    assert await state(server, event) == ("finished", None)
    rows = (await server.api.get(f"events/{event}/standings", token="events")).body["rows"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]


async def test_in_the_last_round_nobody_is_lost_where_it_is_not_told_who_comes(server):
    """A table that has told nothing yet may have played: its results are waited for until closing ends."""
    event = await event_days.running(server, rounds=1, closing_s=120)
    played_at = server.clock.now().isoformat()
    await report(server, event, 2)
    server.clock.advance(timedelta(seconds=50))
    for _ in range(2):
        assert await state(server, event) == ("closing", 1)
    for board in (1, 2):
        row = event_days.passed(1, 1, board) | {"played_at": played_at}
        assert (await server.api.post(f"events/{event}/results", row)).status == 201
    assert await state(server, event) == ("finished", None)
    assert set((await kinds(server, event)).values()) == {"played"}
