"""Penalties for discipline: what they move, what is refused, and what becomes of those that are lifted."""

from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests import event_days
from tests.event_days import Day
from tests.web.api.test_event_bulletins import follow
from tests.web.verified import check_clean

WHY = {"reason": "because"}
TAKEN = {"entry": 1, "kind": "deduction", "amount": 1.25} | WHY
OUT = {"entry": 2, "kind": "suspension"} | WHY


@pytest.fixture
async def event(server):
    """An event of four pairs whose first of three rounds is played: 1 meets 4, 2 meets 3."""
    return await event_days.running(server)


async def imposed(server, event, body, **options):
    answer = await server.api.post(f"events/{event}/penalties", body, **options)
    assert answer.status == 201, answer
    return answer.body["id"]


async def lift(server, event, penalty, **options):
    return await server.api.post(f"events/{event}/penalties/{penalty}/lift", WHY, **options)


async def shown(server, event):
    return (await server.api.get(f"events/{event}")).body


async def totals(server, event):
    rows = (await server.api.get(f"events/{event}/standings", token="events")).body["rows"]
    return {row["entry"]: (row["score"], row["deduction"]) for row in rows}


async def playing(server, event, number):
    found = (await server.api.get(f"events/{event}/rounds/{number}")).body
    return {pair for table in found["tables"] for pair in (table["ns"], table["ew"])}


async def on_to_the_next_round(server, event, number):
    await event_days.report_all(server, event, number)
    await event_days.closed(server)


async def test_a_deduction_that_is_lifted_moves_the_total_back(server, event):
    for _ in range(2):
        await imposed(server, event, TAKEN)
    await on_to_the_next_round(server, event, 1)
    assert (await totals(server, event))[1] == (-2.5, 2.5)
    before = await shown(server, event)
    answer = await lift(server, event, 1)
    assert (answer.status, answer.body["lifted"]["reason"]) == (200, "because")
    assert (await totals(server, event))[1] == (-1.25, 1.25)
    after = await shown(server, event)
    first, second = after["penalties"]
    assert first == before["penalties"][0] | {"lifted_at": answer.body["lifted"]["at"]}
    assert second == before["penalties"][1]  # it stands
    await follow(server, event, before, after)
    card = (await server.api.get(f"events/{event}/entries/1", token="events")).body
    assert (card["score"], card["deduction"]) == (-1.25, 1.25)
    await check_clean(server)


async def test_it_is_lifted_once(server, event):
    """The same request again is answered as before; another one is refused, and changes nothing."""
    penalty = await imposed(server, event, TAKEN)
    first = await lift(server, event, penalty, key="lift")
    again = await lift(server, event, penalty, key="lift")
    assert (again.status, again.body) == (200, first.body)
    server.clock.advance(timedelta(seconds=1))
    twice = await lift(server, event, penalty, key="other")
    assert (twice.status, twice.slug) == (409, "penalty-lifted")
    assert twice.body["lifted_at"] == first.body["lifted"]["at"]
    rows = (await server.api.get("audit")).body["rows"]
    said = [row["detail"] for row in rows if (row["verb"], row["subject"]) == ("penalty lift", event)]
    assert said == ["1, 1 deduction: because"]


async def test_each_event_has_penalties_of_its_own(server, event):
    other = await event_days.running(server)
    await imposed(server, event, TAKEN)
    for penalty in (1, 2, 0, "x", "1e1"):
        assert (await lift(server, other, penalty)).slug == "not-found", penalty
    assert await imposed(server, other, TAKEN) == 1
    assert (await lift(server, other, 1)).status == 200
    assert "lifted_at" not in (await shown(server, event))["penalties"][0]


async def test_who_is_no_longer_suspended_plays_in_the_next_round(server, event):
    penalty = await imposed(server, event, OUT | {"until_round": 3})
    await on_to_the_next_round(server, event, 1)
    assert 2 not in await playing(server, event, 2)
    assert (await lift(server, event, penalty)).status == 200
    assert 2 not in await playing(server, event, 2)  # which has begun
    await on_to_the_next_round(server, event, 2)
    assert 2 in await playing(server, event, 3)


