"""Victory points: every golden line of every scale, and what holds for all of them."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.vp_bethe import bethe2003
from server.bridge.vp_curve import (
    UnknownConversion,
    VictoryPoints,
    blitz,
    curve,
    margin_worth,
    nearest,
    whole,
)
from server.bridge.vp_parabola import ONE_BOARD_ROUNDED, one_board_margins, parabola
from server.bridge.vp_scale import PAIRS_SCALES, VpScale, conversion_table, victory_points
from server.bridge.vp_wbf import wbf, wbf_discrete, wbf_discrete_starts, wbf_formula, wbf_table
from tests.bridge import golden

numbers_of_boards = st.integers(1, 64)
whole_margins = st.integers(-400, 400)
fractional_margins = st.fractions(-400, 400, max_denominator=159)
TABLES = (VpScale.WBF, VpScale.WBF_DISCRETE, VpScale.LINEAR)
FORMULAS = (VpScale.BETHE2003, VpScale.WBF_FORMULA)


def points(winner, loser):
    return VictoryPoints(*(int(Fraction(text) * 100) for text in (winner, loser)))


def test_every_line_of_the_official_table_and_of_the_formula():
    rows = golden.rows("vp_wbf_continuous.csv")
    assert len(rows) == 5064
    for row in rows:
        boards, margin = int(row["boards"]), int(row["imps"])
        assert wbf(margin, boards) == points(row["official_winner"], row["official_loser"]), row
        assert wbf_formula(margin, boards).ours == points(row["plain_2dp"], "0").ours, row
        if margin * margin < 225 * boards:
            assert nearest(curve(margin, boards), 10**6) == Fraction(row["raw_6dp"]) * 10**6, row


def test_every_line_of_the_scale_in_whole_points():
    rows = golden.rows("vp_wbf_discrete.csv")
    assert len(rows) == 561
    for row in rows:
        boards, first = int(row["boards"]), int(row["imps_from"])
        last = int(row["imps_to"] or first + 100)
        expected = points(row["winner_vp"], row["loser_vp"])
        assert wbf_discrete(first, boards) == wbf_discrete(last, boards) == expected, row
        if row["imps_to"]:
            assert wbf_discrete(last + 1, boards) != expected, row


def test_the_scale_in_whole_points_is_not_the_curve_rounded():
    assert wbf_discrete(1, 8) == points("11", "9")
    assert nearest(curve(1, 8), 1) == 10


def test_every_line_of_the_formula_of_2003():
    rows = golden.rows("bethe.csv")
    assert len(rows) == 2101
    for row in rows:
        margin, boards = Fraction(row["imps"]), int(row["boards"])
        expected = points(row["winner_vp"], row["loser_vp"])
        assert bethe2003(margin, boards) == expected, row
        assert bethe2003(-margin, boards) == expected.swapped, row
        assert nearest(20 - curve(margin, boards), 10**6) == Fraction(row["loser_raw_6dp"]) * 10**6, row


@pytest.mark.parametrize("case", golden.vectors("swiss/vp.json")["cases"], ids=str)
def test_every_golden_case_of_a_swiss_pairs(case):
    found = victory_points(VpScale.BETHE2003, Fraction(case["net_imp"]), case["boards"])
    assert found == points(case["vp"], case["opp"])


@pytest.mark.parametrize(
    ("file", "scale", "lines"),
    [
        ("vp_d1_linear.csv", VpScale.LINEAR, 11),
        ("acbl20.csv", VpScale.ACBL20, 22),
        ("acbl30.csv", VpScale.ACBL30, 28),
        ("vp_old_wbf25_8boards_partial.csv", VpScale.OLD25, 10),
    ],
)
def test_every_line_of_the_printed_tables(file, scale, lines):
    rows = golden.rows(file)
    assert len(rows) == lines
    for row in rows:
        low, _, high = row.get("boards", "1-60").partition("-")
        first = int(row["imps_from"])
        expected = points(row["winner_vp"], row["loser_vp"])
        for boards in range(int(low), int(high or low) + 1):
            for margin in range(first, int(row["imps_to"] or first + 300) + 1):
                assert victory_points(scale, margin, boards) == expected, (row, boards, margin)
                assert victory_points(scale, -margin, boards) == expected.swapped, (row, boards, margin)


@pytest.mark.parametrize(
    ("scale", "margin", "boards"),
    [
        *((scale, 3, boards) for scale in (VpScale.ACBL20, VpScale.ACBL30) for boards in (1, 5, 12, 24)),
        *((VpScale.OLD25, 3, boards) for boards in (7, 9, 16)),
        *((VpScale.OLD25, margin, 8) for margin in (30, -30, 31, 99, Fraction(59, 2))),
    ],
)
def test_what_no_table_says_is_refused(scale, margin, boards):
    with pytest.raises(UnknownConversion) as refused:
        victory_points(scale, margin, boards)
    assert refused.value.scale == scale.value
    assert "known" in str(refused.value)


def test_the_old_scale_ends_where_it_is_known():
    assert victory_points(VpScale.OLD25, 29, 8) == points("24", "6")
    assert victory_points(VpScale.OLD25, Fraction(-589, 20), 8) == points("6", "24")


def test_every_line_of_the_parabola():
    rows = golden.rows("vp_one_board_parabola.csv")
    assert len(rows) == 151
    for row in rows:
        x = Fraction(row["imps_per_sqrt_board"])
        assert abs(parabola(x) - Fraction(row["parabola"])) <= Fraction(1, 20_000), row
        # Over 10,000 boards a hundred times the margin lies at the same place of the curve.
        assert nearest(curve(100 * x, 10_000), 10_000) == Fraction(row["exact"]) * 10_000, row


@pytest.mark.parametrize("stretched", [Fraction(-1, 10), Fraction(151, 10)])
def test_the_parabola_ends_at_15(stretched):
    with pytest.raises(Impossible) as refused:
        parabola(stretched)
    assert refused.value.member == "margin"


def test_the_one_board_scale_and_its_form_for_the_memory():
    assert one_board_margins() == (826, 1723, 2705, 3789, 5000, 6371, 7951, 9814, 12087, 15000)
    assert [float(margin) for margin in ONE_BOARD_ROUNDED] == [0, 0.8, 1.7, 2.7, 3.8, 5, 6.4, 8, 10, 12, 15]


@given(st.integers(10, 19), numbers_of_boards)
def test_a_margin_is_worth_what_it_is_worth(vps, boards):
    margin = Fraction(margin_worth(vps, boards))
    assert nearest(curve(margin, boards)) == 100 * vps


@pytest.mark.parametrize("vps", [9, Fraction(2001, 100)])
def test_only_10_to_20_victory_points_have_a_margin(vps):
    with pytest.raises(Impossible):
        margin_worth(vps)


@pytest.mark.parametrize("scale", VpScale)
def test_a_match_has_boards(scale):
    if scale is not VpScale.LINEAR:
        with pytest.raises((Impossible, UnknownConversion)):
            victory_points(scale, 3, 0)


@given(st.sampled_from(PAIRS_SCALES), fractional_margins, numbers_of_boards)
def test_the_opponents_see_the_same_match(scale, margin, boards):
    ours = victory_points(scale, margin, boards)
    assert victory_points(scale, -margin, boards) == ours.swapped
    assert (ours.ours >= ours.theirs) if margin >= 0 else (ours.ours <= ours.theirs)


@given(st.sampled_from(PAIRS_SCALES), fractional_margins, fractional_margins, numbers_of_boards)
def test_more_is_never_worth_less(scale, one, other, boards):
    low, high = sorted((one, other))
    assert victory_points(scale, low, boards).ours <= victory_points(scale, high, boards).ours


@given(st.sampled_from([*TABLES, VpScale.WBF_FORMULA]), fractional_margins, numbers_of_boards)
def test_twenty_points_are_shared(scale, margin, boards):
    found = victory_points(scale, margin, boards)
    assert found.ours + found.theirs == 2000
    assert min(found.ours, found.theirs) >= 0


@given(fractional_margins, numbers_of_boards)
def test_by_the_formula_of_2003_between_18_and_20_are_shared(margin, boards):
    found = bethe2003(margin, boards)
    assert 1800 <= found.ours + found.theirs <= 2000
    beyond = margin * margin > 225 * boards
    assert found.ours + found.theirs == 2000 or beyond
    assert -200 <= found.ours <= 2000


@given(st.sampled_from(TABLES), fractional_margins, numbers_of_boards)
def test_tables_take_the_nearest_whole_margin_and_halves_away_from_zero(scale, margin, boards):
    assert victory_points(scale, margin, boards) == victory_points(scale, whole(margin), boards)
    assert abs(whole(margin) - margin) <= Fraction(1, 2)
    assert (whole(Fraction(5, 2)), whole(Fraction(-5, 2)), whole(Fraction(9, 4))) == (3, -3, 2)


@given(st.sampled_from(FORMULAS), fractional_margins, st.integers(1, 16))
def test_formulas_take_the_margin_as_it_is(scale, margin, boards):
    """Near the middle half an IMP moves the points, so rounding it first would show."""
    small = margin / 400
    found = victory_points(scale, small, boards).ours
    assert (found > 1000) == (small > 0 and nearest(curve(small, boards)) > 1000)


@given(numbers_of_boards)
def test_no_imp_is_worth_more_than_the_one_before_it(boards):
    steps = [after - before for before, after in pairwise(wbf_table(boards))]
    assert steps == sorted(steps, reverse=True)
    assert min(steps) >= 0
    assert (wbf_table(boards)[0], wbf_table(boards)[-1]) == (1000, 2000)


@given(numbers_of_boards)
def test_no_step_of_whole_points_is_narrower_than_the_one_before_it(boards):
    starts = wbf_discrete_starts(boards)
    widths = [2 * starts[1] - 1, *(after - before for before, after in pairwise(starts[1:]))]
    assert widths == sorted(widths)
    assert len(starts) == 11


@given(st.integers(1, 400))
def test_the_blitz_is_the_first_whole_margin_beyond_15_roots(boards):
    assert blitz(boards) ** 2 >= 225 * boards > (blitz(boards) - 1) ** 2
    assert wbf_formula(blitz(boards), boards).ours == wbf(blitz(boards), boards).ours == 2000


@given(st.sampled_from(PAIRS_SCALES), st.integers(1, 32))
def test_the_conversion_table_has_every_margin_up_to_the_last_change(scale, boards):
    table = conversion_table(scale, boards)
    assert list(table) == [victory_points(scale, margin, boards) for margin in range(len(table))]
    assert victory_points(scale, 10_000, boards) == table[-1] != table[-2]


def test_the_conversion_table_of_the_old_scale_ends_with_it():
    assert len(conversion_table(VpScale.OLD25, 8)) == 30


def test_one_imp_is_a_win_and_none_a_draw():
    assert wbf(1, 8) == points("10.44", "9.56")
    assert wbf(0, 8) == points("10", "10")
