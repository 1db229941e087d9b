"""Boards for people: the numbers of the API, the diagram, groups and datum, secrecy, the list of a week."""

import asyncio
import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.deal import parse_deal
from server.bridge.seats import Seat, Vulnerability
from server.services.analysis import Analyst
from server.web.pages.travellers import from_the_best
from tests import factories
from tests.web.page import Page, cells, check, read

DEAL = "N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9"
PLAYED = [  # contract, declarer, tricks
    *[("3NT", "W", 9), ("3NT", "W", 8), ("2H", "E", 8), ("4SX", "N", 9), ("PASS", None, None)],
    *[("3NT", "W", 9), ("1NT", "S", 8), ("5CXX", "S", 8)],
]


async def played(api, pool="imps", tables=40, week=factories.WEEK):
    """A board of known cards that so many tables have played; its id."""
    body = {"week": week, "pool": pool, "boards": [{"number": 7, "deal": DEAL}]}
    board = (await api.post("board-sets", body, token="admin")).body["boards"][0]["id"]
    for i in range(tables):
        contract, declarer, tricks = PLAYED[i % len(PLAYED)]
        changes = {} if declarer is None else {"declarer": declarer, "tricks": tricks}
        result = factories.result(board, contract=contract, **changes)
        if declarer is None:
            del result["declarer"], result["tricks"]
        assert (await api.post("results", result)).status == 201
    return board


def shown(value, kind="plain"):
    """A number as pages write it."""
    text = {"plain": "{}", "signed": "{:+}", "places": "{:.2f}", "signed places": "{:+.2f}"}[kind].format(
        value
    )
    return (text.lstrip("+") if value == 0 else text).replace("-", "\N{MINUS SIGN}")


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_number_is_that_of_the_api(api, language):
    board = await played(api)
    traveller = (await api.get(f"boards/{board}/traveller")).body
    text = (await read(api, f"/{language}/boards/{board}")).body
    written = cells(text)
    assert written.keys() == {row["id"] for row in traveller["results"]}
    for row in traveller["results"]:
        found = written[row["id"]]
        assert found[0] == shown(row["score"])
        assert found[4] == ("" if row["tricks"] is None else str(row["tricks"]))
        assert found[7:-1] == [
            shown(row["field"]["ns"], "signed"),
            shown(row["award"]["ns"], "signed"),
            shown(row["cross_imps"]["ns"], "signed places"),
            shown(row["matchpoints"]["ns_percent"], "places"),
        ]
        names = " ".join(found[5:7])
        assert all(player in names for player in row["players"].values())
    assert f"<b>{shown(traveller['datum'])}</b>" in text
    assert len(re.findall(r'<tr role="row" data-result="[^"]*" class="dropped', text)) == 8


async def test_percentages_are_shown_where_matchpoints_are_scored(api):
    board = await played(api, pool="mp")
    rows = (await api.get(f"boards/{board}/traveller")).body["results"]
    written = cells((await read(api, f"/en/boards/{board}")).body)
    text = (await read(api, f"/en/boards/{board}")).body
    assert 'class="dropped' not in text
    assert "dropped</span>" not in text
    assert '"datum"' not in text
    for row in rows:
        assert written[row["id"]][7:-1] == [
            shown(row["field"]["ns"], "places"),
            shown(row["award"]["ns"], "places"),
            shown(row["datum_imps"]["ns"], "signed"),
            shown(row["cross_imps"]["ns"], "signed places"),
        ]


async def test_results_stand_in_groups_by_score_with_the_datum_between(api):
    board = await played(api)
    traveller = (await api.get(f"boards/{board}/traveller")).body
    text = (await read(api, f"/en/boards/{board}")).body
    scores = [row[0] for row in cells(text).values()]
    assert scores == [
        shown(row["score"]) for row in sorted(traveller["results"], key=lambda row: -row["score"])
    ]
    by_score = {score: scores.count(score) for score in scores}
    groups = re.split(r'<tbody role="rowgroup" class="(?:group|datum)[^"]*">', text)[1:]
    assert len(groups) == len(by_score) + 1
    at = next(i for i, group in enumerate(groups) if "Datum" in group)
    assert at == len({row["score"] for row in traveller["results"] if row["score"] >= traveller["datum"]})
    widths = [int(width) for width in re.findall(r'<rect width="(\d+)"', text) if width != "32"]
    assert widths == [100 * count // max(by_score.values()) for count in by_score.values()]
    assert re.findall(r"<span>×(\d+)</span>", text) == [str(count) for count in by_score.values()]


async def test_of_equal_scores_the_dropped_ones_stand_outermost(api):
    """Four are dropped at each end of forty; here seven are equal at the top and six at the bottom."""
    board = await factories.board(api)
    for count, tricks in ((3, 7), (3, 12), (14, 10), (3, 7), (4, 12), (13, 11)):
        await factories.results(api, board, count, tricks=tricks)
    text = (await read(api, f"/en/boards/{board['id']}")).body
    lines = re.findall(r'<tr role="row" data-result="[^"]*" class="([^"]*)"', text)
    marked = ["dropped" in line for line in lines]
    assert marked == [True] * 4 + [False] * 32 + [True] * 4
    text = (await read(api, f"/en/results/{next(iter(cells(text)))}")).body
    field = re.findall(r'<ol class="scores".*?</ol>', text, re.DOTALL)[1]
    assert ["dropped" in each for each in re.findall('<li class="([^"]*)"', field)] == marked


@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), max_size=12))
def test_equal_scores_keep_their_order_but_for_those_that_are_dropped(rows):
    scores, dropped = [10 * score for score, _ in rows], [gone for _, gone in rows]
    order = from_the_best(scores, dropped)
    assert sorted(order) == list(range(len(rows)))
    assert [scores[i] for i in order] == sorted(scores, reverse=True)
    for score in set(scores):
        kept = [i for i in order if scores[i] == score and not dropped[i]]
        assert kept == sorted(kept)
        middle = [i for i in order if scores[i] == score]
        if kept:  # nothing that is dropped stands between
            assert middle[middle.index(kept[0]) : middle.index(kept[-1]) + 1] == kept


