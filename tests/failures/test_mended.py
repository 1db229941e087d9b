"""What the failure programs have found, each shown as small as it can be."""

import asyncio
import json
import time
from datetime import UTC

import pytest
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from server.services.bulletins import BulletinKind
from server.storage.bulletins import Bulletin
from server.storage.errors import DatabaseBusy
from server.storage.tables import bulletins as table
from server.timetabling import Timetabling
from server.web.live import Hub
from tests import factories
from tests.clock import NOON
from tests.long.program import until
from tests.long.servers import Server
from tests.long.streams import Stream
from tests.long.wire import Connection

SOON = 5.0  # seconds in which what happens within one or two on a quiet machine has happened


def stay() -> bool:
    """A follower who has not gone away."""
    return False


@pytest.fixture
async def hub(database):
    """The live channels of a process, followed and closed by the test itself."""
    opened = Hub(database)
    opened.start()
    yield opened
    await opened.stop()


def silently(channel: str, number: int):
    """The verb that writes a bulletin of which nobody is told: its wake-up was lost."""
    row = Bulletin(channel, number, BulletinKind.RESULT, "{}")
    values = {"channel": row.channel, "number": row.number, "kind": row.kind, "body": row.body, "at": NOON}
    return lambda connection: connection.execute(table.insert().values(values))


async def test_who_has_gone_away_is_soon_no_follower_any_more(api):
    board = await factories.board(api)
    streams = [Stream(api.url, f"board:{board['id']}") for _ in range(20)]
    for stream in streams:
        assert await stream.open() == 200
    assert "crossruff_followers 20.0" in (await api.get("/metrics")).body
    for stream in streams:
        await stream.close()
    async with asyncio.timeout(SOON):
        while "crossruff_followers 0.0" not in (await api.get("/metrics")).body:  # noqa: ASYNC110 - nothing tells when it is so
            await asyncio.sleep(0.05)


async def test_a_lost_wake_up_delays_by_a_second_also_while_others_are_woken_all_the_time(hub, database):
    await hub.join("quiet")
    await hub.join("loud")

    async def wake_others() -> None:
        while True:
            hub.wake({"loud"})
            await asyncio.sleep(0.02)

    waking = asyncio.create_task(wake_others())
    try:
        await database.write(silently("quiet", 1))
        async with asyncio.timeout(SOON):
            ((number, _),) = await hub.next("quiet", 0, SOON, stay)
    finally:
        waking.cancel()
    assert number == 1


async def test_who_cannot_join_is_no_follower(hub, database, monkeypatch):
    async def busy(_query):
        raise DatabaseBusy("away")

    await hub.join("board:x")
    with monkeypatch.context() as patched:
        patched.setattr(database, "read", busy)
        with pytest.raises(DatabaseBusy):
            await hub.join("board:x")
    assert hub.followers == 1
    hub.leave("board:x")
    assert hub.followers == 0


async def test_a_job_that_is_under_way_comes_to_its_end():
    done = []

    async def job() -> None:
        done.append("begun")
        await asyncio.sleep(0.3)
        done.append("ended")

    scheduler = AsyncIOScheduler(timezone=UTC)
    scheduler.add_job(job, "interval", seconds=0.05, max_instances=1)
    timetabling = Timetabling(scheduler)
    timetabling.start()
    await until(lambda: done == ["begun"], SOON, "the job")
    await timetabling.stop()
    assert done == ["begun", "ended"]
    assert not scheduler.running


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_what_is_no_http_is_a_line_of_the_log_without_a_traceback(place):
    async with Server(place, "--no-jobs") as server:
        for sent in (b"NO HTTP\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n"):
            async with Connection(server.url) as connection:
                assert (await connection.ask(sent)).status == 400
        await server.stop()
    lines = [json.loads(line) for line in server.log]
    assert [line["level"] for line in lines if "no HTTP" in line["event"]] == ["warning", "warning"]
    assert not server.complaints()


LOST = """
    DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '{state}'; END $$
"""


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("state", ["08003", "08006", "53100", "53200", "57P01", "57P02", "58030", "25006"])
async def test_a_database_that_is_away_or_full_is_busy(database, state):
    with pytest.raises(DatabaseBusy):
        await database.write(lambda connection: connection.exec_driver_sql(LOST.format(state=state)))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_whoever_sends_too_much_is_told_so_after_a_moment(serve):
    api = (await serve(rate_limit=1)).api
    assert (await api.post("results/batch", [{}] * 1000, key=None)).status == 200
    started = time.monotonic()
    assert (await api.post("results", {})).status == 429
    assert time.monotonic() - started >= 0.2
