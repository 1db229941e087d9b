"""Conjugate gradients."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.rating_solve import NotSolved, conjugate_gradients


@given(st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_the_solution_is_that_of_elimination(size, seed):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(size, size))
    matrix, right = factor @ factor.T + np.eye(size), rng.normal(size=size)
    got = conjugate_gradients(lambda v: matrix @ v, np.diag(matrix), right, 1e-12)
    assert got == pytest.approx(np.linalg.solve(matrix, right), abs=1e-8)
    assert np.linalg.norm(matrix @ got - right) <= 1e-11 * np.linalg.norm(right)


def test_nothing_to_solve():
    ones = np.ones(3)
    assert conjugate_gradients(lambda v: v, ones, np.zeros(3), 1e-10).tolist() == [0, 0, 0]
    assert conjugate_gradients(lambda v: v, ones[:0], ones[:0], 1e-10).tolist() == []


def test_what_is_not_solved_is_told():
    # Not definite: the steps go round in circles.
    matrix = np.array([[0.0, 1.0], [-1.0, 0.0]])
    with pytest.raises(NotSolved) as refused:
        conjugate_gradients(lambda v: matrix @ v + 1e-3 * v, np.ones(2), np.array([1.0, 2.0]), 1e-10)
    assert "of the right-hand side" in str(refused.value)
