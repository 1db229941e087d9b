"""Strongest neighbours and inseparable pairs; the figures themselves are held against fractions elsewhere."""

from fractions import Fraction

import pytest

from server.bridge.rating import Rules
from server.bridge.rating_neighbours import error_bars, neighbours, pair_only
from tests.bridge.rating_worlds import NO_SHIELD, Played, Table, rated


def near(weeks, rules=NO_SHIELD):
    return neighbours(rated(weeks, rules)[-1].snapshot.joint)


def boards(*seatings: tuple[int, int, int, int]) -> Played:
    return Played(tuple(Table(players, Fraction(1)) for players in seatings))


def test_boards_as_opponents_are_taken_from_those_as_partners():
    found = near([boards((0, 1, 2, 3), (0, 2, 1, 3), (0, 2, 1, 3))])
    # 0 had 1 once as partner and twice as opponent (-1), 2 the other way round (+1), 3 always against (-3).
    assert found.strongest.tolist() == [3, 2, 1, 0]
    assert found.size.tolist() == [3, 3, 3, 3]
    assert found.partner.tolist() == [2, 2, 2, 2]
    assert found.boards.tolist() == found.boards_of_strongest.tolist() == [3, 3, 3, 3]


def test_of_equal_neighbours_the_last_counts():
    assert near([boards((0, 1, 2, 3))]).strongest.tolist() == [3, 3, 3, 2]


def test_equal_after_years_of_fading_is_equal():
    found = near([boards((0, 1, 2, 3), (4, 5, 0, 1)), *[Played()] * 100, boards((0, 6, 7, 1))])
    assert found.strongest[2] == 3


@pytest.mark.parametrize(("together", "apart", "expected"), [(19, 1, True), (94, 6, False), (95, 5, True)])
def test_a_pair_that_cannot_be_split(together, apart, expected):
    week = boards(*[(0, 1, 2, 3)] * together, *[(0, 4, 5, 6)] * apart)
    for weeks in ([week], [week, *[Played()] * 7]):
        found = pair_only(near(weeks))
        assert found[0] == expected
        assert found[1]  # all of his boards


def test_who_has_no_board_is_no_pair():
    found = near([Played((), (8,))])
    assert (found.strongest.tolist(), found.size.tolist(), found.boards.tolist()) == ([-1], [0], [0])
    assert not pair_only(found).any()
    state = rated([Played((), (8,))])[-1].snapshot.joint
    assert error_bars(state, found).b[0] == pytest.approx((1 / 18 + 5) ** -0.5)


def test_a_newcomers_neighbour_counts_with_all_his_tables():
    regulars = boards(*[(0, 1, 2, 3)] * 8)
    found = near([regulars, boards((9, 0, 2, 3))], Rules(shield_boards=5))
    assert found.strongest[4] == 3
    assert found.boards_of_strongest[4] == pytest.approx(8 * 0.985 + 1)
    assert found.boards[3] == pytest.approx(8 * 0.985)
