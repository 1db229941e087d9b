"""The arithmetic of a result for people."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.imps import imps
from server.web.pages.results import imp_bounds
from tests import factories
from tests.web.page import Page, check, read
from tests.web.pages.test_boards import played, shown


def flat(text):
    """What is written, on one line."""
    return " ".join(Page(text).text.split())


@given(st.integers(-16_000, 16_000))
def test_the_bounds_enclose_what_is_worth_as_much(difference):
    low, high = imp_bounds(difference)
    assert imps(low) == abs(imps(difference)) == imps(abs(difference))
    assert low <= abs(difference)
    assert low == 0 or imps(low - 1) == imps(low) - 1
    if high is None:
        assert imps(low) == 24
    else:
        assert abs(difference) < high
        assert imps(high) == imps(low) + 1


async def test_every_step_against_the_datum_is_that_of_the_api(api):
    board = await played(api)
    rows = (await api.get(f"boards/{board}/traveller")).body["results"]
    for row in rows[5:14]:
        told = (await api.get(f"results/{row['id']}/explain")).body
        text = flat((await read(api, f"/en/results/{row['id']}")).body)
        for name in ("award", "field"):
            found = told[name]
            each = len(found["dropped"]) // 2
            dropped = "one is" if each == 1 else f"{each} are"
            assert f"Of {found['results']} results {dropped} dropped at each end." in text
            total, value = shown(found["kept_total"]), shown(found["datum"])
            mean = f"add up to {total}; their mean to the nearest ten is the datum, {value}."
            assert f"The {found['kept']} that are left {mean}" in text
            assert f"The difference is {shown(found['difference'], 'signed')};" in text
            ns = found["score"]["ns"]
            assert f"worth {shown(ns, 'signed')} {'IMP' if abs(ns) == 1 else 'IMPs'} for North–South." in text
        parts = told["contract_score"]
        if parts is None:
            assert "Passed out: 0 for both sides." in text
        else:
            assert f"Declarer's side {shown(parts['total'])}" in text
            assert f"Signed for North–South {shown(row['score'])}" in text


@pytest.mark.parametrize(("pool", "week"), [("mp", factories.WEEK), ("guests", "2026-W47")])
async def test_other_methods_have_their_own_arithmetic(api, pool, week):
    board = await played(api, pool=pool, tables=40 if pool == "mp" else 4, week=week)
    rows = (await api.get(f"boards/{board}/traveller")).body["results"]
    for row in rows[:4]:
        found = (await api.get(f"results/{row['id']}/explain")).body["field"]
        text = flat((await read(api, f"/en/results/{row['id']}")).body)
        if pool == "mp":
            assert f"{found['matchpoints']} of {found['top']}, which is {found['score']['ns']:.2f} %." in text
        else:
            assert f"Its high-card points are {found['high_card_points']}, " in text


async def test_scores_that_were_compared_are_shown_with_the_dropped_ones(api):
    board = await played(api)
    rows = (await api.get(f"boards/{board}/traveller")).body["results"]
    text = (await read(api, f"/en/results/{rows[9]['id']}")).body
    award, field = re.findall(r'<ol class="scores".*?</ol>', text, re.DOTALL)
    for part, told in ((award, 10), (field, 40)):
        assert part.count("<li") == told
        assert part.count("this result") == 1
    found = (await api.get(f"results/{rows[9]['id']}/explain")).body["field"]
    dropped = re.findall(r'<li class="dropped[^"]*">([^ <]*)', field)
    assert sorted(dropped) == sorted(shown(score) for score in found["dropped"])


async def test_auction_and_play_are_shown_as_reported(api):
    board = await factories.board(api)
    auction = ["1C", "P", "1NT", "X", "weird <b>", "2HX"]
    body = factories.result(board, auction=auction, play=["S3", "SK", "s2", "no card"])
    made = (await api.post("results", body)).body
    await factories.results(api, board, 39)
    page = check((await read(api, f"/zh/results/{made['id']}")).body)
    for word in ("weird <b>", "no card", "NT"):
        assert word in page.text


async def test_of_a_board_in_play_there_is_a_page_that_says_so(api):
    board = await factories.board(api)
    (made,) = await factories.results(api, board, 1)
    answer = await read(api, f"/en/results/{made['id']}", token="director")
    assert answer.status == 403
    assert "Somebody may still be playing this board" in answer.body
    assert "4S" not in Page(answer.body).text
