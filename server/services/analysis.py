"""Analysis of deals: what each side can make with all cards seen, and par.

Optional: it rests on `endplay` (`pip install crossruff[analysis]`). A deal is worked out in a process of its
own that is ended when it takes too long; what was found is remembered while the server runs.
"""

import asyncio
import json
import sys
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import structlog

from server.bridge.contract import Outcome, Strain, parse_result
from server.bridge.deal import Deal
from server.bridge.seats import Seat, Vulnerability

SECONDS = 20.0  # after which an analysis is given up
KEPT = 5000  # analyses remembered
QUEUED = 20  # deals that may wait for their turn; one is worked out at a time
_PROGRAM = (sys.executable, "-m", "server.services.double_dummy")

_log = structlog.get_logger()
_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What can be made of a deal when everybody sees all cards."""

    tricks: Mapping[Seat, Mapping[Strain, int]]  # of declarer's side
    par: int  # total points for NS of best play and bidding by both sides
    contracts: tuple[Outcome, ...]  # that reach it


class Analyst:
    """Works deals out, one after another."""

    def __init__(
        self, available: bool | None = None, seconds: float = SECONDS, program: tuple[str, ...] = _PROGRAM
    ) -> None:
        self.available = find_spec("endplay") is not None if available is None else available
        self._seconds = seconds
        self._program = program
        self._found: OrderedDict[_Key, Analysis | None] = OrderedDict()
        self._under_way: dict[_Key, asyncio.Task[Analysis | None]] = {}
        self._turn = asyncio.Lock()

    async def analyse(
        self, deal: Deal, dealer: Seat, vulnerability: Vulnerability, patience: float
    ) -> Analysis | None:
        """The analysis, when it is there within ``patience`` seconds; it goes on, and is there later."""
        key = (str(deal), dealer.value, vulnerability.value)
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        if not self.available or not deal.complete:
            return None
        task = self._under_way.get(key)
        if task is None:
            if len(self._under_way) > QUEUED:
                return None
            task = self._under_way[key] = asyncio.create_task(self._work_out(key), name="analysis")
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                return await asyncio.shield(task)
        return None

    def at_work(self, deal: Deal, dealer: Seat, vulnerability: Vulnerability) -> bool:
        """Whether the deal is being worked out, or waits for its turn."""
        return (str(deal), dealer.value, vulnerability.value) in self._under_way

    async def stop(self) -> None:
        """Give up what is under way."""
        for task in list(self._under_way.values()):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _work_out(self, key: _Key) -> Analysis | None:
        try:
            async with self._turn:
                found = await self._solve(key)
            self._found[key] = found
            if len(self._found) > KEPT:
                self._found.popitem(last=False)
            return found
        finally:
            del self._under_way[key]

    async def _solve(self, key: _Key) -> Analysis | None:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *self._program, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
        )
        asked = json.dumps(dict(zip(("deal", "dealer", "vulnerability"), key, strict=True))).encode()
        try:
            async with asyncio.timeout(self._seconds):
                out, _ = await process.communicate(asked)
            return _read(json.loads(out))
        except (TimeoutError, ValueError, LookupError) as error:
            _log.warning("analysis.failed", deal=key[0], detail=repr(error))
            return None
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _read(answer: dict[str, Any]) -> Analysis:
    tricks = {
        Seat(seat): {Strain(strain): int(number) for strain, number in row.items()}
        for seat, row in answer["tricks"].items()
    }
    return Analysis(tricks, int(answer["par"]), tuple(map(parse_result, answer["contracts"])))
