"""Places on a list and their movement."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.rating_ranks import UNRANKED, movement, ranks
from tests.bridge.rating_worlds import column

rows = st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.booleans()))


def places(*players: tuple[int, bool, bool]) -> list[int]:
    """Of players by value, whether provisional, whether listed."""
    values, provisional, listed = (
        (list(each) for each in zip(*players, strict=True)) if players else ([],) * 3
    )
    flags = (np.array(each, dtype=np.bool_) for each in (provisional, listed))
    return ranks(column(values), *flags).tolist()


def test_the_best_is_first_and_equals_share():
    assert places((5, False, True), (9, False, True), (5, False, True), (1, False, True)) == [2, 1, 2, 4]


def test_provisional_players_stand_behind_all_others():
    assert places((9, True, True), (1, False, True), (9, False, True), (9, True, True)) == [3, 2, 1, 3]


def test_who_is_not_listed_has_no_place_and_takes_none():
    assert places((9, False, False), (5, False, True), (5, True, False)) == [UNRANKED, 1, UNRANKED]
    assert places() == []


@given(rows)
def test_a_place_is_one_more_than_those_who_are_better(players):
    for place, (value, provisional, listed) in zip(places(*players), players, strict=True):
        better = sum((behind, -other) < (provisional, -value) for other, behind, shown in players if shown)
        assert place == (better + 1 if listed else UNRANKED)


def test_movement_is_up_when_the_place_is_lower():
    found = movement(np.array([1, 5, 3, 0, 2], np.int32), np.array([4, 3, 3, 2, 0], np.int32))
    assert found.places.tolist() == [3, -2, 0, 0, 0]
    assert found.known.tolist() == [True, True, True, False, False]
