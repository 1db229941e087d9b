"""How the simulated tables speak with the server: over HTTP, with the patience of a good platform."""

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar

import aiohttp
import msgspec

from server.clock import Clock, speed_of

T = TypeVar("T")

_TRIES = 30
_PAUSE = 1.0  # seconds until something is asked again
_LONGEST = 30.0  # seconds of one wait


class Line:
    """A line to the server, and its clock."""

    def __init__(self, session: aiohttp.ClientSession, clock: Clock) -> None:
        self._session, self._clock = session, clock

    def now(self) -> datetime:
        """What the clock shows."""
        return self._clock.now()

    async def get(self, kind: type[T], path: str) -> T | None:
        """What the server gives; None when it refuses, or is away for long."""
        return await self._ask(kind, "GET", path)

    async def post(self, kind: type[T], path: str, body: Any, key: str | None) -> T | None:
        """What the server answers; None when it refuses, or is away for long."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return await self._ask(kind, "POST", path, json=body, headers=headers)

    async def wait(self, instant: datetime) -> None:
        """Until the clock shows an instant."""
        while True:
            left = (instant - self._clock.now()).total_seconds() / speed_of(self._clock)
            if left <= 0:
                return
            await asyncio.sleep(min(_LONGEST, left))  # a machine that slept has waited less than it seems

    async def _ask(self, kind: type[T], method: str, path: str, **options: Any) -> T | None:
        for _ in range(_TRIES):
            with suppress(aiohttp.ClientError, TimeoutError):
                async with self._session.request(method, path, **options) as answer:
                    if answer.status < 300:
                        return msgspec.json.decode(await answer.read(), type=kind)
                    if answer.status not in (429, 503):
                        return None
            await asyncio.sleep(_PAUSE)
        return None
