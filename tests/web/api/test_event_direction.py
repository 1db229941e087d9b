"""Directors in an event: pairings by hand, penalties, withdrawals, substitutes; and what is refused them."""

import json
from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests import event_days

WHY = {"reason": "because"}
PLAYED = {"round": 1, "table": 1, "board": 1, "contract": "PASS"}


@pytest.fixture
async def event(server):
    """An event of four pairs whose first of three rounds is played: 1 meets 4, 2 meets 3."""
    return await event_days.running(server)


async def next_round(server, event, clock, play=True):
    """On to the next round; ``play``: nobody is absent in this one."""
    if play:
        await event_days.report_all(server, event, (await server.api.get(f"events/{event}")).body["round"])
    for seconds in (50, 5):
        clock.advance(timedelta(seconds=seconds))
        await event_course.advance(server.database, Keeper(), clock.now)


async def tables(server, event, number):
    found = (await server.api.get(f"events/{event}/rounds/{number}")).body
    return {frozenset((table["ns"], table["ew"])) for table in found["tables"]}


async def test_a_round_to_come_is_paired_by_hand(server, event, clock):
    for table in (1, 2):
        await server.api.post(f"events/{event}/results", PLAYED | {"table": table})
    await next_round(server, event, clock)
    again = {"round": 3, "matches": [[1, 4], [2, 3]]} | WHY
    refused = await server.api.post(f"events/{event}/pairings", again)
    assert (refused.status, refused.slug, refused.body["forced"]) == (409, "pairing-refused", True)
    assert [each["fault"] for each in refused.body["objections"]] == ["rematch", "rematch"]
    wrong = {"round": 3, "matches": [[1, 9], [2, 2]], "force": True} | WHY
    forbidden = await server.api.post(f"events/{event}/pairings", wrong)
    assert (forbidden.slug, forbidden.body["forced"]) == ("pairing-refused", False)
    taken = await server.api.post(f"events/{event}/pairings", again | {"force": True})
    assert (taken.status, len(taken.body["objections"])) == (201, 2)
    await next_round(server, event, clock)
    assert await tables(server, event, 3) == {frozenset((1, 4)), frozenset((2, 3))}


async def test_the_round_that_is_played_speaks_against_a_pairing_too(server):
    """While round 1 is played nobody may be told that he meets the same pair, or sits out, again."""
    event = await event_days.running(server, pairs=5)
    first = (await server.api.get(f"events/{event}/rounds/1")).body
    matches = [[table["ns"], table["ew"]] for table in first["tables"]]
    again = {"round": 2, "matches": matches, "sit_outs": first["sit_outs"]} | WHY
    refused = await server.api.post(f"events/{event}/pairings", again)
    assert (refused.status, refused.slug, refused.body["forced"]) == (409, "pairing-refused", True)
    told = [(each["fault"], sorted(each["pairs"])) for each in refused.body["objections"]]
    assert [each for each in told if each[0] == "rematch"] == [("rematch", sorted(pair)) for pair in matches]
    assert ("second_sit_out", first["sit_outs"]) in told


async def test_a_pairing_by_hand_that_can_no_longer_be_played_is_none(server, event, clock):
    """It is paired as if nobody had asked, and says so."""
    wanted = {"round": 2, "matches": [[1, 2], [3, 4]]} | WHY
    assert (await server.api.post(f"events/{event}/pairings", wanted)).status == 201
    gone = await server.api.post(f"events/{event}/withdraw", {"entry": 4} | WHY)
    assert gone.status in (200, 201, 204), gone
    await next_round(server, event, clock)
    found = (await server.api.get(f"events/{event}/rounds/2")).body
    assert (found["by_hand"], len(found["tables"])) == (False, 1)
    rows = (await server.api.get("audit")).body["rows"]
    said = [(row["client"], row["detail"]) for row in rows if row["verb"] == "pairing"]
    assert said[0] == (None, "2: what was wanted by hand could not be played")


