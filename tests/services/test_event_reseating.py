"""A round that is paired by hand while it is played, with boards dealt and people at their tables."""

from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from server.storage import assignments, event_rounds
from server.storage.ids import event_number
from tests import event_days, factories
from tests.web.api.test_event_bulletins import follow
from tests.web.verified import check_clean

RULES = {"boards": 4, "round_s": 900, "last_board_s": 100, "absent_s": 60}
OTHER = {"round": 1, "matches": [[1, 2], [3, 4]], "reason": "by mistake"}


@pytest.fixture
async def event(server):
    """Round 1: 1 meets 4 and has been dealt two boards, 2 meets 3 and has been dealt one."""
    event = await event_days.running(server, **RULES)
    for table, pairs, dealt in ((1, (1, 4), 2), (2, (2, 3), 1)):
        await arrive(server, event, table, pairs)
        for _ in range(dealt):
            assert (await deal(server, event, table)).status == 200
    return event


async def arrive(server, event, table, pairs):
    for pair in pairs:
        for player in (f"x{pair}", f"y{pair}"):
            answer = await server.api.post(f"events/{event}/tables/{table}/arrive", {"player": player})
            assert answer.status == 200, answer


async def deal(server, event, table):
    return await server.api.post(f"events/{event}/tables/{table}/next-board", {})


async def pair(server, event, body, **changes):
    return await server.api.post(f"events/{event}/pairings", body | changes)


async def test_it_is_refused_unless_it_is_forced(server, event):
    before = (await server.api.get(f"events/{event}")).body
    refused = await pair(server, event, OTHER)
    assert (refused.status, refused.slug, refused.body["forced"]) == (409, "pairing-refused", True)
    assert refused.body["objections"] == [
        {"fault": "boards_dealt", "pairs": [1, 4]},
        {"fault": "boards_dealt", "pairs": [2, 3]},
    ]
    assert (await server.api.get(f"events/{event}")).body == before
    taken = await pair(server, event, OTHER, force=True)
    assert (taken.status, len(taken.body["objections"])) == (201, 2)


async def test_nobody_is_dealt_a_board_twice(server, event):
    before = (await server.api.get(f"events/{event}")).body
    await pair(server, event, OTHER, force=True)
    after = (await server.api.get(f"events/{event}")).body
    await follow(server, event, before, after)
    assert [(each["dealt"], each["skipped"]) for each in after["tables"].values()] == [(2, 2), (2, 2)]
    assert all(len(each["arrived"]) == 4 for each in after["tables"].values())  # they are there
    for table in (1, 2):
        assert [(await deal(server, event, table)).body["board"]["number"] for _ in range(2)] == [3, 4]
        done = await deal(server, event, table)
        assert (done.slug, done.body["reason"]) == ("no-board-to-deal", "all_dealt")


async def test_what_was_dealt_before_is_no_result_of_who_sits_there_now(server, event):
    await pair(server, event, OTHER, force=True)
    for board in (1, 2):
        under_way = await server.api.post(f"events/{event}/results", event_days.passed(1, 1, board))
        assert (under_way.status, under_way.slug) == (422, "invalid-result")
        assert under_way.body["errors"][0]["pointer"] == "/board"
    assert (await server.api.post(f"events/{event}/results", event_days.passed(1, 1, 3))).status == 201


async def test_whoever_has_seen_a_board_stays_known_to_have(server, event):
    await pair(server, event, OTHER, force=True)

    def seen(connection):
        rows = event_rounds.board_numbers(connection, event_number(event))
        found = assignments.exposed(connection, rows.values(), range(1, 100))
        return {
            number: len({player for board, player in found if board == row}) for number, row in rows.items()
        }

    assert await server.database.read(seen) == {1: 8, 2: 4, 3: 0, 4: 0}


