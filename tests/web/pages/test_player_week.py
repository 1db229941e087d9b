"""The page of a player's week: lines that are of no finished table, and weeks that may still change."""

import re
from datetime import timedelta

import pytest

from server.services import tallies
from tests import factories
from tests.web.page import Page, check, read

WEEK = timedelta(days=7)
PAIR = {"N": "ann", "E": "eve", "S": "ben", "W": "wes"}


async def page(api, player, language="en", week=factories.WEEK):
    """What is written on the page, in one line."""
    answer = await read(api, f"/{language}/players/{player}/weeks/{week}")
    assert answer.status == 200
    return " ".join(check(answer.body).text.split()), answer.body


def last_rows(text):
    """What stands in the rows of totals."""
    foot = re.search("<tfoot.*?</tfoot>", text, re.DOTALL)
    rows = re.findall("<tr.*?</tr>", foot[0], re.DOTALL)
    return [" ".join(Page(f"<table>{row}</table>").text.split()) for row in rows]


@pytest.fixture
async def week(api, clock):
    """Boards 1 and 2, which ann left and nobody finished, and 3, which these four played; her disconnects."""
    one, two, three = await factories.boards(api, 3)
    left = []
    for board in (one, two):
        body = {"player": "ann", "board": board["id"], "table": factories.table(), "players": PAIR}
        left.append((await api.post("disconnects", body)).body["id"])
    await factories.results(api, three, 1, players=PAIR, tricks=11)
    await factories.results(api, three, 5)
    return left


