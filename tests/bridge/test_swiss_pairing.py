"""Who meets whom: golden rounds and events, and the rule checked by going through everything."""

import json
import os
import random
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.swiss_draw import SplitMix64, in_order_of_registration
from server.bridge.swiss_pairing import (
    Meeting,
    pair_round,
    pairs_without_rematch,
    rounds_without_rematch,
)
from tests.bridge import golden, swiss_oracle

CASES = golden.vectors("swiss/pairing.json")["cases"]
EVENTS = golden.vectors("swiss/events.json")["cases"]


def as_golden(paired):
    assert len(paired.sit_outs) <= 1
    return {
        "pairs": [list(match) for match in paired.matches],
        "bye": paired.sit_outs[0] if paired.sit_outs else None,
        "rematch_cost": paired.rematch_cost,
    }


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_every_golden_round(case):
    meetings = [Meeting(*meeting) for meeting in case["meetings"]]
    started = time.perf_counter()
    paired = pair_round(case["order"], meetings, case["byes"], case["round"])
    assert as_golden(paired) == case["expected"], case["why"]
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize("case", EVENTS, ids=[case["name"] for case in EVENTS])
def test_every_golden_event(case):
    pairs, source = case["pairs"], SplitMix64(case["seed"])
    scores, byes, meetings = [0] * pairs, [0] * pairs, []
    for expected in case["rounds"]:
        number = expected["round"]
        order = sorted(range(pairs), key=lambda pair: (-scores[pair], pair))
        if number == 1:
            paired = in_order_of_registration(order)
        else:
            paired = pair_round(order, meetings, dict(enumerate(byes)), number)
        assert {"round": number, "order": order, **as_golden(paired)} == expected
        for first, second in paired.matches:
            gained = source.below(2001)
            scores[first] += gained
            scores[second] += 2000 - gained
            meetings.append(Meeting(number, first, second))
        for pair in paired.sit_outs:
            scores[pair] += 1200
            byes[pair] += 1
    assert scores == case["final_scores_hundredths"]


@st.composite
def fields(draw, largest):
    """Number of pairs, history, sit-outs had and round: half of the histories are rounds really played."""
    pairs, round_number = draw(st.integers(0, largest)), draw(st.integers(2, 9))
    history = []
    if pairs >= 2 and draw(st.booleans()):
        places = st.permutations(range(pairs))
        for number in range(1, round_number):
            drawn = draw(places)
            history += [(number, *match) for match in zip(drawn[::2], drawn[1::2], strict=False)]
    elif pairs >= 2:
        matches = st.tuples(
            st.integers(1, round_number - 1), st.integers(0, pairs - 1), st.integers(1, pairs - 1)
        )
        drawn = draw(st.lists(matches, max_size=pairs * (pairs - 1)))
        history = [(number, a, (a + step) % pairs) for number, a, step in drawn]
    return pairs, history, draw(st.lists(st.integers(0, 2), min_size=pairs, max_size=pairs)), round_number


def product(pairs, history, byes, round_number):
    meetings = [Meeting(*meeting) for meeting in history]
    paired = pair_round(range(pairs), meetings, dict(enumerate(byes)), round_number)
    return paired.matches, (*paired.sit_outs, None)[0], paired.rematch_cost


@settings(max_examples=150)
@given(fields(8))
def test_of_all_rounds_of_a_small_field_it_is_the_best(field):
    assert product(*field) == swiss_oracle.by_enumeration(*field)


@settings(max_examples=150)
@given(fields(26))
def test_one_matching_with_exact_weights_finds_the_same(field):
    assert product(*field) == swiss_oracle.by_weights(*field)


@pytest.mark.parametrize("seed", range(40))
def test_one_matching_with_exact_weights_finds_the_same_in_long_events(seed):
    """Fields that have run out of opponents, up to 26 pairs and more rounds than that."""
    source = random.Random(seed)
    pairs = source.randint(9, 26)
    history, byes, order = [], [0] * pairs, list(range(pairs))
    for number in range(2, pairs + source.randint(0, 8)):
        field = (pairs, history, byes, number)
        matches, sit_out, cost = product(*field)
        if number > pairs // 2:
            assert (matches, sit_out, cost) == swiss_oracle.by_weights(*field), seed
        history += [(number, *match) for match in matches]
        if sit_out is not None:
            byes[sit_out] += 1
        source.shuffle(order)  # the standings change: everybody has a new place
        place = {pair: rank for rank, pair in enumerate(order)}
        history = [(round_number, place[a], place[b]) for round_number, a, b in history]
        byes = [byes[pair] for pair in order]


@given(fields(60))
def test_everybody_has_one_place_in_a_round(field):
    matches, sit_out, cost = product(*field)
    named = [place for match in matches for place in match] + ([] if sit_out is None else [sit_out])
    assert sorted(named) == list(range(field[0]))
    assert (sit_out is None) == (field[0] % 2 == 0)
    assert all(a < b for a, b in matches)
    assert [a for a, _ in matches] == sorted(a for a, _ in matches)
    assert cost == sum(swiss_oracle.price(field[1], a, b, field[3]) for a, b in matches)


@given(fields(60))
def test_there_is_no_rematch_where_nobody_has_met_nearly_half_the_field(field):
    pairs, history, *_ = field
    met = [{b for _, *match in history for b in match if a in match and b != a} for a in range(pairs)]
    most = max(map(len, met), default=0)
    if pairs - pairs % 2 >= 2 * most + 2:
        assert product(*field)[2] == 0


