"""Several accounts of one person: he is entered once, never with himself, and plays by any of them."""

from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests import event_days
from tests.web.api.test_event_registration import HOLD_S, opened, refused
from tests.web.verified import check_clean


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
    assert (himself.status, himself.slug) == (422, "invalid-event")
    assert (await server.api.post(address, {"players": ["bea", "sam"]})).status == 201
    for again in (["ann", "eve"], ["eve", "cat"], ["bea", "eve"]):
        await refused(await server.api.post(address, {"players": again}), "already_registered")
    assert (await server.api.post(address, {"players": ["eve", "zoe"]})).body["entry"] == 2


@pytest.fixture
async def played(server):
    """A pairs event whose first round is played; its player x1 has got another account since then."""
    event = await event_days.running(server)
    await link(server, "x1", "other")
    return event


async def arrive(server, event, player):
    return await server.api.post(f"events/{event}/tables/1/arrive", {"player": player})


async def at_table(server, event, **instead):
    """Who sits at table 1, some by other accounts."""
    found = (await server.api.get(f"events/{event}/rounds/1")).body["tables"][0]["players"]
    return {seat: instead.get(player, player) for seat, player in found.items()}


async def test_a_person_comes_to_his_table_by_any_of_his_accounts(server, played):
    for player in ("other", "y1", "x4", "y4"):
        assert (await arrive(server, played, player)).status == 200, player
    assert (await arrive(server, played, "x2")).slug == "not-at-table"
    table = (await server.api.get(f"events/{played}")).body["tables"]["1"]
    assert sorted(table["arrived"]) == ["x1", "x4", "y1", "y4"]  # by the accounts that are entered
    assert (await server.api.post(f"events/{played}/tables/1/next-board", {})).status == 200
    server.clock.advance(timedelta(seconds=50))
    await event_course.advance(server.database, Keeper(), server.clock.now)
    server.clock.advance(timedelta(seconds=5))
    await event_course.advance(server.database, Keeper(), server.clock.now)
    for pair in (1, 4):
        card = (await server.api.get(f"events/{played}/entries/{pair}", token="events")).body
        assert card["rounds"][0]["kind"] == "played"
    await check_clean(server)


async def test_a_result_may_name_any_account_of_who_sits_there(server, played):
    stranger = await at_table(server, played, x1="stranger")
    row = {"round": 1, "table": 1, "board": 1, "contract": "PASS"}
    answer = await server.api.post(f"events/{played}/results", row | {"players": stranger})
    assert (answer.status, answer.slug) == (422, "invalid-result")
    wrong = await at_table(server, played, x4="other")  # he sits with his own pair
    answer = await server.api.post(f"events/{played}/results", row | {"players": wrong})
    assert (answer.status, answer.slug) == (422, "invalid-result")
    for board, names in ((1, {"x1": "other"}), (2, {})):
        players = await at_table(server, played, **names)
        body = row | {"board": board, "players": players}
        answer = await server.api.post(f"events/{played}/results", body)
        assert answer.status == 201, answer
        told = (await server.api.get(f"results/{answer.body['id']}", token="director")).body["players"]
        assert told == players  # as they were named
    again = await server.api.post(
        f"events/{played}/results", row | {"table": 2, "players": await at_table(server, played)}
    )
    assert again.slug == "invalid-result"
    await check_clean(server)


async def test_who_disconnected_is_told_by_any_of_his_accounts(server, played):
    """He is kept as he was named at the table, once."""
    row = {"round": 1, "table": 1, "board": 1, "contract": "PASS"}
    answer = await server.api.post(f"events/{played}/results", row | {"table": 2, "disconnects": ["other"]})
    assert (answer.status, answer.slug) == (422, "invalid-result")  # he sits at table 1
    answer = await server.api.post(f"events/{played}/results", row | {"disconnects": ["other", "x1"]})
    assert answer.status == 201, answer
    told = (await server.api.get(f"results/{answer.body['id']}", token="director")).body
    assert [each["player"] for each in told["disconnects"]] == ["x1"]
    players = await at_table(server, played, x1="other")
    named = row | {"board": 2, "players": players, "disconnects": ["other"]}
    answer = await server.api.post(f"events/{played}/results", named)
    told = (await server.api.get(f"results/{answer.body['id']}", token="director")).body
    assert [each["player"] for each in told["disconnects"]] == ["other"]


async def test_boards_of_another_account_are_no_boards_of_a_substitute(server, played):
    """Of six boards at most three are a substitute's; the two of round 1 are his own."""
    for board in (1, 2):
        players = await at_table(server, played, x1="other")
        row = {"round": 1, "table": 1, "board": board, "contract": "PASS", "players": players}
        assert (await server.api.post(f"events/{played}/results", row)).status == 201
    await event_days.report_all(server, played, 1)
    await event_days.closed(server)
    body = {"player": "other", "substitute": "eve"}
    assert (await server.api.post(f"events/{played}/substitutes", body)).status == 200
    tables = (await server.api.get(f"events/{played}")).body["tables"].values()
    assert [table["substitutes"] for table in tables if "substitutes" in table] == [
        [{"player": "x1", "substitute": "eve"}]
    ]


async def test_a_substitute_plays_by_any_of_his_accounts(server, played):
    body = {"player": "x1", "substitute": "eve"}
    assert (await server.api.post(f"events/{played}/substitutes", body)).status == 200
    await link(server, "eve", "eva")
    for player in ("eva", "y1", "x4", "y4"):
        assert (await arrive(server, played, player)).status == 200, player
    assert (await server.api.post(f"events/{played}/tables/1/next-board", {})).status == 200
    players = await at_table(server, played, x1="eva")
    row = {"round": 1, "table": 1, "board": 1, "contract": "PASS", "players": players}
    assert (await server.api.post(f"events/{played}/results", row)).status == 201


async def test_a_pair_is_ready_and_leaves_by_any_account_of_its_players(server, played):
    for verb in ("ready", "leave"):
        answer = await server.api.post(f"events/{played}/{verb}", {"player": "other"})
        assert answer.status == 200, verb
    assert (await server.api.get(f"events/{played}")).body["entries"]["1"]["withdrawn"] is True
