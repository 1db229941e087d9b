"""The timetable of an event, and what the end of a round cuts off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.swiss_clock import (
    Arrived,
    Phase,
    Span,
    State,
    Timing,
    cut_off,
    in_time,
    phase_at,
    timetable,
)
from tests.bridge import golden

CASES = golden.vectors("swiss/clock.json")["cases"]
timings = st.builds(
    lambda open_at, wait, rounds, round_s, closing_s: Timing(
        open_at, open_at + wait, rounds, round_s, closing_s
    ),
    st.integers(0, 5000),
    st.integers(0, 5000),
    st.integers(1, 12),
    st.integers(1, 4000),
    st.integers(0, 300),
)


@pytest.mark.parametrize("case", [case for case in CASES if "now" in case], ids=lambda case: str(case["now"]))
def test_every_golden_instant(case):
    config = dict(case["cfg"])
    entries = config.pop("entries")
    state, number, seconds = case["expected"]
    assert phase_at(Timing(**config), entries, case["now"]) == Phase(State(state), number, seconds)


def test_the_golden_cut_off():
    (case,) = [case for case in CASES if case.get("kind") == "cutoff"]
    boards = {board: at if at is None else Arrived(at) for board, at in case["boards"].items()}
    found = cut_off(boards, case["end"], case["end"] + 120)
    assert {"counted": list(found.counted), "cut": list(found.cut)} == case["expected"]


@pytest.mark.parametrize(
    ("received", "played", "counts"),
    [
        *((3600, None, True), (3601, None, False), (3601, 3600, True), (3601, 3601, False)),
        *(
            (3720, 3600, True),
            (3721, 3600, False),
            (3720, 0, True),
            (3600, 9999, True),
            (3720.5, 3600, False),
        ),
    ],
)
def test_a_board_counts_if_it_came_in_time_or_was_played_in_time(received, played, counts):
    assert in_time(Arrived(received, played), round_end=3600, closing_end=3720) == counts


@given(timings, st.integers(-100, 60_000))
def test_the_seconds_left_lead_to_the_next_change(timing, now):
    entries = timing.min_pairs
    phase = phase_at(timing, entries, now)
    if phase.seconds is None:
        assert phase.state is State.FINISHED
        assert now >= timetable(timing)[-1].closed_at
        return
    assert phase.seconds > 0
    there = phase_at(timing, entries, now + phase.seconds)
    assert (there.state, there.round) != (phase.state, phase.round)
    before = phase_at(timing, entries, now + phase.seconds - 1)
    assert (before.state, before.round) == (phase.state, phase.round) or phase.seconds < 1


@given(timings)
def test_rounds_follow_one_another(timing):
    spans = timetable(timing)
    assert [span.round for span in spans] == list(range(1, timing.rounds + 1))
    starts = [timing.start_at, *(span.closed_at for span in spans[:-1])]
    assert starts == [span.starts_at for span in spans]
    assert all(span.ends_at - span.starts_at == timing.round_s for span in spans)
    assert all(span.closed_at - span.ends_at == timing.closing_s for span in spans)


def test_the_timetable_from_a_later_round():
    timing = Timing(0, 1000, 4, 600, 60)
    assert timetable(timing, 3, 5000) == (Span(3, 5000, 5600, 5660), Span(4, 5660, 6260, 6320))
    assert timetable(timing, 5, 5000) == ()


@pytest.mark.parametrize(("entries", "state"), [(3, State.CANCELLED), (4, State.RUNNING)])
def test_it_takes_some_pairs(entries, state):
    assert phase_at(Timing(0, 100, 1), entries, 100).state is state


def test_defaults_are_those_of_an_event_of_eight_boards():
    timing = Timing(0, 0, 1)
    assert (timing.round_s, timing.closing_s, timing.min_pairs) == (3600, 120, 4)
    assert (timing.absent_s, timing.last_board_s, timing.early_close) == (300, 120, False)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"open_at": 101}, {"rounds": 0}, {"min_pairs": 1}, {"round_s": 0}, {"closing_s": -1}),
        *({"last_board_s": -1}, {"absent_s": -1}),
    ],
)
def test_impossible_timings_are_refused(wrong):
    with pytest.raises(Impossible):
        Timing(**{"open_at": 0, "start_at": 100, "rounds": 1, **wrong})
