"""Signing up with several accounts of one person: he is entered once, and never with himself."""

from datetime import timedelta

import pytest

from tests.web.api.test_event_registration import HOLD_S, opened, refused


@pytest.fixture
async def room(server):
    return await opened(server)


async def link(server, player, *others):
    """Accounts of one person, whether or not they were known."""
    for name in (player, *others):
        assert (await server.api.put(f"players/{name}", {"name": name})).status in (200, 201)
    answer = await server.api.put(f"players/{player}", {"linked": list(others)})
    assert answer.status == 200, answer


async def test_accounts_of_one_person_are_not_entered_with_each_other(room):
    await link(room.server, "ann", "bea")
    await room.done(("ann", "sit", 1, "N"), ("ann", "raise"), ("bea", "sit", 1, "S"), ("bea", "raise"))
    assert {place: each["player"] for place, each in (await room.seats()).items()} == {"1S": "bea"}
    await refused(await room.do("raise", "ann"), "not_seated")
    await room.after(3 * HOLD_S)
    assert await room.entries() == {}


async def test_a_person_is_not_entered_twice_by_another_account(room):
    await link(room.server, "ann", "bea")
    await room.hands_up()
    await room.after(HOLD_S)
    await refused(await room.do("sit", "bea", 2, "N"), "already_registered")
    await room.done(("sam", "cancel"), ("bea", "sit", 2, "N"))  # free again


async def test_a_late_entry_is_of_a_person_who_has_not_entered(server):
    room = await opened(server, rounds=4, late_until=2)
    await link(server, "ann", "bea")
    await room.hands_up()
    await room.hands_up("eve", "zoe", 2)
    await room.after(600)
    assert (await server.api.get(f"events/{room.event}")).body["room"]["doors"] == "late"
    await refused(await room.do("sit", "bea", 1, "N"), "already_registered")
    await room.done(("kay", "sit", 1, "N"))


async def test_accounts_that_are_linked_while_they_sit_are_not_entered(room):
    """Neither opposite each other, nor where one of them is entered; what nobody waits for is over."""
    await room.hands_up("ann", "bea", 1)
    await room.hands_up("eve", "sam", 2)
    await room.hands_up("fay", "tim", 3)
    await link(room.server, "ann", "bea")
    await link(room.server, "eve", "fay")
    await room.after(2 * HOLD_S)
    assert await room.entries() == {1: ("eve", "sam", HOLD_S)}
    assert sorted(await room.seats()) == ["1N", "1S", "3N", "3S"]
    await room.done(("fay", "lower"))
    await refused(await room.do("raise", "fay"), "already_registered")
    await room.done(("bea", "sit", 4, "S"))
    assert sorted(await room.seats()) == ["3N", "3S", "4S"]


async def test_accounts_that_are_linked_after_they_entered_play_on(room):
    """The organiser has a pair leave; the event goes on by its timetable all the same."""
    for table, pair in enumerate((("ann", "sam"), ("bea", "tim"), ("eve", "fay"), ("kay", "liz")), 1):
        await room.hands_up(*pair, table)
    await room.after(HOLD_S)
    await link(room.server, "ann", "bea")
    await link(room.server, "eve", "fay")
    await room.after(600)
    found = (await room.server.api.get(f"events/{room.event}")).body
    assert (found["state"], len(found["entries"])) == ("running", 4)
    for table in (1, 2):
        body = {"round": 1, "table": table, "board": 1, "contract": "PASS"}
        answer = await room.server.api.post(f"events/{room.event}/results", body)
        twice = (answer.status, answer.slug) == (422, "invalid-result")
        assert twice or answer.status == 201, answer


async def test_a_pairs_event_enters_persons(server):
    start = (server.clock.now() + timedelta(minutes=10)).isoformat()
    made = await server.api.post("events", {"kind": "pairs", "name": "P", "start_at": start, "rounds": 1})
    address = f"events/{made.body['id']}/entries"
    await link(server, "ann", "bea", "cat")
    himself = await server.api.post(address, {"players": ["bea", "cat"]})
    assert (himself.status, himself.slug) == (422, "invalid-result")
    assert (await server.api.post(address, {"players": ["bea", "sam"]})).status == 201
    for again in (["ann", "eve"], ["eve", "cat"], ["bea", "eve"]):
        await refused(await server.api.post(address, {"players": again}), "already_registered")
    assert (await server.api.post(address, {"players": ["eve", "zoe"]})).body["entry"] == 2