async def test_everything_that_speaks_against_a_pairing_is_told(server, event, clock):
    await next_round(server, event, clock)  # 1 has met 4, 2 has met 3
    listed = {"round": 3, "matches": [[1, 4], [1, 9]], "sit_outs": [2]} | WHY
    for force in (False, True):
        refused = await server.api.post(f"events/{event}/pairings", listed | {"force": force})
        assert (refused.status, refused.slug, refused.body["forced"]) == (409, "pairing-refused", False)
        assert refused.body["objections"] == [
            {"fault": "unknown_pair", "pairs": [9]},
            {"fault": "pair_twice", "pairs": [1]},
            {"fault": "pair_missing", "pairs": [3]},
            {"fault": "needless_sit_out", "pairs": [2]},
            {"fault": "rematch", "pairs": [1, 4], "rounds": [1]},
        ]
    await next_round(server, event, clock)
    assert len(await tables(server, event, 3)) == 2  # nothing of it was kept


async def test_who_is_suspended_until_an_instant_is_left_out_until_then(server, event, clock):
    until = (clock.now() + timedelta(seconds=60)).isoformat()
    out = {"entry": 2, "kind": "suspension", "until_at": until}
    assert (await server.api.post(f"events/{event}/penalties", WHY | out)).status == 201
    shown = (await server.api.get(f"events/{event}")).body["penalties"]
    assert [(each["entry"], each["kind"]) for each in shown] == [(2, "suspension")]
    await next_round(server, event, clock)  # starts after 55 s
    assert all(2 not in match for match in await tables(server, event, 2))
    await next_round(server, event, clock)
    assert any(2 in match for match in await tables(server, event, 3))


async def test_a_round_that_is_played_is_paired_anew_before_its_first_result(server, event):
    body = {"round": 1, "matches": [[1, 2], [3, 4]]} | WHY
    assert (await server.api.post(f"events/{event}/pairings", body)).status == 201
    assert await tables(server, event, 1) == {frozenset((1, 2)), frozenset((3, 4))}
    assert (await server.api.post(f"events/{event}/results", PLAYED)).status == 201
    late = await server.api.post(f"events/{event}/pairings", body)
    assert (late.status, late.slug) == (409, "round-under-way")
    missing = await server.api.post(f"events/{event}/pairings", body | {"round": 4})
    assert missing.slug == "not-found"


async def test_penalties_move_totals_and_keep_pairs_out(server, event, clock):
    for table in (1, 2):
        await server.api.post(f"events/{event}/results", PLAYED | {"table": table})
    odd = await server.api.post(f"events/{event}/penalties", WHY | {"entry": 1, "amount": 2})
    assert (odd.status, odd.slug) == (422, "invalid-event")
    taken = {"entry": 1, "kind": "deduction", "amount": 1.25}
    assert (await server.api.post(f"events/{event}/penalties", WHY | taken)).status == 201
    out = {"entry": 2, "kind": "suspension", "until_round": 2}
    assert (await server.api.post(f"events/{event}/penalties", WHY | out)).status == 201
    nobody = await server.api.post(f"events/{event}/penalties", WHY | {"entry": 9})
    assert nobody.slug == "not-found"
    await next_round(server, event, clock)
    rows = (await server.api.get(f"events/{event}/standings", token="events")).body["rows"]
    assert [(row["entry"], row["score"]) for row in rows][-1] == (1, -1.25)
    assert all(2 not in match for match in await tables(server, event, 2))
    await next_round(server, event, clock)
    assert any(2 in match for match in await tables(server, event, 3))


async def test_who_leaves_keeps_his_results(server, event, clock):
    for table in (1, 2):
        await server.api.post(f"events/{event}/results", PLAYED | {"table": table})
    assert (await server.api.post(f"events/{event}/withdraw", WHY | {"entry": 3})).status == 200
    await next_round(server, event, clock)
    assert all(3 not in match for match in await tables(server, event, 2))
    rows = (await server.api.get(f"events/{event}/standings", token="events")).body["rows"]
    assert {row["entry"] for row in rows} == {1, 2, 3, 4}


async def test_who_stays_away_is_paired_again_when_he_is_ready(server, event, clock):
    for player in ("x1", "y1"):
        await server.api.post(f"events/{event}/tables/1/arrive", {"player": player})
    await server.api.post(f"events/{event}/results", PLAYED | {"table": 2})
    await next_round(server, event, clock, play=False)
    assert all(4 not in match for match in await tables(server, event, 2))
    card = (await server.api.get(f"events/{event}/entries/4", token="events")).body
    assert card["rounds"][0]["kind"] == "absent"
    waited = (await server.api.get(f"events/{event}/entries/1", token="events")).body
    assert waited["rounds"][0]["kind"] == "opponents_absent"
    assert (await server.api.post(f"events/{event}/ready", {"player": "y4"})).status == 200
    nobody = await server.api.post(f"events/{event}/ready", {"player": "stranger"})
    assert (nobody.status, nobody.slug, nobody.body["player"]) == (409, "not-entered", "stranger")
    assert (await server.api.post(f"events/{event}/leave", {"player": "stranger"})).body == nobody.body | {
        "instance": f"/api/v1/events/{event}/leave"
    }
    await next_round(server, event, clock)
    assert any(4 in match for match in await tables(server, event, 3))


