"""The arithmetic of a result for people."""

import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from server.bridge.imps import imps
from server.storage.tables import boards
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
            worth = f"worth {abs(ns)} {'IMP' if abs(ns) == 1 else 'IMPs'}, so {shown(ns, 'signed')}"
            assert f"{worth} for North–South." in text
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
            assert f"{found['matchpoints']} of {found['top']}, which is {found['score']['ns']:.2f}%." in text
        else:
            assert f"Its high-card points are {found['high_card_points']}, " in text


async def test_the_share_of_a_board_rate_is_told_by_its_method(api, clock):
    for pool in ("mp", "imps"):
        board = (await factories.boards(api, 1, pool=pool))[0]
        people = factories.four()
        await factories.results(api, board, 1, players=people, tricks=11)
        await factories.results(api, board, 9)
        number = (await api.get(f"boards/{board['id']}/traveller", token="director")).body["results"][0]["id"]
        clock.advance(timedelta(days=7) if pool == "mp" else timedelta(0))
        assert (await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")).status == 200
        told = (await api.get(f"results/{number}/explain")).body
        table, field = told["rating"]["table"], told["field"]["score"]["ns"]
        text = flat((await read(api, f"/en/results/{number}")).body)
        week = flat((await read(api, f"/en/players/{people['N']}/weeks/{factories.WEEK}?pool={pool}")).body)
        assert "As rated in revision 1: results that came after" in text
        if pool == "mp":
            assert table["p_ns"] == pytest.approx(field / 100, abs=5e-5)
            assert f"P is the side's percentage, divided by 100: {table['p_ns']:.4f} for North–South" in text
            assert "P is the own side's percentage, divided by 100." in week
        else:
            held = min(abs(field), 7.5)
            sign = "\N{MINUS SIGN}" if field < 0 else "+"
            assert f"P of North–South is ½ {sign} {held:.2f} ÷ 15 = {table['p_ns']:.4f}, " in text
            assert 0.5 + max(-7.5, min(7.5, field)) / 15 == pytest.approx(table["p_ns"], abs=5e-5)
            assert f"; P of East–West is {table['p_ew']:.4f}." in text
        assert ("held within ±7.5" in text) == (pool == "imps" and abs(field) > 7.5)
        assert f"The four Rates before the week add up to S4 = {table['s4']:.2f}." in text
        assert ("P is ½ plus the own side's IMPs" in week) == (pool == "imps")


async def test_a_pending_award_of_a_rated_week_needs_late_results(api, server, clock):
    board = await factories.board(api)
    await factories.results(api, board, 1)
    number = (await api.get(f"boards/{board['id']}/traveller", token="director")).body["results"][0]["id"]
    clock.advance(timedelta(days=7))
    assert (await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")).status == 200
    clock.advance(timedelta(days=7))
    text = flat((await read(api, f"/en/results/{number}")).body)
    assert "Its week was rated without it; an award comes only if late results still arrive." in text
    retired = update(boards).values(retired_at=clock.now())
    await server.database.write(lambda connection: connection.execute(retired))
    text = flat((await read(api, f"/en/results/{number}")).body)
    assert "None: the board has too few results, and takes no more." in text
    assert "Pending" not in text.partition("Award")[2]


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
