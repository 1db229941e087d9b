"""Master points by the number of pairs that completed an event."""

import pytest

from server.bridge.masterpoints import masterpoints
from tests.bridge import golden

CASES = golden.vectors("swiss/masterpoints.json")["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["n"]))
def test_every_golden_number_of_pairs(case):
    assert list(masterpoints(case["n"])) == case["expected"]


def test_these_are_all_up_to_40_and_the_largest():
    assert [case["n"] for case in CASES] == [*range(41), 160]


def test_with_exactly_20_pairs_both_rules_say_the_same():
    small = (3, 2, 2, 2, *[1] * (20 // 2 - 4))
    assert masterpoints(20) == small == masterpoints(21)
