"""The first page."""

import re
from datetime import timedelta

from sqlalchemy import update

from server.storage.tables import boards
from tests import factories
from tests.web.page import Page, check, read


async def test_it_names_the_week_its_end_and_the_zone(api):
    text = (await read(api, "/en/")).body
    page = check(text)
    assert "<title>Duplicate bridge in week 2026-W48 – Crossruff</title>" in text
    assert "Duplicate bridge in week 2026-W48" in page.text
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
    assert 'data-channel="week:2026-W48"' in text


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
    start = (
        '<tr role="row"><th role="rowheader" scope="row"><a href="/en/boards?week=2026-W48&amp;pool=imps">'
    )
    row = Page(start + text.partition(start)[2].partition("</tr>")[0])
    assert row.text.split()[-3:] == ["5", "1", "1"]


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
    counts = re.findall(r'class="number" data-label="(?:Boards|In play|Retired)">(\d+)</td>', text)
    assert set(counts) == {"0"}
    page = check((await read(server.api, f"/en/boards/{board['id']}")).body)
    assert "withdrawn" in page.text
