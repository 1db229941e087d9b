"""Players' pages and lists: the mark or the error beside an index that rests on few boards."""

import re

import pytest

from server.services import tallies
from tests import factories
from tests.web.page import check, read

BEFORE = "2026-W47"
PLAYER = "p00"


async def season(served):
    """A rated week of seven tables and a board of the open one."""
    api = served.api
    for week in (BEFORE, factories.WEEK):
        board = await factories.board(api, week)
        for table in range(7):
            seats = {seat: f"p{4 * table + i:02}" for i, seat in enumerate("NESW")}
            await factories.results(api, board, 1, players=seats, tricks=6 + table)
    assert (await api.post(f"weeks/{BEFORE}/rate", None, token="admin")).status == 200
    while await tallies.refresh(served.database, ""):
        pass


def said(text):
    """What is written on a page, in one line."""
    return " ".join(check(text).text.split())


async def seen(api, path):
    """What is written on the page there."""
    return said((await read(api, path)).body)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_where_the_skill_index_is_the_joint_one_its_error_stands_beside_it(serve, language):
    served = await serve(rating={"official": "joint"})
    api = served.api
    await season(served)
    told = (await api.get(f"players/{PLAYER}")).body
    figures = told["figures"]
    assert told["provisional"]
    assert figures["skill_index"] == told["joint"]["index"]
    assert figures["skill_error"] == told["joint"]["error"]
    beside = f"{figures['skill_index']:.1f} ± {figures['skill_error']:.1f}"
    rows = (await api.get(f"weeks/{BEFORE}/leaderboard")).body["rows"]
    (listed,) = (row["figures"] for row in rows if row["player"]["id"] == PLAYER)
    both = ("skill_index", "skill_error")
    assert [listed[name] for name in both] == [figures[name] for name in both]
    words = {
        "en": ("Skill index", "± beside the skill index marks a provisional one"),
        "zh": ("牌技指数", "±"),
    }[language]
    page = await seen(api, f"/{language}/players/{PLAYER}")
    assert f"{words[0]} {beside} " in page
    text = (await read(api, f"/{language}/weeks/{BEFORE}")).body
    (row,) = re.findall(f'<tr role="row" data-row="{PLAYER}".*?</tr>', text, re.DOTALL)
    assert f"{beside} {beside}" in " ".join(said_in(row).split())
    assert words[1] in said(text)
    assert "?" not in said_in(row)
    home = await seen(api, f"/{language}/")
    (first, *_) = (await api.get(f"weeks/{factories.WEEK}/leaderboard?rating=points")).body["rows"]
    listed = first["figures"]
    assert f"{listed['skill_index']:.1f} ± {listed['skill_error']:.1f}" in home
    assert "?" not in home


def said_in(row):
    """What is written in a row."""
    return re.sub("<[^>]*>", " ", row)


async def test_the_classic_index_has_no_error_and_is_marked(serve):
    served = await serve()
    api = served.api
    await season(served)
    told = (await api.get(f"players/{PLAYER}")).body
    assert told["figures"]["skill_error"] is None
    rows = (await api.get(f"weeks/{BEFORE}/leaderboard")).body["rows"]
    assert {row["figures"]["skill_error"] for row in rows} == {None}
    page = await seen(api, f"/en/players/{PLAYER}")
    assert f"Skill index {told['figures']['skill_index']:.1f} ? " in page
    assert f"Joint index {told['joint']['index']:.1f} ± {told['joint']['error']:.1f}" in page
    assert "± is one standard deviation of the joint index. The skill index has none." in page
    assert "“?” marks a provisional index" in await seen(api, "/en/")


async def test_who_is_not_rated_has_no_error_of_either(serve):
    api = (await serve(rating={"official": "joint"})).api
    await api.put("players/ann", {"name": "Ann"})
    told = (await api.get("players/ann")).body
    assert (told["figures"]["skill_index"], told["figures"]["skill_error"]) == (50, None)
    assert "Skill index 50.0 ? " in await seen(api, "/en/players/ann")


async def test_the_glossary_says_what_the_pages_show(api):
    page = await seen(api, "/en/rules")
    assert "marked by one standard deviation where there is one, otherwise by “?”" in page
    assert "error bar stands beside it" not in page


async def test_a_chart_says_what_the_table_says_without_script(api, server):
    await season(server)
    text = (await read(api, f"/en/players/{PLAYER}")).body
    (week,) = (await api.get(f"players/{PLAYER}/weeks")).body["weeks"]
    joint = f"joint {week['joint']['index']:.1f} ± {week['joint']['error']:.1f}"
    assert f"<title>{week['week']}: {week['skill_index']:.1f}, {joint}, one board</title>" in text
    page = check(text)
    assert "#weeks-table" in page.links
    assert "weeks-table" in page.ids
    chinese = (await read(api, f"/zh/players/{PLAYER}")).body
    assert f"<title>{week['week']}：{week['skill_index']:.1f}，" in chinese