async def test_a_table_that_stays_plays_on(server):
    event = await event_days.running(server, 6, **RULES)
    found = (await server.api.get(f"events/{event}/rounds/1")).body["tables"]
    first, second, third = [[table["ns"], table["ew"]] for table in found]
    await arrive(server, event, 1, first)
    assert (await deal(server, event, 1)).body["board"]["number"] == 1
    body = {"round": 1, "matches": [first, [second[0], third[0]], [second[1], third[1]]], "reason": "x"}
    assert (await pair(server, event, body)).status == 201  # nothing was dealt where it changes
    shown = (await server.api.get(f"events/{event}")).body["tables"]
    assert (shown["1"]["dealt"], "skipped" in shown["1"]) == (1, False)
    assert (await server.api.post(f"events/{event}/results", event_days.passed(1, 1, 1))).status == 201
    assert (await deal(server, event, 1)).body["board"]["number"] == 2


async def test_who_had_no_table_has_as_long_to_come_as_others_had(server, clock):
    """Shortly before everybody must be there, the pair that sits out is given a table."""
    event = await event_days.running(server, 5, **RULES)
    found = (await server.api.get(f"events/{event}/rounds/1")).body
    (out,) = found["sit_outs"]
    first, second = [[table["ns"], table["ew"]] for table in found["tables"]]
    await arrive(server, event, 1, first)
    await arrive(server, event, 2, second)
    clock.advance(timedelta(seconds=59))
    body = {"round": 1, "matches": [[first[0], out], second], "sit_outs": [first[1]], "reason": "ill"}
    assert (await pair(server, event, body)).status == 201
    clock.advance(timedelta(seconds=60))
    await event_course.advance(server.database, Keeper(), clock.now)
    await arrive(server, event, 1, [out])
    for table in (1, 2):
        assert (
            await server.api.post(f"events/{event}/results", event_days.passed(1, table, 1))
        ).status == 201
    for _ in range(20):
        clock.advance(timedelta(seconds=40))
        await event_course.advance(server.database, Keeper(), clock.now)
    card = (await server.api.get(f"events/{event}/entries/{out}", token="events")).body["rounds"][0]
    assert (card["kind"], card["score"]) == ("played", 0)  # a late pair loses the boards that it did not play


async def test_a_round_in_which_a_table_would_have_nothing_to_play_is_not_paired(server, event):
    """Table 1 is dealt everything: those who have seen it can play nothing with anybody else."""
    for _ in range(2):
        assert (await deal(server, event, 1)).status == 200
    before = (await server.api.get(f"events/{event}")).body
    refused = await pair(server, event, OTHER, force=True)
    assert (refused.status, refused.slug, refused.body["forced"]) == (409, "pairing-refused", False)
    told = [(each["fault"], each["pairs"]) for each in refused.body["objections"]]
    assert sorted(told[2:]) == [("nothing_to_play", [1, 2]), ("nothing_to_play", [3, 4])]
    assert (await server.api.get(f"events/{event}")).body == before


async def test_what_was_seen_by_another_account_was_seen(server, event):
    """The platform tells by another account of his that somebody left the board."""
    assert (await server.api.put("players/x1", {"linked": ["x1-too"]})).status == 200
    table = (await server.api.get(f"events/{event}/rounds/1")).body["tables"][0]["players"]
    board = (await server.api.get(f"events/{event}/rounds/1")).body["boards"][1]["id"]
    players = {seat: "x1-too" if name == "x1" else name for seat, name in table.items()}
    body = {"player": "x1-too", "board": board, "table": "R1-T1", "players": players}
    assert (await server.api.post("disconnects", body)).status == 201
    await pair(server, event, OTHER, force=True)
    after = (await server.api.get(f"events/{event}")).body["tables"]
    assert [(each["dealt"], each["skipped"]) for each in after.values()] == [(2, 2), (2, 2)]


async def test_the_time_to_come_stands_with_the_clock(server, event, clock):
    await server.api.post(f"events/{event}/pause", {"reason": "lights"})
    clock.advance(timedelta(minutes=10))
    await pair(server, event, OTHER, force=True)
    clock.advance(timedelta(minutes=10))
    await server.api.post(f"events/{event}/resume", {"reason": "on again"})
    shown = (await server.api.get(f"events/{event}")).body
    until = (clock.now() + timedelta(seconds=60)).isoformat().replace("+00:00", "Z")
    assert shown["appear_by"] == until


