"""Week totals of everybody at once are those of one at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.five_figures import week_points
from server.bridge.rating_columns import NO_RESULT, Disconnects
from server.bridge.rating_points import FinishedTables, week_totals
from tests.bridge.rating_worlds import column

PLAYERS = 6


@st.composite
def finished(draw):
    """A table: four players, scores of NS and EW in hundredths, whether scored, who left."""
    four = draw(st.permutations(range(PLAYERS)))[:4]
    left = draw(st.sets(st.sampled_from(four), max_size=2))
    return four, draw(st.integers(0, 10_000)), draw(st.integers(0, 10_000)), draw(st.booleans()), left


def columns(some) -> FinishedTables:
    seats = [column([four[seat] for four, *_ in some]).astype(np.int32) for seat in range(4)]
    ns, ew, scored = (column([each[i] for each in some]) for i in (1, 2, 3))
    return FinishedTables(
        column(range(len(some))), *seats, ns.astype(np.int32), ew.astype(np.int32), scored.astype(np.bool_)
    )


@given(st.lists(finished(), max_size=12), st.lists(st.integers(0, PLAYERS - 1), max_size=4), st.booleans())
def test_totals_are_those_of_each_player_alone(some, without_result, matchpoints):
    gone = [(who, key) for key, each in enumerate(some) for who in sorted(each[4])]
    gone += [(who, NO_RESULT) for who in without_result]
    disconnects = Disconnects(
        column([who for who, _ in gone]).astype(np.int32), column([key for _, key in gone])
    )
    got = week_totals(columns(some), disconnects, PLAYERS, matchpoints)
    for who in range(PLAYERS):
        own = [
            (ns if four.index(who) < 2 else ew)
            for four, ns, ew, scored, left in some
            if who in four and scored and who not in left
        ]
        times = sum(who == one for one, _ in gone)
        assert got.points[who] == week_points(own, times, matchpoints)
        assert got.boards[who] == sum(who in four for four, *_ in some) + without_result.count(who)
        assert got.disconnects[who] == times


def test_a_week_without_tables():
    nobody = Disconnects(np.zeros(0, np.int32), column([]))
    got = week_totals(columns([]), nobody, 2)
    assert got.points.tolist() == got.boards.tolist() == got.disconnects.tolist() == [0, 0]


def test_unscored_boards_count_as_boards_and_are_worth_nothing():
    table = ((0, 1, 2, 3), 700, -700, False, set())
    got = week_totals(columns([table]), Disconnects(np.zeros(0, np.int32), column([])), 4)
    assert got.points.tolist() == [0] * 4
    assert got.boards.tolist() == [1] * 4
