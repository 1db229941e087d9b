"""Matchpoints, Neuberg's formula with its exceptions, Ascherman's percentages."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.matchpoints import (
    ascherman,
    compared,
    matchpoints,
    neuberg,
    percentages,
    share_of_top,
    top,
)
from tests.bridge import golden, oracle
from tests.strategies import fields


@st.composite
def groups(draw):
    """Expected and actual results, and the points of one of these: expected, actual, points."""
    actual = draw(st.integers(1, 40))
    points = draw(st.integers(0, top(actual)) | st.fractions(0, top(actual), max_denominator=20))
    return draw(st.integers(actual, 90)), actual, points


def test_every_row_of_the_golden_neuberg_table():
    for row in golden.rows("neuberg.csv"):
        expected = int(row["expected"])
        scaled = neuberg(int(row["mp_in_group_210"]), expected, int(row["actual"]))
        assert scaled == Fraction(row["scaled_exact"])
        assert scaled / 2 == Fraction(row["scaled_on_1_half_0"])
        assert f"{float(scaled):.4f}" == row["scaled_4dp"]
        assert top(expected) == int(row["top"])
        assert f"{float(share_of_top(scaled, expected)):.4f}" == row["percent"]


@pytest.mark.parametrize(
    ("expected", "actual", "by_points"),
    [
        (6, 2, {0: 55, 1: 60, 2: 65}),
        (20, 2, {0: 55, 1: 60, 2: 65}),
        (9, 3, {0: 50, 1: 55, 2: 60, 3: 65, 4: 70}),
        (12, 3, {0: 50, 3: 65, 4: 70}),
    ],
)
def test_two_or_three_among_many_are_ranked(expected, actual, by_points):
    got = {m: share_of_top(neuberg(m, expected, actual), expected) for m in by_points}
    assert got == by_points


@pytest.mark.parametrize(("expected", "actual"), [(5, 2), (8, 3), (12, 4), (30, 10)])
def test_more_than_a_third_or_more_than_three_are_scaled(expected, actual):
    assert neuberg(0, expected, actual) == Fraction(expected, actual) - 1


def test_both_sides_of_a_ranked_table_get_a_hundred_and_twenty_per_cent_together():
    for actual in (2, 3):
        for points in range(top(actual) + 1):
            both = neuberg(points, 12, actual) + neuberg(top(actual) - points, 12, actual)
            assert share_of_top(both, 12) == 120


def test_the_only_result_has_half():
    assert [share_of_top(neuberg(0, expected, 1), expected) for expected in (1, 2, 20)] == [50, 50, 50]


def test_more_results_than_expected_were_all_expected():
    assert neuberg(7, 5, 6) == neuberg(7, 6, 6) == 7


@given(groups())
def test_neuberg_as_recomputed(group):
    expected, actual, points = group
    share = share_of_top(neuberg(points, expected, actual), expected)
    assert share == oracle.neuberg_percent(Fraction(points), expected, actual)


@given(groups())
def test_neuberg_stays_between_nothing_and_the_top(group):
    expected, actual, points = group
    assert 0 <= neuberg(points, expected, actual) <= top(expected)


@given(groups())
def test_scaled_sides_add_up_to_the_top(group):
    expected, actual, points = group
    if actual > 3:
        both = neuberg(points, expected, actual) + neuberg(top(actual) - points, expected, actual)
        assert both == top(expected)


@given(fields())
def test_as_recomputed(field):
    expected = [oracle.against_others(oracle.plain(field), i, oracle.versus) for i in range(len(field))]
    assert list(matchpoints(field)) == expected


@pytest.mark.parametrize("difference", [-8000, -10, -1, 0, 1, 10, 8000])
def test_one_comparison(difference):
    assert compared(difference) == oracle.versus(difference)
    assert compared(difference) + compared(-difference) == 2


@given(fields())
def test_every_comparison_gives_two_points(field):
    assert sum(matchpoints(field)) == len(field) * (len(field) - 1)


@given(fields())
def test_east_west_has_the_rest_of_the_top(field):
    theirs = matchpoints([-score for score in field])
    both = [ns + ew for ns, ew in zip(matchpoints(field), theirs, strict=True)]
    assert both == [top(len(field))] * len(field)


@given(fields())
def test_percentages_of_both_sides_add_up_to_a_hundred(field):
    theirs = percentages([-score for score in field])
    assert {ns + ew for ns, ew in zip(percentages(field), theirs, strict=True)} == {100}
    assert sum(percentages(field)) == 50 * len(field)


@given(st.data(), fields())
def test_order_of_arrival_does_not_matter(data, field):
    order = data.draw(st.permutations(range(len(field))))
    assert percentages([field[i] for i in order]) == tuple(percentages(field)[i] for i in order)


@given(fields(2))
def test_matchpoints_follow_the_scores(field):
    pairs = list(zip(field, matchpoints(field), strict=True))
    assert all((a < b) == (m < n) for a, m in pairs for b, n in pairs)


def test_a_lone_result_is_average():
    assert percentages([620]) == (50,)


@given(fields())
def test_ascherman_averages_fifty_and_never_gives_nothing_or_all(field):
    shares = [ascherman(points, len(field)) for points in matchpoints(field)]
    assert sum(shares) == 50 * len(field)
    assert all(0 < share < 100 for share in shares)
    assert shares == [Fraction(100 * (m + 1), 2 * len(field)) for m in matchpoints(field)]
