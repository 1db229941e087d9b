"""USEBIO files that real clubs published.

They are not part of the project; the environment variable ``TEST_REAL_FILES`` names their folder.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

from server.bridge.score import score_ns
from server.formats.records import Method, ResultFile
from server.formats.usebio import read_usebio
from tests.formats.usebio_files import rows_of

FOLDER = os.environ.get("TEST_REAL_FILES", "")
pytestmark = pytest.mark.skipif(
    not FOLDER, reason="TEST_REAL_FILES does not name a folder of real result files"
)

CROSS = Method.CROSS_IMPS_PER_COMPARISON
# file: method, boards, rows with a result, artificial rows, totals
WANTED = {
    "butler_howell": (Method.BUTLER, 35, 140, 0, 8),
    "cross_imp_howell": (CROSS, 27, 108, 0, 9),
    "mp_pairs_mitchell_03": (Method.MATCHPOINTS, 21, 126, 0, 13),
    "mp_pairs_mitchell_adjusted_02": (Method.MATCHPOINTS, 27, 563, 4, 42),
    "mp_pairs_howell": (Method.MATCHPOINTS, 27, 160, 1, 12),
}


def read(name: str) -> ResultFile:
    return read_usebio((Path(FOLDER) / "usebio" / f"{name}.xml").read_bytes())


@pytest.mark.parametrize("name", WANTED)
def test_a_real_file_is_read_whole(name: str) -> None:
    file = read(name)

    rows = rows_of(file)
    artificial = sum(row.artificial is not None for row in rows)
    read_as = (file.method, len(file.boards), len(rows) - artificial, artificial, len(file.totals))
    assert read_as == WANTED[name]
    assert (file.warnings, file.refused) == ((), ())
    assert file.played_on is not None
    assert all(each.deal is not None and each.deal.complete for each in file.boards)
    assert Counter(each.method for each in file.boards) == {file.method: len(file.boards)}
    assert all(figure.ns is not None and figure.ew is not None for row in rows for figure in row.published)
    assert all(len(row.published) == 1 for row in rows)


@pytest.mark.parametrize("name", WANTED)
def test_every_published_score_is_the_contract_score(name: str) -> None:
    for each in read(name).boards:
        for row in each.rows:
            if row.artificial is None:
                assert row.outcome is not None
                assert row.score == score_ns(row.outcome, each.vulnerability), f"line {row.line}"


def test_the_unknown_type_is_named() -> None:
    file = read("notsupported")

    assert [(refusal.line, "NOTSUP" in refusal.text) for refusal in file.refused] == [(8, True)]
    assert (file.boards, file.totals) == ((), ())
