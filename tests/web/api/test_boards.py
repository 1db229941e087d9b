"""Board sets, boards and lists of them."""

from collections import Counter

import pytest

from tests import factories
from tests.web.scoring import VULNERABLE

DEAL = "N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9"
PARTIAL = "N:AK2.QJT9.543.876 - 876.543.QJT9.AK2 -"


def wanted(*boards, **changes):
    """A body that gives boards."""
    return {"week": factories.WEEK, "boards": list(boards)} | changes


async def test_fresh_boards_are_numbered_on_from_one(api):
    first = await api.post("board-sets", {"week": factories.WEEK, "count": 20})
    assert first.status == 201
    assert first.body.keys() == {"week", "pool", "boards"}
    assert (first.body["week"], first.body["pool"]) == (factories.WEEK, "imps")
    for number, board in enumerate(first.body["boards"], start=1):
        assert board.keys() == {"id", "number", "dealer", "vulnerability"}
        assert board["number"] == number
        assert board["dealer"] == "NESW"[(number - 1) % 4]
        assert board["vulnerability"] == VULNERABLE[(number - 1) % 16]
    more = await factories.boards(api, 2)
    assert [board["number"] for board in more] == [21, 22]
    ids = [board["id"] for board in first.body["boards"] + more]
    assert ids == sorted(set(ids))
    assert [board["number"] for board in await factories.boards(api, 1, pool="mp")] == [1]
    assert [board["number"] for board in await factories.boards(api, 1, week="2026-W49")] == [1]


async def test_fresh_boards_have_whole_packs_each_another(api):
    deals = set()
    for board in await factories.boards(api, 30):
        deal = (await api.get(f"boards/{board['id']}", token="director")).body["deal"]
        hands = deal.removeprefix("N:").split()
        cards = [
            suit + card
            for hand in hands
            for suit, held in zip("SHDC", hand.split("."), strict=True)
            for card in held
        ]
        assert len(cards) == len(set(cards)) == 52
        assert [len(hand.replace(".", "")) for hand in hands] == [13] * 4
        deals.add(deal)
    assert len(deals) == 30


async def test_given_boards_are_taken_as_they_are(api):
    body = wanted(
        {"number": 7},
        {"number": 3, "deal": DEAL, "dealer": "W", "vulnerability": "both"},
        {"number": 1_000_000, "deal": PARTIAL, "dealer": None},
    )
    made = (await api.post("board-sets", body)).body["boards"]
    assert [board["number"] for board in made] == [3, 7, 1_000_000]
    assert (made[0]["dealer"], made[0]["vulnerability"]) == ("W", "both")
    assert (made[1]["dealer"], made[1]["vulnerability"]) == ("S", "both")
    deals = [(await api.get(f"boards/{board['id']}", token="director")).body["deal"] for board in made]
    assert deals == [DEAL, None, PARTIAL]
    score = (await factories.results(api, made[0], 1, contract="4S", tricks=10))[0]["score"]
    assert score == 620  # vulnerable as given, not as numbered
    fresh = await api.post("board-sets", wanted({"number": 8}))
    assert fresh.status == 201


async def test_a_deal_may_begin_with_any_hand(api):
    turned = "S:" + " ".join(DEAL[2:].split()[2:] + DEAL[2:].split()[:2])
    (made,) = (await api.post("board-sets", wanted({"number": 1, "deal": turned}))).body["boards"]
    assert (await api.get(f"boards/{made['id']}", token="director")).body["deal"] == DEAL


@pytest.mark.parametrize("taken", [[{"number": 2}], [{"number": 5}, {"number": 5}]])
async def test_a_number_is_given_once(api, taken):
    await factories.boards(api, 2)
    answer = await api.post("board-sets", wanted({"number": 9}, *taken))
    assert (answer.status, answer.slug) == (409, "board-number-taken")
    assert answer.body["number"] == taken[-1]["number"]
    assert len((await api.get("boards")).body["boards"]) == 2  # none of them was made
    assert (await api.post("board-sets", wanted({"number": 2}, pool="mp"))).status == 201


