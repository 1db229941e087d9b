"""Where the documents misprint victory points, contradict their own formula or leave a gap: what is right.

Each row of ``data/source_conflicts.csv`` on victory points or master points is one case.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import pytest

from server.bridge.masterpoints import masterpoints
from server.bridge.vp_bethe import bethe2003
from server.bridge.vp_curve import UnknownConversion, VictoryPoints, blitz, curve, nearest
from server.bridge.vp_parabola import ONE_BOARD_ROUNDED, one_board_margins, parabola
from server.bridge.vp_scale import VpScale, conversion_table, victory_points
from server.bridge.vp_wbf import wbf, wbf_discrete_starts, wbf_formula
from tests.bridge import golden

ROWS = {row["case"]: row for row in golden.rows("source_conflicts.csv")}
CONCERNED = [case for case, row in ROWS.items() if row["topic"] in ("vp", "masterpoints")]
OF_THE_TABLES = [case for case in CONCERNED if re.fullmatch(r"d0-\d+-boards-\d+-imps", case)]


def hundredths(text):
    return int(Fraction(text) * 100)


@pytest.mark.parametrize("case", OF_THE_TABLES)
def test_a_line_of_the_printed_tables_of_d0(case):
    row = ROWS[case]
    boards, margin = (int(number) for number in re.findall(r"\d+", case)[1:])
    assert row["where"] == f"table {boards} boards, {margin} IMP"
    printed = VictoryPoints(*map(hundredths, row["quoted"].split("/")))
    winner, loser, raw, plain = re.match(
        r"official ([\d.]+)/([\d.]+) \(raw ([\d.]+), plain 2dp ([\d.]+)\)", row["right"]
    ).groups()
    assert wbf(margin, boards) == VictoryPoints(hundredths(winner), hundredths(loser))
    assert wbf_formula(margin, boards).ours == hundredths(plain)
    assert nearest(curve(margin, boards), 10**5) == Fraction(raw) * 10**5
    if row["kind"] == "differs_from_formula_only":
        assert printed == wbf(margin, boards) != wbf_formula(margin, boards)
    else:
        assert printed != wbf(margin, boards)


@dataclass(frozen=True)
class Case:
    """What we compute, what is right, and what the document says (None: no number of its own)."""

    compute: Callable[[], object]
    right: object
    misprinted: object = None


def old25_above():
    try:
        victory_points(VpScale.OLD25, 30, 8)
    except UnknownConversion:
        return "unknown"
    return "known"


def worst_error(low, high):
    """Greatest distance of the parabola from the curve between two margins, in ten-thousandths."""
    errors = [
        abs(parabola(Fraction(x, 100)) - Fraction(curve(x, 10_000))) for x in range(100 * low, 100 * high + 1)
    ]
    return round(10_000 * max(errors))


def whole_scale(starts):
    return [f"{a}–{b - 1}" if b - 1 > a else str(a) for a, b in pairwise(starts)]


OFFICIAL_16 = ["0–1", "2–4", "5–8", "9–12", "13–17", "18–22", "23–28", "29–35", "36–43", "44–53"]
CASES = {
    "d0-second-table-header": Case(
        lambda: [round(15 * boards**0.5, 5) for boards in (14, 16, 20)],
        [56.12486, 60.0, 67.08204],
        [42.42641, 47.43416, 51.96152],
    ),
    "d0-formula-alone": Case(
        lambda: [(wbf(m, n).ours, wbf_formula(m, n).ours) for n, m in ((8, 40), (10, 31), (16, 14))],
        [(1974, 1973), (1800, 1799), (1375, 1374)],
        [(1973, 1973), (1799, 1799), (1374, 1374)],
    ),
    "d0-every-imp-counts": Case(
        lambda: (wbf(blitz(8), 8), wbf(blitz(8) + 1, 8)), (VictoryPoints(2000, 0), VictoryPoints(2000, 0))
    ),
    "d1-vp-table": Case(
        lambda: (
            whole_scale(wbf_discrete_starts(16)),
            [points.ours for points in conversion_table(VpScale.LINEAR, 16)].index(2000),
            blitz(14),
        ),
        (OFFICIAL_16, 57, 57),
    ),
    "d2-one-board-12-8": Case(lambda: one_board_margins()[1], 1723, 1722),
    "d2-one-board-13-7": Case(lambda: one_board_margins()[2], 2705, 2704),
    "d2-one-board-17-3": Case(lambda: one_board_margins()[6], 7951, 7950),
    "d2-parabola-error": Case(lambda: (worst_error(0, 5), worst_error(5, 15)), (925, 2513), (800, 2500)),
    "d2-old-8-boards-end": Case(old25_above, "unknown"),
    "d2-rounded-one-board": Case(
        lambda: (one_board_margins()[7], one_board_margins()[9], nearest(curve(10, 1))),
        (9814, 15000, 1809),
        (1000 * ONE_BOARD_ROUNDED[8], 1000 * ONE_BOARD_ROUNDED[10], 1800),
    ),
    "d3-vp-table-50-imps": Case(
        lambda: (bethe2003(50, 14), nearest(curve(50, 14), 10)), (VictoryPoints(1947, 53), 195), (None, 196)
    ),
    "d3-vp-table-56-imps": Case(
        lambda: (bethe2003(56, 14), nearest(curve(56, 14), 10), bethe2003(57, 14).ours),
        (VictoryPoints(1999, 1), 200, 2000),
        (VictoryPoints(2000, 0), 200, 2000),
    ),
    "d3-rule-5-range": Case(
        lambda: (wbf(100, 8), wbf_formula(100, 8), bethe2003(73, 8), bethe2003(74, 8), bethe2003(10**6, 8)),
        (VictoryPoints(2000, 0), VictoryPoints(2000, 0), *(VictoryPoints(2000, -200),) * 3),
    ),
    "d3-rule-5-rounding": Case(lambda: (bethe2003(40, 8).ours, wbf(40, 8).ours), (1973, 1974), (1973, 1973)),
    "d3-rule-5-tau": Case(
        lambda: [
            round(10 * (1 - (1 - 1.6180339887 ** (-m / (5 * 8**0.5))) / (1 - 1.6180339887**-3)), 6)
            for m in range(0, 60, 7)
        ],
        [float(round(20 - curve(m, 8), 6)) for m in range(0, 60, 7)],
    ),
    "d3-rule-5-imps-per-vp": Case(
        lambda: nearest(curve(Fraction(309, 100), 14)), 1100
    ),  # 3.09 IMPs are the first victory point at 14 boards
    "d4-exactly-twenty-pairs": Case(
        lambda: (masterpoints(19), masterpoints(20), masterpoints(21)),
        ((3, 2, 2, 2, 1, 1, 1, 1, 1), (3, 2, 2, 2, 1, 1, 1, 1, 1, 1), (3, 2, 2, 2, 1, 1, 1, 1, 1, 1)),
    ),
}


@pytest.mark.parametrize("case", [case for case in CONCERNED if case not in OF_THE_TABLES])
def test_the_right_value_is_computed_and_not_the_misprinted_one(case):
    expected = CASES[case]
    computed = expected.compute()
    assert computed == expected.right
    assert computed != expected.misprinted


def test_every_row_has_its_case():
    assert len(OF_THE_TABLES) == 40
    assert set(CONCERNED) == set(OF_THE_TABLES) | set(CASES)


def test_the_lines_that_the_correction_moves():
    rows = golden.rows("vp_wbf_continuous.csv")
    listed = {(int(row["boards"]), int(row["imps"])) for row in rows if row["corrected"] == "1"}
    moved = {
        (boards, margin)
        for boards in {int(row["boards"]) for row in rows}
        for margin in range(blitz(boards) + 1)
        if wbf(margin, boards) != wbf_formula(margin, boards)
    }
    assert moved == listed
    assert len(moved) == 1182
    printed = [wbf(n, m).ours - wbf_formula(n, m).ours for m, n in moved if m <= 32]
    assert set(printed) == {1}
