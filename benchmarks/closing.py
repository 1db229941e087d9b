"""The week of `benchmarks.weeks` closed: by `crossruff rate`, then inside a server that has much to do."""

import asyncio
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from aiohttp import ClientResponse, ClientSession

from benchmarks.load import make_boards, result_bodies
from benchmarks.places import ROOT, command, environment, free_port, wait_until_ready
from benchmarks.rating import PLAYERS
from benchmarks.weeks import BOARDS, CLOCK, WEEK
from server.storage.ids import board_id

READERS, PAUSE = 8, 0.05  # who read, each with a rest of so many seconds after each answer
FOLLOWED = 50  # boards whose results are followed until they are counted
TABLES, RESULTS = 200, 40  # a table is of so many boards, each of which takes so many results
QUIET = 5.0  # seconds in which they read and post while nothing is closed
PATIENCE = 600.0

Report = Callable[[str, float], object]


@dataclass(slots=True)
class Answers:
    """How long they took."""

    seconds: list[float] = field(default_factory=list)

    def p95_ms(self) -> float:
        """The time within which 95 of 100 had their answer."""
        return 1000 * statistics.quantiles(self.seconds, n=20)[-1]

    def longest_ms(self) -> float:
        """What the most patient one waited."""
        return 1000 * max(self.seconds)


@dataclass(slots=True)
class Crowd:
    """Some who read, and a platform that posts one result after another."""

    session: ClientSession
    bodies: Iterator[dict[str, object]]  # of results
    followed: Iterator[dict[str, object]]  # results of which is seen when they are counted
    read: Answers = field(default_factory=Answers)
    posted: Answers = field(default_factory=Answers)
    counted: Answers = field(default_factory=Answers)

    async def until(self, over: Callable[[], Awaitable[None]]) -> "Crowd":
        """Read and post until it is over; the answers to those who read, and to who posted."""
        self.read, self.posted, self.counted = Answers(), Answers(), Answers()
        everybody = [asyncio.create_task(self._read(Random(i))) for i in range(READERS)]
        everybody += [asyncio.create_task(self._post()), asyncio.create_task(self._follow())]
        ends = asyncio.ensure_future(over())
        async with asyncio.timeout(PATIENCE):
            # Whoever is not answered ends it too.
            await asyncio.wait([ends, *everybody], return_when=asyncio.FIRST_COMPLETED)
        for task in (ends, *everybody):
            if task.done():
                task.result()
            task.cancel()
        await asyncio.gather(ends, *everybody, return_exceptions=True)
        return replace(self)

    async def _read(self, rng: Random) -> None:
        while True:
            paths = (
                f"weeks/{WEEK}/leaderboard",
                f"boards/{board_id(rng.randint(1, BOARDS))}/traveller",
                f"players/p{rng.randint(1, PLAYERS)}",
                f"boards?week={WEEK}&limit=20",
            )
            started = time.perf_counter()
            async with self.session.get(f"/api/v1/{rng.choice(paths)}") as response:
                await response.read()
                _expect(response, 200)
            self.read.seconds.append(time.perf_counter() - started)
            await asyncio.sleep(PAUSE)

    async def _post(self) -> None:
        for body in self.bodies:
            started = time.perf_counter()
            await self._report(body)
            self.posted.seconds.append(time.perf_counter() - started)
            await asyncio.sleep(PAUSE)

    async def _report(self, body: dict[str, object]) -> None:
        key = {"Idempotency-Key": str(body["table"])}
        async with self.session.post("/api/v1/results", json=body, headers=key) as response:
            await response.read()
            _expect(response, 201)

    async def _follow(self) -> None:
        """How long it takes until a player's figures have the board that he just finished."""
        for number, body in enumerate(self.followed):
            names = {seat: f"followed-{number}{seat}" for seat in "NESW"}
            await self._report({**body, "players": names})
            started = time.perf_counter()
            while True:
                if await self._boards(names["N"]):
                    break
                await asyncio.sleep(PAUSE)
            self.counted.seconds.append(time.perf_counter() - started)

    async def _boards(self, player: str) -> int:
        async with self.session.get(f"/api/v1/players/{player}") as response:
            _expect(response, 200)
            return int((await response.json())["figures"]["week_boards"])


def _expect(response: ClientResponse, status: int) -> None:
    if response.status != status:
        raise RuntimeError(f"{response.url}: {response.status}")


def measured(name: str, settings: Mapping[str, str], weeks: int, report: Report) -> None:
    """Fill a database, close its week twice, tell the figures."""
    settings = {**settings, "CROSSRUFF_CLOCK": CLOCK}
    if "CROSSRUFF_DATABASE_URL" in settings:
        command(["migrate"], settings)
    token = command(["token", "create", "--name", "bench", "--scope", "admin"], settings).strip()
    started = time.perf_counter()
    _python(["-m", "benchmarks.weeks", str(weeks)], settings)
    report(f"closing, {name}: filling, s", time.perf_counter() - started)
    seconds, memory = _rate(settings)
    report(f"closing, {name}: crossruff rate, s", seconds)
    report(f"closing, {name}: crossruff rate, GiB", memory)
    _python(["-m", "benchmarks.weeks", "again"], settings)
    asyncio.run(_while_serving(name, settings, token, report))


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


async def _while_serving(name: str, settings: Mapping[str, str], token: str, report: Report) -> None:
    """The timetable closes the week again as soon as the server is up: one of its results is void now."""
    with _serving(settings) as (process, url):
        started = time.perf_counter()
        boards = make_boards(url, token, TABLES)
        bodies = result_bodies(boards[:-FOLLOWED], (TABLES - FOLLOWED) * RESULTS, 1)
        followed = result_bodies(boards[-FOLLOWED:], FOLLOWED * RESULTS, 2)
        async with ClientSession(url, headers={"Authorization": f"Bearer {token}"}) as session:
            crowd = Crowd(session, bodies, followed)
            meanwhile = await crowd.until(lambda: _published(session, 2))
            seconds = time.perf_counter() - started
            otherwise = await crowd.until(lambda: asyncio.sleep(QUIET))
        memory = _peak(process.pid)
    report(f"closing, {name}: inside a server, s", seconds)
    report(f"closing, {name}: inside a server, GiB", memory)
    for what, then, later in (
        ("GET", meanwhile.read, otherwise.read),
        ("POST", meanwhile.posted, otherwise.posted),
    ):
        report(f"closing, {name}: {what} meanwhile, p95 ms", then.p95_ms())
        report(f"closing, {name}: {what} meanwhile, longest ms", then.longest_ms())
        report(f"closing, {name}: {what} otherwise, p95 ms", later.p95_ms())
    counted = meanwhile.counted.longest_ms() / 1000
    report(f"closing, {name}: points counted meanwhile, longest s", counted)


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


async def _published(session: ClientSession, revision: int) -> None:
    while True:
        async with session.get(f"/api/v1/weeks/{WEEK}") as response:
            if (await response.json())["revision"] >= revision:
                return
        await asyncio.sleep(0.2)


def _peak(process: int) -> float:
    """Most memory that a process has held, in GiB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 2**20


def _python(arguments: list[str], settings: Mapping[str, str]) -> None:
    subprocess.run([sys.executable, *arguments], check=True, cwd=ROOT, env=environment(settings))
