"""Millions at once are scored as one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge import bulk
from server.bridge.cross_imps import cross_imps
from server.bridge.datum import ACBLSCORE, COMPSCORE, TENTH, UNTRIMMED, datum
from server.bridge.imps import imps
from server.bridge.matchpoints import matchpoints

SCORES = st.integers(-760, 316).map(lambda tens: 10 * tens)


@st.composite
def fields(draw: st.DrawFn) -> list[list[int]]:
    """A few boards with the same number of results."""
    results = draw(st.integers(1, 45))
    board = st.lists(SCORES, min_size=results, max_size=results)
    return draw(st.lists(board, min_size=1, max_size=4))


@pytest.mark.parametrize("schedule", [TENTH, COMPSCORE, ACBLSCORE, UNTRIMMED])
@given(boards=fields())
def test_datum_and_imps_are_those_of_each_board_alone(schedule, boards):
    found = bulk.datum_imps(np.array(boards, dtype=np.int16), schedule)
    for index, scores in enumerate(boards):
        alone = datum(scores, schedule).value
        assert found.datum[index] == alone
        assert list(found.imps[index]) == [imps(score - alone) for score in scores]


@given(boards=fields())
def test_cross_imps_are_those_of_each_board_alone(boards):
    found = bulk.cross_imps(np.array(boards, dtype=np.int16))
    for index, scores in enumerate(boards):
        assert list(found[index]) == [each.total for each in cross_imps(scores)]


@given(boards=fields())
def test_matchpoints_are_those_of_each_board_alone(boards):
    found = bulk.matchpoints(np.array(boards, dtype=np.int16))
    assert [tuple(row) for row in found.tolist()] == [matchpoints(scores) for scores in boards]


def test_portions_do_not_show_in_matchpoints():
    rng = np.random.default_rng(7)
    scores = (rng.integers(-760, 317, size=(5_000, 6)) * 10).astype(np.int16)
    found = bulk.matchpoints(scores)
    assert (found.sum(axis=1) == 30).all()
    for index in (0, 4095, 4096, 4999):
        assert tuple(found[index].tolist()) == matchpoints([int(s) for s in scores[index]])


def test_portions_do_not_show():
    rng = np.random.default_rng(7)
    scores = (rng.integers(-760, 317, size=(9_000, 6)) * 10).astype(np.int16)
    found = bulk.cross_imps(scores)
    assert (found.sum(axis=1) == 0).all()
    for index in (0, 4095, 4096, 8191, 8192, 8999):
        assert list(found[index]) == [each.total for each in cross_imps([int(s) for s in scores[index]])]


def test_the_largest_difference_is_24_imps():
    scores = np.array([[-7600, 7600]], dtype=np.int16)
    assert bulk.cross_imps(scores).tolist() == [[-24, 24]]
