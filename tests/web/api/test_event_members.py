"""Events are for members: who is none enters no event, and who stops to be one costs nobody his boards."""

import pytest

from tests import event_days
from tests.web.api.test_event_registration import opened


async def no_member(server, player):
    assert (await server.api.put(f"players/{player}", {"member": False})).status in (200, 201)


def refused(answer, player):
    assert (answer.status, answer.slug, answer.body["player"]) == (403, "members-only", player)
    assert "events" in answer.body["detail"]


async def test_the_registration_room_is_for_members(server):
    room = await opened(server)
    await no_member(server, "guest")
    refused(await room.do("sit", "guest", 1, "N"), "guest")
    await room.done(("ann", "sit", 1, "N"), ("sam", "sit", 1, "S"), ("ann", "raise"))
    await no_member(server, "sam")
    refused(await room.do("raise", "sam"), "sam")
    await room.done(("sam", "stand"))


async def test_pairs_and_substitutes_are_members(server):
    await no_member(server, "guest")
    event = await event_days.pairs_event(server)
    refused(await server.api.post(f"events/{event}/entries", {"players": ["eve", "guest"]}), "guest")
    assert (await server.api.get("players/eve")).status == 404
    event = await event_days.running(server)
    body = {"player": "x1", "substitute": "guest"}
    refused(await server.api.post(f"events/{event}/substitutes", body), "guest")


@pytest.mark.parametrize("who", ["x1", "eve"])
async def test_who_is_no_member_any_more_plays_on(server, who):
    event = await event_days.running(server)
    body = {"player": "y1", "substitute": "eve"}
    assert (await server.api.post(f"events/{event}/substitutes", body)).status == 200
    await no_member(server, who)
    answer = await server.api.post(f"events/{event}/results", event_days.passed(1, 1, 1))
    assert answer.status == 201, answer
