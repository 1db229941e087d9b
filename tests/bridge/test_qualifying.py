"""Who goes on, and what is carried over."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.qualifying import Candidate, Finalist, Qualified, carry_over, qualified
from tests.bridge import golden

QUALIFIERS = golden.vectors("swiss/qualifiers.json")["cases"]
CARRYOVER = golden.vectors("swiss/carryover.json")["cases"]


@pytest.mark.parametrize("case", QUALIFIERS, ids=[case["name"] for case in QUALIFIERS])
def test_every_golden_cut(case):
    candidates = [Candidate(pair, int(100 * Fraction(score))) for pair, score in case["scores"].items()]
    standings = sorted(candidates, key=lambda each: -each.score)
    assert list(qualified(standings, case["places"]).by_score) == case["expected"]


@pytest.mark.parametrize("case", CARRYOVER, ids=[case["name"] for case in CARRYOVER])
def test_every_golden_carry_over(case):
    finalists = [
        Finalist(row["id"], Fraction(row["score"]), row["protected"], tuple(row["bonus_ranks"]))
        for row in case["rows"]
    ]
    expected = {pair: int(100 * Fraction(points)) for pair, points in case["expected"].items()}
    assert carry_over(finalists) == expected


TEN = [Candidate(pair, 1000 - 10 * pair, flagged=pair in (2, 6, 8, 9)) for pair in range(1, 11)]


@pytest.mark.parametrize(
    ("places", "protected", "expected"),
    [
        (4, 0, Qualified((1, 2, 3, 4))),
        (4, 1, Qualified((1, 2, 3, 4))),
        (4, 2, Qualified((1, 2, 3, 4), (6,))),
        (4, 3, Qualified((1, 2, 3, 4), (6, 8))),
        (4, 9, Qualified((1, 2, 3, 4), (6, 8, 9))),
        (0, 1, Qualified((), (2,))),
        (10, 4, Qualified(tuple(range(1, 11)))),
    ],
)
def test_protected_places_are_a_guaranteed_minimum(places, protected, expected):
    assert qualified(TEN, places, protected) == expected


def test_ties_with_the_last_place_come_before_protected_places():
    standings = [
        Candidate(1, 500),
        Candidate(2, 400),
        Candidate(3, 396, flagged=True),
        Candidate(4, 395, flagged=True),
    ]
    assert qualified(standings, 2, 1) == Qualified((1, 2, 3))
    assert qualified(standings, 2, 2) == Qualified((1, 2, 3), (4,))


def test_the_cut_is_by_score_whatever_broke_the_ties():
    """Final standings with a band: the second ranked has less than the third, which does not move the cut."""
    standings = [Candidate(1, 6000), Candidate(2, 5496), Candidate(3, 5500), Candidate(4, 5492)]
    assert qualified(standings, 2) == Qualified((1, 2, 3))


def test_who_goes_on_stands_as_he_does_in_the_standings():
    """Of pairs that tie the one with more boards is before the one with more points, protected ones too."""
    standings = [
        *(Candidate(1, 996), Candidate(2, 1000), Candidate(3, 901)),
        *(Candidate(5, 800, flagged=True), Candidate(4, 803, flagged=True)),
    ]
    assert qualified(standings, 2, 1) == Qualified((1, 2), (5,))


@pytest.mark.parametrize(("band", "expected"), [(1, (1, 2)), (5, (1, 2, 3)), (10, (1, 2, 3, 4))])
def test_how_much_is_a_tie_with_the_last_place(band, expected):
    standings = [Candidate(1, 600), Candidate(2, 550), Candidate(3, 546), Candidate(4, 541)]
    assert qualified(standings, 2, band=band).by_score == expected


@given(st.lists(st.integers(0, 60), max_size=12), st.integers(0, 14), st.integers(0, 4), st.data())
def test_nobody_stays_out_who_is_tied_with_somebody_inside(scores, places, protected, data):
    flags = data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores)))
    standings = [
        Candidate(pair, score, flag) for pair, (score, flag) in enumerate(zip(scores, flags, strict=True))
    ]
    found = qualified(standings, places, protected)
    inside = set(found.by_score)
    assert len(inside) >= min(places, len(scores))
    if places and scores:
        cut = sorted(scores, reverse=True)[min(places, len(scores)) - 1]
        assert inside == {each.pair for each in standings if each.score > cut - 5}
    flagged = {each.pair for each in standings if each.flagged}
    assert set(found.protected) <= flagged - inside
    assert len(flagged & (inside | set(found.protected))) >= min(protected, len(flagged))
    if found.protected:
        assert len(flagged & (inside | set(found.protected))) == min(protected, len(flagged))


finalists = st.lists(
    st.tuples(st.fractions(-100, 200, max_denominator=100), st.lists(st.integers(1, 99), max_size=3)),
    min_size=1,
    max_size=10,
).map(lambda rows: [Finalist(pair, score, False, tuple(ranks)) for pair, (score, ranks) in enumerate(rows)])


@given(finalists)
def test_between_nothing_and_20(field):
    carried = carry_over(field)
    by_score = sorted(field, key=lambda each: each.score)
    assert all(0 <= points <= 2000 for points in carried.values())
    assert carried[by_score[-1].pair] == 2000
    if by_score[0].score < by_score[-1].score and not by_score[0].bonus_ranks:
        assert carried[by_score[0].pair] == 0
    plain = [each for each in by_score if not each.bonus_ranks]
    points = [carried[each.pair] for each in plain]
    assert points == sorted(points)


def test_a_protected_pair_is_never_above_the_last_of_the_others():
    last, level, above = (
        Finalist(2, Fraction(score), protected) for score, protected in ((80, 0), (80, 1), (81, 1))
    )
    field = [Finalist(1, Fraction(90)), last]
    assert carry_over([*field, Finalist(3, level.score, True)]) == {1: 2000, 2: 0, 3: 0}
    with pytest.raises(Impossible) as refused:
        carry_over([*field, Finalist(3, above.score, True)])
    assert refused.value.member == "protected"


def test_protected_pairs_alone_carry_their_bonus_only():
    assert carry_over([Finalist(1, Fraction(90), True), Finalist(2, Fraction(80), True, (12,))]) == {
        1: 0,
        2: 200,
    }


def test_a_rank_is_one_or_more():
    with pytest.raises(Impossible) as refused:
        carry_over([Finalist(1, Fraction(90), False, (0,))])
    assert refused.value.member == "bonus_ranks"
