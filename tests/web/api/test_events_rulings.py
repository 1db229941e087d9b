"""Rulings on boards of events: the round, the standings and the master points follow; pairings stay."""

import pytest

from tests import factories
from tests.event_days import Day
from tests.web.verified import check_clean

FLAT = ("4S", "N", 10)  # 420 at every table: nobody gains on anybody
MORE = {"result": "4SN+1"}
"""450, 30 more than at the other table: 1 IMP (Law 78B, 20 to 40 points)."""
NOTHING = {"ns": 0, "ew": 0}


@pytest.fixture
async def day(server):
    """An event of four pairs and two rounds, the first scored, the second played."""
    day = Day(server)
    await day.announce(rounds=2)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    await day.play(1, lambda table, board: FLAT)
    await day.until("running", 2)
    return day


async def results_of(day, number):
    """What the tables did on a board, in order of arrival."""
    return (await day.get(f"boards/{number}"))["results"]


async def totals(day):
    """What every pair has, by pair."""
    return {row["entry"]: row["score"] for row in (await day.get("standings"))["rows"]}


async def test_an_adjusted_result_moves_its_round_and_no_pairing(server, day):
    pairings = (await day.get("rounds/2"))["tables"]
    first, second = await results_of(day, 1)
    assert await totals(day) == {1: 0, 2: 0, 3: 0, 4: 0}
    assert first["field"] == second["field"] == NOTHING

    done = await factories.rule(day.api, "adjust", first["id"], **MORE)
    moves = {move["id"]: move for move in done.body["moves"]}
    for row, sides in ((first, {"ns": 1, "ew": -1}), (second, {"ns": -1, "ew": 1})):
        assert moves[row["id"]]["before"] == {"state": "scored", "award": None, "field": NOTHING}
        assert moves[row["id"]]["after"] == {"state": "scored", "award": None, "field": sides}
    assert [row["field"] for row in await results_of(day, 1)] == [{"ns": 1, "ew": -1}, {"ns": -1, "ew": 1}]
    assert await totals(day) == {first["ns"]: 1, first["ew"]: -1, second["ns"]: -1, second["ew"]: 1}
    card = await day.get(f"entries/{first['ns']}")
    assert card["rounds"][0]["boards"][0]["score"] == 1
    assert (await day.get("rounds/2"))["tables"] == pairings
    await check_clean(server)


async def test_a_dry_run_shows_what_would_move_and_changes_nothing(server, day):
    first, _ = await results_of(day, 2)
    body, headers = {"reason": "12C1", "basis": "score_error"} | MORE, {"If-Match": '"v1"'}
    dry = await day.api.post(f"results/{first['id']}/adjust?dry_run=true", body, headers=headers)
    assert await totals(day) == {1: 0, 2: 0, 3: 0, 4: 0}
    done = await day.api.post(f"results/{first['id']}/adjust", body, headers=headers)
    assert dry.body["moves"] == done.body["moves"] != []
    assert await totals(day) != {1: 0, 2: 0, 3: 0, 4: 0}


async def stands(day):
    """Where every pair stands: total, boards finished, rank, and its score of round 1."""
    return {
        row["entry"]: {
            "score": row["rounds"][0],
            "total": row["score"],
            "boards": row["boards"],
            "rank": row["rank"],
        }
        for row in (await day.get("standings"))["rows"]
    }


@pytest.mark.parametrize("verb", ["void", "adjust"])
async def test_a_dry_run_tells_where_every_pair_would_stand(day, verb):
    _, second = await results_of(day, 2)
    body = {"reason": "x"} | ({"basis": "score_error"} | MORE if verb == "adjust" else {})
    before = await stands(day)
    path, headers = f"results/{second['id']}/{verb}", {"If-Match": '"v1"'}
    dry = await day.api.post(f"{path}?dry_run=true", body, headers=headers)
    assert await stands(day) == before
    done = await day.api.post(path, body, headers=headers)
    assert dry.body["pairs"] == done.body["pairs"]
    after = await stands(day)
    assert dry.body["pairs"] == [
        {"entry": pair, "before": before[pair], "after": place}
        for pair, place in after.items()
        if before[pair] != place
    ]
    assert {each["entry"] for each in dry.body["pairs"]} >= {second["ns"], second["ew"]}


async def test_before_a_round_is_scored_nobody_stands_elsewhere(day):
    body = {"round": 2, "table": 1, "board": 3, "contract": "PASS"}
    row = (await day.api.post(f"events/{day.id}/results", body)).body
    path = f"results/{row['id']}/void?dry_run=true"
    dry = await day.api.post(path, {"reason": "x"}, headers={"If-Match": '"v1"'})
    assert (dry.status, dry.body["pairs"]) == (200, [])


async def test_a_void_result_is_compared_with_nothing(server, day):
    first, second = await results_of(day, 1)
    assert (await factories.rule(day.api, "adjust", first["id"], **MORE)).status == 200
    assert (await factories.rule(day.api, "void", first["id"], 2)).status == 200
    rows = {row["id"]: row for row in await results_of(day, 1)}
    assert first["id"] not in rows or rows[first["id"]]["field"] is None
    assert await totals(day) == {1: 0, 2: 0, 3: 0, 4: 0}
    found = await day.get(f"entries/{first['ns']}")
    assert [each["played"] for each in found["rounds"][0]["boards"]] == [False, True]
    assert second["id"] in rows
    await check_clean(server)


async def test_master_points_follow_a_ruling_after_the_event(server, day):
    await day.play(2, lambda table, board: FLAT)
    await day.until("finished")
    row = (await results_of(day, 3))[1]
    assert (await factories.rule(day.api, "adjust", row["id"], **MORE)).status == 200
    standings = (await day.get("standings"))["rows"]
    assert standings[0]["entry"] == row["ns"]
    assert standings[0]["score"] == 1
    for line in standings:
        for name in line["players"]:
            player = (await day.api.get(f"players/{name}")).body
            assert player["masterpoints"] == (line["masterpoints"] or 0)
    assert standings[0]["masterpoints"] > 0
    await check_clean(server)


async def test_nobody_rules_in_an_event_that_he_plays_in(server, day):
    first, second = await results_of(day, 1)
    player = first["players"]["N"]
    himself = await server.token("himself", "director", player=player)
    stranger = await server.token("stranger", "director", player="somebody else")
    for token, status, slug in ((himself, 403, "director-plays"), (stranger, 200, None)):
        headers = {"If-Match": '"v1"'}
        answer = await day.api.post(
            f"results/{second['id']}/void?dry_run=true", {"reason": "x"}, headers=headers, token=token
        )
        assert answer.status == status, answer
        assert slug is None or answer.slug == slug
