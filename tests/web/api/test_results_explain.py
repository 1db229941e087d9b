"""Explanations: every step from the contract to the scores, held against the arithmetic of the books."""

from random import Random

import pytest

from tests import factories
from tests.bridge import oracle
from tests.web.scoring import VULNERABLE, Judge, dropped, points_of_ns, random_outcome, shown, tenth

CROSS = {"method": "cross_imps", "score_at": 3, "retire_at": 20, "trim": "tenth", "members": True}
JUDGES = {
    "imps": Judge("datum"),
    "mp": Judge("matchpoints"),
    "guests": Judge("hcp_compensation", 1, None),
    "cross": Judge("cross_imps", 3, 20),
}
PARTS = ("trick_points", "overtricks", "insult", "bonus", "slam", "undertricks")


def check_comparison(judge, part, scores, index, compared):
    """One comparison: what was compared, by what steps, with what outcome."""
    assert part["scores"] == list(compared)
    assert part["results"] == len(compared)
    assert shown(part["score"]) == judge.score(compared, index)
    assert part["text"]
    own = scores[index]
    steps = part.keys() - {"scores", "results", "score", "text"}
    match judge.method:
        case "datum":
            assert steps == {"dropped", "kept", "kept_total", "datum", "difference"}
            assert sorted(part["dropped"]) == dropped(compared)
            assert part["kept"] == len(compared) - 2 * tenth(len(compared))
            assert part["kept_total"] == sum(compared) - sum(dropped(compared))
            assert part["datum"] == oracle.datum(compared, tenth(len(compared)))
            assert part["difference"] == own - part["datum"]
        case "cross_imps":
            assert steps == {"imps", "others"}
            assert part["others"] == len(compared) - 1
            others = [other for i, other in enumerate(compared) if i != index]
            assert part["imps"] == [oracle.imps(own - other) for other in others]
        case "matchpoints":
            assert steps == {"matchpoints", "top", "worse", "equal"}
            assert part["worse"] == sum(other < own for other in compared)
            assert part["equal"] == list(compared).count(own) - 1
            assert part["matchpoints"] == 2 * part["worse"] + part["equal"]
            assert part["matchpoints"] == sum(oracle.versus(own - other) for other in compared) - 1
            assert part["top"] == 2 * (len(compared) - 1)
        case "hcp_compensation":
            assert steps == ({"high_card_points", "imps_of_score"} if own else set())
            if own:
                points = judge.ns_points if own > 0 else 40 - judge.ns_points
                assert (part["high_card_points"], part["imps_of_score"]) == (points, oracle.imps(abs(own)))


def check_contract(body, posted, score, vulnerable):
    """The contract score in its parts."""
    parts = body["contract_score"]
    if posted["contract"] == "PASS":
        assert parts is None
        assert body["text"][0] == "Passed out: 0 for both sides."
        return
    ns = posted["declarer"] in "NS"
    assert parts["vulnerable"] == (vulnerable == "both" or posted["declarer"] in vulnerable)
    assert sum(parts[name] for name in PARTS) == parts["total"] == (score if ns else -score)
    made = posted["tricks"] >= int(posted["contract"][0]) + 6
    assert (parts["undertricks"] == 0) == made
    assert (parts["trick_points"] > 0) == made
    assert (parts["bonus"] in (50, 300, 500)) == made
    assert (parts["slam"] > 0) == (made and posted["contract"][0] in "67")
    assert body["text"][0].endswith(f"{score:+d} for NS.")


@pytest.mark.parametrize("pool", JUDGES)
async def test_every_result_of_a_board_is_explained(serve, pool):
    api = (await serve(pools={"cross": CROSS})).api
    board, rng, judge = await factories.board(api, pool=pool), Random(21), JUDGES[pool]
    if judge.method == "hcp_compensation":
        deal = (await api.get(f"boards/{board['id']}", token="director")).body["deal"]
        judge = Judge("hcp_compensation", 1, None, points_of_ns(deal))
    outcomes = [random_outcome(rng, board["number"]) for _ in range(13)]
    scores = [score for _, score in outcomes]
    results = [(await factories.results(api, board, 1, **posted))[0]["id"] for posted, _ in outcomes]
    for index, (result, (posted, score)) in enumerate(zip(results, outcomes, strict=True)):
        body = (await api.get(f"results/{result}/explain", token="director")).body
        assert body["method"] == judge.method
        assert body["result"] == (await api.get(f"results/{result}", token="director")).body
        check_contract(body, posted, score, VULNERABLE[(board["number"] - 1) % 16])
        award, field = body["award"], body["field"]
        known = max(judge.score_at, index + 1)
        check_comparison(judge, award, scores, index, scores[:known])
        check_comparison(judge, field, scores, index, scores)
        assert body["result"]["award"] == award["score"]
        assert body["result"]["field"] == field["score"]
        assert body["text"][1:] == [
            f"Award, fixed at arrival: {award['text']}",
            f"Field, moving with every further result: {field['text']}",
        ]


