"""Simulated tables that play on while the server runs. They speak HTTP, as any platform does."""

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import aiohttp
import msgspec

from server.bridge.deal import parse_deal
from server.bridge.seats import Vulnerability
from server.bridge.week import Week, week_of
from server.clock import Clock, speed_of
from server.demo.dealing import Dealer
from server.demo.plan import Plan
from server.demo.reporting import disconnect_body, players, result_body, table_key
from server.web.routes import BASE
from server.world.sittings import BOARDS, Sitting, sittings
from server.world.tables import Abandoned, report

T = TypeVar("T")

_TRIES = 30
_PAUSE = 1.0  # seconds until something is asked again
_LONGEST = 30.0  # seconds of one wait


class _Board(msgspec.Struct):
    id: str
    vulnerability: Vulnerability


class _Dealt(msgspec.Struct):
    board: _Board
    deal: str


class _Accepted(msgspec.Struct):
    id: str


class Platform:
    """Plays what the world plays, when it plays it."""

    def __init__(self, token: str, plan: Plan, dealer: Dealer, clock: Clock, zone: ZoneInfo) -> None:
        self._headers = {"Authorization": f"Bearer {token}"}
        self._plan, self._world = plan, plan.world()
        self._dealer, self._clock, self._zone = dealer, clock, zone

    async def play(self, url: str, since: datetime) -> None:
        """Play all that ends after a moment, at the server there; without end, until it is cancelled."""
        timeout = aiohttp.ClientTimeout(total=30)
        async with (
            aiohttp.ClientSession(f"{url}{BASE}/", headers=self._headers, timeout=timeout) as session,
            asyncio.TaskGroup() as tables,
        ):
            await self._play_weeks(session, tables, since)

    async def _play_weeks(
        self, session: aiohttp.ClientSession, tables: asyncio.TaskGroup, since: datetime
    ) -> None:
        """The boards of the weekly pools."""
        week = week_of(since, self._zone)
        while True:
            await self._dealer.deal(week)
            for sitting in sittings(self._world, self._plan.number(week)):
                first = self._first(week, sitting, since)
                if first is not None:
                    await self._wait(week.opens_at(self._zone) + sitting.begins)
                    tables.create_task(self._sit(session, week, sitting, first))
            week = week.plus(1)
            await self._wait(week.opens_at(self._zone))

    def _first(self, week: Week, sitting: Sitting, since: datetime) -> int | None:
        """The first board of a sitting that ends after a moment; None: it is over."""
        opens = week.opens_at(self._zone)
        return next((number for number in range(BOARDS) if opens + sitting.ends_at(number) > since), None)

    async def _sit(self, session: aiohttp.ClientSession, week: Week, sitting: Sitting, first: int) -> None:
        """Play a sitting's boards in turn, from one on; without a board they go home."""
        opens = week.opens_at(self._zone)
        for number in range(first, BOARDS):
            await self._wait(opens + sitting.dealt_at(number))
            key = table_key(week, sitting, number)
            asked = {"table": sitting.table, "pool": sitting.pool, "players": players(sitting)}
            dealt = await self._post(session, _Dealt, "assignments", asked, f"{key}-board")
            if dealt is None:
                return
            deal, board = parse_deal(dealt.deal), dealt.board
            made = report(self._world, self._plan.number(week), sitting, number, deal, board.vulnerability)
            ended = opens + sitting.ends_at(number)
            await self._wait(ended)
            if isinstance(made, Abandoned):
                path, body = "disconnects", disconnect_body(board.id, sitting, made, ended)
            else:
                path, body = "results", result_body(board.id, sitting, made, ended)
            await self._post(session, _Accepted, path, body, key)

    async def _post(
        self, session: aiohttp.ClientSession, kind: type[T], path: str, body: dict[str, Any], key: str
    ) -> T | None:
        """What the server answers; None when it refuses, or is away for long."""
        for _ in range(_TRIES):
            with suppress(aiohttp.ClientError, TimeoutError):
                async with session.post(path, json=body, headers={"Idempotency-Key": key}) as answer:
                    if answer.status < 300:
                        return msgspec.json.decode(await answer.read(), type=kind)
                    if answer.status not in (429, 503):
                        return None
            await asyncio.sleep(_PAUSE)
        return None

    async def _wait(self, instant: datetime) -> None:
        """Until the clock shows an instant."""
        while True:
            left = (instant - self._clock.now()).total_seconds() / speed_of(self._clock)
            if left <= 0:
                return
            await asyncio.sleep(min(_LONGEST, left))  # a machine that slept has waited less than it seems
