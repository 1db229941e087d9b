"""A big event: two hundred pairs and ten rounds still make small pages."""

import asyncio
import gzip
import re
from functools import partial

import pytest

from benchmarks import events as bench
from server.storage import events
from server.storage.events import moment
from server.storage.ids import event_id
from tests.web.page import SCRIPTS, check, read

PAIRS = 200
PATHS = ("", "/cross-table", "/rounds/10", "/boards/73", "/entries", "/entries/7")


@pytest.fixture
async def big(server):
    """An event in its tenth round; its address."""
    database = server.database
    number = await database.write(partial(bench._announce, PAIRS))
    await bench._open(database, number, bench.BEGINS + bench.timedelta(minutes=1))
    for played in range(1, 11):
        await database.write(partial(bench._play, number, played))
        event = await database.read(partial(events.get, number=number))
        ended = event.course.ends_at
        if played < 10:
            await bench._open(database, number, moment(ended))
            await bench._open(database, number, moment(ended + event.rules.closing_s))
    server.clock.set(moment(ended - 60))
    return f"/en/events/{event_id(number)}"


async def test_two_hundred_pairs_and_ten_rounds(server, big):
    files = {"crossruff.css", "icon.svg"} | SCRIPTS
    beside = sum([len((await server.api.get(f"/static/{name}")).raw) for name in files])
    for path in PATHS:
        answer = await read(server.api, big + path)
        assert answer.status == 200
        packed = await asyncio.to_thread(gzip.compress, answer.raw)
        assert len(packed) + beside < 150_000, path
    text = (await read(server.api, f"{big}/cross-table")).body
    await asyncio.to_thread(check, text)
    assert text.count('class="met"') == PAIRS * 10 + 10


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_more_pairs_are_on_numbered_pages(server):
    database = server.database
    number = await database.write(partial(bench._announce, 410))
    await bench._open(database, number, bench.BEGINS + bench.timedelta(minutes=1))
    await database.write(partial(bench._play, number, 1))
    event = await database.read(partial(events.get, number=number))
    await bench._open(database, number, moment(event.course.ends_at))
    await bench._open(database, number, moment(event.course.ends_at + event.rules.closing_s))
    server.clock.set(moment(event.course.ends_at + event.rules.closing_s + 1))
    for path in ("", "/cross-table", "/entries"):
        address, found = f"/en/events/{event_id(number)}{path}", []
        for page, rows in ((1, 200), (2, 200), (3, 10), (4, 0)):
            text = (await read(server.api, f"{address}?page={page}")).body
            await asyncio.to_thread(check, text)
            entries = re.findall(r'data-row="(\d+)"', text)
            assert len(entries) == rows
            found += entries
            links = re.findall(r'href="([^"]+)" aria-label="Page \d+"', text)
            assert links == [
                each
                for each in (address, f"{address}?page=2", f"{address}?page=3")
                if each != (address if page == 1 else f"{address}?page={page}")
            ]
            assert ("There is no such page." in text) == (page == 4)
        assert sorted(map(int, found)) == list(range(1, 411))
        assert (await read(server.api, f"{address}?page=x")).status == 422
