"""The kinds of entries a board can have."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.adjustments import (
    STANDARD,
    Artificial,
    Average,
    Averages,
    NotPlayed,
    Split,
    Weighted,
    converted,
)
from server.bridge.errors import Impossible
from server.bridge.seats import Side
from tests.bridge import oracle
from tests.strategies import assigned_parts, averages, balanced_entries, weighted_scores

HALF = Fraction(1, 2)
percents = st.fractions(0, 100, max_denominator=100)


def test_what_averages_are_worth():
    assert [STANDARD.percent(average) for average in Average] == [60, 50, 40]
    assert [STANDARD.imps(average) for average in Average] == [3, 0, -3]


def test_conditions_of_contest_may_say_otherwise():
    d3 = Averages(imps_plus=Fraction(5, 2))
    assert [d3.imps(average) for average in Average] == [Fraction(5, 2), 0, Fraction(-5, 2)]
    assert [Averages(percent_plus=55).percent(average) for average in Average] == [55, 50, 45]


@pytest.mark.parametrize(
    ("own", "expected"),
    [(Fraction(62), [62, 50, 40]), (Fraction(37), [60, 50, 37]), (Fraction(52), [60, 50, 40])],
)
def test_own_average_replaces_sixty_when_better_and_forty_when_worse(own, expected):
    assert [STANDARD.percent(average, own) for average in Average] == expected


@given(percents)
def test_own_average_never_hurts_average_plus_nor_helps_average_minus(own):
    assert STANDARD.percent(Average.PLUS, own) >= max(60, own)
    assert STANDARD.percent(Average.MINUS, own) <= min(40, own)


@given(averages)
def test_averages_mirror_one_another(average):
    mirror = {Average.PLUS: Average.MINUS, Average.AVERAGE: Average.AVERAGE, Average.MINUS: Average.PLUS}
    assert STANDARD.imps(mirror[average]) == -STANDARD.imps(average)
    assert STANDARD.percent(mirror[average]) == 100 - STANDARD.percent(average)


@pytest.mark.parametrize(
    "outcomes",
    [
        (),
        ((HALF, 420),),
        ((HALF, 420), (Fraction(1, 3), -50)),
        ((HALF, 420), (HALF, -50), (HALF, 0)),
        ((1, 420), (0, -50)),
        ((Fraction(3, 2), 420), (-HALF, -50)),
    ],
)
def test_weights_are_positive_and_add_up_to_one(outcomes):
    with pytest.raises(Impossible) as refused:
        Weighted(outcomes)
    assert refused.value.member == "weights"


def test_outcomes_are_converted_before_they_are_weighted():
    ruling = Weighted(((Fraction(3, 5), 420), (Fraction(2, 5), -50)))
    assert converted(ruling, oracle.imps) == Fraction(3 * 9 - 2 * 2, 5)
    assert ruling.mean == 232
    assert oracle.imps(232) == 6  # converting the mean would give this


@given(weighted_scores())
def test_the_mean_lies_among_the_outcomes(ruling):
    possible = [score for _, score in ruling.outcomes]
    assert min(possible) <= ruling.mean <= max(possible)
    assert ruling.mean == converted(ruling, lambda score: score)


@given(balanced_entries)
def test_east_west_has_the_negative_of_a_result(entry):
    ns, ew = entry.part(Side.NS), entry.part(Side.EW)
    if isinstance(entry, NotPlayed):
        assert (ns, ew) == (None, None)
    else:
        assert ns == entry
        assert [(w, -score) for w, score in ew.outcomes] == list(ns.outcomes)
        assert ew.mean == -ns.mean


@given(assigned_parts, assigned_parts, averages)
def test_split_scores_are_signed_for_their_side(one, other, average):
    assert Split(one, other).part(Side.NS) == one
    assert Split(one, other).part(Side.EW) == other.part(Side.EW)
    assert Split(one, average).part(Side.EW) is average


@given(averages, averages)
def test_artificial_scores_are_the_side_s_own(ns, ew):
    assert (Artificial(ns, ew).part(Side.NS), Artificial(ns, ew).part(Side.EW)) == (ns, ew)
