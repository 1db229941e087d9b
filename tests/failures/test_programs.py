"""Every failure program holds, with its short profile, on the databases that it is for."""

import re
from pathlib import Path

import pytest

from tests.long import (
    aborts,
    closing,
    documented,
    floods,
    followers,
    kills,
    metrics,
    processes,
    proxy,
    races,
    storage_faults,
    stories,
    storm,
    swiss,
    terminate,
)

ROOT = Path(__file__).parents[2]
BOTH = (
    *(aborts, closing, documented, floods, followers, kills, metrics, processes, races),
    *(storage_faults, stories, storm, swiss, terminate),
)
ONLY_POSTGRESQL = (proxy,)


def name_of(program):
    """As it is run by hand."""
    return program.__name__.rpartition(".")[2]


@pytest.mark.programs
@pytest.mark.parametrize("program", BOTH, ids=name_of)
async def test_it_holds(holds, program):
    await holds(program)


@pytest.mark.programs
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("program", ONLY_POSTGRESQL, ids=name_of)
async def test_it_holds_on_postgresql(holds, program):
    await holds(program)


def test_every_program_is_run_here_and_by_make_long():
    folder = ROOT / "tests" / "long"
    found = {path.stem for path in folder.glob("*.py") if "    main(__doc__, play" in path.read_text()}
    assert found == {name_of(program) for program in (*BOTH, *ONLY_POSTGRESQL)}
    listed = re.search(r"^PROGRAMS := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(listed[1].split()) == found