async def test_a_partners_zero_is_told_with_who_left(api, clock, week):
    clock.advance(WEEK)
    assert (await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")).status == 200
    said, text = await page(api, "ben")
    assert re.search(r"\b2 S – – – – – – 0\.00 the partner left 0 ", said)
    assert "Board 2: ann left it and nobody finished it" in said
    assert f"a director may lift it (disconnect {week[1]})." in said
    (total,) = last_rows(text)
    assert total.startswith("One board · the mean of 2 board Rates")
    chinese, _ = await page(api, "ben", "zh")
    assert "搭档离桌" in chinese
    assert "第 2 副：ann 离桌，无人打完" in chinese
    for name in ("ann", "eve", "wes"):
        assert "the partner left" not in (await page(api, name))[0]


async def test_a_changed_week_shows_two_totals(api, clock, week):
    clock.advance(WEEK)
    assert (await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")).status == 200
    before, text = await page(api, "ann")
    assert "Something has changed" not in before
    assert len(last_rows(text)) == 1
    body = {"reason": "the lights went out"}
    assert (await api.delete(f"disconnects/{week[0]}", params=body, token="director")).status == 200
    said, text = await page(api, "ann")
    assert "since revision 1 was made. The boards below are as of now" in said
    now, published = last_rows(text)
    assert now.startswith("As of now · 2 boards · the mean of 2 board Rates")
    assert published.startswith("Revision 1 · 3 boards · the mean of 3 board Rates")
    assert (now[-3:], published[-3:]) == ("−15", "−31")
    assert "By revision 1." in said
    chinese, text = await page(api, "ann", "zh")
    assert "第 1 次修订之后，该周或之前某一周有变动" in chinese
    assert last_rows(text)[0].startswith("截至目前")


async def test_an_open_week_has_a_page_without_rates(api, server, clock, week):
    while await tallies.refresh(server.database, ""):
        pass
    said, text = await page(api, "ann")
    assert "The week is not rated yet: there are points and no Rates, as of now." in said
    assert "3 boards are left out: they may still be played." in said
    assert "No board of this week can be shown." in said
    told = (await api.get("players/ann", token="public")).body["figures"]
    assert (told["week_points"], told["week_boards"]) == (-31, 3)
    assert "Including what is left out: 3 boards; points: −31." in said
    assert "From the week to the new Rate" not in said
    assert "why-week" not in text
    clock.advance(WEEK)
    said, text = await page(api, "ann")
    assert "Board Rate" not in said
    assert last_rows(text) == ["As of now · 3 boards −31"]
    assert "−16 disconnect" in said
    assert "该周尚未评定" in (await page(api, "ann", "zh"))[0]


async def test_the_four_of_each_table_are_named(api, clock, week):
    clock.advance(WEEK)
    assert (await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")).status == 200
    for language in ("en", "zh"):
        said, text = await page(api, "ben", language)
        assert said.count("N ann E eve S ben W wes") == 2  # board 1 cost him nothing, and has no line
        assert text.count('class="mine"><abbr') == 2
        assert {f"/{language}/players/{name}?pool=imps" for name in PAIR.values()} <= set(Page(text).links)
    assert (await api.put("players/wes", {"hidden": True}, token="results")).status == 200
    assert (await page(api, "ben"))[0].count("N ann E eve S ben W hidden") == 2


async def test_the_weight_of_the_past_is_reckoned(serve, clock):
    pools = {"imps": {"method": "datum", "score_at": 1, "retire_at": 40, "trim": "tenth", "members": True}}
    api = (await serve(pools=pools, rating={"shield_boards": 0})).api
    for board in await factories.boards(api, 170):
        await factories.results(api, board, 1, players=PAIR)
    later, last = "2026-W49", "2026-W50"
    for number in (later, last):
        clock.advance(WEEK)
        await factories.results(api, await factories.board(api, number), 1, players=PAIR)
    clock.advance(WEEK)
    assert (await api.post(f"weeks/{last}/rate", None, token="admin")).status == 200
    formulas = {
        factories.WEEK: "25.00 × 0.95 = 23.75",
        later: "193.75 × 0.95 = 184.06, at most 150.00",
        last: "151.00 × 0.95 = 143.45",
    }
    for number, formula in formulas.items():
        told = (await api.get(f"players/ann/weeks/{number}/explain")).body
        said, _ = await page(api, "ann", week=number)
        assert f"{formula} " in said
        assert f"({told['past_weight']:.2f} × {told['old_rate']:.2f} + {told['board_rates']} × " in said
        (sentence,) = [text for text in told["text"] if text.startswith("Weight of the past in boards: ")]
        assert f"{told['old_weight']:.4f} x 0.95 = " in sentence
        assert ("held at 150.0000" in sentence) == (number == later)
        _, text = await page(api, "ann", week=number)
        weeks = [factories.WEEK, later, last]
        place = weeks.index(number)
        steps = {link["rel"]: link["href"] for link in Page(text).all("a") if link.get("rel")}
        beside = {"prev": place - 1, "next": place + 1}
        expected = {
            rel: f"/en/players/ann/weeks/{weeks[at]}?pool=imps" for rel, at in beside.items() if 0 <= at < 3
        }
        assert steps == expected
        old = f"The old Rate, {told['old_rate']:.2f}, and its weight, {told['old_weight']:.2f} boards"
        assert (f'{old}, are those of the end of <a href="{expected.get("prev")}">' in text) == (place > 0)
    said, _ = await page(api, "ann", "zh", later)
    assert "193.75 × 0.95 = 184.06，最多 150.00" in said


async def test_a_week_of_matchpoints_says_what_a_per_cent_is_worth(api, clock):
    board = await factories.board(api, pool="mp")
    await factories.results(api, board, 1, players=PAIR, tricks=11)
    await factories.results(api, board, 9)
    clock.advance(WEEK)
    assert (await api.post(f"weeks/{factories.WEEK}/rate?pool=mp", None, token="admin")).status == 200
    address = f"players/ann/weeks/{factories.WEEK}"
    text = (await read(api, f"/en/{address}?pool=mp")).body
    assert "every per cent above 50 is 0.15 points" in text
    (line,) = (await api.get(f"{address}/explain?pool=mp")).body["lines"]
    percent = (await api.get(f"results/{line['result']}")).body["field"]["ns"]
    assert line["points"] == pytest.approx(0.15 * (percent - 50), abs=0.00501)


async def test_the_mean_of_the_board_rates_is_reckoned(api, clock, week):
    clock.advance(WEEK)
    assert (await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")).status == 200
    told = (await api.get(f"players/wes/weeks/{factories.WEEK}/explain")).body
    total = sum(line["board_rate"] or 0 for line in told["lines"])
    said, _ = await page(api, "wes")
    assert f"{total:.2f} ÷ {told['board_rates']} = {told['week_rate']:.2f}" in said


async def test_a_week_without_board_rates_says_what_becomes_of_the_weight(api, clock, week):
    clock.advance(2 * WEEK)
    assert (await api.post("weeks/2026-W49/rate", None, token="admin")).status == 200
    before = (await api.get(f"players/ben/weeks/{factories.WEEK}/explain")).body["new_weight"]
    said, _ = await page(api, "ben", week="2026-W49")
    assert "No board Rate this week: the Rate stays" in said
    assert f"{before:.2f} × 0.95 = {0.95 * before:.2f}" in said
