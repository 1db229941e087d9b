"""What the failure programs have found, each shown as small as it can be."""

import asyncio
import json
import time
from datetime import UTC

import pytest
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from server.services.bulletins import BulletinKind
from server.services.errors import ChannelNotFound
from server.storage.bulletin_tables import bulletins as table
from server.storage.bulletins import Kept
from server.storage.database import PostgresDatabase
from server.storage.errors import DatabaseBusy
from server.timetabling import Timetabling
from server.web import live
from server.web.live import Hub
from server.web.middleware import HELD
from tests import factories
from tests.clock import NOON
from tests.long.servers import Server
from tests.long.streams import Stream
from tests.long.wire import Connection

SOON = 20.0  # seconds in which what takes one or two on a quiet machine has happened on a busy one too
TURNS = 8  # of the loop, in which what was begun without waiting has come to a stand


def stay() -> bool:
    """A follower who has not gone away."""
    return False


async def there() -> None:
    """The channel exists."""


@pytest.fixture
async def hub(database):
    """The live channels of a process, followed and closed by the test itself."""
    opened = Hub(database)
    opened.start()
    yield opened
    await opened.stop()


def silently(channel: str, numbers: range, kind: str = BulletinKind.RESULT, body: str = "{}"):
    """The verb that writes bulletins of which nobody is told: their wake-up was lost."""
    rows = [
        {"channel": channel, "number": number, "kind": kind, "body": body, "at": NOON} for number in numbers
    ]
    return lambda connection: connection.execute(table.insert(), rows)


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
    await hub.join("quiet", None, there)
    await hub.join("loud", None, there)

    async def wake_others() -> None:
        while True:
            hub.wake({"loud"})
            await asyncio.sleep(0.02)

    waking = asyncio.create_task(wake_others())
    try:
        await database.write(silently("quiet", range(1, 2)))
        async with asyncio.timeout(SOON):
            ((number, _),) = await hub.next("quiet", 0, SOON, stay)
    finally:
        waking.cancel()
    assert number == 1


async def test_who_is_woken_with_others_is_told_though_these_have_much_to_read(database, monkeypatch):
    """What comes first in the order of names fills a whole read."""
    monkeypatch.setattr(live, "POLL", 3600)  # nobody looks by himself
    hub = Hub(database)
    hub.start()
    await hub.join("a", None, there)
    await hub.join("z", None, there)
    await hub.next("z", 0, 0.2, stay)  # until the pump has nothing to do
    await database.write(silently("a", range(1, live.AT_ONCE + 1)))
    await database.write(silently("z", range(1, 2)))
    hub.wake({"a", "z"})
    ((number, _),) = await hub.next("z", 0, SOON, stay)
    await hub.stop()
    assert number == 1


async def test_who_comes_again_is_sent_what_he_missed_and_nothing_twice(hub, database):
    """From what is remembered as far as it goes, else from the database; a position that is gone is told."""
    total = live.REMEMBERED + 50
    await hub.join("a", None, there)
    await database.write(silently("a", range(1, total + 1)))
    hub.wake({"a"})
    while (await hub.join("a", None, there)).last < total:
        assert await hub.next("a", total - 1, SOON, stay)
    for position in (total, total - 1, 50, 49, 10, 0):
        kept = await hub.join("a", position, there)
        assert kept == (Kept(0, total) if position >= 50 else Kept(1, total))
        seen = []
        while len(seen) < total - position:
            seen += [number for number, _ in await hub.next("a", position + len(seen), SOON, stay)]
        assert seen == list(range(position + 1, total + 1))
    assert await hub.join("a", total + 1, there) == Kept(1, total)


async def test_all_who_come_at_the_same_moment_ask_once(hub):
    asked = []

    async def is_there() -> None:
        asked.append("there")

    async def is_not_there() -> None:
        asked.append("not there")
        raise ChannelNotFound("b")

    assert set(await asyncio.gather(*(hub.join("a", None, is_there) for _ in range(50)))) == {Kept(0, 0)}
    assert hub.followers == 50
    refused = (hub.join("b", None, is_not_there) for _ in range(50))
    for error in await asyncio.gather(*refused, return_exceptions=True):
        assert isinstance(error, ChannelNotFound)
    assert hub.followers == 50
    assert asked == ["there", "not there"]
    with pytest.raises(ChannelNotFound):
        await hub.join("b", None, is_not_there)


