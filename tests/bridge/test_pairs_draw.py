"""Rounds of a pairs event: round robin and draw."""

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.pairs_draw import Plan, draw, round_robin, rounds_of_all
from server.bridge.swiss_draw import PairedRound, SplitMix64
from server.bridge.swiss_pairing import Meeting
from tests.bridge.pairs_checker import NOBODY, possible, rounds_of

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


def by_hand(pairs, met, rng):
    """A round of a director: somehow, and without a rematch unless he does not see how."""
    for _ in range(100):
        field = rng.shuffled([*pairs, *([NOBODY] if len(pairs) % 2 else [])])
        matches = list(zip(field[::2], field[1::2], strict=True))
        if not any(frozenset(match) in met for match in matches):
            break
    alone = tuple(a + b - NOBODY for a, b in matches if NOBODY in (a, b))
    return PairedRound(tuple(match for match in matches if NOBODY not in match), alone)


class Watched:
    """A pairs event in which some rounds are paired by hand; how it goes on is held against the checker."""

    def __init__(self, pairs, rounds, seed, hand):
        self.plan = Plan(tuple(range(pairs)), rounds, seed)
        self.hand, self.rng = hand, SplitMix64(seed)
        self.meetings, self.byes, self.met, self.rounds = [], Counter(), set(), []

    def keep(self, number, paired):
        self.meetings += [Meeting(number, *match) for match in paired.matches]
        self.byes.update(paired.sit_outs)
        self.met |= {frozenset(match) for match in paired.matches}
        self.met |= {frozenset((pair, NOBODY)) for pair in paired.sit_outs}
        self.rounds.append(paired)

    def possible(self, number):
        """Whether the rounds from this one on need no rematch."""
        left = self.plan.rounds - number + 1
        return possible(frozenset(self.plan.pairs), frozenset(self.met), left)

    def run(self, checked):
        for number in range(1, self.plan.rounds + 1):
            if number in self.hand:
                self.keep(number, by_hand(self.plan.pairs, self.met, self.rng))
                continue
            before = checked and self.possible(number)
            drawn = draw(self.plan, self.plan.pairs, number, self.meetings, self.byes)
            named = [pair for match in drawn.matches for pair in match] + list(drawn.sit_outs)
            assert sorted(named) == sorted(self.plan.pairs)
            assert len(drawn.sit_outs) == len(self.plan.pairs) % 2
            fresh = not any(frozenset(match) in self.met for match in drawn.matches)
            self.keep(number, drawn)
            if before:
                assert fresh
                assert self.possible(number + 1)
        return self


@pytest.mark.parametrize("first", [((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3))])
def test_four_pairs_meet_each_other_once_whatever_their_first_round(first):
    plan = Plan((1, 2, 3, 4), 3, 7)
    meetings = [Meeting(1, *match) for match in first]
    for number in (2, 3):
        drawn = draw(plan, plan.pairs, number, meetings, {})
        meetings += [Meeting(number, *match) for match in drawn.matches]
    met = Counter(frozenset((each.a, each.b)) for each in meetings)
    assert met == Counter(frozenset(two) for two in combinations(plan.pairs, 2))


@given(st.integers(2, 7), st.integers(1, 8), seeds, st.sets(st.integers(1, 8), max_size=3))
def test_after_rounds_by_hand_nobody_meets_again_where_that_can_be_helped(pairs, rounds, seed, hand):
    """As long as the rest of the event can do without a rematch, the round drawn is none and leaves it so."""
    event = Watched(pairs, rounds, seed, hand).run(checked=True)
    assert Watched(pairs, rounds, seed, hand).run(checked=False).rounds == event.rounds


@pytest.mark.parametrize("pairs", [8, 9, 12, 15, 20, 24])
@pytest.mark.parametrize("hand", [{1}, {2}, {1, 3}])
def test_a_bigger_round_robin_is_completed_round_a_round_by_hand(pairs, hand):
    for seed in range(3):
        event = Watched(pairs, rounds_of_all(pairs), seed, hand).run(checked=False)
        times = Counter(frozenset((each.a, each.b)) for each in event.meetings)
        assert times == Counter(frozenset(two) for two in combinations(event.plan.pairs, 2))


