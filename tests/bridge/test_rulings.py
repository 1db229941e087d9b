"""Boards with rulings: their course held against the same story worked out from the beginning."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.pool import ScoringMethod, Terms
from server.bridge.rulings import RuledScore, replay
from server.bridge.traveller import SideScores, Traveller, TravellerFull
from tests.bridge import oracle
from tests.bridge.ruled import Story
from tests.strategies import scores
from tests.web.scoring import Judge, tenth

SMALL = Terms(ScoringMethod.DATUM, 3, 6)
WEEKLY = Terms(ScoringMethod.DATUM, 6, 40)
methods = st.sampled_from(ScoringMethod)


def against(own, others):
    """Datum IMPs of a score, in hundredths."""
    ns = 100 * oracle.imps(own - oracle.datum(others, tenth(len(others))))
    return ns, -ns


def story_of(terms):
    """An empty story by these rules."""
    judge = Judge(terms.method.value, terms.score_at, terms.retire_at)
    plain = terms.method is ScoringMethod.DATUM
    return Story(terms.score_at, terms.retire_at, judge.score, against if plain else None)


@st.composite
def stories(draw):
    """Arrivals and rulings in any order, as long as there is something to rule on."""
    terms = replace(draw(st.sampled_from([SMALL, WEEKLY])), method=draw(methods))
    story = story_of(terms)
    for kind, score, pick in draw(
        st.lists(st.tuples(st.sampled_from("aaaavj"), scores, st.integers(0, 99)), max_size=30)
    ):
        live = list(story.live())
        if kind == "a" and not story.retired:
            story.told.append((story.arrived + 1, score))
        elif kind != "a" and live:
            story.told.append((live[pick % len(live)], None if kind == "v" else score))
    return terms, story


def course_of(terms, story):
    """The same told to the laws."""
    arrivals, rulings = [], []
    for sequence, score in story.told:
        if sequence > len(arrivals):
            arrivals.append(score)
        else:
            rulings.append(RuledScore(sequence, len(arrivals), score))
    return replay(Traveller(terms, ns_points=20), arrivals, rulings)


def sides(score):
    """Both sides of a score."""
    return None if score is None else (score.ns, score.ew)


@given(stories())
def test_every_course_is_the_straight_reckoning(told):
    terms, story = told
    course = course_of(terms, story)
    live = story.live()
    assert course.sequences == tuple(live)
    assert course.traveller.scores == tuple(live.values())
    assert course.traveller.retired == story.retired
    fields = course.traveller.field_scores() or [None] * len(live)
    assert [sides(field) for field in fields] == [story.field_score(sequence) for sequence in live]
    for sequence in range(1, story.arrived + 1):
        fixed = course.awards.get(sequence)
        assert sides(fixed and fixed.award.score) == story.award(sequence)
        if fixed is not None:
            compared, index = story.compared(sequence)
            assert fixed.own == live[sequence]
            assert (fixed.award.index, fixed.award.results) == (index, len(compared))
            others = [score for i, score in enumerate(fixed.scores) if i != index]
            assert others == [score for i, score in enumerate(compared) if i != index]
            if terms.method is ScoringMethod.DATUM:
                assert list(fixed.scores) == compared
                assert fixed.award.datum == oracle.datum(compared, tenth(len(compared)))


def test_without_rulings_the_course_is_that_of_the_arrivals():
    arrived = [420, 450, -50, 420, 430, 400, 980]
    traveller, awards = Traveller(WEEKLY), {}
    for score in arrived:
        arrival = traveller.add(score)
        traveller = arrival.traveller
        awards |= {award.index + 1: award for award in arrival.awards}
    course = replay(Traveller(WEEKLY), arrived, [])
    assert course.traveller == traveller
    assert {sequence: fixed.award for sequence, fixed in course.awards.items()} == awards


def test_an_adjusted_award_is_measured_against_the_datum_of_its_arrival():
    # 420 three times, 450, -50, 430: the datum of six is 420, and stays so for the sixth.
    arrived = [420, 420, 420, 450, -50, 430, -800, -800, -800]
    course = replay(Traveller(WEEKLY), arrived, [RuledScore(6, 9, -100)])
    assert course.awards[6].award.datum == 420
    assert course.awards[6].award.score == SideScores(-1100, 1100)
    assert course.awards[5].award.score == SideScores(-1000, 1000)  # of the others nothing is new


def test_when_six_are_reached_again_standing_awards_stand():
    arrived = [420, 420, 420, 450, -50, 430, 170]
    course = replay(Traveller(WEEKLY), arrived, [RuledScore(1, 6, None)])
    assert sorted(course.awards) == [2, 3, 4, 5, 6, 7]
    assert {course.awards[sequence].award.results for sequence in (2, 3, 4, 5, 6)} == {6}
    assert course.awards[7].scores == (420, 420, 450, -50, 430, 170)
    assert course.awards[2].scores == (420, 420, 420, 450, -50, 430)
    pending = replay(Traveller(WEEKLY), arrived[:6], [RuledScore(1, 6, None)])
    assert pending.traveller.field_scores() is None
    assert sorted(pending.awards) == [2, 3, 4, 5, 6]


def test_what_was_adjusted_while_pending_is_awarded_as_adjusted():
    arrived = [420, 420, 420, 450, -50, 430]
    course = replay(Traveller(WEEKLY), arrived, [RuledScore(2, 3, -100)])
    assert course.awards[2].scores == (420, -100, 420, 450, -50, 430)
    assert course.awards[2].own == -100


def test_a_retired_board_stays_retired():
    terms = Terms(ScoringMethod.DATUM, 1, 2)
    course = replay(Traveller(terms), [0, 0], [RuledScore(1, 2, None)])
    assert (course.traveller.retired, course.traveller.scores) == (True, (0,))
    with pytest.raises(TravellerFull):
        replay(Traveller(terms), [0, 0, 0], [RuledScore(1, 2, None)])
    freed = replay(Traveller(terms), [0, 0, 0], [RuledScore(1, 1, None)])
    assert (freed.traveller.retired, freed.sequences) == (True, (2, 3))