@pytest.mark.parametrize("turns", range(TURNS))
async def test_it_stops_also_when_it_is_woken_at_that_moment(database, turns):
    """`asyncio.wait_for` on Python 3.11 loses a cancellation that meets what it waits for."""
    hub = Hub(database)
    hub.start()
    await hub.join("board:x", None, there)
    async with asyncio.timeout(SOON):
        await hub.next("board:x", 0, 0.05, stay)  # until the pump has nothing to do
        hub.wake({"board:x"})
        for _ in range(turns):
            await asyncio.sleep(0)
        await hub.stop()


async def test_one_bulletin_that_cannot_be_read_does_not_end_all_channels(hub, database):
    await hub.join("broken", None, there)
    await database.write(silently("broken", range(1, 2), BulletinKind.BOARD_REVEALED, "no JSON"))
    hub.wake({"broken"})
    await asyncio.sleep(0.2)  # the pump has met it by now, or will
    hub.leave("broken")
    await hub.join("sound", None, there)
    await database.write(silently("sound", range(1, 2)))
    ((number, _),) = await hub.next("sound", 0, SOON, stay)
    assert number == 1


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_who_cannot_join_is_no_follower_and_who_comes_again_needs_no_database(database_url):
    narrow = PostgresDatabase(database_url, readers=1, patience=0.1)
    hub = Hub(narrow)
    await hub.join("board:x", None, there)
    sleep = "SELECT pg_sleep(60)"
    holding = asyncio.create_task(narrow.read(lambda connection: connection.exec_driver_sql(sleep)))
    for _ in range(TURNS):
        await asyncio.sleep(0)
    for channel, position in (("board:x", 7), ("board:y", None)):
        with pytest.raises(DatabaseBusy):
            await hub.join(channel, position, there)
    assert hub.followers == 1
    for position in (None, 0):
        assert await hub.join("board:x", position, there) == Kept(0, 0)
    assert hub.followers == 3
    for _ in range(3):
        hub.leave("board:x")
    assert hub.followers == 0
    holding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holding
    await narrow.close()


async def test_a_job_that_is_under_way_comes_to_its_end_and_no_other_begins():
    done, begun, may_end = [], asyncio.Event(), asyncio.Event()

    async def job() -> None:
        done.append("begun")
        begun.set()
        await may_end.wait()
        done.append("ended")

    scheduler = AsyncIOScheduler(timezone=UTC, job_defaults={"misfire_grace_time": None})
    scheduler.add_job(job, "interval", seconds=0.05, coalesce=True)
    timetabling = Timetabling(scheduler)

    async def stop() -> bool:
        await timetabling.stop()
        return not scheduler.running  # at once, not a moment later

    timetabling.start()
    async with asyncio.timeout(SOON):
        await begun.wait()
        stopping = asyncio.create_task(stop())
        await asyncio.sleep(0.2)  # in which others would begin
        assert (done, stopping.done()) == (["begun"], False)
        may_end.set()
        assert await stopping
        await asyncio.sleep(0.1)
    assert done == ["begun", "ended"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_what_is_no_http_is_at_most_a_line_of_the_log_without_a_traceback(place):
    heads = {  # and the lines of the log
        b"NO HTTP\r\n\r\n": 0,  # as ports are scanned
        b"GET / HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n": 1,
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n": 1,
    }
    async with Server(place, "--no-jobs") as server:
        for sent in heads:
            async with Connection(server.url) as connection:
                assert (await connection.ask(sent)).status == 400
        await server.stop()
    lines = [json.loads(line) for line in server.log]
    levels = [line["level"] for line in lines if "no HTTP" in line["event"]]
    assert levels == ["warning"] * sum(heads.values())
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
    """So that a client who does not wait as he is told costs next to nothing."""
    api = (await serve(rate_limit=1)).api

    async def ask() -> tuple[int, float]:
        started = time.monotonic()
        return (await api.post("results", {})).status, time.monotonic() - started

    assert (await api.post("results/batch", [{}] * 1000, key=None)).status == 200
    # A row a second comes back: of so many at once only some can be taken.
    answers = await asyncio.gather(*(ask() for _ in range(60)))
    held = [seconds for status, seconds in answers if status == 429]
    assert held
    assert min(held) >= HELD
