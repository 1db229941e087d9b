"""When nothing more can come from the tables of a round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.swiss_progress import TableSoFar, all_over, over

BOARDS = (9, 10, 11)


@pytest.mark.parametrize(
    ("told", "dealt", "waits", "while_dealing", "afterwards"),
    [
        ({9, 10, 11}, 0, False, True, True),
        ({9, 10, 11}, 3, False, True, True),
        ({9, 10}, 0, False, False, False),  # nobody asks for boards: the last one may be under way
        ({9, 10}, 2, False, False, True),
        ({9, 10}, 3, False, False, False),
        ({9, 11}, 2, False, False, False),  # 11 was awarded; 10 is being played
        ({10, 11}, 0, False, False, False),
        ((), 0, True, False, True),
        ((), 0, False, False, False),
        ({11}, 0, True, False, True),  # awarded, and nobody is there for the others
    ],
)
def test_when_a_table_is_over(told, dealt, waits, while_dealing, afterwards):
    table = TableSoFar(BOARDS, frozenset(told), dealt, waits)
    assert (over(table, True), over(table, False)) == (while_dealing, afterwards)


def test_one_table_that_is_played_keeps_the_round_open():
    done = TableSoFar(BOARDS, frozenset(BOARDS))
    assert all_over([done, done], True)
    assert all_over([], True)
    assert not all_over([done, TableSoFar(BOARDS, frozenset({9}))], False)


@given(
    st.frozensets(st.sampled_from(BOARDS)),
    st.frozensets(st.sampled_from(BOARDS)),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
)
def test_whatever_is_told_opens_no_table_again(told, more, dealt, waits, dealing):
    before = TableSoFar(BOARDS, told, dealt, waits)
    after = TableSoFar(BOARDS, told | more, dealt, waits)
    assert over(after, dealing) >= over(before, dealing)
    assert over(before, False) >= over(before, True)
