"""The first page."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import update

from server.storage.tables import boards
from tests import event_days, factories
from tests.web.page import Page, check, read


async def test_it_names_the_week_its_end_and_the_zone(api):
    text = (await read(api, "/en/")).body
    page = check(text)
    assert "<title>Duplicate bridge in week 48 of 2026 – Crossruff</title>" in text
    assert "Duplicate bridge in week 48 of 2026" in page.text
    assert '<time datetime="2026-11-29T16:00:00+00:00">Mon, Nov 30, 2026 00:00</time> Asia/Shanghai' in text
    assert re.sub(r"\s+", " ", page.text).count("Closes in 4 d 4 h 0 min") == 1
    text = (await read(api, "/zh/")).body
    assert "2026年11月30日周一 00:00" in text


async def test_it_counts_down(api, clock):
    clock.advance(timedelta(days=4, hours=3, minutes=30, seconds=1))
    assert "<b>0</b> d <b>0</b> h <b>29</b> min" in (await read(api, "/en/")).body


async def test_boards_in_play_stand_with_the_newest_first(api, clock):
    made = await factories.boards(api, 14)
    for board in made:
        clock.advance(timedelta(seconds=1))
        await factories.results(api, board, 1)
    text = (await read(api, "/en/")).body
    rows = re.findall(r'<tr data-row="([^"]*)">', text)
    assert rows == [board["id"] for board in reversed(made)][:10]
    assert text.count("1/6") == 10
    assert 'data-channels="week:2026-W48=0 events=0"' in text


async def test_finished_boards_stand_with_their_datum(api):
    board = await factories.board(api)
    await factories.results(api, board, 40)
    text = (await read(api, "/en/")).body
    assert "data-row" not in text
    finished = text.partition('id="finished"')[2]
    assert f"/en/boards/{board['id']}" in finished
    assert '<td class="number">40</td><td class="number">420</td>' in finished


async def test_it_counts_the_boards_of_each_pool(api):
    first, second, *_ = await factories.boards(api, 5)
    await factories.results(api, first, 40)
    await factories.results(api, second, 3)
    text = (await read(api, "/en/")).body
    assert counts(text) == ["5", "1", "1"]


def counts(text):
    """Boards of the first pool: all, in play, retired."""
    address = r'<a href="/en/boards\?week=2026-W48&amp;pool=imps">'
    row = re.search(rf'<tr role="row"><th role="rowheader" scope="row">{address}.*?</tr>', text, re.DOTALL)
    return Page(row[0]).text.split()[-3:]


async def test_an_empty_week_says_what_will_be_here(api):
    text = (await read(api, "/en/")).body
    assert "No board of this week has a result yet." in text
    assert "No board of this week or the last is retired yet." in text


async def test_a_withdrawn_board_stands_nowhere(server):
    board = await factories.board(server.api)
    await factories.results(server.api, board, 7)
    statement = update(boards).values(withdrawn_at=server.clock.now())
    await server.database.write(lambda connection: connection.execute(statement))
    text = (await read(server.api, "/en/")).body
    assert f"/en/boards/{board['id']}" not in text
    assert counts(text) == ["0", "0", "0"]
    page = check((await read(server.api, f"/en/boards/{board['id']}")).body)
    assert "withdrawn" in page.text


@pytest.mark.parametrize(("language", "words"), [("en", "All kinds of events"), ("zh", "所有类别的赛事")])
async def test_events_are_filtered_by_their_kind(server, language, words):
    pairs = await event_days.running(server)
    swiss = await event_days.seated(server)
    shown = {"": {pairs, swiss}, "?kind=pairs": {pairs}, "?kind=swiss_pairs": {swiss}}
    for query, events in shown.items():
        text = (await read(server.api, f"/{language}/{query}")).body
        check(text)
        now = re.search(r'<section id="events-now".*?</section>', text, re.DOTALL)[0]
        assert set(re.findall(rf'href="/{language}/events/(\w+)"', now)) == events
        kinds = re.search(r'<nav class="tabs kinds".*?</nav>', text, re.DOTALL)[0]
        links = re.findall(r'<a href="([^"]*)"( aria-current="page")?>', kinds)
        assert {link for link, current in links if current} == {f"/{language}/{query}#events"}
        assert {link for link, _ in links} == {f"/{language}/{each}#events" for each in shown}
        assert words in kinds
        all_of_them = re.search(
            rf'href="/{language}/events(\?[^"]*)?"[^>]*>', text.partition("events-over")[2]
        )
        assert (all_of_them[1] or "") == query
    assert (await read(server.api, "/en/?kind=nothing")).status == 422
