"""CSV beside lists of events and boards and beside a player's week: what the API and the page say."""

from datetime import timedelta

import pytest

from tests import factories
from tests.event_days import Day
from tests.web.page import Page, read
from tests.web.pages.test_event_downloads import as_cell, sheet
from tests.web.pages.test_events import held

FORMULA = "=HYPERLINK(A1)"


async def links(api, path):
    """Addresses on a page."""
    answer = await read(api, path)
    assert answer.status == 200
    return Page(answer.body).links


async def test_events_are_those_of_the_api_with_pairs_and_winners(server):
    over = await held(server)
    api = over.api
    await Day(server).announce(name=FORMULA, kind="pairs", rounds=2, boards=4)
    told = (await api.get("events")).body["events"]
    rows = await sheet(api, "/events.csv")
    assert len(rows) == len(told) == 2
    for row, each in zip(rows, told, strict=True):
        assert [row[name] for name in each] == [as_cell(value) for value in each.values()]
    assert [row["name"] for row in rows] == [FORMULA, "Test"]
    assert [row["boards"] for row in rows] == ["4", "2"]
    assert [row["pairs"] for row in rows] == ["0", "7"]
    (first,) = [row for row in (await over.get("standings"))["rows"] if row["rank"] == 1]
    won = [(rows[1][f"winner_{i}"], rows[1][f"winner_name_{i}"]) for i in (1, 2)]
    assert sorted(won) == sorted(zip(first["players"], first["names"], strict=True))
    assert rows[0]["winner_1"] == rows[0]["winner_name_1"] == ""


async def test_events_are_filtered_and_begin_where_the_page_does(server):
    api, made = server.api, []
    for number in range(52):
        body = {"kind": "pairs", "name": f"E{number}", "start_at": "2027-01-01T00:00:00Z", "rounds": 1}
        made.append((await api.post("events", body)).body["id"])
    assert [row["id"] for row in await sheet(api, "/events.csv")] == made[::-1]
    assert await sheet(api, "/events.csv?kind=swiss_pairs") == []
    page = await links(api, "/en/events?kind=pairs")
    assert "/events.csv?kind=pairs" in page
    older = next(link for link in page if "cursor=" in link)
    (below,) = (link for link in await links(api, older) if link.startswith("/events.csv"))
    assert [row["id"] for row in await sheet(api, below)] == made[1::-1]
    (same,) = (link for link in await links(api, older) if link.startswith("/api/v1/events?"))
    assert [each["id"] for each in (await api.get(same)).body["events"]] == made[1::-1]


async def test_boards_are_those_of_the_api_and_have_no_cards(api):
    made = await factories.boards(api, 103)
    await factories.results(api, made[0], 7)
    told = (await api.get("boards?limit=200")).body["boards"]
    rows = await sheet(api, f"/boards.csv?week={factories.WEEK}&pool=imps")
    assert [row["id"] for row in rows] == [each["id"] for each in made]
    for row, each in zip(rows, told, strict=True):
        assert {name: row[name] for name in row} == {name: as_cell(each[name]) for name in row}
    assert "deal" not in rows[0]
    assert (rows[0]["state"], rows[0]["results"]) == ("scoring", "7")
    page = await links(api, "/en/boards?after=100")
    (below,) = (link for link in page if link.startswith("/boards.csv"))
    assert [row["number"] for row in await sheet(api, below)] == ["101", "102", "103"]
    (same,) = (link for link in page if link.startswith("/api/v1/boards"))
    assert [each["number"] for each in (await api.get(same)).body["boards"]] == [101, 102, 103]


async def test_a_player_s_week_is_told_as_by_the_api(api, clock):
    people = factories.four()
    for _ in range(2):
        board = await factories.board(api)
        await factories.results(api, board, 1, players=people, tricks=11)
        await factories.results(api, board, 6)
    clock.advance(timedelta(days=8))
    await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")
    path = f"players/{people['E']}/weeks/{factories.WEEK}"
    told = (await api.get(f"{path}/explain")).body["lines"]
    rows = await sheet(api, f"/{path}/boards.csv?pool=imps")
    assert len(rows) == len(told) == 2
    for row, line in zip(rows, told, strict=True):
        for name in ("board", "number", "result", "seat", "points", "board_rate", "rated", "reason"):
            assert row[name] == as_cell(line[name]), name
        for name, seat in (("north", "N"), ("east", "E"), ("south", "S"), ("west", "W")):
            assert row[name] == line["players"][seat] == people[seat]
            assert row[f"rate_{name}"] == as_cell(line["table"]["rates"][seat])
        assert [row[name] for name in ("x", "p_ns", "s4")] == [
            as_cell(line["table"][name]) for name in ("x", "p_ns", "s4")
        ]
    assert f"/{path}/boards.csv?pool=imps" in await links(api, f"/en/{path}")


async def test_of_boards_in_play_nothing_is_told(api):
    people = factories.four()
    await factories.results(api, await factories.board(api), 1, players=people)
    assert await sheet(api, f"/players/{people['N']}/weeks/{factories.WEEK}/boards.csv") == []


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/boards.csv?week=2026-W99", 404),
        ("/boards.csv?pool=none", 422),
        ("/boards.csv?after=x", 422),
        ("/events.csv?kind=none", 422),
        ("/events.csv?cursor=x", 422),
        ("/players/nobody/weeks/2026-W48/boards.csv", 404),
    ],
)
async def test_what_is_not_there_is_no_file(api, path, status):
    assert (await api.get(path, token="public")).status == status
