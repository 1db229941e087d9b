"""What the failure tests may ask for.

- ``place``: a fresh, migrated database with clients and tokens, on each of the two; no server runs yet
- ``holds``: ``await holds(kills)`` runs a program of ``tests/long`` with its short profile
"""

import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.long import places
from tests.long.places import Place
from tests.long.program import Run, Skipped

Holds = Callable[[ModuleType], Awaitable[None]]


@pytest.fixture
async def place(database_url: str, tmp_path: Path) -> Place:
    """Where a program runs."""
    made = Place(database_url, tmp_path / "data")
    await places.settle(made)
    return made


@pytest.fixture
def holds(place: Place) -> Holds:
    """Runs a program within the test."""

    async def run_short(program: ModuleType) -> None:
        run = Run(random.SystemRandom().randrange(10**9))
        try:
            await program.play(run, place, program.SHORT)
        except Skipped as reason:
            pytest.skip(str(reason))
        except BaseException as error:
            error.add_note(run.report())
            raise
        assert not run.faults, run.report()
        assert run.figures, "the program has shown nothing"

    return run_short
