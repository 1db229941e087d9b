"""How long pages take where 100,000 players have 2 million results, and how heavy they are at first load.

`python -m benchmarks --only pages` fills a database of each kind and measures. `python -m benchmarks.pages
<address> <process> [<event>]` measures a server that runs upon a database filled by `benchmarks.crowd`.
"""

import asyncio
import gzip
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from aiohttp import ClientSession

from benchmarks.crowd import BOARDS, CLOCK, LAST, PLAYERS, WEEKS
from benchmarks.events import BOARDS as ROUND_BOARDS
from benchmarks.events import ROUNDS, hold
from benchmarks.places import ROOT, Place, command, environment, running
from server.settings import load_settings
from server.storage.database import open_database
from server.storage.ids import board_id, event_id

PAIRS = 200  # of the event
WARM, COUNT = 10, 100  # readings of each page that are not measured, and that are
_PARTS = re.compile(r'(?:href|src)="(/static/[^"]+)"')

Report = Callable[[str, float], object]


@dataclass(slots=True)
class Read:
    """Readings of one kind of page."""

    seconds: list[float] = field(default_factory=list)
    heaviest: int = 0  # bytes, packed, with everything that is loaded with it

    def p95_ms(self) -> float:
        """The time within which 95 of 100 were there."""
        return 1000 * statistics.quantiles(self.seconds, n=20)[-1]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of page: its name, its address, and within how many milliseconds it has to be there."""

    name: str
    address: Callable[[Random], str]
    most_ms: float


def kinds(event: str | None) -> list[Kind]:
    """What is measured; of events what there is."""
    closed = LAST.plus(-1)
    found = [
        Kind("leaderboard by skill", lambda rng: f"/en/weeks?page={rng.randint(1, PLAYERS // 50)}", 100),
        Kind("leaderboard by points", lambda rng: f"/en/weeks?rating=points&page={rng.randint(1, 900)}", 100),
        Kind(
            "leaderboard of a closed week", lambda rng: f"/en/weeks/{closed}?page={rng.randint(1, 900)}", 100
        ),
        Kind("player", lambda rng: f"/en/players/p{rng.randint(1, PLAYERS)}", 100),
        Kind("traveller", lambda rng: f"/en/boards/{board_id(rng.randint(1, WEEKS * BOARDS))}", 50),
        Kind("search for a name", lambda rng: f"/en/search?q={rng.choice(('jur', 'ho', 'e', 'chen g'))}", 50),
        Kind("search for an id", lambda rng: f"/en/search?q=p{rng.randint(1, 999)}", 50),
        Kind("home", lambda _rng: "/en/", 100),
    ]
    return found if event is None else found + _of_event(event)


def _of_event(event: str) -> list[Kind]:
    path = f"/en/events/{event}"
    return [
        Kind("standings as JSON", lambda _rng: f"/api/v1/events/{event}/standings", 200),
        Kind("standings", lambda _rng: path, 200),
        Kind("cross-table", lambda _rng: f"{path}/cross-table", 200),
        Kind("round of an event", lambda rng: f"{path}/rounds/{rng.randint(1, ROUNDS)}", 200),
        Kind("board of an event", lambda rng: f"{path}/boards/{rng.randint(1, ROUNDS * ROUND_BOARDS)}", 200),
        Kind("scorecard", lambda rng: f"{path}/entries/{rng.randint(1, PAIRS)}", 200),
        Kind("registered pairs", lambda _rng: f"{path}/entries", 200),
    ]


def measured(name: str, settings: Mapping[str, str], report: Report) -> None:
    """Fill a database, close its weeks, hold an event, read; tell the figures."""
    settings = {**settings, "CROSSRUFF_CLOCK": CLOCK}
    command(["token", "create", "--name", "bench", "--scope", "admin"], settings)
    for told in (["-m", "benchmarks.crowd"], ["-m", "server", "rate", str(LAST.plus(-1))]):
        subprocess.run([sys.executable, *told], check=True, cwd=ROOT, env=environment(settings))
    made = [sys.executable, "-m", "benchmarks.pages", "event"]
    event = subprocess.run(
        made, check=True, cwd=ROOT, env=environment(settings), capture_output=True, text=True
    )
    with running("whole", settings) as place:
        asyncio.run(_read_all(name, place, event.stdout.split()[-1], report))


async def make_event() -> str:
    """Hold an event in the database that the settings name; its id."""
    database = open_database(load_settings().database)
    number, _, _ = await hold(database, PAIRS)
    await database.close()
    return event_id(number)


async def _read_all(name: str, place: Place, event: str | None, report: Report) -> None:
    rng = Random(1)
    async with ClientSession(place.urls[0], auto_decompress=False) as session:
        for kind in kinds(event):
            before = place.cpu_seconds()
            found = await _read(session, kind, rng)
            spent = place.cpu_seconds() - before
            report(f"pages, {name}: {kind.name}, p95 ms", found.p95_ms())
            report(f"pages, {name}: {kind.name}, CPU ms of the server", 1000 * spent / (WARM + COUNT))
            report(f"pages, {name}: {kind.name}, first load KiB", found.heaviest / 1024)


async def _read(session: ClientSession, kind: Kind, rng: Random) -> Read:
    """Read pages of a kind one after another."""
    found, beside = Read(), dict[str, int]()
    for number in range(WARM + COUNT):
        started = time.perf_counter()
        content = await _get(session, kind.address(rng))
        if number >= WARM:
            found.seconds.append(time.perf_counter() - started)
        text = gzip.decompress(content).decode() if content[:2] == b"\x1f\x8b" else content.decode()
        for part in _PARTS.findall(text):
            if part not in beside:
                beside[part] = len(await _get(session, part))
        found.heaviest = max(found.heaviest, len(content) + sum(beside.values()))
    return found


async def _get(session: ClientSession, path: str) -> bytes:
    """The body as it is sent."""
    headers = {"Accept": "text/html,application/json;q=0.9", "Accept-Encoding": "gzip"}
    async with session.get(path, headers=headers) as response:
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status}")
        return await response.read()


if __name__ == "__main__":
    if sys.argv[1] == "event":
        print(asyncio.run(make_event()))
    else:
        there = Place((sys.argv[1],), "", tuple(map(int, sys.argv[2:3])))
        event = sys.argv[3] if len(sys.argv) > 3 else None
        asyncio.run(_read_all("there", there, event, lambda what, value: print(f"{what}: {value:.4g}")))
