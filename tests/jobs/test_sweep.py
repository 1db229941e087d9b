"""The sweep deals ahead and tidies up; twice, at once, or late, it changes nothing more."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Connection, func, select

from jobs.sweep import Sweep
from server.services.idempotency import REMEMBERED
from server.settings import load_settings
from server.storage import idempotency
from server.storage.database import open_database
from server.storage.idempotency import Answer
from server.storage.tables import board_sets, boards, metadata
from tests.clock import NOON
from tests.storage import rows

ZONE = ZoneInfo("Asia/Shanghai")
POOLS = load_settings().all_pools()
EACH = 3


@pytest.fixture
def sweep(database, clock):
    """A sweep that deals three boards for each pool and week."""
    return Sweep(database, clock, ZONE, POOLS, EACH)


def dealt(connection: Connection) -> dict[tuple[str, str], list[int]]:
    """Numbers of the boards of each week and pool."""
    found: dict[tuple[str, str], list[int]] = {}
    for row in connection.execute(select(boards).order_by(boards.c.number)):
        found.setdefault((row.week, row.pool), []).append(row.number)
    return found


def everything(connection: Connection) -> dict[str, list[tuple]]:
    """All rows of all tables."""
    return {
        name: sorted(map(tuple, connection.execute(select(table))), key=repr)
        for name, table in metadata.tables.items()
    }


def expected(*weeks: str) -> dict[tuple[str, str], list[int]]:
    return {(week, pool): [1, 2, 3] for week in weeks for pool in ("imps", "mp", "guests")}


async def test_the_open_week_and_the_next_are_dealt_for_every_pool(database, sweep):
    await sweep()
    assert await database.read(dealt) == expected("2026-W48", "2026-W49")


async def test_every_deal_is_a_whole_pack_and_no_two_are_the_same(database, sweep):
    await sweep()
    deals = await database.read(lambda c: list(c.execute(select(boards.c.deal)).scalars()))
    assert len(set(deals)) == len(deals) == 18
    for deal in deals:
        assert Counter(deal)["."] == 12
        assert sum(Counter(deal)[rank] for rank in "23456789TJQKA") == 52


async def test_again_it_changes_nothing(database, sweep):
    await sweep()
    before = await database.read(everything)
    await sweep()
    assert await database.read(everything) == before


async def test_two_at_once_deal_once(database, database_url, clock, sweep):
    other = open_database(database_url)
    await asyncio.gather(*(each() for each in (sweep, Sweep(other, clock, ZONE, POOLS, EACH)) for _ in "12"))
    await other.close()
    assert await database.read(dealt) == expected("2026-W48", "2026-W49")


async def test_a_new_week_is_dealt_when_it_comes_nearer(database, clock, sweep):
    await sweep()
    monday = datetime(2026, 11, 29, 16, tzinfo=UTC)  # Monday 00:00 in Shanghai
    clock.set(monday - timedelta(microseconds=1))
    await sweep()
    assert await database.read(dealt) == expected("2026-W48", "2026-W49")
    clock.set(monday)
    await sweep()
    assert await database.read(dealt) == expected("2026-W48", "2026-W49", "2026-W50")


async def test_after_weeks_without_it_past_weeks_are_left_alone(database, clock, sweep):
    await sweep()
    clock.advance(timedelta(weeks=3))
    await sweep()
    assert await database.read(dealt) == expected("2026-W48", "2026-W49", "2026-W51", "2026-W52")


async def test_a_week_that_somebody_dealt_is_left_alone(database, sweep):
    await database.write(lambda connection: rows.add_boards(connection, 17))
    await sweep()
    assert await database.read(dealt) == expected("2026-W48", "2026-W49") | {("2026-W48", "imps"): [17]}


async def test_where_boards_are_dealt_by_hand_it_does_nothing(database, clock):
    await Sweep(database, clock, ZONE, POOLS, 0)()
    assert await database.read(dealt) == {}
    assert (
        await database.read(lambda c: c.execute(select(func.count()).select_from(board_sets)).scalar()) == 0
    )


async def test_the_zone_says_which_week_it_is(database, clock):
    clock.set(datetime(2026, 11, 29, 16, tzinfo=UTC))
    await Sweep(database, clock, ZoneInfo("UTC"), POOLS, EACH)()
    assert await database.read(dealt) == expected("2026-W48", "2026-W49")


async def test_first_answers_are_forgotten_after_seven_days(database, clock, sweep):
    def keep(connection: Connection):
        client = rows.add_client(connection)
        idempotency.add(connection, [Answer(client, "key", "f", 201, "body")], NOON)
        return client

    client = await database.write(keep)
    left = []
    for instant in (NOON + REMEMBERED, NOON + REMEMBERED + timedelta(microseconds=1)):
        clock.set(instant)
        await sweep()
        left.append(len(await database.read(lambda c: idempotency.find(c, [(client, "key")]))))
    assert left == [1, 0]
    assert timedelta(days=7) == REMEMBERED


async def test_a_busy_database_ends_no_timetable(database_url, clock, tmp_path):
    """The next sweep does what this one could not."""
    away = open_database(f"sqlite:///{tmp_path / 'nowhere' / 'file.sqlite3'}")
    await Sweep(away, clock, ZONE, POOLS, EACH)()
    await away.close()
    there = open_database(database_url)
    await Sweep(there, clock, ZONE, POOLS, EACH)()
    assert await there.read(dealt) == expected("2026-W48", "2026-W49")
    await there.close()
