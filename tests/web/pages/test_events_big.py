"""A big event: two hundred pairs and ten rounds still make small pages."""

import asyncio
import gzip
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
