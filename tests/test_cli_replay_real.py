"""A real tournament replayed: boards that retire, later tables refused, every award held against the rules.

The file is not part of the project; the environment variable ``TEST_REAL_FILES`` names the folder it is in.
"""

import os
from pathlib import Path

import pytest

from tests.processes import crossruff
from tests.web.scoring import Judge, check_traveller

FOLDER = os.environ.get("TEST_REAL_FILES", "")
pytestmark = pytest.mark.skipif(
    not FOLDER, reason="TEST_REAL_FILES does not name a folder of real result files"
)


async def test_a_tournament_of_84_tables_fills_its_boards(api):
    path = Path(FOLDER) / "pbn" / "OKB_v20.pbn"
    done = await crossruff("replay", str(path), "--to", api.url, "--token", api.tokens["admin"])
    assert (done.code, done.out.splitlines()) == (
        0,
        [
            "2187 tables of 26 boards posted: 1040 accepted",
            "  1147 refused: board-retired",
            "  26 boards retired",
        ],
    )
    boards = (await api.get("boards")).body["boards"]
    assert len(boards) == 26
    for board in boards:
        traveller = (await api.get(f"boards/{board['id']}/traveller")).body  # retired, so open to all
        check_traveller(Judge("datum"), traveller, [row["score"] for row in traveller["results"]])
