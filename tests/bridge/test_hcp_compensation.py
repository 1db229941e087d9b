"""IMPs with compensation for high-card points, by both schemes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.hcp_compensation import hcp_compensation, hcp_target, hcp_target_imps
from server.bridge.seats import Vulnerability
from tests.bridge import golden, oracle
from tests.strategies import scores, vulnerabilities

points = st.integers(0, 40)
VULNERABILITY = {
    ("0", "0"): Vulnerability.NONE,
    ("1", "0"): Vulnerability.NS,
    ("0", "1"): Vulnerability.EW,
    ("1", "1"): Vulnerability.BOTH,
}
MIRROR = dict(zip(Vulnerability, map(Vulnerability, ("none", "EW", "NS", "both")), strict=True))


def test_every_golden_case_by_both_schemes():
    cases = golden.rows("hcp_compensation_cases.csv")
    assert len(cases) == 12
    for case in cases:
        score, ns_points = int(case["ns_score"]), int(case["ns_hcp"])
        vulnerability = VULNERABILITY[case["ns_vul"], case["ew_vul"]]
        assert hcp_compensation(score, ns_points) == int(case["tiedian_ns"]), case
        assert hcp_target_imps(score, ns_points, vulnerability) == int(case["russian_imps_ns"]), case


def test_every_golden_target():
    table = golden.rows("hcp_compensation_russian.csv")
    assert [int(row["hcp"]) for row in table] == list(range(20, 41))
    for row in table:
        targets = (hcp_target(int(row["hcp"]), False), hcp_target(int(row["hcp"]), True))
        assert targets == (int(row["target_nonvul"]), int(row["target_vul"]))


@pytest.mark.parametrize("holding", [-1, 0, 19, 41])
def test_only_the_stronger_side_has_a_target(holding):
    with pytest.raises(Impossible) as refused:
        hcp_target(holding, False)
    assert refused.value.member == "points"


@given(scores, points)
def test_as_recomputed(score, ns_points):
    if score == 0:
        expected = 0
    elif score > 0:
        expected = oracle.imps(score) - (ns_points - 20)
    else:
        expected = -(oracle.imps(-score) - (40 - ns_points - 20))
    assert hcp_compensation(score, ns_points) == expected


@given(scores, points, vulnerabilities)
def test_east_west_is_exactly_the_negative(score, ns_points, vulnerability):
    assert hcp_compensation(-score, 40 - ns_points) == -hcp_compensation(score, ns_points)
    theirs = hcp_target_imps(-score, 40 - ns_points, MIRROR[vulnerability])
    assert theirs == -hcp_target_imps(score, ns_points, vulnerability)


@given(st.integers(1, 3160), points)
def test_each_point_of_the_scoring_side_costs_one_imp(score, ns_points):
    if ns_points < 40:
        assert hcp_compensation(score, ns_points + 1) == hcp_compensation(score, ns_points) - 1


@given(scores, vulnerabilities)
def test_equal_points_leave_the_imps_as_they_are(score, vulnerability):
    assert hcp_compensation(score, 20) == hcp_target_imps(score, 20, vulnerability) == oracle.imps(score)


@given(points, vulnerabilities)
def test_passed_out_is_nothing_here_and_a_missed_target_there(ns_points, vulnerability):
    assert hcp_compensation(0, ns_points) == 0
    missed = hcp_target_imps(0, ns_points, vulnerability)
    assert (missed > 0, missed < 0) == (ns_points < 20, ns_points > 20)


@given(st.integers(20, 40))
def test_a_vulnerable_side_is_never_expected_to_make_less(holding):
    assert hcp_target(holding, True) >= hcp_target(holding, False)
