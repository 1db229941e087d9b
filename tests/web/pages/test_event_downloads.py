"""Files beside the pages of events and players: what the API says, read again by our own readers."""

import re
from datetime import timedelta
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from server.formats.complaints import Complaints
from server.formats.csv_table import read_table
from server.formats.pbn import read_pbn
from server.formats.text import decode
from server.formats.usebio import read_usebio
from tests import factories
from tests.event_days import Day
from tests.web.page import Page, read
from tests.web.pages.test_downloads import KINDS, outcome
from tests.web.pages.test_events import held, secret_event

READERS = {"pbn": read_pbn, "xml": read_usebio}
SHEETS = ("standings.csv", "cross-table.csv", "rounds/1/tables.csv", "entries.csv", "vp.csv")
SHEETS += ("entries/1/scorecard.csv", "boards/1/traveller.csv")
BOARDS = ("boards/1/traveller.pbn", "boards/1/traveller.xml", "event.pbn", "event.xml")


async def sheet(api, path):
    """The rows of a table, read by our own reader without a complaint."""
    answer = await api.get(path, token="public")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/csv; charset=utf-8"), path
    assert re.fullmatch(r'attachment; filename="[\w-]+\.csv"', answer.headers["Content-Disposition"])
    complaints = Complaints()
    names = answer.raw.decode("utf-8-sig").splitlines()[0].split(",")
    found = [record.cells for record in read_table(decode(answer.raw), names, (), complaints)]
    assert (complaints.warnings, complaints.refused) == ((), ())
    return found


