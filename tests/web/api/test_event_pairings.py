"""Rounds that a director pairs by hand: read, taken back, and secret until they start."""

from collections import Counter

import pytest

from server.bridge.pairs_draw import Plan, draw
from server.bridge.swiss_pairing import Meeting
from tests import event_days
from tests.web.api.test_event_bulletins import follow, since
from tests.web.page import read as page_of
from tests.web.verified import check_clean

NEITHER = {"arisen": [], "dropped": []}
WHY = {"reason": "because"}
NEXT = {"round": 2, "matches": [[1, 2], [3, 4]]} | WHY


@pytest.fixture
async def event(server):
    """An event of four pairs whose first of three rounds is played: 1 meets 4, 2 meets 3."""
    return await event_days.running(server)


async def pair(server, event, body):
    answer = await server.api.post(f"events/{event}/pairings", body)
    assert answer.status == 201, answer


async def read(server, event):
    return (await server.api.get(f"events/{event}/pairings")).body["pairings"]


async def cancel(server, event, number, **options):
    return await server.api.post(f"events/{event}/pairings/{number}/cancel", WHY, **options)


async def tables(server, event, number):
    found = (await server.api.get(f"events/{event}/rounds/{number}")).body
    return found["by_hand"], {frozenset((table["ns"], table["ew"])) for table in found["tables"]}


async def on_to_the_next_round(server, event, number):
    await event_days.report_all(server, event, number)
    await event_days.closed(server)


async def test_what_is_wanted_is_read_until_and_after_it_starts(server, event):
    assert await read(server, event) == []
    await pair(server, event, NEXT)
    wanted = {"round": 2, "matches": [[1, 2], [3, 4]], "sit_outs": [], "objections": []} | NEITHER
    assert await read(server, event) == [wanted | {"started": False}]
    await on_to_the_next_round(server, event, 1)
    assert await tables(server, event, 2) == (True, {frozenset((1, 2)), frozenset((3, 4))})
    assert await read(server, event) == [wanted | {"started": True}]


async def test_what_speaks_against_it_is_read_apart_from_what_has_arisen(server, event):
    """That 1 meets 4 again was known when it was taken; that 3 has left since then has it dropped."""
    met = {"fault": "rematch", "pairs": [1, 4], "rounds": [1]}
    again = {"round": 2, "matches": [[1, 4], [2, 3]], "force": True} | WHY
    await pair(server, event, again)
    (found,) = await read(server, event)
    assert (found["objections"][0], found["arisen"]) == (met, [])
    await server.api.post(f"events/{event}/withdraw", {"entry": 3} | WHY)
    (found,) = await read(server, event)
    assert met in found["objections"]
    assert (found["arisen"], found["dropped"]) == ([{"fault": "unknown_pair", "pairs": [3]}], [])


async def test_what_was_dropped_says_so_and_why(server, event):
    """To directors with what was wanted; to everybody that it was, and why, while the round is played."""
    await pair(server, event, NEXT)
    await server.api.post(f"events/{event}/withdraw", {"entry": 3} | WHY)
    before = (await server.api.get(f"events/{event}")).body
    assert "dropped" not in before
    await on_to_the_next_round(server, event, 1)
    assert (await tables(server, event, 2))[0] is False
    gone = [{"fault": "unknown_pair", "pairs": [3]}]
    (found,) = await read(server, event)
    assert (found["round"], found["matches"]) == (2, [[1, 2], [3, 4]])
    assert (found["started"], found["objections"], found["arisen"], found["dropped"]) == (False, [], [], gone)
    after = (await server.api.get(f"events/{event}")).body
    assert after["dropped"] == gone
    await follow(server, event, before, after)
    assert (await cancel(server, event, 2)).slug == "round-started"
    await on_to_the_next_round(server, event, 2)
    assert "dropped" not in (await server.api.get(f"events/{event}")).body
    assert [each["round"] for each in await read(server, event)] == [2]
    await check_clean(server)


