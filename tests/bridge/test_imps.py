"""IMPs (Law 78B)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.imps import IMP_LOWER_BOUNDS, imps
from tests.bridge import golden, oracle

differences = st.integers(-20_000, 20_000)


def test_every_golden_difference_on_both_sides():
    table = [(int(row["diff"]), int(row["imps"])) for row in golden.rows("imps.csv")]
    assert [imps(difference) for difference, _ in table] == [value for _, value in table]
    assert [imps(-difference) for difference, _ in table] == [-value for _, value in table]
    assert [difference for difference, _ in table] == list(range(0, 15210, 10))


@pytest.mark.parametrize(("value", "bound"), list(enumerate(IMP_LOWER_BOUNDS, start=1)))
def test_both_sides_of_each_boundary(value, bound):
    assert (imps(bound - 1), imps(bound), imps(bound + 1)) == (value - 1, value, value)
    assert (imps(1 - bound), imps(-bound), imps(-bound - 1)) == (1 - value, -value, -value)


def test_the_scale_has_twenty_four_steps():
    assert len(IMP_LOWER_BOUNDS) == 24
    assert imps(15_200) == 24


def test_every_difference_as_looked_up_in_the_printed_scale():
    for difference in range(-15_300, 15_300, 5):
        assert imps(difference) == oracle.imps(difference), difference


@given(differences)
def test_an_odd_function(difference):
    assert imps(-difference) == -imps(difference)


@given(differences, differences)
def test_more_points_are_never_fewer_imps(one, other):
    low, high = sorted((one, other))
    assert imps(low) <= imps(high)
