"""Rounds without a rematch that are sought ahead."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.pairs_ahead import rounds_ahead
from server.bridge.swiss_draw import SplitMix64
from tests.bridge.pairs_checker import possible

seeds = st.integers(0, 2**64 - 1)


def unmet_of(places, met):
    """For each of so many places the others that it has not met."""
    return [
        {other for other in range(places) if other != place and frozenset((place, other)) not in met}
        for place in range(places)
    ]


def check(found, unmet, rounds):
    """Everybody plays in each round, nobody meets anybody twice, and only whom he may."""
    assert len(found) == rounds
    for each in found:
        assert sorted(place for match in each for place in match) == list(range(len(unmet)))
        assert all(a < b and b in unmet[a] for a, b in each)
    assert len({match for each in found for match in each}) == rounds * len(unmet) // 2


def histories(places):
    twos = [frozenset(two) for two in combinations(range(places), 2)]
    return st.frozensets(st.sampled_from(twos))


@given(
    st.sampled_from([2, 4, 6]).flatmap(lambda n: st.tuples(st.just(n), histories(n))),
    st.integers(1, 6),
    seeds,
)
def test_of_a_small_field_they_are_found_exactly_where_there_are_any(field, rounds, seed):
    places, met = field
    unmet = unmet_of(places, met)
    found = rounds_ahead(unmet, rounds, SplitMix64(seed))
    assert (found is not None) == possible(frozenset(range(places)), met, rounds)
    if found is not None:
        check(found, unmet, rounds)


@given(histories(8), st.integers(2, 5), seeds)
def test_of_eight_too(met, rounds, seed):
    unmet = unmet_of(8, met)
    found = rounds_ahead(unmet, rounds, SplitMix64(seed))
    assert (found is not None) == possible(frozenset(range(8)), met, rounds)
    if found is not None:
        check(found, unmet, rounds)


def test_two_triangles_have_no_round():
    """Six pairs of which each may still meet two others, three among themselves."""
    met = {frozenset((a, b)) for a in (0, 1, 2) for b in (3, 4, 5)}
    assert rounds_ahead(unmet_of(6, met), 1, SplitMix64(1)) is None


@pytest.mark.parametrize("places", [10, 16, 30, 60])
def test_a_whole_round_robin_is_found(places):
    unmet = unmet_of(places, set())
    for seed in range(5):
        found = rounds_ahead(unmet, places - 1, SplitMix64(seed))
        assert found is not None
        check(found, unmet, places - 1)


def test_the_same_seed_finds_the_same():
    unmet = unmet_of(12, set())
    several = [str(rounds_ahead(unmet, 7, SplitMix64(seed))) for seed in (1, 1, 2, 3)]
    assert several[0] == several[1]
    assert len(set(several)) == 3


def test_nothing_is_asked_of_nobody():
    assert rounds_ahead([], 0, SplitMix64(1)) == []
    assert rounds_ahead(unmet_of(4, set()), 0, SplitMix64(1)) == []
