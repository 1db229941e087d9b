"""Rounds of a pairs event: round robin and draw."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.pairs_draw import Plan, draw, round_robin, rounds_of_all
from server.bridge.swiss_pairing import Meeting

seeds = st.integers(0, 2**64 - 1)


def whole_event(plan, active_in=lambda number: None, late=()):
    """Rounds with their pairs, as a service would make them."""
    meetings, byes, rounds = [], Counter(), []
    for number in range(1, plan.rounds + 1):
        active = [*plan.pairs, *late]
        gone = active_in(number) or ()
        active = [pair for pair in active if pair not in gone]
        drawn = draw(plan, active, number, meetings, byes)
        named = [pair for match in drawn.matches for pair in match] + list(drawn.sit_outs)
        assert sorted(named) == sorted(active)
        meetings += [Meeting(number, *match) for match in drawn.matches]
        byes.update(drawn.sit_outs)
        rounds.append(drawn)
    return rounds, Counter(frozenset((meeting.a, meeting.b)) for meeting in meetings), byes


@given(st.integers(0, 24), seeds)
def test_in_a_round_robin_everybody_meets_everybody_once(pairs, seed):
    plan = Plan(tuple(range(1, pairs + 1)), rounds_of_all(pairs), seed)
    assert plan.round_robin
    _, met, byes = whole_event(plan)
    assert met == Counter(frozenset(two) for two in combinations(plan.pairs, 2))
    assert byes == (
        Counter(plan.pairs) if pairs % 2 and pairs > 1 else Counter(plan.pairs[:1] * (pairs == 1))
    )


@pytest.mark.parametrize(
    ("pairs", "rounds"), [(0, 0), (1, 1), (2, 1), (3, 3), (4, 3), (5, 5), (8, 7), (9, 9)]
)
def test_rounds_of_a_round_robin(pairs, rounds):
    assert rounds_of_all(pairs) == rounds
    assert Plan(tuple(range(pairs)), rounds, 0).round_robin
    assert not Plan(tuple(range(pairs)), rounds - 1, 0).round_robin


def test_a_round_robin_of_four():
    assert [round_robin("ABCD", number).matches for number in (1, 2, 3, 4)] == [
        (("A", "D"), ("B", "C")),
        (("A", "B"), ("C", "D")),
        (("A", "C"), ("D", "B")),
        (("A", "D"), ("B", "C")),
    ]


@given(st.integers(1, 12), st.integers(1, 40))
def test_after_its_last_round_a_round_robin_starts_again(pairs, round_number):
    later = round_number + max(rounds_of_all(pairs), 1)
    assert round_robin(range(pairs), later) == round_robin(range(pairs), round_number)


def test_pairs_may_be_numbered_from_nothing():
    assert {round_robin(range(3), number).sit_outs for number in (1, 2, 3)} == {(0,), (1,), (2,)}


def test_who_leaves_a_round_robin_leaves_his_opponents_without_a_match():
    plan = Plan(("A", "B", "C", "D", "E", "F"), 5, 7)
    rounds, met, _ = whole_event(plan, lambda number: ("B", "E") if number >= 3 else ())
    stayed = [pair for pair in plan.pairs if pair not in ("B", "E")]
    assert all(met[frozenset(two)] == 1 for two in combinations(stayed, 2))
    for drawn in rounds[2:]:
        assert not {"B", "E"} & {pair for match in drawn.matches for pair in match}


def test_who_enters_later_turns_the_rest_into_a_draw():
    plan = Plan(("A", "B", "C", "D"), 3, 7)
    drawn = draw(plan, ["A", "B", "C", "D", "E", "F"], 2, [Meeting(1, "A", "D"), Meeting(1, "B", "C")], {})
    assert len(drawn.matches) == 3
    assert not {("A", "D"), ("D", "A"), ("B", "C"), ("C", "B")} & set(drawn.matches)


@given(st.integers(2, 24), st.integers(1, 6), seeds)
def test_otherwise_it_is_drawn_without_a_rematch_where_that_is_possible(pairs, rounds, seed):
    plan = Plan(tuple(range(pairs)), rounds, seed)
    if plan.round_robin:
        return
    drawn, met, byes = whole_event(plan)
    assert whole_event(plan)[0] == drawn
    if rounds <= pairs // 2:
        assert all(count == 1 for count in met.values())
        assert max(byes.values(), default=0) <= 1


def test_another_seed_or_round_draws_another_round():
    first = {
        draw(Plan(tuple(range(20)), 5, seed), range(20), 1, [], {}).matches for seed in range(0, 500, 10)
    }
    assert len(first) == 50
    plan = Plan(tuple(range(20)), 5, 2**64 - 1)
    assert len({draw(plan, range(20), number, [], {}).matches for number in range(1, 6)}) == 5
