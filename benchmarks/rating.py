"""A week of 10 million player-boards rated after half a year of them, in a process of its own."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from benchmarks.places import ROOT
from server.bridge.rating import Rules
from server.bridge.rating_classic import NOBODY, ClassicState, rate_classic
from server.bridge.rating_columns import Flags, Floats, Numbers, Tables, leavings, no_disconnects
from server.bridge.rating_joint import NOTHING, JointState, advanced, handed_over
from server.bridge.rating_packing import packed, unpacked
from server.bridge.rating_quartets import quartets
from server.bridge.rating_week import joint_week

PLAYERS, TABLES, SITTING, WEEKS = 100_000, 2_500_000, 8, 26  # boards that four players play in one sitting
RULES = Rules()
NOBODY_LEFT = np.zeros(0, np.int32)
T = TypeVar("T")


def measured() -> dict[str, float]:
    """Seconds and GiB, by name."""
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.rating"], check=True, capture_output=True, cwd=ROOT
    )
    found: dict[str, float] = json.loads(told.stdout)
    return found


def main() -> None:
    """Rate half a year; measure its last week; print."""
    rng, figures = np.random.default_rng(1), dict[str, float]()
    players: Numbers = np.arange(1, PLAYERS + 1, dtype=np.int64)
    skill = rng.normal(0, 0.45, PLAYERS)
    classic, joint = NOBODY.grown(players), NOTHING
    for _ in range(WEEKS):
        tables = played(rng, skill)
        classic = _timed(figures, "rating classic, s", lambda c=classic, t=tables: classic_of(c, t))
        settled = classic.rated >= RULES.shield_boards
        joint = replace(joint, ties=handed_over(list(joint.ties)))  # as if fetched block by block
        joint = _timed(
            figures, "rating joint, sums, s", lambda j=joint, t=tables, s=settled: sums_of(j, players, t, s)
        )
    _timed(figures, "rating joint, solution, bars and flags, s", lambda: joint_week(joint, RULES.algorithm))
    parts = _timed(figures, "rating joint, packing, s", lambda: list(packed(joint)))
    _timed(figures, "rating joint, unpacking, s", lambda: [ties.block for ties in unpacked(parts).ties])
    figures["rating joint, entries of H, millions"] = sum(ties.matrix.nnz for ties in joint.ties) / 1e6
    figures["rating joint, packed, MB"] = sum(map(len, parts)) / 1e6
    figures["rating memory, GiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(json.dumps(figures))


def played(rng: np.random.Generator, skill: Floats) -> Tables:
    """Everybody plays, in sittings of four, with results as skill and luck have them."""
    rounds = -(-TABLES // (SITTING * (PLAYERS // 4)))
    four = np.concatenate([rng.permutation(PLAYERS).astype(np.int32).reshape(-1, 4) for _ in range(rounds)])
    seats = np.repeat(four, SITTING, axis=0)[rng.permutation(rounds * (PLAYERS // 4) * SITTING)[:TABLES]]
    north, south, east, west = np.ascontiguousarray(seats.T)
    mean = skill[north] + skill[south] - skill[east] - skill[west]
    x = np.clip(np.rint(mean + rng.normal(0, 5.5, TABLES)), -24, 24)
    return Tables(np.arange(TABLES, dtype=np.int64), north, south, east, west, x)


def classic_of(before: ClassicState, tables: Tables) -> ClassicState:
    """The classic rating after a week."""
    left = leavings(tables.key, tables.seats, no_disconnects())
    return rate_classic(before, tables, left, NOBODY_LEFT, RULES).state


def sums_of(before: JointState, players: Numbers, tables: Tables, settled: Flags) -> JointState:
    """The sums of the joint rating after a week."""
    return advanced(before, players, quartets(tables), NOBODY_LEFT, settled, RULES)


def _timed(figures: dict[str, float], name: str, run: Callable[[], T]) -> T:
    started = time.perf_counter()
    found = run()
    figures[name] = time.perf_counter() - started
    return found


if __name__ == "__main__":
    main()