@pytest.mark.parametrize(
    ("body", "slug", "pointer"),
    [
        ({}, "invalid-body", "/week"),
        ({"week": factories.WEEK}, "invalid-body", "/count"),
        ({"week": factories.WEEK, "count": 1, "boards": [{"number": 1}]}, "invalid-body", "/count"),
        ({"week": factories.WEEK, "count": 0}, "invalid-body", "/count"),
        ({"week": factories.WEEK, "count": 1001}, "invalid-body", "/count"),
        ({"week": factories.WEEK, "count": 1.5}, "invalid-body", "/count"),
        ({"week": factories.WEEK, "count": 10**30}, "invalid-body", "/count"),
        ({"week": "2025-W53", "count": 1}, "invalid-body", "/week"),
        ({"week": "9999-W01", "count": 1}, "invalid-body", "/week"),
        ({"week": "W48", "count": 1}, "invalid-body", "/week"),
        ({"week": 202648, "count": 1}, "invalid-body", "/week"),
        ({"week": factories.WEEK, "count": 1, "pool": "none"}, "unknown-pool", "/pool"),
        ({"week": factories.WEEK, "count": 1, "pool": "\x00"}, "invalid-body", "/pool"),
        (wanted(), "invalid-body", "/boards"),
        (wanted(*[{"number": 1}] * (1001)), "invalid-body", "/boards"),
        (wanted({"number": 1}, {"number": 0}), "invalid-body", "/boards/1/number"),
        (wanted({"number": 1}, {}), "invalid-body", "/boards/1/number"),
        (wanted({"number": 1_000_001}), "invalid-body", "/boards/0/number"),
        (wanted({"number": 1, "dealer": "X"}), "invalid-body", "/boards/0/dealer"),
        (wanted({"number": 1, "vulnerability": "All"}), "invalid-body", "/boards/0/vulnerability"),
        (wanted({"number": 1, "cards": DEAL}), "invalid-body", "/boards/0/cards"),
        (wanted({"number": 1}, {"number": 2, "deal": "N:"}), "invalid-board", "/boards/1/deal"),
        (wanted({"number": 1, "deal": DEAL.replace("K", "Q", 1)}), "invalid-board", "/boards/0/deal"),
        (wanted({"number": 1, "deal": DEAL + "2"}), "invalid-board", "/boards/0/deal"),
        (wanted({"number": 1, "deal": "x" * 201}), "invalid-body", "/boards/0/deal"),
        (wanted({"number": 1}, pool="guests"), "invalid-board", "/boards/0/deal"),
        (wanted({"number": 1, "deal": PARTIAL}, pool="guests"), "invalid-board", "/boards/0/deal"),
    ],
)
async def test_a_set_that_cannot_be_made_is_refused(api, body, slug, pointer):
    answer = await api.post("board-sets", body)
    assert (answer.status, answer.slug) == (422, slug)
    assert [error["pointer"] for error in answer.body["errors"]] == [pointer]


async def test_a_set_may_be_as_large_as_a_thousand_boards(api):
    made = await factories.boards(api, 1000)
    assert Counter(board["dealer"] for board in made) == dict.fromkeys("NESW", 250)
    given = [{"number": number, "deal": DEAL} for number in range(2000, 3000)]
    assert (await api.post("board-sets", wanted(*given))).status == 201


async def test_a_board_tells_how_it_stands(api):
    board = await factories.board(api)
    expected = {
        **board,
        "week": factories.WEEK,
        "pool": "imps",
        "state": "pending",
        "results": 0,
        "score_at": 6,
        "retire_at": 40,
        "version": 1,
    }
    assert (await api.get(f"boards/{board['id']}")).body == expected
    await factories.results(api, board, 6)
    scoring = expected | {"state": "scoring", "results": 6}
    assert (await api.get(f"boards/{board['id']}")).body == scoring
    assert (await api.get("boards")).body["boards"] == [scoring]
    await factories.results(api, board, 34)
    retired = (await api.get(f"boards/{board['id']}")).body
    assert (retired["state"], retired["results"]) == ("retired", 40)
    assert retired["deal"].startswith("N:")
    guests = await factories.board(api, pool="guests")
    shown = (await api.get(f"boards/{guests['id']}")).body
    assert (shown["score_at"], shown["retire_at"]) == (1, None)


async def test_boards_keep_the_rules_by_which_they_were_made(api, serve):
    board = await factories.board(api)
    other = {"method": "matchpoints", "score_at": 1, "retire_at": 2, "trim": "none", "members": True}
    later = (await serve(pools={"imps": other})).api
    kept = (await later.get(f"boards/{board['id']}")).body
    assert (kept["score_at"], kept["retire_at"]) == (6, 40)
    fresh = (await later.get(f"boards/{(await factories.board(later))['id']}")).body
    assert (fresh["score_at"], fresh["retire_at"]) == (1, 2)
    results = await factories.results(later, board, 6)
    assert results[-1]["datum"] == 420


@pytest.mark.parametrize("name", ["b_00zzzz", "b_1", "x", "r_000001000001", "B_000001", "b_00000i", "%00"])
async def test_there_must_be_such_a_board(api, name):
    await factories.board(api)
    for rest in ("", "/traveller"):
        answer = await api.get(f"boards/{name}{rest}")
        assert (answer.status, answer.slug) == (404, "board-not-found")