async def test_the_diagram_has_every_card_with_points_dealer_and_vulnerability(api):
    board = await played(api)
    text = (await read(api, f"/en/boards/{board}")).body
    hands = re.findall(
        r'<div class="hand hand-(\w+)" role="group" aria-label="(\w+)">(.*?)</div>', text, re.DOTALL
    )
    assert [(place, seat) for place, seat, _ in hands] == [
        *[("top", "North"), ("right", "East"), ("bottom", "South"), ("left", "West")]
    ]
    cards = [re.findall(r'<span class="ranks">(.*?)</span>', hand) for _, _, hand in hands]
    assert cards[0] == ["A K 2", "Q J 10 9", "5 4 3", "8 7 6"]
    assert ".".join(cards[2]).replace(" ", "").replace("10", "T") == "876.543.QJT9.AK2"
    points = re.findall(r"<dt class=\"unseen\">(\w+), high-card points</dt><dd>(\d+)</dd>", text)
    assert points == [("North", "10"), ("East", "10"), ("South", "10"), ("West", "10")]
    assert '<abbr title="high-card points">HCP</abbr>' in text
    assert "Dealer South" in text
    assert "both vulnerable" in text


async def test_hands_and_contracts_name_seats_alike_in_chinese(api):
    board = await played(api)
    text = (await read(api, f"/zh/boards/{board}")).body
    assert re.findall(r'<p class="seat">(\S+ \w)', text) == ["北 N", "东 E", "南 S", "西 W"]
    assert re.findall(r'class="point point-\w+[^"]*">(\w)<', text) == list("NESW")


async def test_a_folded_row_has_a_name_before_everything_that_needs_one(api):
    board = await played(api)
    text = (await read(api, f"/en/boards/{board}")).body
    row = next(part for part in text.split("<tr ") if "data-result" in part)
    labels = re.findall(r'class="([\w ]+)" data-label="([^"]+)"', row)
    assert [label for _, label in labels] == ["Lead", "Tricks", "NS", "EW", "IMPs", "Award", "Cross", "MP"]


@pytest.mark.parametrize(("seat", "around"), [("N", "SWNE"), ("E", "WNES"), ("S", "NESW"), ("W", "ESWN")])
async def test_it_is_turned_so_that_a_player_is_at_the_bottom(api, seat, around):
    board = await played(api)
    row = (await api.get(f"boards/{board}/traveller")).body["results"][3]
    text = (await read(api, f"/en/boards/{board}?player={row['players'][seat]}")).body
    seats = re.findall(r'<div class="hand hand-\w+" role="group" aria-label="(\w)', text)
    assert "".join(seats) == around
    assert re.findall(r'data-result="([^"]*)" class="[^"]* own"', text) == [row["id"]]
    assert all(f">{player}</bdi></b>" in text for player in row["players"].values())


async def test_a_hidden_player_has_neither_name_nor_address(api):
    board = await factories.board(api)
    players = factories.four() | {"N": "nobody-must-know"}
    await factories.results(api, board, 1, players=players)
    await factories.results(api, board, 39)
    await api.put("players/nobody-must-know", {"name": "Secret Name", "hidden": True})
    for path in (f"/en/boards/{board['id']}", f"/en/boards/{board['id']}?player=nobody-must-know"):
        text = (await read(api, path)).body
        assert "Secret Name" not in text
        assert not [row for row in cells(text).values() if "nobody-must-know" in " ".join(row)]
        assert 'class="hidden-player"' in text
        assert " own" not in text.replace("own-", "").partition("<main")[2].partition("</table>")[0]
    sheet = (await api.get(f"/boards/{board['id']}/traveller.csv")).body
    assert "nobody-must-know" not in sheet