async def test_a_round_of_which_a_result_was_made_void_is_paired_no_more(server, clock):
    """Those who played it have seen the board, whatever became of the result."""
    event = await event_days.running(server, **RULES)
    made = await server.api.post(f"events/{event}/results", event_days.passed(1, 1, 1))
    assert (await factories.rule(server.api, "void", made.body["id"])).status == 200
    late = await pair(server, event, OTHER, force=True)
    assert (late.status, late.slug) == (409, "round-under-way")


async def test_who_was_absent_and_is_ready_again_may_be_given_a_table(server, clock):
    """From then on he plays; whatever is computed again agrees."""
    event = await event_days.running(server)
    await event_days.arrive(server, event, "x1", "y1")
    await server.api.post(f"events/{event}/results", event_days.passed(1, 2, 1))
    await event_days.closed(server)
    entry = (await server.api.get(f"events/{event}")).body["entries"]["4"]
    assert entry["absent_in"] == 1
    assert (await server.api.post(f"events/{event}/ready", {"player": "x4"})).status == 200
    body = {"round": 2, "matches": [[1, 2], [3, 4]], "force": True, "reason": "all are here"}
    assert (await pair(server, event, body)).status == 201
    entry = (await server.api.get(f"events/{event}")).body["entries"]["4"]
    assert "absent_in" not in entry
    await check_clean(server)


async def test_who_is_given_a_table_again_begins_as_anybody_does(server, clock):
    """Of his absence nothing is left: if he is absent once more, he is paired when he says so once more."""
    event = await event_days.running(server, rounds=4)
    await event_days.arrive(server, event, "x1", "y1")
    await server.api.post(f"events/{event}/results", event_days.passed(1, 2, 1))
    await event_days.closed(server)
    assert (await server.api.post(f"events/{event}/ready", {"player": "x4"})).status == 200
    body = {"round": 2, "matches": [[1, 4], [2, 3]], "force": True, "reason": "all are here"}
    assert (await pair(server, event, body)).status == 201
    await event_days.arrive(server, event, "x1", "y1")
    await server.api.post(f"events/{event}/results", event_days.passed(2, 2, 3))
    await event_days.closed(server)
    entry = (await server.api.get(f"events/{event}")).body["entries"]["4"]
    assert (entry["absent_in"], entry["ready"]) == (2, False)
    found = (await server.api.get(f"events/{event}/rounds/3")).body
    assert all(4 not in (table["ns"], table["ew"]) for table in found["tables"])
    await check_clean(server)


async def test_who_is_left_out_after_all_is_as_ready_as_he_was(server, clock):
    """He was absent, said that he was ready, was paired, and then suspended for this round alone."""
    event = await event_days.running(server, rounds=4)
    await event_days.arrive(server, event, "x1", "y1")
    await server.api.post(f"events/{event}/results", event_days.passed(1, 2, 1))
    assert (await server.api.post(f"events/{event}/ready", {"player": "x4"})).status == 200
    await event_days.closed(server)
    entry = (await server.api.get(f"events/{event}")).body["entries"]["4"]
    assert "absent_in" not in entry
    out = {"entry": 4, "kind": "suspension", "until_round": 2, "reason": "shouting"}
    assert (await server.api.post(f"events/{event}/penalties", out)).status == 201
    before = (await server.api.get(f"events/{event}")).body
    body = {"round": 2, "matches": [[1, 2]], "sit_outs": [3], "force": True, "reason": "he goes"}
    assert (await pair(server, event, body)).status == 201
    after = (await server.api.get(f"events/{event}")).body
    assert (after["entries"]["4"]["absent_in"], after["entries"]["4"]["ready"]) == (1, True)
    await follow(server, event, before, after)
    await event_days.report_all(server, event, 2)
    await event_days.closed(server)
    found = (await server.api.get(f"events/{event}/rounds/3")).body
    assert any(4 in (table["ns"], table["ew"]) for table in found["tables"])
    await check_clean(server)