async def test_master_points_follow_when_the_event_is_over(server):
    """Without the deduction the first pair is in front, and its players have its points."""
    day = Day(server)
    await day.announce(rounds=1, boards=1)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    await day.play(1, lambda table, board: ("4S", "N", 10))
    penalty = (await day.post("penalties", TAKEN))["id"]
    await day.until("finished")
    rows = (await day.get("standings"))["rows"]
    assert [(row["entry"], row["masterpoints"]) for row in rows] == [(2, 3), (3, 2), (4, 0), (1, 0)]
    before = await day.get()
    await day.post(f"penalties/{penalty}/lift", WHY)
    rows = (await day.get("standings"))["rows"]
    assert [(row["entry"], row["masterpoints"]) for row in rows] == [(1, 3), (2, 2), (3, 0), (4, 0)]
    assert (await server.api.get("players/a1")).body["masterpoints"] == 3
    await follow(server, day.id, before, await day.get())
    await check_clean(server)


async def test_a_suspension_that_is_over_already_is_refused(server, event, clock):
    """Round 1 may still be paired anew while it is played; when it is closed it is over."""
    past = (clock.now() - timedelta(seconds=1)).isoformat()
    for moment in (past, clock.now().isoformat()):
        answer = await server.api.post(f"events/{event}/penalties", OUT | {"until_at": moment})
        assert (answer.status, answer.slug) == (422, "invalid-event")
        (error,) = answer.body["errors"]
        assert error == {"pointer": "/until_at", "detail": "this instant has passed"}
    await imposed(server, event, OUT | {"until_round": 1})
    await event_days.report_all(server, event, 1)
    clock.advance(timedelta(seconds=50))
    await event_course.advance(server.database, Keeper(), clock.now)
    await server.api.post(f"events/{event}/pause", WHY)
    for state in ("paused", "closing", "running"):
        found = await shown(server, event)
        assert found["state"] == state
        answer = await server.api.post(f"events/{event}/penalties", OUT | {"until_round": 1})
        assert (answer.status, answer.slug) == (422, "invalid-event"), state
        (error,) = answer.body["errors"]
        assert error == {"pointer": "/until_round", "detail": "round 1 is over"}
        if state == "paused":
            await server.api.post(f"events/{event}/resume", WHY)
        else:
            clock.advance(timedelta(seconds=5))
            await event_course.advance(server.database, Keeper(), clock.now)
    assert len((await shown(server, event))["penalties"]) == 1
    await imposed(server, event, OUT | {"until_round": 2})


async def test_before_the_first_round_nothing_is_over(server):
    event = await event_days.pairs_event(server, min_pairs=3)
    await imposed(server, event, OUT | {"until_round": 1})
    server.clock.advance(timedelta(seconds=1))
    await event_course.advance(server.database, Keeper(), server.clock.now)
    assert 2 not in await playing(server, event, 1)


async def test_who_is_suspended_when_an_event_starts_is_none_of_the_pairs_that_it_needs(server):
    """With one pair that can play there is no event, and none with fewer than the organiser wants."""
    alone = await event_days.pairs_event(server, 2, min_pairs=2)
    short = await event_days.pairs_event(server, 4, min_pairs=4)
    for event in (alone, short):
        await imposed(server, event, OUT | {"until_round": 1})
    server.clock.advance(timedelta(seconds=1))
    await event_course.advance(server.database, Keeper(), server.clock.now)
    for event in (alone, short):
        assert (await shown(server, event))["state"] == "cancelled"
    await check_clean(server)


async def test_reasons_are_for_directors(server, event):
    await imposed(server, event, {"entry": 3, "kind": "warning", "reason": "confidential words"})
    until = (server.clock.now() + timedelta(minutes=5)).isoformat().replace("+00:00", "Z")
    await imposed(server, event, OUT | {"until_at": until})
    await server.api.post(f"events/{event}/penalties/1/lift", {"reason": "more such words"})
    found = (await server.api.get(f"events/{event}/penalties", token="director")).body["penalties"]
    assert [each["id"] for each in found] == [1, 2]
    assert (found[0]["reason"], found[0]["lifted"]["reason"]) == ("confidential words", "more such words")
    assert (found[1]["until_at"], found[1]["lifted"]) == (until, None)
    assert "words" not in str(await shown(server, event))
    nobody = await server.api.get(f"events/{event}/penalties", token="public")
    assert nobody.status == 401
    plays = await server.token("console", "director", player="x3")
    refused = await server.api.get(f"events/{event}/penalties", token=plays)
    assert (refused.status, refused.slug) == (403, "director-plays")
    assert (await lift(server, event, 2, token=plays)).slug == "director-plays"
