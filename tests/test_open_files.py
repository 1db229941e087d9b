"""How many files a server may have open: as many as it needs, if the system allows."""

import re
import resource
from pathlib import Path

import pytest

from server.open_files import NEEDED
from tests.long import places
from tests.long.places import Place
from tests.long.servers import Server


@pytest.fixture
async def place(database_url, tmp_path):
    """Where servers run."""
    made = Place(database_url, tmp_path / "data")
    await places.settle(made)
    return made


def may_open(server: Server) -> int:
    """Files that its process may have open."""
    limits = Path(f"/proc/{server.process.pid}/limits").read_text(encoding="ascii")
    return int(re.search(r"^Max open files\s+(\d+)", limits, re.MULTILINE)[1])


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("highest", [200, 300, 30_000])
async def test_the_limit_is_raised_as_far_as_is_needed_and_possible(place, highest):
    if highest > resource.getrlimit(resource.RLIMIT_NOFILE)[1]:
        pytest.skip("nobody here may open so many files")
    async with Server(place, module=f"tests.long.few_files 200 {highest}") as server:
        assert may_open(server) == min(highest, NEEDED)