async def test_what_is_taken_back_is_paired_as_if_nobody_had_asked(server, event):
    other = await event_days.running(server)
    await pair(server, event, NEXT)
    assert (await cancel(server, event, 2, key="back")).status == 200
    assert (await cancel(server, event, 2, key="back")).status == 200  # answered as before
    assert await read(server, event) == []
    again = await cancel(server, event, 2)
    assert (again.status, again.slug) == (409, "event-state")
    assert (again.body["state"], again.body["detail"]) == ("running", "Round 2 is not wanted by hand.")
    for each in (event, other):
        await event_days.report_all(server, each, 1)
    await event_days.closed(server)
    assert await tables(server, event, 2) == await tables(server, other, 2)
    rows = (await server.api.get("audit")).body["rows"]
    assert [row["detail"] for row in rows if row["verb"] == "pairing cancel"] == ["2: because"]


async def test_a_round_that_has_started_is_not_taken_back(server, event):
    await pair(server, event, NEXT)
    await on_to_the_next_round(server, event, 1)
    for number, slug in ((1, "round-started"), (2, "round-started"), (3, "event-state"), (4, "not-found")):
        refused = await cancel(server, event, number)
        assert refused.slug == slug, number
    assert (await cancel(server, await event_days.finished(server), 1)).slug == "event-state"


async def test_a_round_to_come_is_known_to_directors_alone(server, event):
    """Nothing of it is told, nor shown: not even that there is one."""
    await since(server, event, 0)
    before = (await server.api.get(f"events/{event}")).body
    await pair(server, event, NEXT)
    await cancel(server, event, 2)
    await pair(server, event, NEXT)
    assert await since(server, event, before["position"]) == []
    assert (await server.api.get(f"events/{event}")).body == before
    assert (await server.api.get(f"events/{event}/rounds/2", token="director")).slug == "not-found"
    assert (await server.api.get(f"events/{event}/pairings", token="events")).slug == "scope-missing"
    plays = await server.token("console", "director", player="x3")
    for refused in (
        await server.api.get(f"events/{event}/pairings", token=plays),
        await cancel(server, event, 2, token=plays),
    ):
        assert (refused.status, refused.slug) == (403, "director-plays")


async def seed_of(server, event, number):
    """The seed of a round; the page names the same, or none."""
    found = (await server.api.get(f"events/{event}/rounds/{number}")).body["seed"]
    text = (await page_of(server.api, f"/en/events/{event}/rounds/{number}")).body
    assert ("drawn from seed" in text, str(found) in text) == (found is not None, found is not None)
    return found


async def test_a_round_robin_has_no_seed_until_something_is_drawn(server, event):
    """Round 1 is of the round robin, round 2 by hand; round 3 is drawn, and anybody can repeat that."""
    await pair(server, event, NEXT | {"matches": [[1, 3], [2, 4]]})
    await on_to_the_next_round(server, event, 1)
    await on_to_the_next_round(server, event, 2)
    seeds = [await seed_of(server, event, number) for number in (1, 2, 3)]
    assert seeds[:2] == [None, None]
    met = [Meeting(1, 1, 4), Meeting(1, 2, 3), Meeting(2, 1, 3), Meeting(2, 2, 4)]
    again = draw(Plan((1, 2, 3, 4), 3, int(seeds[2])), (1, 2, 3, 4), 3, met, Counter())
    assert (await tables(server, event, 3))[1] == {frozenset(match) for match in again.matches}


async def test_rounds_that_are_drawn_have_the_seed_of_the_event(server):
    """A round by hand has none, also where it takes the place of one that was drawn."""
    event = await event_days.running(server, rounds=2)
    first = await seed_of(server, event, 1)
    by_hand = [[1, 2], [3, 4]] if (1, 2) not in (await tables(server, event, 1))[1] else [[1, 3], [2, 4]]
    await pair(server, event, {"round": 1, "matches": by_hand} | WHY)
    assert await seed_of(server, event, 1) is None
    await on_to_the_next_round(server, event, 1)
    assert first is not None
    assert await seed_of(server, event, 2) == first
    (a, b), (c, d) = by_hand
    met = [Meeting(1, a, b), Meeting(1, c, d)]
    again = draw(Plan((1, 2, 3, 4), 2, int(first)), (1, 2, 3, 4), 2, met, Counter())
    assert (await tables(server, event, 2))[1] == {frozenset(match) for match in again.matches}
