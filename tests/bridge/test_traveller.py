"""The traveller of a board: six and forty, awards fixed once, field scores that move."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.pool import ScoringMethod, Terms
from server.bridge.traveller import (
    BoardState,
    SideScores,
    Traveller,
    TravellerFull,
    hundredths,
    percent,
)
from tests.bridge import oracle
from tests.strategies import fields, full_boards, scores

WEEKLY = Terms(ScoringMethod.DATUM, 6, 40)
EVENT = Terms(ScoringMethod.DATUM, 1, None)
methods = st.sampled_from(ScoringMethod)
thresholds = st.tuples(st.integers(1, 8), st.none() | st.integers(8, 30))
SIX = (420, 450, -50, 420, 170, -100)


def arrive(terms, results, ns_points=None):
    """The traveller after all the results, and what each arrival awarded."""
    traveller, arrivals = Traveller(terms, ns_points=ns_points), []
    for score in results:
        arrival = traveller.add(score)
        traveller = arrival.traveller
        arrivals.append(arrival.awards)
    return traveller, arrivals


def rounded(value):
    """Hundredths, halves away from zero, by trying."""
    size = 0
    while Fraction(size) + Fraction(1, 2) <= abs(Fraction(value)) * 100:
        size += 1
    return size if value > 0 else -size


def recomputed(method, field, index, ns_points=20):
    """One result's score for NS in hundredths against the field, straight from the rules."""
    if method is ScoringMethod.DATUM:
        drop = 0 if len(field) < 4 else -(-len(field) // 10)
        return 100 * oracle.imps(field[index] - oracle.datum(field, drop))
    if method is ScoringMethod.CROSS_IMPS:
        total = oracle.against_others(oracle.plain(field), index, oracle.imps)
        return rounded(total / (len(field) - 1)) if len(field) > 1 else 0
    if method is ScoringMethod.MATCHPOINTS:
        points = oracle.against_others(oracle.plain(field), index, oracle.versus)
        share = oracle.neuberg_percent(points, len(field), len(field))
        return 5000 + rounded(share - 50)
    score = field[index]
    signed = 0 if score == 0 else 1 if score > 0 else -1
    return 100 * (oracle.imps(score) - (ns_points - 20) * abs(signed))


def test_below_six_results_nothing_is_scored():
    traveller, awards = arrive(WEEKLY, SIX[:5])
    assert awards == [()] * 5
    assert traveller.state is BoardState.PENDING
    assert not traveller.scored
    assert traveller.datum() is None
    assert traveller.field_scores() is None


def test_the_sixth_awards_all_six_against_their_datum():
    traveller, awards = arrive(WEEKLY, SIX)
    assert traveller.state is BoardState.SCORING
    assert [award.index for award in awards[5]] == [0, 1, 2, 3, 4, 5]
    assert {(award.datum, award.results) for award in awards[5]} == {(240, 6)}  # (420+420+170-50)/4
    expected = [oracle.imps(score - 240) * 100 for score in SIX]
    assert [award.score.ns for award in awards[5]] == expected
    assert traveller.field_scores() == tuple(award.score for award in awards[5])


def test_the_seventh_awards_itself_alone_and_moves_the_field():
    before, _ = arrive(WEEKLY, SIX)
    arrival = before.add(1430)
    (award,) = arrival.awards
    assert (award.index, award.results) == (6, 7)
    assert award.datum == arrival.traveller.datum().value == 280  # (-50+170+420+420+450)/5 = 282
    assert arrival.traveller.field_scores() != (*before.field_scores(), award.score)


def test_forty_retire_the_board_and_the_forty_first_is_refused():
    thirty_nine, _ = arrive(WEEKLY, [420] * 39)
    assert thirty_nine.state is BoardState.SCORING
    full = thirty_nine.add(-50).traveller
    assert full.state is BoardState.RETIRED
    with pytest.raises(TravellerFull) as refused:
        full.add(420)
    assert refused.value.retire_at == 40
    assert len(full.scores) == 40


def test_a_retired_board_stays_retired_when_a_result_is_voided():
    full, _ = arrive(WEEKLY, [420] * 40)
    voided = replace(full, scores=full.scores[:-1])
    assert voided.state is BoardState.RETIRED
    with pytest.raises(TravellerFull) as refused:
        voided.add(420)
    assert refused.value.retire_at == 40


def test_a_voided_result_frees_its_slot_before_that():
    traveller, _ = arrive(WEEKLY, [420] * 39)
    voided = replace(traveller, scores=traveller.scores[:-1])
    again = voided.add(-50).traveller
    assert again.state is BoardState.SCORING
    assert again.add(-50).traveller.state is BoardState.RETIRED


def test_a_scored_board_is_pending_again_below_six():
    traveller, _ = arrive(WEEKLY, SIX)
    voided = replace(traveller, scores=traveller.scores[:-1])
    assert voided.state is BoardState.PENDING
    assert voided.field_scores() is None


def test_event_boards_are_scored_from_one_and_take_any_number():
    traveller, awards = arrive(EVENT, [420, -50] * 80)
    assert [len(given) for given in awards] == [1] * 160
    assert awards[0][0].score == SideScores(0, 0)
    assert traveller.state is BoardState.SCORING
    assert len(traveller.field_scores()) == 160


def test_a_board_may_be_scored_and_retired_by_one_result():
    traveller, awards = arrive(Terms(ScoringMethod.DATUM, 1, 1), [420])
    assert traveller.state is BoardState.RETIRED
    assert len(awards[0]) == 1


@given(methods, thresholds, fields(0, 40), st.integers(0, 40))
def test_arrivals_as_recomputed(method, thresholds, field, ns_points):
    score_at, retire_at = thresholds
    traveller = Traveller(Terms(method, score_at, retire_at), ns_points=ns_points)
    for count, score in enumerate(field, start=1):
        if retire_at is not None and count > retire_at:
            with pytest.raises(TravellerFull):
                traveller.add(score)
            return
        arrival = traveller.add(score)
        traveller = arrival.traveller
        assert traveller.scores == tuple(field[:count])
        indexes = [] if count < score_at else list(range(count)) if count == score_at else [count - 1]
        assert [award.index for award in arrival.awards] == indexes
        for award in arrival.awards:
            assert award.score.ns == recomputed(method, field[:count], award.index, ns_points)
            assert award.results == count
        retired = retire_at is not None and count == retire_at
        state = BoardState.PENDING if count < score_at else BoardState.SCORING
        assert traveller.state is (BoardState.RETIRED if retired else state)


@given(methods, fields(6, 40), st.integers(0, 40))
def test_field_scores_as_recomputed(method, field, ns_points):
    traveller, _ = arrive(Terms(method, 6, 40), field, ns_points)
    expected = [recomputed(method, field, index, ns_points) for index in range(len(field))]
    assert [score.ns for score in traveller.field_scores()] == expected


@given(st.data(), methods, full_boards)
def test_any_order_of_the_same_forty_ends_in_the_same_field_scores(data, method, field):
    order = data.draw(st.permutations(range(40)))
    ours, _ = arrive(Terms(method, 6, 40), field, 23)
    theirs, _ = arrive(Terms(method, 6, 40), [field[i] for i in order], 23)
    assert theirs.state is ours.state is BoardState.RETIRED
    assert theirs.field_scores() == tuple(ours.field_scores()[i] for i in order)
    for full in (ours, theirs):
        with pytest.raises(TravellerFull):
            full.add(field[0])


@given(methods, fields(6, 20), scores)
def test_awards_are_never_given_twice(method, field, last):
    _, arrivals = arrive(Terms(method, 6, 40), [*field, last])
    awarded = [award.index for awards in arrivals for award in awards]
    assert awarded == list(range(len(field) + 1))


@given(methods, fields(6, 40))
def test_the_last_award_is_the_field_score_of_that_moment(method, field):
    traveller, arrivals = arrive(Terms(method, 6, 40), field)
    assert arrivals[-1][-1].score == traveller.field_scores()[-1]


@given(methods, fields(6, 40))
def test_both_sides_balance(method, field):
    traveller, arrivals = arrive(Terms(method, 6, 40), field)
    whole = 10_000 if method is ScoringMethod.MATCHPOINTS else 0
    for score in (*traveller.field_scores(), *(award.score for awards in arrivals for award in awards)):
        assert score.ns + score.ew == whole


@given(st.sampled_from(sorted(set(ScoringMethod) - {ScoringMethod.HCP_COMPENSATION})), fields(6, 40))
def test_turning_the_tables_changes_the_sides_over(method, field):
    ours, _ = arrive(Terms(method, 6, 40), field)
    theirs, _ = arrive(Terms(method, 6, 40), [-score for score in field])
    assert theirs.field_scores() == tuple(SideScores(s.ew, s.ns) for s in ours.field_scores())
    assert theirs.datum().value == -ours.datum().value


@given(fields(6, 40), st.sampled_from([ScoringMethod.CROSS_IMPS, ScoringMethod.MATCHPOINTS]))
def test_the_datum_is_shown_whatever_the_method(field, method):
    traveller, arrivals = arrive(Terms(method, 6, 40), field)
    assert traveller.datum().value == oracle.datum(field, -(-len(field) // 10))
    assert {award.datum for awards in arrivals for award in awards} == {None}


def test_guests_have_no_datum():
    traveller, awards = arrive(Terms(ScoringMethod.HCP_COMPENSATION, 1, None), [420], ns_points=25)
    assert traveller.datum() is None
    assert awards[0][0].score == SideScores(400, -400)


@given(st.fractions(-100, 100))
def test_hundredths_as_recomputed(value):
    assert hundredths(value) == rounded(value)
    assert hundredths(-value) == -hundredths(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(Fraction(1, 200), 1), (Fraction(-1, 200), -1), (Fraction(1, 201), 0), (Fraction(31, 5), 620)],
)
def test_halves_of_hundredths_go_away_from_zero(value, expected):
    assert hundredths(value) == expected


@given(st.fractions(0, 100))
def test_percentages_round_alike_on_both_sides(share):
    score = percent(share)
    assert percent(100 - share) == SideScores(score.ew, score.ns)
    assert abs(score.ns - 100 * share) <= Fraction(1, 2)
