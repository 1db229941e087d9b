"""The course of an event: every transition, pauses, outages, warnings."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.bridge.swiss_clock import State, Timing, phase_at, timetable
from server.bridge.swiss_event import (
    Action,
    Course,
    Facts,
    WrongState,
    cancelled,
    forecast,
    halted,
    lengthened,
    may_deal,
    next_transition,
    paused,
    playable_until,
    resumed,
    rounds_over,
    warnings,
)

TIMING = Timing(open_at=1000, start_at=2800, rounds=3, round_s=3600, closing_s=120)
GOOD = Facts(active=12, scored=True)
RUNNING = Course(State.RUNNING, 1, ends_at=6400, appear_by=3100)
CLOSING = Course(State.CLOSING, 1, ends_at=6520, appear_by=3100)
LAST = Course(State.CLOSING, 3, ends_at=13960)
ROUND = (Action.PAIR, Action.CREATE_TABLES, Action.SEAT, Action.DEAL, Action.TELL)


def reached(course, facts, now, timing=TIMING):
    """State, round and actions of what is due; None when nothing is."""
    due = next_transition(timing, course, facts, now)
    return due and (due.after.state, due.after.round, due.actions)


@pytest.mark.parametrize(
    ("course", "facts", "now", "expected"),
    [
        (Course(), Facts(), 999, None),
        (Course(), Facts(), 1000, (State.REGISTRATION, None, (Action.CREATE_ROOM,))),
        (Course(State.REGISTRATION), GOOD, 2799, None),
        (
            Course(State.REGISTRATION),
            Facts(active=4),
            2800,
            (State.RUNNING, 1, (Action.LOCK_ENTRIES, Action.STAND_UP, *ROUND)),
        ),
        (
            Course(State.REGISTRATION),
            Facts(active=3),
            2800,
            (State.CANCELLED, None, (Action.STAND_UP, Action.TELL)),
        ),
        (RUNNING, GOOD, 6399, None),
        (RUNNING, replace(GOOD, finished=True, reported=True), 6399, None),
        (RUNNING, Facts(), 6400, (State.CLOSING, 1, (Action.CUT_OFF,))),
        (CLOSING, GOOD, 6519, None),
        (CLOSING, replace(GOOD, reported=True), 6519, None),
        (CLOSING, replace(GOOD, scored=False), 6520, None),
        (CLOSING, replace(GOOD, active=2), 6520, (State.RUNNING, 2, (Action.STANDINGS, *ROUND))),
        (
            CLOSING,
            replace(GOOD, active=1),
            6520,
            (State.FINISHED, None, (Action.STANDINGS, Action.MASTERPOINTS, Action.PUBLISH, Action.TELL)),
        ),
        (CLOSING, replace(GOOD, active=1, reported=True), 6519, None),
        (LAST, GOOD, 13959, None),
        (
            LAST,
            GOOD,
            13960,
            (State.FINISHED, None, (Action.STANDINGS, Action.MASTERPOINTS, Action.PUBLISH, Action.TELL)),
        ),
        (LAST, replace(GOOD, scored=False, reported=True), 13960, None),
        (Course(State.FINISHED), GOOD, 10**9, None),
        (Course(State.CANCELLED), GOOD, 10**9, None),
        (Course(State.PAUSED, 1, 6400, paused_at=3000, paused_in=State.RUNNING), GOOD, 10**9, None),
    ],
)
def test_what_is_due(course, facts, now, expected):
    assert reached(course, facts, now) == expected


def test_after_the_last_round_nobody_waits_when_everything_is_reported():
    due = next_transition(TIMING, LAST, replace(GOOD, reported=True), 13900)
    assert (due.after.state, due.at) == (State.FINISHED, 13900)


def test_a_round_ends_early_where_the_event_has_it_so():
    timing = replace(TIMING, early_close=True)
    assert next_transition(timing, RUNNING, GOOD, 5000) is None
    due = next_transition(timing, RUNNING, replace(GOOD, finished=True), 5000)
    assert (due.after.state, due.at, due.after.ends_at) == (State.CLOSING, 5000, 5120)


def run(timing, facts, step=60):
    """The instants at which an event looked at every ``step`` seconds comes into its states."""
    course, seen, now = Course(), {}, 0
    while course.state not in (State.FINISHED, State.CANCELLED):
        while due := next_transition(timing, course, facts, now):
            course = due.after
            seen[course.state, course.round] = due.at
        now += step
    return seen


@pytest.mark.parametrize("step", [1, 7, 60])
def test_looked_at_every_minute_or_second_it_keeps_to_the_timetable(step):
    seen = run(TIMING, GOOD, step)
    for span in timetable(TIMING):
        assert seen[State.RUNNING, span.round] == span.starts_at
        assert seen[State.CLOSING, span.round] == span.ends_at
    assert seen[State.FINISHED, None] == timetable(TIMING)[-1].closed_at
    for (state, number), at in seen.items():
        phase = phase_at(TIMING, GOOD.active, at)
        assert (phase.state, phase.round) == (state, number)


def test_a_round_that_starts_late_by_more_than_a_minute_has_all_its_time():
    assert next_transition(TIMING, CLOSING, GOOD, 6580).after.ends_at == 6520 + 3600
    late = next_transition(TIMING, CLOSING, GOOD, 6581)
    assert (late.at, late.after.ends_at, late.after.appear_by) == (6581, 6581 + 3600, 6581 + 300)


def test_the_same_step_has_the_same_key_and_no_other_has():
    def keys_of_an_event():
        course, keys, now = Course(), [], 0
        while course.state is not State.FINISHED:
            due = next_transition(TIMING, course, GOOD, now)
            now += 1 if due is None else 0
            for step in [due] if due else []:
                course = step.after
                keys.append(step.key)
                if course.state in (State.RUNNING, State.CLOSING) and len(keys) < 12:
                    for stop in (paused, resumed, paused, resumed):
                        step = stop(course, now)  # noqa: PLW2901
                        course = step.after
                        keys.append(step.key)
        return keys

    keys = keys_of_an_event()
    assert len(keys) == len(set(keys)) > 12
    assert keys_of_an_event() == keys


def test_a_pause_moves_what_lay_ahead():
    stopped = paused(RUNNING, 3000).after
    assert (stopped.state, stopped.round) == (State.PAUSED, 1)
    assert next_transition(TIMING, stopped, GOOD, 10**6) is None
    goes_on = resumed(stopped, 3500).after
    assert goes_on == replace(RUNNING, ends_at=6900, appear_by=3600, pauses=1)


def test_what_lay_behind_stays():
    goes_on = resumed(paused(RUNNING, 3200).after, 3500).after
    assert (goes_on.ends_at, goes_on.appear_by) == (6700, 3100)


def test_a_failed_pairing_is_tried_again_after_the_pause():
    stopped = paused(CLOSING, 6521).after
    goes_on = resumed(stopped, 9000).after
    due = next_transition(TIMING, goes_on, GOOD, 9000)
    assert (due.after.state, due.after.round, due.at) == (State.RUNNING, 2, 8999)
    assert due.after.ends_at == 8999 + 3600  # as late as it was when it failed, and no later


def test_a_first_round_that_fails_waits_before_it():
    registration = Course(State.REGISTRATION)
    stopped = halted(registration, 2801).after
    assert (stopped.state, stopped.paused_in, stopped.round) == (State.PAUSED, State.REGISTRATION, None)
    assert next_transition(TIMING, stopped, GOOD, 10**6) is None
    assert forecast(TIMING, stopped) == timetable(TIMING)
    goes_on = resumed(stopped, 3000).after
    assert goes_on == replace(registration, pauses=1)


def test_play_that_was_over_when_closing_failed_is_not_made_longer():
    stopped = halted(RUNNING, 6401).after
    goes_on = resumed(stopped, 9000).after
    assert goes_on.ends_at == 6400
    assert next_transition(TIMING, goes_on, GOOD, 9000).at == 6400


@pytest.mark.parametrize("state", State)
def test_what_can_be_done_in_which_state(state):
    within = State.RUNNING if state is State.PAUSED else None
    course = Course(state, 1, 6400, paused_at=3000, paused_in=within)
    allowed = {
        halted: (State.ANNOUNCED, State.REGISTRATION, State.RUNNING, State.CLOSING),
        cancelled: (State.ANNOUNCED, State.REGISTRATION),
        paused: (State.RUNNING, State.CLOSING),
        resumed: (State.PAUSED,),
    }
    for what, states in allowed.items():
        if state in states:
            assert what(course, 4000).before is course
        else:
            with pytest.raises(WrongState) as refused:
                what(course, 4000)
            assert refused.value.state is state
            assert str(state) in str(refused.value)


@pytest.mark.parametrize("state", [State.ANNOUNCED, State.REGISTRATION])
def test_what_waits_before_it_starts_is_cancelled(state):
    after = cancelled(halted(Course(state), 500).after, 600).after
    assert after == Course(State.CANCELLED, pauses=1)


def test_an_outage_of_more_than_a_minute_is_given_back():
    assert lengthened(RUNNING, 3000, 3060) == RUNNING
    assert lengthened(RUNNING, 3000, 3061) == replace(RUNNING, ends_at=6461, appear_by=3161)
    assert lengthened(CLOSING, 6500, 7000) == replace(CLOSING, ends_at=7020)
    assert lengthened(RUNNING, 6390, 8000).ends_at == 8010


def test_an_outage_gives_nothing_back_where_nothing_ran():
    for course in (Course(), Course(State.REGISTRATION), paused(RUNNING, 3000).after, Course(State.FINISHED)):
        assert lengthened(course, 0, 10**6) == course
    # The round was over before; only the step into the next state is missing.
    assert lengthened(RUNNING, 6400, 7000) == RUNNING


def test_an_outage_is_like_a_pause_of_that_length():
    lengthy = lengthened(RUNNING, 3050, 4000)
    stopped = resumed(paused(RUNNING, 3050).after, 4000).after
    assert lengthy == replace(stopped, pauses=0)


@pytest.mark.parametrize(
    ("after", "now", "told"),
    [
        *((6099, 6100, (300,)), (6100, 6101, ()), (6098, 6099, ()), (6339, 6340, (60,))),
        *((6000, 6400, (300, 60)), (6340, 6400, ())),
    ],
)
def test_warnings(after, now, told):
    assert warnings(RUNNING, after, now) == told
    assert warnings(CLOSING, after, now) == ()
    assert warnings(paused(RUNNING, 3000).after, after, now) == ()


@given(st.lists(st.integers(2800, 6500), min_size=2).map(sorted))
def test_each_warning_is_given_once_however_often_the_clock_is_looked_at(instants):
    told = [each for a, b in pairwise(instants) for each in warnings(RUNNING, a, b)]
    assert told == list(warnings(RUNNING, instants[0], instants[-1]))


@pytest.mark.parametrize(("now", "may"), [(2800, True), (6280, True), (6281, False), (6399, False)])
def test_the_last_board(now, may):
    assert may_deal(TIMING, RUNNING, now) == may
    assert not may_deal(TIMING, CLOSING, now)
    assert playable_until(TIMING, RUNNING) == 6280


def test_the_forecast_moves_with_the_clock():
    assert forecast(TIMING, Course()) == timetable(TIMING)
    assert forecast(TIMING, Course(State.REGISTRATION)) == timetable(TIMING)
    assert forecast(TIMING, RUNNING) == forecast(TIMING, CLOSING) == timetable(TIMING)[1:]
    later = resumed(paused(RUNNING, 3000).after, 3100).after
    assert [span.starts_at for span in forecast(TIMING, later)] == [6620, 10340]
    assert forecast(TIMING, paused(RUNNING, 3000).after) == timetable(TIMING)[1:]
    assert forecast(TIMING, LAST) == forecast(TIMING, Course(State.FINISHED)) == ()


@pytest.mark.parametrize(
    ("course", "over"),
    [
        (Course(), 0),
        (halted(Course(State.REGISTRATION), 500).after, 0),
        (RUNNING, 0),
        (CLOSING, 1),
        (LAST, 3),
        *((paused(course, 3000).after, over) for course, over in ((RUNNING, 0), (CLOSING, 1), (LAST, 3))),
        (replace(RUNNING, round=3), 2),
    ],
)
def test_rounds_that_are_over(course, over):
    assert rounds_over(course) == over


class Life(RuleBasedStateMachine):
    """An event through anything that can happen to it: no round is left out or played twice."""

    @initialize(rounds=st.integers(1, 4), early=st.booleans())
    def made(self, rounds, early):
        self.timing = Timing(100, 200, rounds, 600, 60, early_close=early)
        self.course, self.now, self.seen, self.keys = Course(), 0, 0, []
        self.facts = Facts(active=8)
        self.states, self.played = [State.ANNOUNCED], 0

    def take(self, step):
        assert step.before == self.course
        assert step.key not in self.keys
        self.keys.append(step.key)
        if self.course.state is State.RUNNING and step.after.state is State.CLOSING:
            assert step.after.round == self.played + 1
            self.played += 1
        self.course = step.after
        self.states.append(self.course.state)
        self.facts = replace(self.facts, scored=False, finished=False, reported=False)

    @rule(seconds=st.sampled_from([0, 1, 30, 59, 300, 700]))
    def time_passes(self, seconds):
        self.now += seconds

    @rule()
    def clock_is_looked_at(self):
        self.course = lengthened(self.course, self.seen, self.now)
        self.seen = self.now
        while due := next_transition(self.timing, self.course, self.facts, self.now):
            self.take(due)
        assert self.course.state in (State.PAUSED, State.FINISHED, State.CANCELLED) or (
            self.course.state is State.CLOSING or self.now < (self.course.ends_at or 200)
        )

    @rule(scored=st.booleans(), finished=st.booleans(), reported=st.booleans(), active=st.integers(0, 8))
    def things_become_known(self, scored, finished, reported, active):
        self.facts = Facts(active, finished, reported, scored)

    @precondition(lambda self: self.course.state in (State.RUNNING, State.CLOSING))
    @rule()
    def organiser_pauses(self):
        self.take(paused(self.course, self.now))

    @precondition(lambda self: self.course.state not in (State.PAUSED, State.FINISHED, State.CANCELLED))
    @rule()
    def a_step_fails(self):
        self.take(halted(self.course, self.now))

    @precondition(lambda self: self.course.state is State.PAUSED)
    @rule()
    def organiser_resumes(self):
        self.take(resumed(self.course, self.now))
        self.seen = self.now

    @invariant()
    def the_states_are_in_order(self):
        states = [state for state in self.states if state is not State.PAUSED]
        order = list(State)
        for before, after in pairwise(states):
            again = (before, after) in [(State.CLOSING, State.RUNNING), (before, before)]
            assert again or order.index(before) < order.index(after)

    @invariant()
    def rounds_are_counted(self):
        if self.course.state is State.FINISHED:
            assert 1 <= self.played <= self.timing.rounds


TestLife = Life.TestCase