async def sit_in(server, event, substitute="eve"):
    body = {"player": "x1", "substitute": substitute}
    return await server.api.post(f"events/{event}/substitutes", body)


async def test_a_substitute_plays_for_one_round_of_three(server, event, clock):
    elsewhere = await sit_in(server, event, "x2")
    assert (elsewhere.slug, elsewhere.body["reason"]) == ("substitute-refused", "in_another_pair")
    assert (await sit_in(server, event)).status == 200
    assert (await server.api.post(f"events/{event}/results", PLAYED)).status == 201
    played = await server.api.get(f"events/{event}/boards/1", token="director")
    assert "eve" in played.body["results"][0]["players"].values()
    assert "x1" not in played.body["results"][0]["players"].values()
    await next_round(server, event, clock)
    more = await sit_in(server, event)
    assert more.body["reason"] == "too_many_boards"


async def test_boards_with_substitutes_are_counted_one_by_one(server, event, clock):
    """Of three rounds with two boards at most three; what the pair played itself is none of them."""
    assert (await server.api.post(f"events/{event}/results", PLAYED)).status == 201
    assert (await sit_in(server, event)).status == 200
    assert (await sit_in(server, event, "zoe")).status == 200  # the one board that is left, whoever plays it
    assert (await server.api.post(f"events/{event}/results", PLAYED | {"board": 2})).status == 201
    assert (await server.api.post(f"events/{event}/results", PLAYED | {"table": 2})).status == 201
    await next_round(server, event, clock, play=False)
    assert (await sit_in(server, event)).status == 200  # two more: three of six
    await event_days.report_all(server, event, 2)
    await next_round(server, event, clock, play=False)
    more = await sit_in(server, event)
    assert more.body["reason"] == "too_many_boards"


async def test_boards_that_a_substitute_did_not_get_to_are_not_counted(server, event, clock):
    assert (await sit_in(server, event)).status == 200
    assert (await server.api.post(f"events/{event}/results", PLAYED)).status == 201  # the other is cut off
    assert (await server.api.post(f"events/{event}/results", PLAYED | {"table": 2})).status == 201
    await next_round(server, event, clock, play=False)
    assert (await sit_in(server, event)).status == 200
    await event_days.report_all(server, event, 2)
    await next_round(server, event, clock, play=False)
    assert (await sit_in(server, event)).body["reason"] == "too_many_boards"


async def test_nobody_rules_where_he_plays(server, event):
    plays = await server.token("console", "director", player="x3")
    refused = await server.api.post(f"events/{event}/pause", WHY, token=plays)
    assert (refused.status, refused.slug) == (403, "director-plays")
    other = await server.token("console", "director", player="eve")
    assert (await server.api.post(f"events/{event}/pause", WHY, token=other)).status == 200


async def test_an_event_that_cannot_be_held_is_refused(server, clock):
    start = (clock.now() + timedelta(minutes=1)).isoformat()
    good = {"kind": "swiss_pairs", "name": "E", "start_at": start, "rounds": 4}
    for odd in (
        {"late_until": 3},
        {"completed": [2, 1]},
        {"vp_from": "matchpoints"},
        {"trim": "nonsense"},
        {"start_at": clock.now().isoformat()},
        {"last_board_s": 100, "round_s": 100},
        {"band": 5},
        {"band": 5, "scoring": "matchpoints"},
        {"start_at": "9999-12-31T10:59:59Z", "rounds": 100, "round_s": 1_000_000},
        {"start_at": "9000-01-01T00:00:00Z"},
        {"first_round": "seeded_draw", "kind": "pairs"},
        {"seeded": ["x1"], "kind": "pairs"},
        {"seeded": ["x1"]},
        {"protected_places": 1, "protected": ["x1"]},
        {"absent_s": 601, "round_s": 600},
        {"start_at": (clock.now() - timedelta(days=1)).isoformat()},
    ):
        answer = await server.api.post("events", good | odd)
        assert (answer.status, answer.slug) == (422, "invalid-event"), odd
        pointers = [error["pointer"] for error in answer.body["errors"]]
        assert len(pointers) == 1
        assert pointers[0].removeprefix("/") == next(iter(odd))
    assert (await server.api.post("events", good | {"band": 5, "scoring": "vp"})).status == 201
    assert (await server.api.post("events", good)).status == 201


