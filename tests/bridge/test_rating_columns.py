"""Columns of a week: who is named by which position, what is ratable, where somebody left."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.rating_classic import board_rates
from server.bridge.rating_columns import (
    NO_RESULT,
    Disconnects,
    Tables,
    WeekRows,
    check_tables,
    different,
    leavings,
    no_abandoned,
    no_disconnects,
    no_tables,
    positions,
    ratable,
    roster,
    rows_of,
    scores_of_matchpoints,
)
from tests.bridge.rating_worlds import Table, column, tables_of

numbers = st.integers(0, 50) | st.integers(0, 2**40)
TABLES = tables_of([Table((0, 1, 2, 3), Fraction(1)), Table((4, 1, 2, 0), Fraction(-2))], column(range(5)))


@given(st.lists(st.lists(numbers), max_size=3))
def test_a_roster_names_everybody_once_and_in_order(columns):
    assert roster(*map(column, columns)).tolist() == sorted({who for each in columns for who in each})


@given(st.sets(numbers, min_size=1), st.data())
def test_positions_are_places_in_the_roster(players, data):
    named = data.draw(st.lists(st.sampled_from(sorted(players))))
    got = positions(column(sorted(players)), column(named))
    assert [sorted(players)[at] for at in got] == named
    assert got.dtype == np.int32


@given(st.sets(numbers), st.lists(numbers, min_size=1))
def test_whoever_is_not_in_the_roster_is_refused(players, named):
    if set(named) <= players:
        named = [*named, max(players) + 1]
    with pytest.raises(Impossible) as refused:
        positions(column(sorted(players)), column(named))
    assert refused.value.member == "players"


@pytest.mark.parametrize("named", [[-1], [10], [4], [2**40], [-(2**40)]])
def test_numbers_beside_those_of_the_roster_are_refused(named):
    for players in ([3, 5, 9], [3, 2**39]):
        with pytest.raises(Impossible):
            positions(column(players), column(named))


def test_some_rows_of_the_tables():
    assert TABLES.where(np.array([False, True])).north.tolist() == [4]
    assert TABLES.where(slice(0, 1)).x.tolist() == [1]
    assert len(TABLES.where(np.array([1, 0, 1]))) == 3


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("other", range(4))
def test_four_different_players_sit_at_a_table(seat, other):
    players = [0, 1, 2, 3]
    players[seat] = players[other]
    seats = [np.array([i, player], np.int32) for i, player in enumerate(players)]
    assert different(seats).tolist() == [True, seat == other]
    rows = Tables(column([0, 1]), *seats, np.zeros(2))
    if seat == other:
        check_tables(rows, 4)
    else:
        with pytest.raises(Impossible, match="four different"):
            check_tables(rows, 4)


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_scores_are_numbers(score):
    seats = [np.array([i], np.int32) for i in range(4)]
    with pytest.raises(Impossible):
        check_tables(Tables(column([0]), *seats, np.array([score])), 4)


def test_tables_name_players_of_the_week():
    with pytest.raises(Impossible):
        WeekRows(column([1, 2, 3]), TABLES, no_disconnects(), no_abandoned())
    for players in ([0, 1, 2, 3, 3], [1, 0, 2, 3, 4]):
        with pytest.raises(Impossible):
            WeekRows(column(players), TABLES, no_disconnects(), no_abandoned())
    assert len(WeekRows(column([]), no_tables(), no_disconnects(), no_abandoned()).players) == 0


def test_ratable_is_what_has_enough_results_and_nothing_out_of_the_ordinary():
    seats = [np.array([i] * 5, np.int32) for i in range(4)]
    seats[3][4] = 0
    results, score_at = np.array([6, 5, 40, 1, 6]), np.array([6, 6, 6, 1, 6])
    normal = np.array([True, True, False, True, True])
    assert ratable(results, score_at, normal, seats).tolist() == [True, False, False, True, False]


@given(st.integers(0, 78))
def test_matchpoints_stand_on_the_scale_of_imps(points):
    found = scores_of_matchpoints(np.array([points, 78 - points]), 78)
    assert found[0] == -found[1]
    share = Fraction(points, 78)
    assert found[0] == pytest.approx(float(15 * share - Fraction(15, 2)))
    assert board_rates((50, 50, 50, 50), float(found[0])).p_ns == pytest.approx(float(share))


def test_the_only_result_of_a_board_is_average():
    assert scores_of_matchpoints(np.array([0, 7]), np.array([0, 10])).tolist() == [0, 3]


def test_a_result_is_named_once():
    seats = [np.array([i, i], np.int32) for i in range(4)]
    with pytest.raises(Impossible, match="twice"):
        check_tables(Tables(column([8, 8]), *seats, np.zeros(2)), 4)


def test_leaving_stands_in_the_own_seat_where_there_is_one():
    gone = Disconnects(np.array([2, 0, 3, 4, 1], np.int32), column([0, 7, 7, NO_RESULT, 99]))
    found = leavings(TABLES.key, TABLES.seats, gone)
    assert found.left.tolist() == [[False, False], [False, False], [True, False], [False, True]]
    # 3 has no seat at the second table: he sat in for another.
    assert sorted(found.alone.tolist()) == [1, 3, 4]


@given(st.lists(st.integers(0, 99), unique=True), st.lists(st.integers(-1, 99)))
def test_rows_are_found_by_key_in_any_order(keys, wanted):
    got = rows_of(column(keys), column(wanted)).tolist()
    assert got == [keys.index(key) if key in keys else -1 for key in wanted]