async def test_of_a_board_in_play_there_is_its_state_and_nothing_else(api):
    board = await played(api, tables=17)
    text = (await read(api, f"/en/boards/{board}", token="director")).body
    page = check(text)
    assert 'data-score-at="6" data-retire-at="40"' in text
    assert "17/40" in page.text
    assert text.count('class="slot taken') == 17
    assert text.count('class="slot') == 41  # with the frame of all
    assert not re.search(r"ann-|eve-|3NT|♠|ranks|traveller", page.text + str(page.tags))
    assert "will appear here when it is retired, at the latest Mon, Nov 30, 2026 00:30" in page.text


async def test_a_board_that_is_never_retired_does_not_wait_for_that(api):
    board = await played(api, pool="guests", tables=1)
    text = Page((await read(api, f"/en/boards/{board}")).body).text
    assert "will appear here when its week is over, Mon, Nov 30, 2026 00:30" in text
    assert "retired" not in text
    assert "该周结束" in (await read(api, f"/zh/boards/{board}")).body


async def test_a_board_leads_to_its_neighbours(api):
    made = [each["id"] for each in await factories.boards(api, 3)]
    await factories.boards(api, 2, pool="mp")
    for place, board in enumerate(made):
        page = Page((await read(api, f"/en/boards/{board}")).body)
        steps = {link["rel"]: link["href"] for link in page.all("a") if link.get("rel")}
        beside = {"prev": place - 1, "next": place + 1}
        assert steps == {rel: f"/en/boards/{made[at]}" for rel, at in beside.items() if 0 <= at < len(made)}


async def test_an_hour_after_the_week_everything_is_there(api, clock):
    board = await played(api, tables=4)
    assert "4/6" in Page((await read(api, f"/en/boards/{board}")).body).text
    clock.advance(timedelta(days=7))
    text = (await read(api, f"/en/boards/{board}")).body
    assert len(cells(text)) == 4
    assert "too few results" in text


async def test_downloads_stand_beside_the_table(api):
    board = await played(api)
    page = Page((await read(api, f"/en/boards/{board}")).body)
    for link in (f"/boards/{board}/traveller.csv", f"/api/v1/boards/{board}/traveller"):
        assert link in page.links
        assert (await api.get(link)).status == 200


async def test_the_boards_of_a_week_are_listed_by_pool_and_page(api):
    await factories.boards(api, 150)
    (other,) = await factories.boards(api, 1, pool="mp")
    text = (await read(api, "/en/boards")).body
    page = check(text)
    assert len(re.findall(r'<li><a href="/en/boards/b_', text)) == 100
    assert "/en/boards?week=2026-W48&pool=imps&after=100" in page.links
    text = (await read(api, "/en/boards?week=2026-W48&pool=imps&after=100")).body
    assert len(re.findall(r'<li><a href="/en/boards/b_', text)) == 50
    assert "<b>101</b>" in text
    text = (await read(api, "/en/boards?week=2026-W48&pool=mp")).body
    assert f"/en/boards/{other['id']}" in text
    assert "No boards were made" in (await read(api, "/en/boards?week=2020-W01")).body


async def analysed(api, address):
    """A board's page once its deal is analysed; the solver takes a while on a busy machine."""
    first = (await read(api, address)).body
    assert "data-soon" in first
    assert 'class="analysis"' not in first
    for _ in range(300):
        text = (await read(api, address)).body
        if 'class="analysis"' in text:
            assert "data-soon" not in text
            return text
        await asyncio.sleep(0.2)
    raise AssertionError("no analysis came")


@pytest.mark.skipif(not Analyst().available, reason="endplay is not installed")
async def test_makeable_contracts_and_par_stand_beside_the_diagram(serve):
    api = (await serve(analysis=True)).api
    board = await played(api)
    found = await Analyst().analyse(parse_deal(DEAL), Seat.S, Vulnerability.BOTH, 60)
    text = await analysed(api, f"/en/boards/{board}")
    grid = re.search(r'<table class="dense makeable">.*?</table>', text, re.DOTALL)[0]
    rows = [
        re.findall(r"<td>(.*?)</td>", row, re.DOTALL)
        for row in re.findall(r"<tr><th.*?</tr>", grid, re.DOTALL)
    ]
    written = [[Page(f"<p>{cell}</p>").text.strip() for cell in row] for row in rows]
    expected = [[max(0, row[strain] - 6) for strain in "NSHDC"] for row in found.tricks.values()]
    assert written == [[str(level) if level else "–" for level in row] for row in expected]
    assert f"Par <b>{shown(found.par)}</b>" in text


async def test_of_a_board_in_play_nothing_is_analysed(serve):
    server = await serve(analysis=True)
    board = await played(server.api, tables=7)
    for _ in range(2):
        assert "analysis" not in (await read(server.api, f"/en/boards/{board}", token="director")).body
