"""Orders of a field: for pairing and at the end."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.standings import (
    VP_BAND,
    Placing,
    Standing,
    TieBreak,
    completed,
    final_standings,
    pairing_order,
    tie_breaks,
)
from tests.bridge import golden

CASES = golden.vectors("swiss/ranking.json")["cases"]


@st.composite
def fields(draw):
    """Standings of up to 12 pairs, often close together."""
    numbers = draw(st.lists(st.integers(1, 99), unique=True, max_size=12))
    return [Standing(number, draw(st.integers(-20, 20)), draw(st.integers(0, 4))) for number in numbers]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_every_golden_case(case):
    rows = case["rows"]
    names = {row["reg"]: row["id"] for row in rows}
    field = [Standing(row["reg"], int(100 * Fraction(row["score"])), row["boards"]) for row in rows]
    found = final_standings(
        field, case["total_boards"], Fraction(*case["ratio"]), int(100 * Fraction(case["band"]))
    )
    assert [{"id": names[placing.pair], "rank": placing.rank} for placing in found] == case["expected"]


def test_the_order_for_pairing():
    field = [
        Standing(4, 1000, 8),
        Standing(3, 1000, 8),
        Standing(2, 1000, 9),
        Standing(1, 999, 16),
        Standing(9, 5000, 0, newcomer=True),
        Standing(8, 0, 0, newcomer=True),
        Standing(7, -500, 16),
    ]
    assert pairing_order(field) == [2, 3, 4, 1, 7, 9, 8]


@given(fields(), st.randoms(use_true_random=False))
def test_orders_depend_on_nothing_else(field, source):
    shuffled = field.copy()
    source.shuffle(shuffled)
    assert pairing_order(shuffled) == pairing_order(field)
    assert final_standings(shuffled, 4, band=VP_BAND) == final_standings(field, 4, band=VP_BAND)


@given(fields())
def test_without_a_band_the_final_order_is_that_for_pairing(field):
    found = final_standings(field, 0)
    assert [placing.pair for placing in found] == pairing_order(field)


@given(
    fields(), st.sampled_from([0, 1, 5, 100]), st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(1)])
)
def test_ranks_have_no_gaps_and_belong_to_who_played_enough(field, band, ratio):
    found = final_standings(field, 4, ratio, band)
    by_number = {each.pair: each for each in field}
    assert sorted(placing.pair for placing in found) == sorted(by_number)
    ranked = [placing for placing in found if placing.rank is not None]
    assert [placing.rank for placing in ranked] == list(range(1, len(ranked) + 1))
    assert list(found[: len(ranked)]) == ranked
    for placing in found:
        boards = by_number[placing.pair].boards
        assert (placing.rank is not None) == (boards * ratio.denominator >= ratio.numerator * 4)


@given(fields(), st.sampled_from([1, 5, 12]))
def test_groups_within_the_band_read_from_the_top(field, band):
    """Walked again by hand: whoever is less than the band below the first of a group belongs to it."""
    left = sorted(field, key=lambda each: -each.score)
    expected = []
    while left:
        first = left[0].score
        group = [each for each in left if first - each.score < band]
        expected += sorted(group, key=lambda each: (-each.boards, each.pair))
        left = [each for each in left if first - each.score >= band]
    assert [placing.pair for placing in final_standings(field, 0, band=band)] == [
        each.pair for each in expected
    ]


@pytest.mark.parametrize(
    ("boards", "of", "ratio", "enough"),
    [
        (40, 80, Fraction(1, 2), True),
        (39, 80, Fraction(1, 2), False),
        (20, 30, Fraction(2, 3), True),
        (19, 30, Fraction(2, 3), False),
        (0, 0, Fraction(1, 2), True),
        (5, 9, Fraction(1, 2), True),
        (4, 9, Fraction(1, 2), False),
    ],
)
def test_enough_boards(boards, of, ratio, enough):
    assert completed(boards, of, ratio) == enough


def test_a_line_of_the_standings():
    assert final_standings([Standing(5, 100, 1)], 4) == (Placing(5, None),)
    assert final_standings([], 4) == ()


def test_what_decided_between_pairs_that_tie():
    rows = [(7, 1000, 8), (3, 1000, 7), (5, 1000, 7), (2, 999, 8), (9, 5, 8), (1, 5, 1)]
    field = {pair: Standing(pair, score, boards) for pair, score, boards in rows}
    order = final_standings(field.values(), 8)
    assert [each.pair for each in order] == [7, 3, 5, 2, 9, 1]
    # The last one has not finished half of the boards, and so has nobody to tie with.
    assert tie_breaks(order, field) == {
        7: TieBreak.BOARDS,
        3: TieBreak.BOARDS,
        5: TieBreak.REGISTRATION,
    }
    by_vps = final_standings(field.values(), 8, band=VP_BAND)
    assert [each.pair for each in by_vps][:4] == [2, 7, 3, 5]
    assert tie_breaks(by_vps, field, VP_BAND) == {
        2: TieBreak.REGISTRATION,
        7: TieBreak.REGISTRATION,
        3: TieBreak.BOARDS,
        5: TieBreak.REGISTRATION,
    }


@given(fields(), st.sampled_from([0, 1, VP_BAND]))
def test_a_tie_is_broken_by_what_differs_first(field, band):
    standings = {each.pair: each for each in field}
    order = final_standings(field, 0, band=band)
    found = tie_breaks(order, standings, band)
    for upper, lower in pairwise([standings[each.pair] for each in order]):
        if upper.score < lower.score:  # only a band puts the lower score first
            assert band
            assert lower.pair in found
        if upper.score == lower.score:
            decided = TieBreak.BOARDS if upper.boards > lower.boards else TieBreak.REGISTRATION
            assert found[lower.pair] is decided
            assert upper.pair in found
    if not band:
        scores = [each.score for each in field]
        assert found.keys() == {each.pair for each in field if scores.count(each.score) > 1}
