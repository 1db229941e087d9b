"""The channel of an event: the snapshot and the bulletins after it give the snapshot that comes next."""

import json
from datetime import timedelta

from aiohttp import ClientSession

from server.services import bulletins, event_course
from server.services.event_course import Keeper
from tests import event_days, factories
from tests.event_days import Day
from tests.web.event_cells import CELLS


def patched(tree, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    found = dict(tree) if isinstance(tree, dict) else {}
    for name, value in patch.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = patched(found.get(name), value)
    return found


async def since(server, event, position):
    """Bulletins of the event's channel after a position."""
    await bulletins.number_shared(server.database)
    rows = await server.database.read(
        lambda connection: bulletins.after(connection, {f"event:{event}": position}, 10_000)
    )
    return [(row.kind, json.loads(row.body)) for row in rows]


async def follow(server, event, before, after):
    """Nothing but the position of the two snapshots differs, once the bulletins are applied; twice too."""
    told = [body for kind, body in await since(server, event, before["position"]) if kind == "event"]
    tree = {name: value for name, value in before.items() if name != "position"}
    for _ in range(2):
        for body in told:
            tree = patched(tree, body)
        assert tree == {name: value for name, value in after.items() if name != "position"}
    return told


async def test_every_verb_is_told(server, clock):
    for cell in CELLS:
        if cell.method == "GET":
            continue
        event = await cell.before(server)
        before = (await server.api.get(f"events/{event}")).body
        answer = await server.api.post(
            f"events/{event}{cell.address}", cell.body, headers={"If-Match": '"v1"'}
        )
        assert answer.status < 300, (cell.path, answer)
        after = (await server.api.get(f"events/{event}")).body
        told = await follow(server, event, before, after)
        changes = {name: value for name, value in before.items() if name != "position"} != {
            name: value for name, value in after.items() if name != "position"
        }
        assert bool(told) >= changes, cell.path
        clock.advance(timedelta(hours=1))  # the next event begins with nobody of this one at a table


async def test_rulings_are_told(server):
    """Of the round that is played and of one that is over; whoever shows standings reads them again."""
    day = Day(server)
    await day.announce(rounds=2)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    await day.play(1)
    for over in (False, True):
        if over:
            await day.until("running", 2)
        first, second = (await day.get(f"boards/{1 + over}", token="director"))["results"]
        for verb, ruled, body in (
            ("adjust", first, {"result": "4SN-1"}),
            ("void", second, {}),
        ):
            before = await day.get()
            assert (await factories.rule(day.api, verb, ruled["id"], **body)).status == 200
            after = await day.get()
            assert await follow(server, day.id, before, after)
            assert after["rulings"] == before["rulings"] + 1
        place = {"round": 1, "table": int(second["table"][-1]), "board": 1 + over}
        award = {"ns": "A", "ew": "A", "basis": "unplayable", "reason": "fouled"}
        before = await day.get()
        answer = await day.api.post(
            f"events/{day.id}/adjustments", place | award, headers={"If-Match": '"v0"'}
        )
        assert answer.status == 200
        assert await follow(server, day.id, before, await day.get())


async def test_a_whole_event_is_told(server):
    day = Day(server)
    before = await day.announce(rounds=2, boards=1)
    await day.enter(range(1, 6))
    for number in (1, 2):
        await day.until("running", number)
        await day.play(number)
    await day.until("finished")
    await follow(server, day.id, before, await day.get())
    kinds = [kind for kind, _ in await since(server, day.id, before["position"])]
    assert kinds.count("event-warning") == 4  # five minutes and one before the end of each round


async def test_who_is_hidden_is_hidden_in_what_was_told_before(server):
    event = await event_days.seated(server)
    await server.api.put("players/ann", {"hidden": True})
    told = json.dumps(await since(server, event, 0))
    assert "ann" not in told
    assert '"hidden"' in told
    await event_course.advance(server.database, Keeper(), server.clock.now)


async def listed(server, position=0):
    """What lists of events were told after a position."""
    await bulletins.number_shared(server.database)
    rows = await server.database.read(
        lambda connection: bulletins.after(connection, {"events": position}, 10_000)
    )
    assert {row.kind for row in rows} <= {"event-listed"}
    return [json.loads(row.body)["event"] for row in rows]


async def test_lists_are_told_of_each_step_and_of_nothing_else(server):
    day = Day(server)
    await day.announce(rounds=1, boards=1)
    await day.enter(range(1, 5))
    told = await listed(server)
    assert [(each["state"], each["pairs"]) for each in told][-1] == ("registration", 4)
    assert told[0].keys() == {"id", "kind", "name", "state", "round", "pairs"}
    assert {each["id"] for each in told} == {day.id}
    await day.until("running", 1)
    before = len(await listed(server))
    await day.play(1)
    assert len(await listed(server)) == before  # what tables report is no matter of lists
    await day.until("finished")
    assert [each["state"] for each in (await listed(server))[before:]][-1] == "finished"


async def test_the_list_of_events_can_be_followed(server, api):
    await Day(server).announce()
    await bulletins.number_shared(server.database)
    async with (
        ClientSession() as session,
        session.get(f"{server.url}/api/v1/channels/events/stream?after=0") as response,
    ):
        assert response.status == 200
        text = ""
        while "data: " not in text:
            text += (await response.content.readline()).decode()
    assert "event: event-listed" in text
    assert (await api.get("channels/events:x/stream")).status == 404