@pytest.mark.parametrize("pairs", [3, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("hand", [{1}, {2}])
def test_a_double_round_robin_is_completed_too(pairs, hand):
    """Everybody meets everybody twice, and nobody the same opponents in two rounds on end."""
    for seed in range(5):
        event = Watched(pairs, 2 * rounds_of_all(pairs), seed, hand).run(checked=False)
        times = Counter(frozenset((each.a, each.b)) for each in event.meetings)
        assert set(times.values()) == {2}
        assert len(times) == pairs * (pairs - 1) // 2
        assert set(event.byes.values()) <= {2}
        for before, after in pairwise(event.rounds):
            same = {frozenset(match) for match in before.matches} & {
                frozenset(match) for match in after.matches
            }
            assert pairs < 4 or not same


@given(st.integers(3, 14), seeds)
def test_a_round_fewer_than_a_round_robin_needs_no_rematch_either(pairs, seed):
    event = Watched(pairs, rounds_of_all(pairs) - 1, seed, set()).run(checked=False)
    assert len(event.met) == sum(len(each.matches) + len(each.sit_outs) for each in event.rounds)


def test_who_leaves_after_a_round_by_hand_leaves_his_place():
    """Nobody sits out twice for him, and those who stay still meet each other once."""
    plan = Plan(("A", "B", "C", "D", "E", "F"), 5, 7)
    first = [Meeting(1, "A", "B"), Meeting(1, "C", "D"), Meeting(1, "E", "F")]
    stayed = [pair for pair in plan.pairs if pair != "F"]
    meetings, byes = list(first), Counter()
    for number in range(2, 6):
        drawn = draw(plan, stayed, number, meetings, byes)
        meetings += [Meeting(number, *match) for match in drawn.matches]
        byes.update(drawn.sit_outs)
    met = Counter(frozenset((each.a, each.b)) for each in meetings)
    assert all(met[frozenset(two)] == 1 for two in combinations(stayed, 2))
    assert byes == Counter("ABCD")


def round_is_possible(active, met, alone):
    """Whether these can meet two by two without a rematch when one of ``alone`` sits out."""
    return any(
        not any(two in met for two in matches)
        for pair in alone
        for matches in rounds_of(frozenset(active) - {pair})
    )


@given(
    st.integers(2, 6),
    st.integers(1, 9),
    st.lists(st.integers(2, 5), max_size=3),
    st.lists(st.tuples(st.integers(2, 9), st.integers(0, 8)), max_size=2),
    seeds,
)
def test_nobody_sits_out_again_before_everybody_has(pairs, rounds, late, leaving, seed):
    """Whoever enters late, in whatever round, and whoever leaves; and where nobody then has to meet again,
    nobody does. In a round robin as planned those sit out whose opponents left.
    """
    plan = Plan(tuple(range(pairs)), rounds, seed)
    meetings, byes, met = [], Counter(), set()
    for number in range(1, rounds + 1):
        entered = [*plan.pairs, *(pairs + i for i, first in enumerate(late) if first <= number)]
        active = [pair for pair in entered if not any((r <= number and pair == p) for r, p in leaving)]
        drawn = draw(plan, active, number, meetings, byes)
        if len(active) % 2 and (len(entered) > pairs or len(active) == pairs):
            (alone,) = drawn.sit_outs
            fewest = min(byes[pair] for pair in active)
            assert byes[alone] == fewest
            rested = [pair for pair in active if byes[pair] == fewest]
            if round_is_possible(active, met, rested):
                assert not any(frozenset(match) in met for match in drawn.matches)
        meetings += [Meeting(number, *match) for match in drawn.matches]
        met |= {frozenset(match) for match in drawn.matches}
        byes.update(drawn.sit_outs)


def test_who_enters_late_sits_out_before_the_others_do_again():
    """Two pairs begin, one enters in round 1; in five rounds nobody plays them all."""
    for seed in range(30):
        plan = Plan((1, 2), 5, seed)
        meetings, byes = [Meeting(1, 1, 2)], Counter()
        for number in range(2, 6):
            drawn = draw(plan, (1, 2, 3), number, meetings, byes)
            meetings += [Meeting(number, *match) for match in drawn.matches]
            byes.update(drawn.sit_outs)
        assert sorted(byes.values()) == [1, 1, 2]
