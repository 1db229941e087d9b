"""The main job: a board fed one result after another, held against an independent computation."""

from datetime import timedelta
from random import Random

import pytest

from server.settings import load_settings
from tests import factories
from tests.web.scoring import (
    Judge,
    check_accepted,
    check_traveller,
    points_of_ns,
    random_outcome,
    shown,
)

SETTINGS = {
    "small": {"method": "datum", "score_at": 2, "retire_at": 9, "trim": "tenth", "members": True},
    "cross": {"method": "cross_imps", "score_at": 3, "retire_at": 12, "trim": "tenth", "members": True},
    "single": {"method": "matchpoints", "score_at": 1, "retire_at": 1, "trim": "tenth", "members": True},
    "endless": {"method": "cross_imps", "score_at": 1, "retire_at": 0, "trim": "tenth", "members": True},
}
JUDGES = {
    "imps": Judge("datum"),
    "mp": Judge("matchpoints"),
    "guests": Judge("hcp_compensation", 1, None),
    "small": Judge("datum", 2, 9),
    "cross": Judge("cross_imps", 3, 12),
    "single": Judge("matchpoints", 1, 1),
    "endless": Judge("cross_imps", 1, None),
}
LOOKED_AT = {1, 2, 3, 5, 6, 7, 9, 12, 20, 39, 40}  # numbers of results after which the traveller is read


async def fill(api, board, judge, rng, count):
    """Post results one by one, judging each answer and now and then the whole traveller; their scores."""
    scores = []
    for _ in range(count):
        outcome, score = random_outcome(rng, board["number"])
        answer = await api.post("results", factories.result(board, **outcome))
        assert answer.status == 201, answer
        scores.append(score)
        check_accepted(judge, answer.body, scores)
        if len(scores) in LOOKED_AT:
            traveller = await api.get(f"boards/{board['id']}/traveller", token="director")
            check_traveller(judge, traveller.body, scores)
    return scores


def test_every_pool_of_the_installation_is_judged():
    assert load_settings().all_pools().keys() | SETTINGS.keys() == JUDGES.keys()


@pytest.mark.parametrize(("pool", "seed"), [("imps", 1), ("imps", 2), ("mp", 3)])
async def test_forty_results_one_by_one(api, pool, seed):
    board = await factories.board(api, pool=pool)
    scores = await fill(api, board, JUDGES[pool], Random(seed), 40)
    assert len(set(scores)) > 10
    late = await api.post("results", factories.result(board))
    assert (late.status, late.slug, late.body["retire_at"]) == (409, "board-retired", 40)
    after = await api.get(f"boards/{board['id']}/traveller", token="public")
    check_traveller(JUDGES[pool], after.body, scores)


@pytest.mark.parametrize("pool", SETTINGS)
async def test_a_pool_with_other_thresholds_and_methods(serve, pool):
    api = (await serve(pools=SETTINGS)).api
    judge = JUDGES[pool]
    for board in await factories.boards(api, 2, pool=pool):
        await fill(api, board, judge, Random(board["number"]), judge.retire_at or 41)
        late = await api.post("results", factories.result(board))
        if judge.retire_at is None:
            assert late.status == 201
        else:
            assert (late.slug, late.body["retire_at"]) == ("board-retired", judge.retire_at)


async def test_the_guests_pool_scores_by_the_cards_at_once(api):
    for board in await factories.boards(api, 4, pool="guests"):
        made = await api.get(f"boards/{board['id']}", token="director")
        judge = Judge("hcp_compensation", 1, None, points_of_ns(made.body["deal"]))
        await fill(api, board, judge, Random(board["number"]), 12)


async def test_the_sixth_scores_all_six_and_no_award_moves_after_that(api):
    board, rng = await factories.board(api), Random(7)
    await fill(api, board, JUDGES["imps"], rng, 5)
    before = await api.get(f"boards/{board['id']}/traveller", token="director")
    assert {row["state"] for row in before.body["results"]} == {"pending"}
    await factories.results(api, board, 1, contract="7NTXX", declarer="E", tricks=0)
    first = await api.get(f"boards/{board['id']}/traveller", token="director")
    awards = [shown(row["award"]) for row in first.body["results"]]
    assert len(awards) == 6
    assert [shown(row["field"]) for row in first.body["results"]] == awards
    await factories.results(api, board, 14, contract="7NT", declarer="N", tricks=13)
    after = await api.get(f"boards/{board['id']}/traveller", token="director")
    rows = after.body["results"][:6]
    assert [shown(row["award"]) for row in rows] == awards
    assert [shown(row["field"]) for row in rows] != awards


