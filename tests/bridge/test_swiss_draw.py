"""First rounds: by registration, and drawn from a seed that anybody can repeat."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.swiss_draw import (
    FirstRound,
    SplitMix64,
    first_round,
    in_order_of_registration,
    seeded_draw,
)
from tests.bridge import golden

CASES = golden.vectors("swiss/round1.json")["cases"]
seeds = st.integers(0, 2**64 - 1)


@st.composite
def seeded_fields(draw):
    """Pairs in order of registration, and which of them are seeded."""
    order = list(range(1, draw(st.integers(0, 40)) + 1))
    return order, draw(st.sets(st.sampled_from(order))) if order else set()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']} {len(case['order'])}")
def test_every_golden_round(case):
    seeded = set(case.get("seeds", ()))
    how = {"registration": FirstRound.REGISTRATION, "seeded": FirstRound.SEEDED_DRAW}[case["kind"]]
    drawn = first_round(how, case["order"], seeded, case.get("rng_seed", 0))
    assert [list(match) for match in drawn.matches] == case["expected"]["pairs"]
    assert (*drawn.sit_outs, None)[0] == case["expected"]["bye"]
    assert drawn.rematch_cost == case["expected"]["rematch_cost"] == 0
    if "seed_meetings" in case:
        assert sum(set(match) <= seeded for match in drawn.matches) == case["seed_meetings"]


def test_the_generator_is_the_published_one():
    """The first numbers from 1234567, as its authors' program prints them."""
    source = SplitMix64(1234567)
    assert [source.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_has_64_bits(seed):
    with pytest.raises(Impossible) as refused:
        SplitMix64(seed)
    assert refused.value.member == "seed"


@given(seeds, st.lists(st.integers()))
def test_a_shuffle_keeps_everything_and_what_it_is_given(seed, items):
    before = items.copy()
    assert Counter(SplitMix64(seed).shuffled(items)) == Counter(items)
    assert items == before


def test_every_order_is_as_likely():
    counts = Counter(tuple(SplitMix64(seed).shuffled("abc")) for seed in range(6000))
    assert len(counts) == 6
    assert all(850 <= count <= 1150 for count in counts.values())


@given(st.integers(0, 40))
def test_by_registration_neighbours_meet(pairs):
    order = list(range(pairs))
    drawn = in_order_of_registration(order)
    assert [pair for match in drawn.matches for pair in match] + list(drawn.sit_outs) == order
    assert len(drawn.sit_outs) == pairs % 2


@given(seeded_fields(), seeds)
def test_everybody_has_one_place_in_a_draw(field, seed):
    order, seeded = field
    drawn = seeded_draw(order, seeded, seed)
    named = [pair for match in drawn.matches for pair in match] + list(drawn.sit_outs)
    assert sorted(named) == order
    assert len(drawn.sit_outs) == len(order) % 2
    assert seeded_draw(order, sorted(seeded, reverse=True), seed) == drawn


@given(seeded_fields(), seeds)
def test_seeded_pairs_meet_as_little_as_can_be_and_are_named_first(field, seed):
    order, seeded = field
    drawn = seeded_draw(order, seeded, seed)
    others = len(order) - len(seeded)
    sits_out = [pair for pair in drawn.sit_outs if pair in seeded]
    assert bool(sits_out) == (len(order) % 2 == 1 and others == 0)
    left = others - (len(order) % 2 if others else 0)
    meet = sum(a in seeded and b in seeded for a, b in drawn.matches)
    assert meet == max(0, (len(seeded) - len(sits_out) - left) // 2)
    assert all(a in seeded for a, b in drawn.matches if b in seeded)


def test_another_seed_draws_another_round():
    assert len({seeded_draw(range(20), {1, 2, 3}, seed).matches for seed in range(50)}) == 50
