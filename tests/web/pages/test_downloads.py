"""Travellers as PBN and USEBIO: what the API says, read again by our own readers."""

import re
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from server.bridge.contract import PASSED_OUT, parse_result
from server.formats.pbn import read_pbn
from server.formats.usebio import read_usebio
from tests import factories
from tests.web.pages.test_boards import DEAL, played

HOSTILE = (
    '<script>alert(1)</script>"'.replace("/", ""),
    '"><img src=x>',
    "[Board 9]",
    "& ]]> \\",
    "=1+1",
    "Bye",
    "-",
)
READERS = {"pbn": read_pbn, "xml": read_usebio}
KINDS = {"pbn": "application/x-pbn; charset=utf-8", "xml": "application/xml; charset=utf-8"}


async def load(api, board, kind):
    """A file; it can be read without a complaint."""
    answer = await api.get(f"/boards/{board}/traveller.{kind}", token="public")
    assert (answer.status, answer.headers["Content-Type"]) == (200, KINDS[kind])
    assert re.fullmatch(rf'attachment; filename="[\w-]+\.{kind}"', answer.headers["Content-Disposition"])
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    found = READERS[kind](answer.raw)
    assert found.refused == ()
    return found


def outcome(row):
    """What happened, of a row of the API."""
    if row["contract"] == "PASS":
        return PASSED_OUT
    over = row["tricks"] - 6 - int(row["contract"][0])
    return parse_result(
        f"{row['contract']}{row['declarer']}{over:+}" if over else f"{row['contract']}{row['declarer']}="
    )


@pytest.mark.parametrize("kind", ["pbn", "xml"])
@pytest.mark.parametrize("pool", ["imps", "mp"])
async def test_they_say_what_the_api_says(api, kind, pool):
    board = await played(api, pool)
    told = (await api.get(f"boards/{board}/traveller")).body
    (found,) = (await load(api, board, kind)).boards
    assert found.number == told["board"]["number"]
    assert str(found.deal) == DEAL
    assert (found.dealer.value, found.vulnerability.value) == (
        told["board"]["dealer"],
        told["board"]["vulnerability"],
    )
    assert len(found.rows) == 40
    for row, result in zip(found.rows, told["results"], strict=True):
        assert row.outcome == outcome(result)
        assert row.score == result["score"]
        assert row.lead == result["lead"]
        figures = {figure.what: figure.ns for figure in row.published}
        if pool == "imps":
            assert figures == {"imps": Decimal(str(result["field"]["ns"]))}
        else:
            won = figures["matchpoints"]
            assert round(100 * won / 78, 2) == Decimal(str(result["field"]["ns"]))
            assert kind == "xml" or figures["percent"] == Decimal(str(result["field"]["ns"]))
        if kind == "pbn":
            assert row.players == tuple(result["players"][seat] for seat in "NESW")


async def test_pairs_are_named_in_usebio(api):
    board = await played(api)
    rows = (await api.get(f"boards/{board}/traveller")).body["results"]
    await api.put(f"players/{rows[0]['players']['N']}", {"name": "Ann & <Bo>"})
    await api.put(f"players/{rows[0]['players']['E']}", {"name": "Nobody Must Know", "hidden": True})
    found = await load(api, board, "xml")
    names = {total.pair: total.names for total in found.totals}
    assert names["1"] == ("Ann & <Bo>", rows[0]["players"]["S"])
    assert names["2"] == ("hidden", rows[0]["players"]["W"])
    assert len(names) == 80
    pbn = await load(api, board, "pbn")
    assert pbn.boards[0].rows[0].players[1] == "hidden"


@pytest.mark.parametrize("kind", ["pbn", "xml"])
async def test_what_platforms_call_people_stays_text(api, kind):
    board = await factories.board(api)
    for name in HOSTILE:
        players = {seat: f"{name}{seat}" if seat != "N" else name for seat in "NESW"}
        assert (await api.post("results", factories.result(board, players=players))).status == 201
    await factories.results(api, board, 40 - len(HOSTILE))
    found = await load(api, board["id"], kind)
    assert [len(each.rows) for each in found.boards] == [40]
    if kind == "xml":
        answer = await api.get(f"/boards/{board['id']}/traveller.xml", token="public")
        names = [each.text for each in ElementTree.fromstring(answer.raw).iter("PLAYER_NAME")]
        assert names[: 4 * len(HOSTILE) : 4] == [name.strip() for name in HOSTILE]


async def test_void_results_are_none(api, clock):
    board = await played(api, tables=7)
    result = (await api.get(f"boards/{board}/traveller", token="director")).body["results"][2]["id"]
    assert (await factories.rule(api, "void", result)).status == 200
    clock.set(clock.now().replace(year=2027))
    for kind in READERS:
        assert len((await load(api, board, kind)).boards[0].rows) == 6


async def test_of_a_board_in_play_there_is_nothing(api):
    board = await played(api, tables=7)
    for token in ("public", "director", "admin"):
        for kind in READERS:
            answer = await api.get(f"/boards/{board}/traveller.{kind}", token=token)
            assert answer.status == 200
            assert not re.search(rb"4S|3NT|AK2|ann-|Board \"|BOARD_NUMBER", answer.raw)


async def test_no_board_no_file(api):
    for kind in READERS:
        assert (await api.get(f"/boards/b_zzzzzz/traveller.{kind}")).status == 404
        assert (await api.get(f"/boards/nothing/traveller.{kind}")).status == 404
