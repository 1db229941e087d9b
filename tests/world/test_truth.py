"""Rank correlation, against scipy's."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from server.world.truth import rank_correlation

figures = st.integers(-5, 5).map(float) | st.floats(-100, 100)


def test_order_alone_counts():
    assert rank_correlation([1, 2, 3, 10], [5, 6, 7, 8]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3, 10], [8, 7, 6, 5]) == pytest.approx(-1)
    assert rank_correlation([1, 2, 3], [2, 1, 3]) == pytest.approx(0.5)
    assert math.isnan(rank_correlation([1, 1, 1], [1, 2, 3]))


@given(st.lists(st.tuples(figures, figures), min_size=2, max_size=40))
def test_it_is_spearmans(pairs):
    one, other = (list(each) for each in zip(*pairs, strict=True))
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert math.isnan(rank_correlation(one, other))
    else:
        assert rank_correlation(one, other) == pytest.approx(spearmanr(one, other).statistic, abs=1e-9)
