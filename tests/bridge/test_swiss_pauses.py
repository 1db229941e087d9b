"""Pauses and outages change nothing about who came in time: it is as if the clock had never stood."""

from hypothesis import given
from hypothesis import strategies as st

from server.bridge.swiss_clock import State, Timing
from server.bridge.swiss_event import (
    Course,
    Facts,
    lengthened,
    may_deal,
    next_transition,
    paused,
    playable_until,
    resumed,
)
from server.bridge.swiss_field import presence

ROUND = 100  # seconds of play

timings = st.builds(
    lambda last, absent: Timing(0, 0, 3, ROUND, 10, last_board_s=last, absent_s=absent),
    st.integers(0, ROUND - 1),
    st.integers(0, ROUND),
)
stops = st.lists(st.tuples(st.integers(0, ROUND - 1), st.integers(1, 500), st.booleans()), max_size=4).map(
    lambda found: sorted(found, key=lambda stop: stop[0])
)


def begun(timing):
    """The course when round 1 has just begun, at 0."""
    return next_transition(timing, Course(State.REGISTRATION), Facts(active=8), 0).after


def stopped(course, at, seconds, outage):
    """The course after the clock stood for so long: by a director, or because nobody kept it."""
    if outage:
        return lengthened(course, at, at + seconds, patience_s=0)
    return resumed(paused(course, at).after, at + seconds).after


def on_the_wall(played, stops):
    """When the clock of the wall shows what the clock of the round shows; a pause comes after what happens
    in its instant.
    """
    return played + sum(seconds for at, seconds, _ in stops if at < played)


def through(timing, stops):
    course, stood = begun(timing), 0
    for at, seconds, outage in stops:
        course = stopped(course, at + stood, seconds, outage)
        stood += seconds
    return course


def judged(timing, course, arrivals):
    until = max(playable_until(timing, course), course.appear_by)
    return presence(arrivals, course.appear_by, until)


@given(timings, stops, st.tuples(*[st.none() | st.integers(0, ROUND)] * 2))
def test_whoever_comes_is_judged_as_without_the_pauses(timing, stops, arrivals):
    course = through(timing, stops)
    assert course.ends_at == ROUND + sum(seconds for _, seconds, _ in stops)
    moved = [None if each is None else on_the_wall(each, stops) for each in arrivals]
    assert judged(timing, course, moved) is judged(timing, begun(timing), arrivals)


@given(timings, stops, st.integers(0, ROUND))
def test_boards_are_dealt_as_without_the_pauses(timing, stops, at):
    before = [stop for stop in stops if stop[0] < at]
    course = through(timing, before)
    assert may_deal(timing, course, on_the_wall(at, before)) == may_deal(timing, begun(timing), at)


@given(timings, stops)
def test_who_comes_when_the_clock_goes_on_comes_as_when_it_stopped(timing, stops):
    """In the instant of the deadline he would have been in time, so he is as soon as there is time again."""
    course, stood = begun(timing), 0
    for at, seconds, outage in stops:
        course = stopped(course, at + stood, seconds, outage)
        stood += seconds
        expected = judged(timing, begun(timing), [0, at])
        assert judged(timing, course, [0, at + stood]) is expected


@given(timings, stops, st.data())
def test_who_comes_while_the_clock_stands_comes_as_when_it_stopped(timing, stops, data):
    for i, (at, seconds, _) in enumerate(stops):
        stood = sum(each[1] for each in stops[:i])
        came = at + stood + data.draw(st.integers(0, seconds))
        assert judged(timing, through(timing, stops), [0, came]) is judged(timing, begun(timing), [0, at])