async def test_a_result_is_read_again_as_it_was_posted(api):
    board = await factories.board(api)
    posted = factories.result(
        board,
        contract="4SX",
        declarer="E",
        tricks=8,
        played_at="2026-11-25T20:00:00.5+08:00",
        auction=["1S", "X", "4S", "P", "P", "P"],
        play=["HK", "HA"],
        disconnects=[],
    )
    made = await api.post("results", posted)
    assert made.status == 201, made
    read = (await api.get(f"results/{made.body['id']}", token="director")).body
    members = ("table", "players", "contract", "declarer", "tricks", "auction", "play")
    assert {name: read[name] for name in members} == {name: posted[name] for name in members}
    assert read["played_at"] == "2026-11-25T12:00:00.500000Z"
    assert read["lead"] is None
    assert read["board"] == made.body["board"]
    row = (await api.get(f"boards/{board['id']}/traveller", token="director")).body["results"][0]
    assert row.items() <= read.items()


@pytest.mark.parametrize(
    ("compact", "members"),
    [
        ("4SXN-1", {"contract": "4SX", "declarer": "N", "tricks": 9}),
        ("3NTW=xx", None),
        ("4SNx-1", {"contract": "4SX", "declarer": "N", "tricks": 9}),
        ("8SN=", None),
        ("1NTE+6", {"contract": "1NT", "declarer": "E", "tricks": 13}),
        ("Passed out", {"contract": "PASS", "declarer": None, "tricks": None}),
        ("7CSxx-13", {"contract": "7CXX", "declarer": "S", "tricks": 0}),
    ],
)
async def test_the_compact_result_says_the_same(api, compact, members):
    board = await factories.board(api)
    short = factories.result(board, contract=None, declarer=None, tricks=None, result=compact)
    answer = await api.post("results", short)
    if members is None:
        assert (answer.status, answer.slug) == (422, "invalid-result")
        assert [error["pointer"] for error in answer.body["errors"]] == ["/result"]
        return
    assert answer.status == 201, answer
    read = (await api.get(f"results/{answer.body['id']}", token="director")).body
    assert {name: read[name] for name in members} == members
    long = await api.post("results", factories.result(board, **members))
    assert long.body["score"] == answer.body["score"]


async def test_a_board_may_be_named_by_week_pool_and_number(api):
    first, second = await factories.boards(api, 2)
    guests = await factories.board(api, pool="guests")
    named = {"week": factories.WEEK, "number": second["number"]}
    answer = await api.post("results", factories.result(named))
    assert answer.body["board"]["id"] == second["id"] != first["id"]
    other = {"week": factories.WEEK, "number": guests["number"], "pool": "guests"}
    answer = await api.post("results", factories.result(other), headers={"Crossruff-Board": first["id"]})
    assert answer.body["board"]["id"] == guests["id"]


async def test_who_was_replaced_has_seen_the_board(api):
    board = await factories.board(api)
    posted = factories.result(board, substitutes={"E": "replaced"}, disconnects=["replaced"])
    assert (await api.post("results", posted)).status == 201
    again = factories.result(board)
    again["players"]["N"] = "replaced"
    deal = await api.post("assignments", {"table": "T", "players": again["players"]})
    assert deal.slug == "no-board-available"


async def test_once_the_week_is_over_too_few_results_is_the_reason(api, clock):
    board = await factories.board(api)
    clock.advance(timedelta(days=7))
    early = await factories.results(api, board, 5)
    assert {(made["state"], made["rated"], made["reason"]) for made in early} == {
        ("pending", False, "too-few-results")
    }
    read = (await api.get(f"results/{early[0]['id']}")).body
    assert (read["state"], read["rated"], read["reason"]) == ("pending", False, "too-few-results")
    (sixth,) = await factories.results(api, board, 1)
    assert (sixth["state"], sixth["rated"], sixth["reason"]) == ("scored", True, None)
