"""Who plays in a round: late entries, withdrawals, absence, substitutes, sit-outs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.swiss_field import (
    Encounter,
    Entrant,
    Presence,
    SubstituteRefusal,
    active,
    byes_had,
    latest_entry,
    meetings_before,
    presence,
    substitute_refusal,
    takes_late_entries,
)
from server.bridge.swiss_pairing import Meeting


def test_who_is_paired():
    entrants = [
        Entrant(9),
        Entrant(1, withdrawn=True),
        Entrant(2, suspended=True),
        Entrant(3, absent_in=2),
        Entrant(4, absent_in=2, ready=True),
        Entrant(5, first_round=4),
        Entrant(6, first_round=3),
        Entrant(7, ready=True, withdrawn=True),
    ]
    assert active(entrants, 3) == (4, 6, 9)
    assert active(entrants, 4) == (4, 5, 6, 9)
    assert active(entrants, 2) == (4, 9)


@given(st.permutations(range(1, 9)))
def test_the_order_is_that_of_registration(numbers):
    assert active([Entrant(number) for number in numbers], 1) == tuple(range(1, 9))


@given(st.builds(Entrant, st.integers(1, 9), st.integers(1, 5), st.booleans(), st.none() | st.integers(1, 5)))
def test_whoever_is_ready_and_allowed_plays(entrant):
    again = replace(entrant, ready=True, withdrawn=False, suspended=False)
    assert [again.plays(number) for number in range(1, 7)] == [
        number >= entrant.first_round for number in range(1, 7)
    ]
    assert not any(replace(again, withdrawn=True).plays(number) for number in range(1, 7))


@pytest.mark.parametrize(
    ("running", "late_until", "may"), [(1, 0, False), (1, 1, True), (2, 1, False), (3, 5, True)]
)
def test_late_entries_until_the_end_of_a_round(running, late_until, may):
    assert takes_late_entries(running, late_until) == may


@pytest.mark.parametrize(("rounds", "latest"), [(1, 0), (2, 1), (9, 4), (10, 5)])
def test_late_entries_until_half_time_at_most(rounds, latest):
    assert latest_entry(rounds) == latest


@pytest.mark.parametrize(
    ("arrivals", "expected"),
    [
        ((100, 400), Presence.PRESENT),
        ((400, 400), Presence.PRESENT),
        ((100, 401), Presence.LATE),
        ((3480, 120), Presence.LATE),
        ((100, 3481), Presence.ABSENT),
        ((100, None), Presence.ABSENT),
        ((None, None), Presence.ABSENT),
    ],
)
def test_presence(arrivals, expected):
    assert presence(arrivals, appear_by=400, playable_until=3480) is expected


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({"boards": 40}, None),
        ({"boards": 41}, SubstituteRefusal.TOO_MANY_BOARDS),
        ({"in_another_pair": True}, SubstituteRefusal.IN_ANOTHER_PAIR),
        ({"in_another_pair": True, "boards": 80}, SubstituteRefusal.IN_ANOTHER_PAIR),
        ({"boards": 4, "of": 7}, SubstituteRefusal.TOO_MANY_BOARDS),
        ({"boards": 3, "of": 7}, None),
        ({"partner_replaced": True}, SubstituteRefusal.PARTNER_REPLACED),
        ({"partner_replaced": True, "boards": 41}, SubstituteRefusal.PARTNER_REPLACED),
        ({"has_table": False, "in_another_pair": True}, SubstituteRefusal.NO_TABLE),
    ],
)
def test_substitutes(known, expected):
    sound = {"has_table": True, "in_another_pair": False, "partner_replaced": False, "boards": 1, "of": 80}
    assert substitute_refusal(**sound | known) is expected


PLAYED = Encounter(1, 1, 2, played=True)
IN_VAIN = Encounter(2, 1, 3, played=False, absent=frozenset({3}))
NOBODY = Encounter(2, 4, 5, played=False, absent=frozenset({4, 5}))
UNFINISHED = Encounter(2, 6, 7, played=False)
LATE = Encounter(2, 8, 9, played=True, absent=frozenset())


def test_a_match_without_play_is_a_meeting_for_the_very_next_round_only():
    met = [PLAYED, IN_VAIN, UNFINISHED, LATE]
    assert meetings_before(met, 3) == [Meeting(1, 1, 2), Meeting(2, 1, 3), Meeting(2, 8, 9)]
    assert meetings_before(met, 4) == [Meeting(1, 1, 2), Meeting(2, 8, 9)]


def test_waiting_in_vain_is_like_sitting_out():
    assert byes_had([], [PLAYED, IN_VAIN, NOBODY, UNFINISHED, LATE]) == {1: 1}
    assert byes_had([1, 9, 9], [IN_VAIN]) == {1: 2, 9: 2}
