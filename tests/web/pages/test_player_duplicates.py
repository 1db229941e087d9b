"""Duplicate points of a week board by board: they add up to the total on the page of the player."""

import re
from datetime import timedelta

import pytest

from server.services import tallies
from tests import factories
from tests.web.page import Page, check, read
from tests.web.pages.test_weeks import shown

PAIR = {"N": "ann", "E": "eve", "S": "ben", "W": "wes"}


async def count(server):
    """What the timetable does: bring the totals up to date."""
    while await tallies.refresh(server.database, ""):
        pass


@pytest.fixture
async def week(server):
    """Boards 1 to 5 of ann: one scored, one that she left, one abandoned, one pending, one scored of late."""
    api = server.api
    one, two, three, four, five = await factories.boards(api, 5)
    await factories.results(api, one, 1, players=PAIR, tricks=12)
    await factories.results(api, one, 5)
    await factories.results(api, two, 1, players=PAIR, disconnects=["ann"])
    await factories.results(api, two, 5)
    left = {"player": "ann", "board": three["id"], "table": factories.table(), "players": PAIR}
    assert (await api.post("disconnects", left)).status == 201
    await factories.results(api, four, 1, players=PAIR)
    await factories.results(api, five, 6)
    await factories.results(api, five, 1, players=PAIR, tricks=8)
    await count(server)
    return [each["id"] for each in (one, two, three, four, five)]


async def explained(api, name="ann"):
    """What the API says of a player's duplicate points in the week."""
    return (await api.get(f"players/{name}/weeks/{factories.WEEK}/explain")).body["duplicate"]


async def total(api, name="ann"):
    """His duplicate points of the week, as his page tells them."""
    (found,) = (await api.get(f"players/{name}")).body["duplicate"]["weeks"]
    assert found["week"] == factories.WEEK
    return found["points"]


async def test_lines_add_up_to_the_total(server, clock, week):
    clock.advance(timedelta(days=8))
    api = server.api
    for name in PAIR.values():
        told = await explained(api, name)
        assert told["hidden_boards"] == 0
        assert sum(line["points"] for line in told["lines"]) == told["points"] == await total(api, name)
    lines = {line["board"]: line for line in (await explained(api))["lines"]}
    assert list(lines) == [week[0], week[1], week[2], week[4]]  # board 4 is not scored
    assert [line["disconnected"] for line in lines.values()] == [False, True, True, False]
    assert [lines[board]["points"] for board in week[1:3]] == [-16, -16]
    assert lines[week[2]]["result"] is None
    for board in (week[0], week[4]):
        row = next(
            each
            for each in (await api.get(f"boards/{board}/traveller")).body["results"]
            if each["players"] == PAIR
        )
        assert (lines[board]["result"], lines[board]["points"]) == (row["id"], row["award"]["ns"])


async def test_boards_in_play_are_told_together(server, week):
    told = await explained(server.api)
    assert (told["lines"], told["hidden_boards"]) == ([], 4)
    assert told["points"] == await total(server.api)
    text = (await read(server.api, f"/en/players/ann/weeks/{factories.WEEK}")).body
    said = " ".join(check(text).text.split())
    points = shown(told["points"])
    assert f"4 boards that may still be played {points} The week {points}" in said


async def test_they_stand_on_the_page_of_the_week(server, clock, week):
    clock.advance(timedelta(days=8))
    api = server.api
    told = await explained(api)
    for language, words in (("en", "Duplicate points"), ("zh", "复式积分")):
        text = (await read(api, f"/{language}/players/ann/weeks/{factories.WEEK}")).body
        check(text)
        assert words in text
        section = text.partition('id="duplicate"')[2].partition("</table>")[0]
        rows = re.findall("<tr>.*?</tr>", section, re.DOTALL)[1:]
        said = [" ".join(Page(f"<table>{row}</table>").text.split()) for row in rows]
        points = [shown(line["points"]) for line in told["lines"]]
        assert [row.split()[-1] for row in said] == [*points, shown(told["points"])]
    links = Page((await read(api, "/en/players/ann")).body).links
    assert f"/en/players/ann/weeks/{factories.WEEK}?pool=imps#duplicate" in links


async def test_a_ruling_moves_line_and_total_alike(server, clock, week):
    clock.advance(timedelta(days=8))
    api = server.api
    result = (await explained(api))["lines"][0]["result"]
    assert (await factories.rule(api, "void", result)).status == 200
    await count(server)
    told = await explained(api)
    assert week[0] not in [line["board"] for line in told["lines"]]
    assert sum(line["points"] for line in told["lines"]) == told["points"] == await total(api)


async def test_who_came_too_late_to_be_rated_can_follow_his_points_too(server, clock, week):
    api = server.api
    clock.advance(timedelta(days=7, hours=12))
    assert (await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")).status == 200
    clock.advance(timedelta(days=3))
    late = {seat: f"late-{seat}" for seat in "NESW"}
    board = {"week": factories.WEEK, "pool": "imps", "number": 1}
    answer = await api.post("results", factories.result(board, players=late))
    assert answer.status == 201, answer
    await count(server)
    told = await explained(api, "late-N")
    assert [line["result"] for line in told["lines"]] == [answer.body["id"]]
    assert told["points"] == await total(api, "late-N")
    answer = await read(api, f"/en/players/late-N/weeks/{factories.WEEK}")
    assert answer.status == 200
    assert "Duplicate points" in answer.body
