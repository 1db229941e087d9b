"""Files that real clubs and tournaments published: what a correct import reproduces of them.

They are not part of the project; the environment variable ``TEST_REAL_FILES`` names their folder.
"""

import os
from pathlib import Path

import pytest

from server.services.imports import ImportReport, read_import
from server.services.verification import Check, Difference

FOLDER = os.environ.get("TEST_REAL_FILES", "")
pytestmark = pytest.mark.skipif(
    not FOLDER, reason="TEST_REAL_FILES does not name a folder of real result files"
)

NONE = Check(0, 0)
# file: method, contract scores, published figures, totals
WANTED = {
    "usebio/butler_howell.xml": ("butler", Check(140, 140), Check(140, 140), Check(8, 8)),
    "usebio/cross_imp_howell.xml": (
        "cross_imps_per_comparison",
        Check(108, 108),
        Check(108, 108),
        Check(9, 9),
    ),
    "usebio/mp_pairs_mitchell_03.xml": ("matchpoints", Check(126, 126), Check(126, 126), Check(13, 13)),
    "usebio/mp_pairs_mitchell_adjusted_02.xml": (
        "matchpoints",
        Check(563, 563),
        Check(563, 562),
        Check(42, 42),
    ),
    "usebio/mp_pairs_howell.xml": ("matchpoints", Check(160, 160), Check(160, 160), Check(12, 12)),
    "pbn/OKB_v20.pbn": ("cross_imps_per_comparison", Check(2187, 2186), Check(2187, 2187), NONE),
    "pbn/okb_imp_06.pbn": ("cross_imps_per_comparison", Check(898, 898), Check(898, 898), NONE),
    "pbn/okb_imp_07.pbn": ("cross_imps_per_comparison", Check(498, 498), Check(498, 498), NONE),
    "pbn/okb_mp_2_7.pbn": ("matchpoints", Check(792, 792), Check(792, 792), NONE),
    "pbn/FFT_9901_v20.pbn": ("ascherman", NONE, Check(649, 649), NONE),
    "pbn/politiken97_round1.pbn": ("none", Check(10, 10), NONE, NONE),
    "pbn/gib1970_mixedpairs_latin1.pbn": ("none", Check(234, 234), NONE, NONE),
    "pbn/hand_records_36.pbn": ("none", NONE, NONE, NONE),
}


def read(name: str) -> ImportReport:
    return read_import((Path(FOLDER) / name).read_bytes(), name)


@pytest.mark.parametrize("name", WANTED)
def test_published_figures_are_reproduced(name: str) -> None:
    report = read(name)

    assert (report.method, report.contract_scores, report.published, report.totals) == WANTED[name]
    assert report.refused == ()


def test_a_wrong_contract_score_is_named() -> None:
    assert read("pbn/OKB_v20.pbn").differences == (Difference(21, 2593, "contract score", "600", "630"),)


def test_a_wrong_figure_and_all_that_follows_from_it_is_named() -> None:
    found = read("usebio/mp_pairs_mitchell_adjusted_02.xml").differences

    on_boards = [(each.board, each.what, each.published, each.computed) for each in found if each.board]
    assert on_boards == [
        (3, "matchpoints NS (artificial)", "23", "20.0"),
        (3, "matchpoints EW (artificial)", "11", "20.0"),
        (4, "matchpoints NS", "21", "19.0"),
        (4, "matchpoints EW", "19", "21.0"),
    ]
    totals = {each.what.split(",")[0] for each in found if each.board is None}
    assert {"total of 1NS", "total of 1EW", "total of 21EW"} <= totals


def test_an_unknown_type_is_refused_by_name() -> None:
    report = read("usebio/notsupported.xml")

    assert [(refusal.line, "NOTSUP" in refusal.text) for refusal in report.refused] == [(8, True)]
    assert (report.boards, report.rows) == (0, 0)
