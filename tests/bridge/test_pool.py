"""Pools and the terms of their boards: those of an installation that configures none."""

from server.bridge.datum import TENTH
from server.bridge.pool import ScoringMethod
from server.settings import load_settings

POOLS = load_settings().all_pools()


def test_three_pools_each_by_its_method():
    assert {name: pool.terms.method for name, pool in POOLS.items()} == {
        "imps": ScoringMethod.DATUM,
        "mp": ScoringMethod.MATCHPOINTS,
        "guests": ScoringMethod.HCP_COMPENSATION,
    }
    assert [pool.members_only for pool in POOLS.values()] == [True, True, False]


def test_weekly_boards_are_scored_from_six_and_full_with_forty():
    for name in ("imps", "mp"):
        assert (POOLS[name].terms.score_at, POOLS[name].terms.retire_at) == (6, 40)
        assert POOLS[name].terms.trim is TENTH


def test_guests_need_no_other_table():
    assert (POOLS["guests"].terms.score_at, POOLS["guests"].terms.retire_at) == (1, None)
