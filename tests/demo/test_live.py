"""Simulated tables that play over HTTP while a server runs."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Row, select

from server.app import Installed
from server.bridge.deal import parse_deal
from server.bridge.seats import Vulnerability
from server.clock import SimulatedClock
from server.demo import platform_token
from server.demo.dealing import Dealer
from server.demo.live import Platform
from server.demo.plan import LIVE, Plan
from server.settings import load_settings
from server.storage.tables import boards, results
from server.world.sittings import BOARDS, sittings
from server.world.tables import Finished, report
from tests.running import Served, serving

PLAN = Plan(seed=2, players=60, weeks=1, speed=5_000.0)  # an hour in less than a second
PATIENCE = 120.0  # seconds; results come late where the machine is busy, but they come
HOUR = timedelta(hours=1)
ZONE = load_settings().zone


@dataclass
class Stage:
    """A server whose clock runs fast, and tables that play at it."""

    served: Served
    clock: SimulatedClock
    platform: Platform

    async def play(self, since: datetime, enough: Callable[[Sequence[Row]], bool]) -> Sequence[Row]:
        """Play what ends after a moment until there are enough results; these, with their boards."""
        playing = asyncio.create_task(self.platform.play(self.served.url, since))
        async with asyncio.timeout(PATIENCE):
            while not enough(rows := await self._rows()):
                await asyncio.wait((playing,), timeout=0.1)
                assert not playing.done(), playing.result()
        playing.cancel()
        await asyncio.wait((playing,))
        assert playing.cancelled()
        return rows

    async def _rows(self) -> Sequence[Row]:
        statement = select(boards.c.week, boards.c.pool, boards.c.vulnerability, boards.c.deal, results)
        joined = statement.join(boards, boards.c.id == results.c.board)
        return await self.served.database.read(lambda connection: connection.execute(joined).all())


@asynccontextmanager
async def staged(database_url, folder, start):
    """A stage whose clock begins at a moment."""
    clock = SimulatedClock(start, PLAN.speed, datetime.now(UTC))
    async with serving(database_url, folder, clock) as served:
        installed = Installed(served.database, clock, None)
        login = await platform_token.login(folder, installed)
        dealer = Dealer(served.settings, installed, login.caller, PLAN)
        yield Stage(served, clock, Platform(login.token, PLAN, dealer, clock, served.settings.zone))


async def test_tables_report_what_the_world_says_when_it_says(database_url, tmp_path):
    since = LIVE.opens_at(ZONE) + timedelta(days=2, hours=17)
    async with staged(database_url, tmp_path, since) as stage:
        found = await stage.play(since, lambda rows: len(rows) >= 12)
    rows = {(row.pool, row.table_name, row.played_at): row for row in found}
    world, checked = PLAN.world(), 0
    for sitting in sittings(world, PLAN.number(LIVE)):
        for number in range(BOARDS):
            row = rows.get((sitting.pool, sitting.table, LIVE.opens_at(ZONE) + sitting.ends_at(number)))
            if row is not None:
                deal, vulnerability = parse_deal(row.deal), Vulnerability(row.vulnerability)
                made = report(world, PLAN.number(LIVE), sitting, number, deal, vulnerability)
                assert isinstance(made, Finished)
                assert row.lead == made.played.lead
                assert row.tricks == made.played.outcome.tricks
                assert row.played_at > since
                assert row.received_at >= row.played_at
                checked += 1
    assert checked == len(rows) == len(found)


async def test_a_sitting_under_way_is_played_to_its_end(database_url, tmp_path):
    """From the board on that ends after the beginning; what ended before is somebody else's."""
    opens = LIVE.opens_at(ZONE)
    sitting = sittings(PLAN.world(), PLAN.number(LIVE))[6]
    since = opens + sitting.ends_at(2)
    async with staged(database_url, tmp_path, since) as stage:
        last = opens + sitting.ends_at(BOARDS - 1)
        rows = await stage.play(since, lambda rows: last in {row.played_at for row in rows})
    ended = sorted(row.played_at for row in rows if row.table_name == sitting.table)
    assert ended == [opens + sitting.ends_at(number) for number in range(3, BOARDS)]


async def test_it_goes_on_into_the_next_week(database_url, tmp_path):
    since = LIVE.closes_at(ZONE) - 2 * HOUR
    async with staged(database_url, tmp_path, since) as stage:
        following = str(LIVE.plus(1))
        rows = await stage.play(since, lambda rows: following in {row.week for row in rows})
        answer = await stage.served.api.get("boards", params={"week": str(LIVE.plus(3))})
    assert {row.week for row in rows} <= {str(LIVE), following}
    assert len(answer.body["boards"]) == min(50, PLAN.boards()["imps"])  # the first page
    assert all(row.played_at >= since for row in rows)


async def test_a_server_that_goes_away_is_asked_again_and_no_error_comes_out(database_url, tmp_path):
    since = LIVE.opens_at(ZONE) + timedelta(days=2, hours=17)
    async with staged(database_url, tmp_path, since) as stage:
        playing = asyncio.create_task(stage.platform.play("http://127.0.0.1:9", since))
        await asyncio.sleep(0.5)
        assert not playing.done()
        playing.cancel()
        await asyncio.wait((playing,))
        assert playing.cancelled()
