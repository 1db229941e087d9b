"""Ten million results scored at once, in a process of its own so that its memory can be told."""

import json
import resource
import subprocess
import sys
import time

import numpy as np

from benchmarks.places import ROOT
from server.bridge import bulk

BOARDS, RESULTS = 250_000, 40


def measured() -> dict[str, float]:
    """Seconds and GiB, by name."""
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.bulk"], check=True, capture_output=True, cwd=ROOT
    )
    found: dict[str, float] = json.loads(told.stdout)
    return found


def main() -> None:
    """Score, print."""
    rng = np.random.default_rng(1)
    scores = (rng.integers(-760, 317, size=(BOARDS, RESULTS), dtype=np.int16) * 10).astype(np.int16)
    started = time.perf_counter()
    bulk.datum_imps(scores)
    between = time.perf_counter()
    bulk.cross_imps(scores)
    ended = time.perf_counter()
    figures = {
        "bulk datum IMPs, s": between - started,
        "bulk cross-IMPs, s": ended - between,
        "bulk memory, GiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
