"""The week of `benchmarks.weeks` closed: by `crossruff rate`, and inside a server that is being read."""

import asyncio
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from aiohttp import ClientSession

from benchmarks.places import ROOT, command, environment, free_port, wait_until_ready
from benchmarks.rating import PLAYERS
from benchmarks.weeks import BOARDS, CLOCK, WEEK
from server.storage.ids import board_id

READERS, PAUSE = 8, 0.05  # who read, each with a rest of so many seconds after each answer
QUIET = 5.0  # seconds in which they read while nothing is closed
PATIENCE = 600.0

Report = Callable[[str, float], object]


@dataclass(slots=True)
class Read:
    """Answers to those who read."""

    seconds: list[float] = field(default_factory=list)

    def p95_ms(self) -> float:
        """The time within which 95 of 100 had their answer."""
        return 1000 * statistics.quantiles(self.seconds, n=20)[-1]


def measured(name: str, settings: Mapping[str, str], weeks: int, report: Report) -> None:
    """Fill a database, close its week twice, tell the figures."""
    settings = {**settings, "CROSSRUFF_CLOCK": CLOCK}
    if "CROSSRUFF_DATABASE_URL" in settings:
        command(["migrate"], settings)
    command(["token", "create", "--name", "bench", "--scope", "admin"], settings)
    started = time.perf_counter()
    _python(["-m", "benchmarks.weeks", str(weeks)], settings)
    report(f"closing, {name}: filling, s", time.perf_counter() - started)
    seconds, memory = _rate(settings)
    report(f"closing, {name}: crossruff rate, s", seconds)
    report(f"closing, {name}: crossruff rate, GiB", memory)
    _python(["-m", "benchmarks.weeks", "again"], settings)
    asyncio.run(_while_serving(name, settings, report))


def _rate(settings: Mapping[str, str]) -> tuple[float, float]:
    """Seconds and GiB of `crossruff rate`."""
    started = time.perf_counter()
    told = [sys.executable, "-m", "server", "rate", str(WEEK)]
    process = subprocess.Popen(told, cwd=ROOT, env=environment(settings), stdout=subprocess.PIPE)
    with process:
        assert process.stdout is not None
        said = process.stdout.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or f"published, {PLAYERS} players" not in said:
        raise RuntimeError(f"crossruff rate: {process.returncode}, {said}")
    return time.perf_counter() - started, used.ru_maxrss / 2**20


async def _while_serving(name: str, settings: Mapping[str, str], report: Report) -> None:
    """The timetable closes the week again as soon as the server is up: one of its results is void now."""
    with _serving(settings) as (process, url):
        started = time.perf_counter()
        async with ClientSession(url) as session:
            meanwhile = await _read_until(session, lambda: _published(session, 2))
            seconds = time.perf_counter() - started
            quiet = await _read_until(session, lambda: _later(QUIET))
        memory = _peak(process.pid)
    report(f"closing, {name}: inside a server, s", seconds)
    report(f"closing, {name}: inside a server, GiB", memory)
    report(f"closing, {name}: GET meanwhile, p95 ms", meanwhile.p95_ms())
    report(f"closing, {name}: GET meanwhile, longest ms", 1000 * max(meanwhile.seconds))
    report(f"closing, {name}: GET otherwise, p95 ms", quiet.p95_ms())


@contextmanager
def _serving(settings: Mapping[str, str]) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    port = free_port()
    own = {**environment(settings), "CROSSRUFF_JOBS": "true", "CROSSRUFF_WEEK_BOARDS": "0"}
    told = [sys.executable, "-m", "server", "serve", "--port", str(port)]
    with subprocess.Popen(
        told, cwd=ROOT, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            wait_until_ready(process, url)
            yield process, url
        finally:
            process.terminate()


async def _read_until(session: ClientSession, over: Callable[[], "asyncio.Future[None]"]) -> Read:
    """Many read this and that until it is over."""
    found = Read()
    readers = [asyncio.create_task(_read(session, Random(i), found)) for i in range(READERS)]
    try:
        async with asyncio.timeout(PATIENCE):
            await over()
    finally:
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
    return found


async def _read(session: ClientSession, rng: Random, found: Read) -> None:
    while True:
        paths = (
            f"weeks/{WEEK}",
            f"boards/{board_id(rng.randint(1, BOARDS))}/traveller",
            f"players/p{rng.randint(1, PLAYERS)}",
            f"boards?week={WEEK}&limit=20",
        )
        started = time.perf_counter()
        async with session.get(f"/api/v1/{rng.choice(paths)}") as response:
            await response.read()
            if response.status != 200:
                raise RuntimeError(f"{response.url}: {response.status}")
        found.seconds.append(time.perf_counter() - started)
        await asyncio.sleep(PAUSE)


async def _published(session: ClientSession, revision: int) -> None:
    while True:
        async with session.get(f"/api/v1/weeks/{WEEK}") as response:
            if (await response.json())["revision"] >= revision:
                return
        await asyncio.sleep(0.2)


async def _later(seconds: float) -> None:
    await asyncio.sleep(seconds)


def _peak(process: int) -> float:
    """Most memory that a process has held, in GiB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 2**20


def _python(arguments: list[str], settings: Mapping[str, str]) -> None:
    subprocess.run([sys.executable, *arguments], check=True, cwd=ROOT, env=environment(settings))