def as_cell(value):
    """A value of the API as a cell has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


@pytest.fixture
async def over(server):
    """An event in VPs that is over."""
    return await held(server)


async def test_a_round_without_a_board_that_counts_is_no_round_of_0_per_cent(server):
    """By matchpoints it is not in the mean: the API has null, files nothing, and pages a dash."""
    day = Day(server)
    await day.announce(scoring="matchpoints", rounds=2, boards=1, round_s=600, closing_s=10)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    tables = (await day.get("rounds/1"))["tables"]
    for player in tables[1]["players"].values():
        await day.post("tables/2/arrive", {"player": player})
    await day.post("results", {"round": 1, "table": 1, "board": 1, "contract": "PASS"})
    await day.until("running", 2)
    idle, scored = tables[1]["ns"], tables[0]["ns"]
    assert [each["score"] for each in (await day.get("rounds/1"))["tables"]] == [{"ns": 50, "ew": 50}, None]
    rows = {row["entry"]: row for row in (await day.get("standings"))["rows"]}
    assert (rows[idle]["rounds"], rows[idle]["score"], rows[idle]["boards"]) == ([None], 0, 0)
    assert rows[scored]["rounds"] == [50]
    (card,) = (await day.get(f"entries/{idle}"))["rounds"]
    assert (card["kind"], card["score"], card["sum"]) == ("played", None, None)
    for name, column in (("standings", "round_1"), ("cross-table", "score_1")):
        lines = {line["entry"]: line for line in await sheet(server.api, f"/events/{day.id}/{name}.csv")}
        assert (lines[str(idle)][column], lines[str(scored)][column]) == ("", "50"), name
    (line,) = await sheet(server.api, f"/events/{day.id}/entries/{idle}/scorecard.csv")
    assert (line["kind"], line["round_score"], line["points"]) == ("played", "", "")
    page = (await read(server.api, f"/en/events/{day.id}/entries/{idle}")).body
    head = page.partition('id="round-1"')[2].partition("</tr>")[0]
    assert '<td role="cell" class="number main"><span class="nothing">–</span></td>' in head
    crossed = (await read(server.api, f"/en/events/{day.id}/cross-table")).body
    cell = crossed.partition(f"/entries/{idle}#round-1")[2].partition("</td>")[0]
    assert '<span class="nothing">–</span>' in cell
    assert "0.00" not in cell
    shown = (await read(server.api, f"/en/events/{day.id}/rounds/1")).body
    assert (
        shown.partition('id="table-2"')[2].partition("</tr>")[0].count('<span class="nothing">–</span>') == 2
    )


def check_people(row, told):
    """The pair of a row is that of the API."""
    assert row["entry"] == str(told["entry"])
    assert [row["player_1"], row["player_2"]] == told["players"]
    assert [row["name_1"], row["name_2"]] == told["names"]


async def test_standings_and_the_cross_table_are_those_of_the_api(over):
    told = (await over.get("standings"))["rows"]
    placed = await sheet(over.api, f"/events/{over.id}/standings.csv")
    crossed = await sheet(over.api, f"/events/{over.id}/cross-table.csv")
    assert len(placed) == len(crossed) == len(told) == 7
    for row, cross, line in zip(placed, crossed, told, strict=True):
        check_people(row, line)
        check_people(cross, line)
        for name in ("rank", "score", "boards", "deduction", "carried", "masterpoints", "qualified"):
            assert row[name] == as_cell(line[name])
        card = (await over.get(f"entries/{line['entry']}"))["rounds"]
        for number, (score, each) in enumerate(zip(line["rounds"], card, strict=True), 1):
            assert row[f"round_{number}"] == cross[f"score_{number}"] == as_cell(score)
            assert cross[f"opponents_{number}"] == as_cell(each["opponents"])
            assert cross[f"side_{number}"] == as_cell(each["side"])
            assert cross[f"kind_{number}"] == each["kind"]
    assert [row["name_1"] for row in placed if row["player_1"] == "a2"] == ["Alice & <b>"]
    assert "hidden" in [row["player_2"] for row in placed]


async def test_rounds_pairs_and_vps_are_those_of_the_api(over):
    told = await over.get("rounds/2")
    rows = await sheet(over.api, f"/events/{over.id}/rounds/2/tables.csv")
    assert [row["sits_out"] for row in rows] == ["", "", "", *map(str, told["sit_outs"])]
    for row, each in zip(rows, told["tables"], strict=False):
        assert [row[name] for name in ("table", "ns", "ew")] == [
            str(each[name]) for name in ("table", "ns", "ew")
        ]
        assert [row[name] for name in ("north", "east", "south", "west")] == list(each["players"].values())
        assert [row["score_ns"], row["score_ew"]] == [str(each["score"]["ns"]), str(each["score"]["ew"])]
    pairs = await sheet(over.api, f"/events/{over.id}/entries.csv")
    for row, each in zip(pairs, (await over.get("entries"))["entries"], strict=True):
        check_people(row, each)
        assert row["seeded"] == as_cell(each["seeded"])
    vps = await sheet(over.api, f"/events/{over.id}/vp.csv")
    table = (await over.get())["rules"]["vps"]
    assert [(row["winner"], row["loser"]) for row in vps] == [(str(e["ns"]), str(e["ew"])) for e in table]
    assert [row["imps"] for row in vps] == [str(imps) for imps in range(len(table))]


async def test_scorecards_and_boards_are_those_of_the_api(over):
    for entry in (1, 3):
        told = (await over.get(f"entries/{entry}"))["rounds"]
        rows = await sheet(over.api, f"/events/{over.id}/entries/{entry}/scorecard.csv")
        lines = [(each, board) for each in told for board in each["boards"] or [None]]
        for row, (each, board) in zip(rows, lines, strict=True):
            assert [row["round"], row["kind"]] == [str(each["round"]), each["kind"]]
            assert row["round_score"] == as_cell(each["score"])
            assert (row["board"], row["points"]) == (
                ("", "") if board is None else (str(board["number"]), as_cell(board["score"]))
            )
    told = (await over.get("boards/1"))["results"]
    for row, each in zip(
        await sheet(over.api, f"/events/{over.id}/boards/1/traveller.csv"), told, strict=True
    ):
        for name in ("id", "table", "ns", "ew", "contract", "declarer", "tricks", "lead", "score"):
            assert row[name] == as_cell(each[name])
        assert (row["points_ns"], row["points_ew"]) == (
            as_cell(each["field"]["ns"]),
            as_cell(each["field"]["ew"]),
        )


async def load(day, path):
    """A file of boards; it can be read without a complaint."""
    kind = path.rpartition(".")[2]
    answer = await day.api.get(f"/events/{day.id}/{path}", token="public")
    assert (answer.status, answer.headers["Content-Type"]) == (200, KINDS[kind])
    found = READERS[kind](answer.raw)
    assert found.refused == ()
    return found


@pytest.mark.parametrize("scoring", ["vp", "matchpoints", "cross_imps", "total_imp", "datum"])
@pytest.mark.parametrize("kind", ["pbn", "xml"])
async def test_boards_say_what_the_api_says(server, scoring, kind):
    day = await held(server, scoring)
    whole = (await load(day, f"event.{kind}")).boards
    assert [board.number for board in whole] == [1, 2, 3, 4, 5, 6]
    for board in whole:
        (alone,) = (await load(day, f"boards/{board.number}/traveller.{kind}")).boards
        told = await day.get(f"boards/{board.number}")
        rows = {(str(each["ns"]), str(each["ew"])): each for each in told["results"]}
        for found in (board, alone):
            assert str(found.deal) == told["deal"]
            assert {(row.ns, row.ew) for row in found.rows} == rows.keys()
            for row in found.rows:
                check_row(row, rows[row.ns, row.ew], scoring, len(rows))


def check_row(row, told, scoring, tables):
    """A row of a file is the result that the API tells of."""
    assert row.outcome == outcome(told)
    assert (row.score, row.lead) == (told["score"], told["lead"])
    figures = {figure.what: figure.ns for figure in row.published}
    if scoring == "matchpoints":
        assert round(50 * figures["matchpoints"] / (tables - 1), 2) == Decimal(str(told["field"]["ns"]))
    else:
        assert figures == {"imps": Decimal(str(told["field"]["ns"]))}


async def test_usebio_has_the_matches_with_their_victory_points(over):
    answer = await over.api.get(f"/events/{over.id}/event.xml", token="public")
    event = ElementTree.fromstring(answer.raw).find("EVENT")
    assert event.attrib == {"EVENT_TYPE": "SWISS_PAIRS_CROSS_IMPS"}
    matches = event.findall("MATCH")
    assert len(matches) == 9
    for match in matches:
        number = match.findtext("ROUND_NUMBER")
        tables = (await over.get(f"rounds/{number}"))["tables"]
        pairs = (int(match.findtext("NS_PAIR_NUMBER")), int(match.findtext("EW_PAIR_NUMBER")))
        (told,) = [each for each in tables if (each["ns"], each["ew"]) == pairs]
        assert Decimal(match.findtext("NS_SCORE")) == Decimal(str(told["score"]["ns"]))
        assert Decimal(match.findtext("EW_SCORE")) == Decimal(str(told["score"]["ew"]))
        assert len(match.findall("BOARD/TRAVELLER_LINE")) == 2
    found = await load(over, "event.xml")
    told = {str(row["entry"]): row for row in (await over.get("standings"))["rows"]}
    assert len(found.totals) == 7
    for total in found.totals:
        row = told[total.pair]
        assert (total.total, total.place) == (Decimal(str(row["score"])), as_cell(row["rank"]))
        assert total.victory_points
        assert list(total.names) == row["names"]


async def test_what_was_awarded_stands_in_usebio_as_adjusted(server):
    day = Day(server)
    await day.announce(scoring="vp", rounds=1, boards=2)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    first = (await day.get("rounds/1"))["tables"][0]
    played = {"contract": "4S", "declarer": "N", "tricks": 10}
    for table in (1, 2):
        for board in (1, 2):
            if (table, board) != (1, 2):
                await day.post("results", {"round": 1, "table": table, "board": board} | played)
    body = {"round": 1, "table": 1, "board": 2, "ns": "A+", "ew": "A-", "basis": "unplayable", "reason": "x"}
    await day.post("adjustments", body, token="director", headers={"If-Match": '"v0"'})
    await day.until("finished")
    found = {board.number: board for board in (await load(day, "event.xml")).boards}
    (row,) = [row for row in found[2].rows if row.artificial]
    assert (row.artificial, row.ns, row.ew) == ("A6040", str(first["ns"]), str(first["ew"]))
    assert [row.artificial for row in found[1].rows] == [None, None]
    (line,) = [
        row
        for row in await sheet(day.api, f"/events/{day.id}/boards/2/traveller.csv")
        if row["artificial_ns"]
    ]
    assert (line["artificial_ns"], line["artificial_ew"]) == ("A+", "A-")
    await load(day, "event.pbn")


async def test_of_a_round_in_play_no_file_tells_anything(server, clock):
    for kind in ("swiss_pairs", "pairs"):
        event = await secret_event(server, kind)
        for _ in range(2 if kind == "swiss_pairs" else 7):
            for path in (*SHEETS, *BOARDS):
                for token in ("public", "director", "admin", "events"):
                    answer = await server.api.get(f"/events/{event}/{path}", token=token)
                    assert answer.status == 200
                    text = answer.raw.decode()
                    for secret in ("5DX", "-800", "TRAVELLER_LINE", "[Deal", "HAND>", "TOTAL_SCORE"):
                        assert secret not in text, (path, token, secret)
            card = await server.api.get(f"/events/{event}/entries/1/scorecard.csv", token="admin")
            assert card.raw.count(b"\n") == 1
            clock.advance(timedelta(seconds=24))
            await Day(server, event).tick()
        if kind == "pairs":
            await server.api.post(f"events/{event}/publish", {})
        else:
            clock.advance(timedelta(seconds=24))
            await Day(server, event).tick()
        for path in ("boards/1/traveller.csv", *BOARDS):
            assert b"5DX" in (await server.api.get(f"/events/{event}/{path}", token="public")).raw


async def test_every_download_is_linked_where_the_same_is_shown(over):
    below = {"": "standings", "/cross-table": "cross-table", "/rounds/1": "rounds/1/tables", "/vp": "vp"}
    below |= {"/entries": "entries", "/entries/1": "entries/1/scorecard", "/boards/1": "boards/1/traveller"}
    for path, file in below.items():
        links = Page((await read(over.api, f"/en/events/{over.id}{path}")).body).links
        wanted = {f"/events/{over.id}/{file}.csv"}
        if path == "/boards/1":
            wanted |= {f"/events/{over.id}/{file}.{kind}" for kind in READERS}
        if path == "":
            wanted |= {f"/events/{over.id}/event.{kind}" for kind in READERS}
        assert wanted <= set(links), path
    for path in (*SHEETS, *BOARDS):
        assert (await over.api.get(f"/events/{over.id}/{path}")).status == 200


async def test_what_is_not_there_has_no_file(over):
    for path in ("rounds/9/tables.csv", "entries/99/scorecard.csv", "boards/99/traveller.csv"):
        assert (await over.api.get(f"/events/{over.id}/{path}")).status == 404
    for path in (*SHEETS, *BOARDS):
        assert (await over.api.get(f"/events/e_zzzzzz/{path}")).status == 404


async def test_formulas_are_no_formulas(server):
    day = Day(server)
    await day.announce(rounds=1, boards=1)
    await day.enter(range(1, 3))
    await day.api.put("players/a1", {"name": "=HYPERLINK(A1)"}, token="results")
    answer = await day.api.get(f"/events/{day.id}/entries.csv", token="public")
    assert b",'=HYPERLINK(A1)," in answer.raw
    assert (await sheet(day.api, f"/events/{day.id}/entries.csv"))[0]["name_1"] == "=HYPERLINK(A1)"


async def test_weeks_and_results_of_a_player_are_those_of_the_api(server, api):
    people = factories.four()
    old = await factories.board(api, "2026-W47")
    await factories.results(api, old, 1, players=people)
    await factories.results(api, old, 39)
    await api.post("weeks/2026-W47/rate", None, token="admin")
    playing = await factories.board(api)
    await factories.results(api, playing, 1, players=people, contract="5DX", declarer="W", tricks=6)
    name = people["N"]
    told = (await api.get(f"players/{name}/weeks")).body["weeks"]
    rows = await sheet(api, f"/players/{name}/weeks.csv")
    assert len(rows) == len(told) == 1
    for column in ("week", "revision", "skill_index", "points", "boards", "average", "rank", "movement"):
        assert rows[0][column] == as_cell(told[0][column])
    assert rows[0]["joint_index"] == as_cell(told[0]["joint"]["index"])
    (result,) = [r for r in (await api.get(f"players/{name}/results")).body["results"] if "contract" in r]
    (row,) = await sheet(api, f"/players/{name}/results.csv")  # nothing of the board in play
    assert (row["id"], row["board"]) == (result["id"], old["id"])
    for column in ("table", "contract", "declarer", "tricks", "score", "rated"):
        assert row[column] == as_cell(result[column])
    assert row["field_ns"] == as_cell(result["field"]["ns"])
    links = Page((await read(api, f"/en/players/{name}")).body).links
    assert {f"/players/{name}/{each}.csv?pool=imps" for each in ("weeks", "results")} <= set(links)
    await api.put(f"players/{name}", {"hidden": True}, token="results")
    for each in ("weeks", "results"):
        assert (await api.get(f"/players/{name}/{each}.csv", token="public")).status == 404
