"""PBN files that real tournaments published.

They are not part of the project; the environment variable ``TEST_REAL_FILES`` names their folder.
"""

import os
from pathlib import Path

import pytest

from server.formats.pbn import read_pbn
from server.formats.records import Method, ResultFile
from tests.formats.pbn_files import rows_of

FOLDER = os.environ.get("TEST_REAL_FILES", "")
pytestmark = pytest.mark.skipif(
    not FOLDER, reason="TEST_REAL_FILES does not name a folder of real result files"
)

# file: method, boards, rows with a result, artificial rows, totals
WANTED = {
    "OKB_v20": (Method.IMPS, 26, 2187, 0, 172),
    "okb_imp_06": (Method.IMPS, 31, 898, 0, 0),
    "okb_imp_07": (Method.IMPS, 17, 498, 0, 0),
    "okb_mp_2_7": (Method.MP, 26, 792, 0, 0),
    "FFT_9901_v20": (Method.MP, 40, 649, 18, 356),
    "politiken97_round1": (Method.NONE, 10, 10, 0, 0),
    "gib1970_mixedpairs_latin1": (Method.NONE, 27, 234, 0, 0),
    "hand_records_36": (Method.NONE, 36, 0, 0, 0),
}


def read(name: str) -> ResultFile:
    return read_pbn((Path(FOLDER) / "pbn" / f"{name}.pbn").read_bytes())


@pytest.mark.parametrize("name", WANTED)
def test_a_real_file_is_read_whole(name: str) -> None:
    file = read(name)

    rows = rows_of(file)
    artificial = sum(row.artificial is not None for row in rows)
    read_as = (file.method, len(file.boards), len(rows) - artificial, artificial, len(file.totals))
    assert read_as == WANTED[name]
    assert (file.warnings, file.refused) == ((), ())
    assert all(board.deal is not None and board.deal.complete for board in file.boards)


@pytest.mark.parametrize("name", ["ref_correct_20", "ref_correct_21"])
def test_the_correct_games_of_a_conformance_set(name: str) -> None:
    file = read(name)

    assert file.refused == ()
    assert {warning.text for warning in file.warnings} <= {"a board is left out, its number is not given"}


def test_every_wrong_game_of_a_conformance_set_is_named() -> None:
    for name, games in (("ref_errors_20", 23), ("ref_errors_21", 2)):
        text = (Path(FOLDER) / "pbn" / f"{name}.pbn").read_text(encoding="cp1252")
        starts = [n for n, line in enumerate(text.splitlines(), 1) if line.startswith("% ====")]
        file = read(name)
        lines = [
            complaint.line or 0
            for complaint in (*file.warnings, *file.refused)
            if complaint.text != "a board is left out, its number is not given"
        ]

        named = {sum(start <= line for start in starts) for line in lines}
        assert named == set(range(1, games + 1)), name
