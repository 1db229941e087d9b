"""The five figures and the duplicate figures of a player."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.five_figures import (
    POINT,
    DuplicateFigures,
    FiveFigures,
    average,
    duplicate_figures,
    line,
    week_points,
)
from tests.bridge import golden

scores = st.lists(st.integers(-2400, 2400), max_size=9)


def test_every_golden_week():
    rows = golden.rows("rating/7_five_figures.csv")
    assert len(rows) == 4
    for row in rows:
        own = [100 * int(score) for score in row["scored_ximp_own_side"].split()]
        left, unscored = int(row["disconnects"]), int(row["unscored_boards"])
        points = week_points(own, left)
        boards = len(own) + left + unscored
        assert points == int(row["week_points"]) * POINT
        assert boards == int(row["week_boards"])
        assert int(row["total_boards_before"]) + boards == int(row["total_boards_after"])
        mean = average(points, boards)
        shown = "null" if mean is None else f"{float(mean):.6f}"
        assert shown == row["last_week_average_next_week"]


@given(scores, st.integers(0, 3))
def test_week_points_are_imps_less_16_for_each_disconnect(own, left):
    assert Fraction(week_points(own, left), POINT) == Fraction(sum(own), 100) - 16 * left


@given(st.lists(st.integers(0, 10_000), max_size=9), st.integers(0, 3))
def test_at_matchpoints_a_per_cent_is_worth_15_hundredths(own, left):
    per_cent = [Fraction(hundredths, 100) for hundredths in own]
    expected = sum((Fraction(15, 100) * (each - 50) for each in per_cent), Fraction(0)) - 16 * left
    assert Fraction(week_points(own, left, matchpoints=True), POINT) == expected


@given(st.integers(0, 10_000))
def test_what_one_side_wins_at_matchpoints_the_other_loses(own):
    assert line(own, matchpoints=True) == -line(10_000 - own, matchpoints=True)


def test_the_whole_scale_at_matchpoints_is_15_points():
    assert line(10_000, matchpoints=True) - line(0, matchpoints=True) == 15 * POINT


def test_an_average_needs_boards():
    assert average(-3 * POINT, 4) == Fraction(-3, 4)
    assert average(0, 0) is None


def test_boards_won_drawn_and_lost():
    found = duplicate_figures([300, 0, -100, 1, 0], disconnects=1)
    assert found == DuplicateFigures(2 * POINT + 100 - 16 * POINT, won=2, drawn=2, lost=1)
    assert found.win_rate == Fraction(2, 5)
    assert duplicate_figures([], disconnects=2) == DuplicateFigures(-32 * POINT, 0, 0, 0)
    assert duplicate_figures([], 0).win_rate is None


@pytest.mark.parametrize(
    ("award", "won", "drawn", "lost"), [(5001, 1, 0, 0), (5000, 0, 1, 0), (4999, 0, 0, 1)]
)
def test_at_matchpoints_50_per_cent_is_drawn(award, won, drawn, lost):
    found = duplicate_figures([award], 0, matchpoints=True)
    assert (found.won, found.drawn, found.lost) == (won, drawn, lost)
    assert found.points == 15 * (award - 5000)


@given(scores, st.integers(0, 3))
def test_duplicate_points_are_counted_as_week_points(awards, left):
    found = duplicate_figures(awards, left)
    assert found.points == week_points(awards, left)
    assert found.won + found.drawn + found.lost == len(awards)


def test_the_five_figures_stand_together():
    figures = FiveFigures(50.0, True, week_points([300], 0), 1, 1, average(0, 0))
    assert figures.week_points == 3 * POINT
    assert figures.last_week_average is None