@given(fields(40), st.randoms(use_true_random=False))
def test_neither_order_nor_form_of_the_history_matters(field, source):
    pairs, history, byes, round_number = field
    shuffled = [(number, *source.sample(match, 2)) for number, *match in history]
    source.shuffle(shuffled)
    assert product(pairs, shuffled, byes, round_number) == product(*field)
    stored = json.loads(json.dumps(field))
    assert product(*stored) == product(*field)


@given(fields(30))
def test_what_is_given_stays_as_it_is(field):
    pairs, history, byes, round_number = field
    order, meetings = list(range(pairs)), [Meeting(*meeting) for meeting in history]
    had = dict(enumerate(byes))
    before = (order.copy(), meetings.copy(), had.copy())
    first = pair_round(order, meetings, had, round_number)
    assert (order, meetings, had) == before
    assert pair_round(order, iter(meetings), had, round_number) == first


@given(fields(60), st.integers(0, 9))
def test_one_more_pair_at_the_bottom_changes_nothing_above_the_last_few(field, history_of_byes):
    """With D opponents at most, the last 2D + 2 pairs: so far down everybody takes the nearest unmet pair."""
    pairs, history, _, round_number = field
    met = [{b for _, *match in history for b in match if a in match and b != a} for a in range(pairs)]
    most = max(map(len, met), default=0)
    # As in an event: the pairs that have sat out before are no more than the rounds, and anywhere.
    byes = [int(place % 10 == history_of_byes) for place in range(pairs)]
    if pairs % 2 and max((place for place in range(pairs) if not byes[place]), default=0) < pairs - most - 1:
        return
    before, _, _ = product(pairs, history, byes, round_number)
    after, _, _ = product(pairs + 1, history, [*byes, 0], round_number)
    above = max(0, (pairs - pairs % 2 - (2 * most + 2)) // 2)
    assert before[:above] == after[:above]


def test_the_rule_reads_as_nearest_unmet_first_where_nothing_stands_in_the_way():
    order = [f"pair {number}" for number in range(1, 41)]
    first = pair_round(order, [], {}, 2)
    assert first.matches == tuple(zip(order[::2], order[1::2], strict=True))
    second = pair_round(order, [Meeting(2, *match) for match in first.matches], {}, 3)
    assert second.matches[:2] == (("pair 1", "pair 3"), ("pair 2", "pair 4"))


def test_who_has_left_is_no_obstacle():
    meetings = [Meeting(1, "A", "gone"), Meeting(1, "B", "gone too"), Meeting(2, "gone", "gone too")]
    assert pair_round(["A", "B"], meetings, {"gone": 3}, 3).matches == (("A", "B"),)


def test_a_pair_has_one_place_in_the_order():
    with pytest.raises(Impossible) as refused:
        pair_round(["A", "B", "A"], [], {}, 2)
    assert refused.value.member == "order"


@pytest.mark.parametrize(
    ("rounds_met", "round_number", "cost"),
    [((), 5, 0), ((1,), 5, 1), ((1, 2), 5, 4), ((4,), 5, 1_000_001), ((1, 4), 5, 1_000_004), ((5,), 5, 1)],
)
def test_what_a_match_costs(rounds_met, round_number, cost):
    meetings = [Meeting(number, "A", "B") for number in rounds_met]
    assert pair_round(["A", "B"], meetings, {}, round_number).rematch_cost == cost


@pytest.mark.parametrize("pairs", range(2, 15))
def test_so_many_rounds_are_always_without_rematch_however_they_end(pairs):
    for seed in range(60):
        source = random.Random(seed)
        meetings, byes, order = [], {}, list(range(pairs))
        for number in range(1, rounds_without_rematch(pairs) + 1):
            paired = pair_round(order, meetings, byes, number)
            assert paired.rematch_cost == 0, (pairs, seed, number)
            assert all(byes.get(pair, 0) == 0 for pair in paired.sit_outs), (pairs, seed, number)
            meetings += [Meeting(number, *match) for match in paired.matches]
            byes |= dict.fromkeys(paired.sit_outs, 1)
            source.shuffle(order)


@pytest.mark.parametrize("rounds", range(1, 12))
def test_so_many_pairs_and_no_fewer_play_so_many_rounds(rounds):
    needed = pairs_without_rematch(rounds)
    assert rounds_without_rematch(needed) == rounds_without_rematch(needed + 1) == rounds
    assert rounds_without_rematch(needed - 1) < rounds


def test_the_first_round_beyond_that_may_be_with_one():
    case = next(case for case in CASES if case["name"].startswith("six players"))
    assert rounds_without_rematch(len(case["order"])) == case["round"] - 1
    assert case["expected"]["rematch_cost"] > 0


IN_ANOTHER_PROCESS = """
from server.bridge.swiss_pairing import Meeting, pair_round
order = [f"pair {number}" for number in range(24)]
meetings = {
    Meeting(number, order[a], order[b])
    for number in range(1, 14) for a, b in [(3 * number % 24, 5 * number % 24), (number, 23 - number)]
    if a != b
}
meetings |= {Meeting(1, a, b) for a in order[12:] for b in order[12:] if a < b}
print(pair_round(order, meetings, {order[-1]: 1}, 14))
print(pair_round(order[:-1], meetings, {order[-2]: 1}, 14))
"""


def test_the_hashes_of_a_process_do_not_matter():
    said = {
        subprocess.run(
            [sys.executable, "-c", IN_ANOTHER_PROCESS],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "2", "3")
    }
    assert len(said) == 1
    assert next(iter(said)).count("PairedRound") == 2
