"""What directors ruled, on the pages of the board and of the result: the API's own values, when revealed."""

import re
from datetime import timedelta

import pytest

from tests import factories
from tests.event_days import Day
from tests.web.page import Page, check, read
from tests.web.pages.test_boards import shown

REASON = '<script>alert("why")</script>'


@pytest.fixture
async def ruled(api):
    """A board of seven results of which the second was adjusted twice and the fifth is void."""
    board = await factories.board(api)
    results = await factories.results(api, board, 7)
    named = [result["id"] for result in results]
    damage = {"basis": "damage", "infraction": "{{insult}}", "damage": "a & b", "result": "2HS-1"}
    for kind, result, version, body in (
        ("adjust", named[1], 1, damage),
        ("adjust", named[1], 2, {"basis": "score_error", "result": "PASS"}),
        ("void", named[4], 1, {}),
    ):
        answer = await factories.rule(api, kind, result, version, reason=REASON, **body)
        assert answer.status == 200, answer
    return board | {"results": named}


def rows(text):
    """What is written in the cells of each row of the corrections."""
    table = re.search(r'<table class="rows corrections.*?</table>', text, re.DOTALL)
    found = [] if table is None else re.findall(r"<tr role=\"row\">(.*?)</tr>", table[0], re.DOTALL)[1:]
    return [
        [
            " ".join(Page(f"<p>{cell}</p>").text.split())
            for cell in re.findall(r"<t[hd] [^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        ]
        for row in found
    ]


async def test_every_version_is_told_with_its_reason(api, clock, ruled):
    clock.advance(timedelta(days=7))
    told = (await api.get(f"boards/{ruled['id']}/traveller")).body["results"]
    for language in ("en", "zh"):
        text = (await read(api, f"/{language}/boards/{ruled['id']}")).body
        check(text)
        found = rows(text)
        rulings = [*told[1]["rulings"], *told[4]["rulings"]]
        assert len(found) == len(rulings) == 3
        for cells, ruling in zip(found, rulings, strict=True):
            assert shown(ruling["before"]["score"]) in cells[2]
            assert ruling["after"]["void"] or shown(ruling["after"]["score"]) in cells[3]
            assert cells[-1].startswith(REASON)
        assert "{{insult}}" in found[0][-1]
        assert "a & b" in found[0][-1]
    assert found[2][3] == "作废"
    assert "passed out" in rows((await read(api, f"/en/boards/{ruled['id']}")).body)[1][3]


async def test_a_correction_names_the_table_that_it_is_about(api, clock, ruled):
    """As the traveller does, so that both can be matched; the row leads to its correction."""
    clock.advance(timedelta(days=7))
    told = (await api.get(f"boards/{ruled['id']}/traveller")).body["results"]
    text = (await read(api, f"/en/boards/{ruled['id']}")).body
    for cells, row in zip(rows(text), (told[1], told[1], told[4]), strict=True):
        north, east, south, west = (row["players"][seat] for seat in "NESW")
        where = f"Table {row['table']} · {north} – {south} · {east} – {west}"
        assert cells[1] == f"Result {row['sequence']} {where}"
    assert text.count('href="#corrections-h">corrected</a>') == 2


async def test_of_an_event_it_names_the_pairs_by_their_numbers(server):
    day = Day(server)
    await day.announce(rounds=1, boards=1)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    await day.play(1)
    await day.until("finished")
    (row, *_) = (await day.get("boards/1"))["results"]
    ruled = await factories.rule(server.api, "adjust", row["id"], result="PASS")
    assert ruled.status == 200, ruled
    text = (await read(server.api, f"/en/events/{day.id}/boards/1")).body
    ((_, where, *_),) = rows(text)
    assert re.search(rf"Table \d · {row['ns']} .* · {row['ew']} ", where)
    assert text.count('href="#corrections-h">corrected</a>') == 1
    assert ">ruled<" not in text


async def test_the_page_of_a_result_has_its_own(api, clock, ruled):
    clock.advance(timedelta(days=7))
    counts = [len(rows((await read(api, f"/en/results/{each}")).body)) for each in ruled["results"]]
    assert counts == [0, 2, 0, 0, 1, 0, 0]


def award_of(text):
    """What the page of a result says about its award, on one line."""
    return " ".join(Page("<h2>" + text.partition("<h2>Award")[2].partition("</section>")[0]).text.split())


async def test_the_award_of_an_adjusted_result_adds_up(api, clock, ruled):
    """What is compared is what was there then; the score that is ruled is none of it."""
    clock.advance(timedelta(days=7))
    for place, marked in ((1, 0), (2, 1)):
        name = ruled["results"][place]
        told = (await api.get(f"results/{name}/explain")).body
        text = (await read(api, f"/en/results/{name}")).body
        award, written = told["award"], award_of(text)
        assert written.count("this result") == marked
        if not marked:
            datum, own = award["datum"], told["result"]["score"]
            assert own not in award["scores"]
            assert award["difference"] == own - datum
            said = (
                f"The ruled score, {shown(own)}, is measured against the datum of that time, {shown(datum)}."
            )
            assert f"{said} The difference is {shown(award['difference'], 'signed')};" in written
            assert f"the ruled score {own:+d} is measured against it: the difference" in award["text"]
        assert ("The ruled score" in written) == (not marked)


async def test_a_void_result_has_lost_its_award(api, clock, ruled):
    pending = await factories.board(api)
    (early,) = await factories.results(api, pending, 1)
    assert (await factories.rule(api, "void", early["id"])).status == 200
    clock.advance(timedelta(days=7))
    for name, said in (
        (ruled["results"][4], "None: the result is void; its award was taken back."),
        (early["id"], "None: the result is void."),
    ):
        text = (await read(api, f"/en/results/{name}")).body
        assert said in text
        assert "too few results" not in text
        assert "Pending:" not in text


async def test_in_play_nothing_of_it_is_told(api, ruled):
    text = (await read(api, f"/en/boards/{ruled['id']}", token="director")).body
    assert rows(text) == []
    assert "insult" not in text
    assert "corrected" not in text


async def test_without_rulings_there_is_no_such_table(api):
    board = await factories.board(api)
    await factories.results(api, board, 40)
    assert "corrections" not in (await read(api, f"/en/boards/{board['id']}")).body