async def test_what_is_refused_says_what_is_wrong_with_it(server, clock):
    start = (clock.now() + timedelta(minutes=1)).isoformat()
    good = {"kind": "swiss_pairs", "name": "E", "start_at": start, "rounds": 5}
    for odd, said in (
        ({"start_at": clock.now().isoformat()}, "this instant has passed"),
        ({"open_at": start[:-6] + ".5Z"}, "registration would open after the event has started"),
        ({"late_until": 3}, "more than half of the rounds: with 5 at most 2"),
        ({"last_board_s": 90, "round_s": 90}, "no board could be dealt, as a round is no longer than that"),
        ({"completed": [2, 1]}, "2 of 1 is no share between 0 and 1"),
    ):
        (error,) = (await server.api.post("events", good | odd)).body["errors"]
        assert error == {"pointer": f"/{next(iter(odd))}", "detail": said}


async def test_lengths_of_time_are_whole_numbers_of_seconds(server, clock):
    """Who is to be at his table after five minutes has no longer than a round lasts."""
    start = (clock.now() + timedelta(minutes=1)).isoformat()
    for given, told in (({}, (3600, 300)), ({"round_s": 200}, (200, 200)), ({"absent_s": 9}, (3600, 9))):
        body = {"kind": "swiss_pairs", "name": "E", "start_at": start, "rounds": 5} | given
        made = await server.api.post("events", body)
        rules = json.loads(made.raw, parse_float=str)["rules"]
        assert (rules["round_s"], rules["absent_s"]) == told
        assert (rules["closing_s"], rules["last_board_s"], rules["hold_s"]) == (120, 120, 20)


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"])
async def test_a_moment_that_is_none_in_utc_is_refused(server, event, clock, moment):
    start = (clock.now() + timedelta(minutes=1)).isoformat()
    new = {"kind": "swiss_pairs", "name": "E", "start_at": start, "rounds": 4}
    until = {"entry": 1, "kind": "suspension", "until_at": moment} | WHY
    for path, body, pointer in (
        ("events", new | {"start_at": moment}, "/start_at"),
        ("events", new | {"open_at": moment}, "/open_at"),
        (f"events/{event}/penalties", until, "/until_at"),
        ("outages", {"since": moment, "until": start} | WHY, "/since"),
        ("outages", {"since": start, "until": moment} | WHY, "/until"),
    ):
        answer = await server.api.post(path, body, token="admin")
        assert (answer.status, answer.slug) == (422, "invalid-body"), (path, pointer)
        assert [error["pointer"] for error in answer.body["errors"]] == [pointer]


async def test_a_reason_is_plain_text(server, event):
    for wrong in ("\u202eevil\u2066", "a\u0085b", "a\nb"):
        for path, body in (
            ("pause", {}),
            ("penalties", {"entry": 1, "kind": "warning"}),
            ("withdraw", {"entry": 1}),
        ):
            answer = await server.api.post(f"events/{event}/{path}", body | {"reason": wrong}, token="admin")
            assert (answer.status, answer.slug) == (422, "invalid-body"), (path, wrong)


async def test_too_few_pairs_and_the_event_is_cancelled(server, clock):
    event = await event_days.pairs_event(server, pairs=3)
    clock.advance(timedelta(seconds=1))
    await event_course.advance(server.database, Keeper(), clock.now)
    assert (await server.api.get(f"events/{event}")).body["state"] == "cancelled"
    listed = (await server.api.get("events", params={"state": "cancelled"})).body["events"]
    assert [each["id"] for each in listed] == [event]
    late = await server.api.post(f"events/{event}/cancel", {})
    assert late.slug == "event-state"
    assert (await server.api.post(f"events/{event}/entries", {"players": ["p", "q"]})).slug == "room-refused"
