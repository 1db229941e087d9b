"""Simulated tables that play on while the server runs. They speak HTTP, as any platform does."""

import asyncio
from datetime import datetime
from zoneinfo import ZoneInfo

import aiohttp
import msgspec

from server.bridge.deal import parse_deal
from server.bridge.seats import Vulnerability
from server.bridge.week import Week, week_of
from server.clock import Clock
from server.demo.dealing import Dealer
from server.demo.events import Events
from server.demo.line import Line
from server.demo.plan import Plan
from server.demo.programme import Programme
from server.demo.reporting import disconnect_body, players, result_body, table_key
from server.web.routes import BASE
from server.world.sittings import BOARDS, Sitting, sittings
from server.world.tables import Abandoned, report


class _Board(msgspec.Struct):
    id: str
    vulnerability: Vulnerability


class _Dealt(msgspec.Struct):
    board: _Board
    deal: str


class _Accepted(msgspec.Struct):
    id: str


class Platform:
    """Plays what the world plays, when it plays it; ``programme``: the events that it holds besides."""

    def __init__(
        self,
        token: str,
        plan: Plan,
        dealer: Dealer,
        clock: Clock,
        zone: ZoneInfo,
        programme: Programme | None = None,
    ) -> None:
        self._headers = {"Authorization": f"Bearer {token}"}
        self._plan, self._world = plan, plan.world()
        self._dealer, self._clock, self._zone = dealer, clock, zone
        self._programme = programme

    async def play(self, url: str, since: datetime) -> None:
        """Play all that ends after a moment, at the server there; without end, until it is cancelled."""
        timeout = aiohttp.ClientTimeout(total=30)
        async with (
            aiohttp.ClientSession(f"{url}{BASE}/", headers=self._headers, timeout=timeout) as session,
            asyncio.TaskGroup() as tables,
        ):
            line = Line(session, self._clock)
            if self._programme is not None:
                tables.create_task(Events(line, self._programme).hold(), name="demo events")
            await self._play_weeks(line, tables, since)

    async def _play_weeks(self, line: Line, tables: asyncio.TaskGroup, since: datetime) -> None:
        """The boards of the weekly pools."""
        week = week_of(since, self._zone)
        while True:
            await self._dealer.deal(week)
            for sitting in sittings(self._world, self._plan.number(week)):
                first = self._first(week, sitting, since)
                if first is not None:
                    await line.wait(week.opens_at(self._zone) + sitting.begins)
                    tables.create_task(self._sit(line, week, sitting, first))
            week = week.plus(1)
            await line.wait(week.opens_at(self._zone))

    def _first(self, week: Week, sitting: Sitting, since: datetime) -> int | None:
        """The first board of a sitting that ends after a moment; None: it is over."""
        opens = week.opens_at(self._zone)
        return next((number for number in range(BOARDS) if opens + sitting.ends_at(number) > since), None)

    async def _sit(self, line: Line, week: Week, sitting: Sitting, first: int) -> None:
        """Play a sitting's boards in turn, from one on; without a board they go home."""
        opens = week.opens_at(self._zone)
        for number in range(first, BOARDS):
            await line.wait(opens + sitting.dealt_at(number))
            key = table_key(week, sitting, number)
            asked = {"table": sitting.table, "pool": sitting.pool, "players": players(sitting)}
            dealt = await line.post(_Dealt, "assignments", asked, f"{key}-board")
            if dealt is None:
                return
            deal, board = parse_deal(dealt.deal), dealt.board
            made = report(self._world, self._plan.number(week), sitting, number, deal, board.vulnerability)
            ended = opens + sitting.ends_at(number)
            await line.wait(ended)
            if isinstance(made, Abandoned):
                path, body = "disconnects", disconnect_body(board.id, sitting, made, ended)
            else:
                path, body = "results", result_body(board.id, sitting, made, ended)
            await line.post(_Accepted, path, body, key)
