"""Disconnects on boards of events: of those who sit at a table of the round, on a board dealt there."""

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests import event_days


@pytest.fixture
async def event(server):
    """Table 1 of the first round has been dealt the first of two boards."""
    event = await event_days.dealt(server)
    assert (await server.api.post(f"events/{event}/tables/1/next-board", {})).status == 200
    return event


async def told(server, event, seat="W", board=1, **instead):
    """What is posted: somebody leaves a board of the first round at table 1."""
    found = (await server.api.get(f"events/{event}/rounds/1")).body
    players = found["tables"][0]["players"] | instead.pop("players", {})
    boards = {each["number"]: each["id"] for each in found["boards"]}
    return {"player": players[seat], "board": boards[board], "table": "R1-T1", "players": players} | instead


def refused(answer, pointer):
    found = (answer.status, answer.slug, answer.body["errors"][0]["pointer"])
    return found == (422, "invalid-result", pointer)


async def left(server, body):
    return await server.api.post("disconnects", body)


async def test_who_sits_there_may_leave_a_board_that_was_dealt(server, event):
    answer = await left(server, await told(server, event))
    assert answer.status == 201, answer
    played = await server.api.post(f"events/{event}/results", event_days.passed(1, 1, 1))
    assert played.status == 201


@pytest.mark.parametrize("name", ["stranger", "x2"])
async def test_nobody_else_has_left_it(server, event, name):
    body = await told(server, event, players={"E": name})
    assert refused(await left(server, body), "/players/E")
    assert (await server.api.get("players/stranger")).status == 404
    assert (await server.api.post(f"events/{event}/results", event_days.passed(1, 2, 1))).status == 201


@pytest.mark.parametrize("table", ["R1-T2", "R1-T9", "R2-T1", "T1"])
async def test_he_left_the_table_where_he_sits(server, event, table):
    pointer = "/players/N" if table == "R1-T2" else "/table"
    assert refused(await left(server, await told(server, event, table=table)), pointer)


async def test_a_board_that_was_not_dealt_was_not_left(server, event):
    body = await told(server, event, board=2)
    assert refused(await left(server, body), "/board")
    # What was reported was dealt, however it came.
    assert (await server.api.post(f"events/{event}/results", event_days.passed(1, 1, 2))).status == 201
    assert (await left(server, body)).status == 201


async def test_who_sits_in_and_who_is_no_member_any_more_leave_boards_too(server, event):
    sits_in = {"player": "x1", "substitute": "eve"}
    assert (await server.api.post(f"events/{event}/substitutes", sits_in)).status == 200
    assert (await server.api.put("players/y1", {"member": False})).status == 200
    table = (await server.api.get(f"events/{event}/rounds/1")).body["tables"][0]["players"]
    seat = next(seat for seat, name in table.items() if name == "x1")
    answer = await left(server, await told(server, event, seat, players={seat: "eve"}))
    assert answer.status == 201, answer


async def test_who_plays_in_the_event_takes_no_disconnect_back(server, event):
    """Nor where he has not played the board himself, nor by an outage."""
    made = (await left(server, await told(server, event))).body
    await event_days.closed(server)
    await event_course.advance(server.database, Keeper(), server.clock.now)
    token = await server.token("console", "director", player="x2")
    for answer in (
        await server.api.delete(f"disconnects/{made['id']}", params={"reason": "why"}, token=token),
        await server.api.post(f"disconnects/{made['id']}/lift", {"reason": "why"}, token=token),
    ):
        assert (answer.status, answer.slug) == (403, "director-plays")
    now = server.clock.now().isoformat()
    window = {"since": "2026-11-25T12:00:00Z", "until": now, "reason": "lights"}
    answer = await server.api.post("outages", window, token=token)
    assert (answer.status, answer.slug) == (403, "director-plays")
