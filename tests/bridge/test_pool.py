"""Pools and the terms of their boards."""

from server.bridge.datum import TENTH
from server.bridge.pool import POOLS, ScoringMethod, Terms


def test_the_pools_of_an_installation_that_configures_none():
    assert [pool.name for pool in POOLS] == ["imps", "mp", "guests"]
    methods = [pool.terms.method for pool in POOLS]
    assert methods == [ScoringMethod.DATUM, ScoringMethod.MATCHPOINTS, ScoringMethod.HCP_COMPENSATION]
    assert [pool.members_only for pool in POOLS] == [True, True, False]


def test_weekly_boards_are_scored_from_six_and_full_with_forty():
    for pool in POOLS[:2]:
        assert (pool.terms.score_at, pool.terms.retire_at) == (6, 40)
        assert pool.terms.trim is TENTH


def test_guests_need_no_other_table():
    guests = POOLS[2].terms
    assert (guests.score_at, guests.retire_at) == (1, None)


def test_the_default_pool_scores_against_the_datum():
    assert POOLS[0].terms == Terms()


def test_average_by_method():
    assert {method: method.average for method in ScoringMethod} == {
        ScoringMethod.DATUM: 0,
        ScoringMethod.CROSS_IMPS: 0,
        ScoringMethod.MATCHPOINTS: 5000,
        ScoringMethod.HCP_COMPENSATION: 0,
    }
