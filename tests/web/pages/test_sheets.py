"""Travellers as files for spreadsheets."""

import csv
from io import StringIO

from server.formats.results_csv import read_results_csv
from tests import factories

COLUMNS = {
    **{name: (name,) for name in ("id", "table", "contract", "tricks", "score", "state", "reason")},
    **{f"{name}_{side}": (name, side) for name in ("award", "field") for side in ("ns", "ew")},
    **{f"{name}_ns": (name, "ns") for name in ("datum_imps", "cross_imps")},
    "matchpoints_ns_percent": ("matchpoints", "ns_percent"),
    "north": ("players", "N"),
    "west": ("players", "W"),
}


async def sheet(api, board):
    """The file and its rows."""
    answer = await api.get(f"/boards/{board['id']}/traveller.csv", token="public")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    return answer.raw, list(csv.DictReader(StringIO(answer.raw.decode("utf-8-sig"))))


async def test_it_says_what_the_api_says(api):
    board = await factories.board(api)
    await factories.results(api, board, 20)
    await factories.results(api, board, 20, tricks=9)
    told = (await api.get(f"boards/{board['id']}/traveller")).body["results"]
    _, rows = await sheet(api, board)
    assert len(rows) == len(told) == 40
    for row, result in zip(rows, told, strict=True):
        for column, path in COLUMNS.items():
            value = result
            for name in path:
                value = value[name]
            assert row[column] == ("" if value is None else str(value))
        assert row["dropped"] == ("yes" if result["dropped"] else "no")


async def test_it_can_be_entered_again(api):
    board = await factories.board(api)
    made = [factories.result(board, table="=1+1", played_at="2026-11-25T12:00:00Z")]
    made += [factories.result(board) for _ in range(39)]
    for each in made:
        assert (await api.post("results", each)).status == 201
    raw, _ = await sheet(api, board)
    assert b",'=1+1," in raw
    found = read_results_csv(raw)
    assert not found.refused
    assert [row.table for row in found.posted] == [each["table"] for each in made]


async def test_of_a_board_in_play_there_is_only_the_header(api):
    board = await factories.board(api)
    await factories.results(api, board, 7)
    raw, rows = await sheet(api, board)
    assert rows == []
    assert raw.count(b"\n") == 1
