"""The numbers of the rating algorithms."""

from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import pytest

from server.bridge.errors import Impossible
from server.bridge.rating import ALGORITHMS, FIRST, Estimator, Rules, algorithm


def test_the_numbers_of_the_first_algorithm_never_change():
    assert (FIRST.number, FIRST.clamp, FIRST.per_cent) == (1, 7.5, Fraction(3, 20))
    classic, joint = FIRST.classic, FIRST.joint
    assert (classic.start, classic.start_weight, classic.fade, classic.most_past) == (50, 25, 0.95, 150)
    assert (classic.lowest, classic.highest) == (1, 99)
    assert (joint.fade, joint.residual_variance, joint.prior_variance) == (0.985, 18, 0.2)
    assert (joint.points_per_imp, joint.tolerance) == (80 / 3, 1e-10)
    assert (joint.bar_widening, joint.bar_drift, joint.interval) == (1.1, 0.02, 1.645)
    assert (FIRST.leaving.points, FIRST.leaving.partner_weeks, FIRST.leaving.partner_free) == (16, 4, 1)
    flags, watch = FIRST.flags, FIRST.watch
    assert (flags.provisional_below, flags.pair_only_from, flags.island_below) == (150, 0.95, 0.02)
    assert (watch.weeks, watch.boards, watch.novice_boards) == (4, 8, 150)
    assert (watch.deviation, watch.score, watch.abandoned) == (5.3, 4, 2)


def test_what_an_installation_settles_by_default():
    rules = Rules()
    assert (rules.algorithm, rules.shield_boards, rules.partner_of_leaver) == (FIRST, 50, True)
    assert rules.official is Estimator.CLASSIC


def test_algorithms_are_found_by_their_number():
    assert {number: algorithm(number) for number in ALGORITHMS} == ALGORITHMS
    assert algorithm(1) is FIRST
    with pytest.raises(Impossible, match="99") as refused:
        algorithm(99)
    assert refused.value.member == "algorithm"


def test_versions_are_frozen_and_another_number_is_another_algorithm():
    with pytest.raises(FrozenInstanceError):
        FIRST.clamp = 8.0  # type: ignore[misc]
    assert replace(FIRST, number=2) != FIRST
