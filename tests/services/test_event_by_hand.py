"""A round that is paired by hand before it starts, and what arises until it does."""

import pytest

from server.storage import event_rounds
from server.storage.ids import event_number
from tests import event_days

WHY = {"reason": "because"}
NEXT = "2: what was wanted by hand was dropped for what arose since: "


async def pair(server, event, number, matches, **more):
    body = {"round": number, "matches": matches} | WHY | more
    return await server.api.post(f"events/{event}/pairings", body)


async def round_of(server, event, number):
    found = (await server.api.get(f"events/{event}/rounds/{number}")).body
    return found, [sorted((table["ns"], table["ew"])) for table in found["tables"]]


async def said(server):
    rows = (await server.api.get("audit")).body["rows"]
    return [row["detail"] for row in rows if row["verb"] == "pairing" and row["client"] is None]


async def test_a_round_beyond_the_next_is_not_paired_yet(server):
    """Nobody knows who will have met by then."""
    event = await event_days.running(server, 6)
    for force in (False, True):
        refused = await pair(server, event, 3, [[1, 3], [2, 5], [4, 6]], force=force)
        assert (refused.status, refused.slug, refused.body["forced"]) == (409, "pairing-refused", False)
        assert refused.body["objections"] == [{"fault": "too_early", "pairs": []}]
    assert (await pair(server, event, 2, [[1, 3], [2, 5], [4, 6]], force=True)).status == 201


async def test_before_the_event_only_the_first_round_is_paired(server):
    event = await event_days.pairs_event(server)
    early = await pair(server, event, 2, [[1, 3], [2, 4]])
    assert [each["fault"] for each in early.body["objections"]] == ["too_early"]
    assert (await pair(server, event, 1, [[1, 3], [2, 4]])).status == 201
    await event_days.closed(server)
    assert (await round_of(server, event, 1))[0]["by_hand"]


@pytest.mark.parametrize("force", [False, True])
async def test_a_rematch_that_arises_later_drops_it(server, force):
    """Round 1 is paired anew after round 2 was: nobody said that these should meet twice."""
    event = await event_days.running(server, 6)
    _, (first, second, third) = await round_of(server, event, 1)
    others = [[second[0], third[0]], [second[1], third[1]]]
    wanted = [[first[0], second[0]], [first[1], third[0]], [second[1], third[1]]]
    assert (await pair(server, event, 2, wanted, force=force)).body["objections"] == []
    assert (await pair(server, event, 1, [first, *others])).status == 201
    await event_days.report_all(server, event, 1)
    await event_days.closed(server)
    found, met = await round_of(server, event, 2)
    assert (found["by_hand"], [pair for pair in met if pair in [first, *others]]) == (False, [])
    assert await said(server) == [NEXT + f"rematch {second[1]} {third[1]}"]


async def test_a_rematch_that_was_forced_is_played(server, event_of_four):
    event = event_of_four
    forced = await pair(server, event, 2, [[1, 4], [2, 3]], force=True)
    assert len(forced.body["objections"]) == 2
    await event_days.report_all(server, event, 1)
    await event_days.closed(server)
    found, met = await round_of(server, event, 2)
    assert (found["by_hand"], met) == (True, [[1, 4], [2, 3]])
    assert await said(server) == []


async def test_who_has_waited_in_vain_does_not_sit_out_unless_it_is_forced(server):
    """While it was played nobody knew that the opponents would stay away."""
    event = await event_days.running(server, 5)
    first = (await server.api.get(f"events/{event}/rounds/1")).body
    (out,) = first["sit_outs"]
    (waits, away), others = [[table["ns"], table["ew"]] for table in first["tables"]]
    # Who stays away is ready again at once, so that the same five are there.
    stored = await pair(server, event, 2, [[out, away], others], sit_outs=[waits], force=True)
    assert [each["fault"] for each in stored.body["objections"]] == ["rematch"]
    await event_days.arrive(server, event, f"x{waits}", f"y{waits}")
    await server.api.post(f"events/{event}/results", event_days.passed(1, 2, 1))
    assert (await server.api.post(f"events/{event}/ready", {"player": f"x{away}"})).status == 200
    await event_days.closed(server)
    found, _ = await round_of(server, event, 2)
    assert not found["by_hand"]
    assert await said(server) == [NEXT + f"second_sit_out {waits}"]


async def test_a_withdrawal_drops_what_was_forced(server, event_of_four):
    event = event_of_four
    assert (await pair(server, event, 2, [[1, 4], [2, 3]], force=True)).status == 201
    assert (await server.api.post(f"events/{event}/withdraw", {"entry": 4} | WHY)).status == 200
    await event_days.report_all(server, event, 1)
    await event_days.closed(server)
    assert not (await round_of(server, event, 2))[0]["by_hand"]
    assert await said(server) == ["2: what was wanted by hand could not be played"]


async def test_what_spoke_against_it_is_kept_with_it(server, event_of_four):
    event = event_of_four
    await pair(server, event, 2, [[1, 4], [2, 3]], force=True)
    rounds = await server.database.read(lambda reader: event_rounds.rounds(reader, event_number(event)))
    kept = [(each.fault.value, each.pairs, each.rounds) for each in rounds[1].by_hand.despite]
    assert kept == [("rematch", (1, 4), (1,)), ("rematch", (2, 3), (1,))]


@pytest.fixture
async def event_of_four(server):
    """Its first round is played: 1 meets 4, 2 meets 3."""
    return await event_days.running(server)
