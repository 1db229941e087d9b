"""Pairs that leave an event by themselves: when that takes effect, and what they can do after it."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from tests import event_days
from tests.event_days import Day


@pytest.fixture
async def day(server):
    """A Swiss pairs of six whose first of three rounds is played: 1 meets 2, 3 meets 4, 5 meets 6."""
    day = Day(server)
    await day.announce(rounds=3, boards=1, late_until=1)
    await day.enter(range(1, 7))
    await day.until("running", 1)
    return day


async def leave(day, player, **options):
    return await day.api.post(f"events/{day.id}/leave", {"player": player}, **options)


async def paired(day, number):
    """Everybody who plays or sits out in a round."""
    found = await day.get(f"rounds/{number}")
    return {*(table[side] for table in found["tables"] for side in ("ns", "ew")), *found["sit_outs"]}


async def test_who_leaves_plays_his_round_and_is_paired_no_more(day):
    answer = await leave(day, "b3")
    assert (answer.status, answer.body) == (200, {"done": True})
    assert (await day.get())["entries"]["3"]["withdrawn"] is True
    await day.play(1)
    await day.until("running", 2)
    assert await paired(day, 2) == {1, 2, 4, 5, 6}
    rows = (await day.get("entries"))["entries"]
    assert [row["entry"] for row in rows if row["withdrawn"]] == [3]
    await day.play(2)
    await day.until("running", 3)
    await day.play(3)
    await day.until("finished")
    rows = (await day.get("standings"))["rows"]
    assert [(row["entry"], row["rank"], row["boards"]) for row in rows if row["entry"] == 3] == [(3, None, 1)]
    assert len(rows) == 6


async def test_a_second_time_changes_nothing(day):
    first = await leave(day, "b3", key="leaving")
    again = await leave(day, "b3", key="leaving")
    assert (again.raw, again.headers["Idempotency-Replayed"]) == (first.raw, "true")
    assert (await leave(day, "b4", key="leaving")).slug == "idempotency-key-reused"
    position = (await day.get())["position"]
    assert (await leave(day, "a3")).status == 200
    withdrawn = {"entry": 3, "reason": "has told us too"}
    assert (await day.api.post(f"events/{day.id}/withdraw", withdrawn)).status == 200
    assert (await day.get())["position"] == position
    ((at,),) = await left_at(day, 3)
    day.served.clock.advance(timedelta(seconds=5))
    await leave(day, "a3")
    assert await left_at(day, 3) == [(at,)]


async def left_at(day, pair):
    """When a pair left, as it is kept."""
    asked = text("SELECT withdrawn_at FROM event_entries WHERE number = :pair")
    return await day.served.database.read(
        lambda connection: [tuple(row) for row in connection.execute(asked, {"pair": pair})]
    )


async def test_who_has_left_cannot_be_ready_nor_enter_again(day):
    await leave(day, "a3")
    refused = await day.api.post(f"events/{day.id}/ready", {"player": "b3"})
    assert (refused.status, refused.slug) == (409, "pair-left")
    for player, seat in (("a3", "N"), ("b3", "S")):
        sits = {"player": player, "table": 9, "seat": seat}
        answer = await day.api.post(f"events/{day.id}/room/sit", sits, key=None)
        assert (answer.slug, answer.body["reason"]) == ("room-refused", "already_registered")


async def test_it_is_taken_while_a_round_is_closed_and_while_the_clock_stands(day):
    await day.play(1)
    await day.until("closing", 1)
    assert (await leave(day, "a5")).status == 200
    assert (await day.api.post(f"events/{day.id}/pause", {"reason": "rain"})).status == 200
    assert (await leave(day, "a6")).status == 200
    assert (await day.api.post(f"events/{day.id}/resume", {"reason": "sun"})).status == 200
    await day.until("running", 2)
    assert await paired(day, 2) == {1, 2, 3, 4}


async def test_an_event_that_all_but_one_leave_is_over_after_the_round(day):
    await day.play(1)
    for pair in (2, 3, 4, 5, 6):
        await leave(day, f"a{pair}")
    await day.until("finished")
    assert [row["rank"] for row in (await day.get("standings"))["rows"]] == [1, 2, 3, 4, 5, 6]


async def test_nobody_leaves_what_is_over_or_what_he_is_not_in(day):
    for player in ("stranger", "b9"):
        refused = await leave(day, player)
        assert (refused.status, refused.slug) == (409, "not-entered")
    await day.play(1)
    for number in (2, 3):
        await day.until("running", number)
        await day.play(number)
    await day.until("finished")
    for path in ("leave", "ready"):
        refused = await day.api.post(f"events/{day.id}/{path}", {"player": "a1"})
        assert (refused.status, refused.slug) == (409, "event-state"), path


async def test_only_the_platform_of_the_event_says_so(day, server):
    other = await server.token("another platform", "events:write")
    assert (await leave(day, "a1", token=other)).slug == "not-your-event"
    assert (await leave(day, "a1", token="director")).slug == "scope-missing"
    assert (await leave(day, "a1", token="admin")).status == 200


@pytest.mark.parametrize("kind", ["swiss_pairs", "pairs"])
async def test_before_the_start_the_entry_is_taken_back(server, kind):
    if kind == "pairs":
        event, names = await event_days.pairs_event(server), ("x1", "y1")
    else:
        event, names = await event_days.entered(server), ("ann", "sam")
    assert (await server.api.post(f"events/{event}/leave", {"player": names[1]})).status == 200
    rows = (await server.api.get(f"events/{event}/entries")).body["entries"]
    assert names[0] not in [player for row in rows for player in row["players"]]
    again = await server.api.post(f"events/{event}/leave", {"player": names[0]})
    assert again.slug == "not-entered"
    if kind == "pairs":  # with another partner; the number is not given again
        made = await server.api.post(f"events/{event}/entries", {"players": [names[0], "eve"]})
        assert (made.status, made.body) == (201, {"entry": 5})
