"""What every program here shares: its arguments, its seed, its progress, its figures and faults."""

import argparse
import asyncio
import random
import signal
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import uvloop

from tests.long import places
from tests.long.places import DATABASES, Place

SHOWN = 40  # faults
BROKEN_OFF = "broken off"


class Skipped(Exception):
    """What cannot be shown on this machine, and why"""


async def until(holds: Callable[[], bool], seconds: float, what: str, pause: float = 0.005) -> float:
    """Look until it holds; seconds that it took. Raises TimeoutError, saying what was waited for."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    while True:
        if holds():
            return loop.time() - started
        if loop.time() - started > seconds:
            raise TimeoutError(f"waited {seconds} s for {what}")
        await asyncio.sleep(pause)


@dataclass
class Run:
    """One run of a program over one database."""

    seed: int
    out: bool = False  # whether progress is shown
    faults: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)  # what this machine does not permit to try

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def fault(self, *words: object) -> None:
        """Something does not hold."""
        self.faults.append(" ".join(map(str, words)))

    def check(self, holds: object, *words: object) -> bool:
        """Note a fault unless it holds; whether it does."""
        if not holds:
            self.fault(*words)
        return bool(holds)

    def step(self, *words: object) -> None:
        """Show where the program is, on a terminal."""
        if self.out and sys.stderr.isatty():
            print(f"\r\x1b[K{' '.join(map(str, words))}", end="", file=sys.stderr, flush=True)

    def report(self) -> str:
        """Figures, what was left out, and faults."""
        lines = [f"  {name}: {value}" for name, value in self.figures.items()]
        lines += [f"  left out: {words}" for words in self.skipped]
        lines += [f"  FAULT {fault}" for fault in self.faults[:SHOWN]]
        return "\n".join([f"seed {self.seed}, {len(self.faults)} faults", *lines])


Play = Callable[[Run, Place, Any], Awaitable[None]]


def main(doc: str | None, play: Play, default: Any, long: Any, databases: Sequence[str] = DATABASES) -> None:
    """Run a program by its command line; exits with 1 when something does not hold."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=databases, help="only this one")
    parser.add_argument("--long", action="store_true", help="the long profile")
    parser.add_argument("--seed", type=int, help="of a run that is to be repeated")
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10**9)
    profile = long if given.long else default
    wrong = 0
    for kind in [given.database] if given.database else databases:
        run = Run(seed, out=True)
        print(f"{kind}: seed {seed}, {profile}", flush=True)
        started = time.monotonic()
        with places.fresh(kind) as place:
            _play(run, place, play, profile)
        run.step()
        print(f"{kind}: {time.monotonic() - started:.0f} s, {run.report()}", flush=True)
        wrong += len(run.faults)
        if BROKEN_OFF in run.faults:
            break
    raise SystemExit(1 if wrong else 0)


def _play(run: Run, place: Place, play: Play, profile: Any) -> None:
    async def settled() -> None:
        task = asyncio.current_task()
        assert task is not None
        # As Ctrl-C: what was started is ended first.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await places.settle(place)
        await play(run, place, profile)

    try:
        uvloop.run(settled())
    except Skipped as reason:
        run.skipped.append(str(reason))
    except (KeyboardInterrupt, asyncio.CancelledError):
        run.fault(BROKEN_OFF)
    except Exception:  # what was measured until then is shown all the same
        run.fault("the program itself has failed:", traceback.format_exc())