async def test_the_sixth_in_words(api):
    board = await factories.board(api)  # nobody is vulnerable
    for contract, tricks in (("4S", 10), ("4S", 9), ("3NT", 10), ("4SX", 8), ("2S", 10)):
        await factories.results(api, board, 1, contract=contract, tricks=tricks)
    (sixth,) = await factories.results(api, board, 1, contract="6S", tricks=11)
    body = (await api.get(f"results/{sixth['id']}/explain", token="director")).body
    # 420, -50, 430, -300, 170, -50: without 430 and -300 they add up to 490, whose quarter is 122.5
    against = (
        "of 6 results 2 are dropped, 1 at each end; the other 4 add up to 490, their mean to the nearest ten "
        "is the datum 120; the difference -170 is -5 IMPs for NS."
    )
    assert body["text"] == [
        "6SN-1, not vulnerable: undertricks -50 = -50; -50 for NS.",
        f"Award, fixed at arrival: {against}",
        f"Field, moving with every further result: {against}",
    ]
    assert sorted(body["award"]["dropped"]) == [-300, 430]
    assert body["award"]["score"] == {"ns": -5, "ew": 5}


async def test_a_pending_result_says_how_many_are_missing(api):
    board = await factories.board(api)
    results = await factories.results(api, board, 2)
    body = (await api.get(f"results/{results[0]['id']}/explain", token="director")).body
    assert (body["award"], body["field"]) == (None, None)
    assert body["text"][1:] == ["Pending: 4 more results are needed before the board is scored."]


async def test_rulings_in_words(api):
    board = await factories.board(api)  # nobody is vulnerable
    results = []
    for contract, tricks in (("4S", 10), ("4S", 9), ("3NT", 10), ("4SX", 8), ("2S", 10), ("6S", 11)):
        results += await factories.results(api, board, 1, contract=contract, tricks=tricks)
    first, sixth = results[0]["id"], results[5]["id"]
    said = {"basis": "damage", "infraction": "a revoke", "damage": "two tricks", "reason": "Law 64C"}
    assert (await factories.rule(api, "adjust", first, result="4SN-1", **said)).status == 200
    body = (await api.get(f"results/{first}/explain", token="director")).body
    assert body["text"] == [
        "4SN-1, not vulnerable: undertricks -50 = -50; -50 for NS.",
        "Adjusted for damage by an infraction from 4SN= (+420 for NS) to 4SN-1: "
        "infraction: a revoke; damage: two tricks; Law 64C.",
        "Award, fixed at arrival, measured again by a ruling: of 6 results 2 are dropped, 1 at each end; the "
        "other 4 add up to 490, their mean to the nearest ten is the datum 120; the ruled score -50 is "
        "measured against it: the difference -170 is -5 IMPs for NS.",
        # -50, -50, -50, 170 are left: their mean is 5, which is 10 to the nearest ten.
        "Field, moving with every further result: of 6 results 2 are dropped, 1 at each end; the other 4 add "
        "up to 20, their mean to the nearest ten is the datum 10; the difference -60 is -2 IMPs for NS.",
    ]
    assert body["award"]["scores"] == [420, -50, 430, -300, 170, -50]
    assert (await factories.rule(api, "void", sixth, reason="reported twice")).status == 200
    body = (await api.get(f"results/{sixth}/explain", token="director")).body
    assert body["text"][1:] == ["Ruled void: it counts for nothing (reported twice)."]
    assert (body["award"], body["field"], body["result"]["state"]) == (None, None, "void")
    body = (await api.get(f"results/{first}/explain", token="director")).body
    assert (body["award"]["score"], body["field"]) == ({"ns": -5, "ew": 5}, None)
    assert body["text"][-1] == "Pending: 1 more result is needed before the board is scored."


@pytest.mark.parametrize("name", ["r_000001000002", "r_00zzzz000001", "r_1", "b_000001", "x", "%00"])
async def test_there_must_be_such_a_result(api, name):
    await factories.results(api, await factories.board(api), 1)
    for rest in ("", "/explain"):
        answer = await api.get(f"results/{name}{rest}")
        assert (answer.status, answer.slug) == (404, "not-found")
