"""Tables of a round: numbers, who sits North-South, boards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.swiss_draw import SplitMix64, in_order_of_registration
from server.bridge.swiss_pairing import Meeting, pair_round
from server.bridge.swiss_tables import Seating, boards_of_round, higher_sits_ns, lean_to_ns, seat
from tests.bridge import golden

CASES = golden.vectors("swiss/seating.json")["cases"]
RULES = {"table": Seating.TABLE_RULE, "balanced": Seating.BALANCED}
matches = st.permutations(range(40)).map(lambda order: list(zip(order[::2], order[1::2], strict=True)))


@pytest.mark.parametrize("case", [case for case in CASES if "table" in case], ids=str)
def test_every_golden_table(case):
    assert higher_sits_ns(case["table"]) == (case["higher_sits"] == "NS")


@pytest.mark.parametrize("case", [case for case in CASES if "rule" in case], ids=lambda case: case["rule"])
def test_every_golden_seating(case):
    tables = seat([tuple(match) for match in case["pairs"]], RULES[case["rule"]], case.get("ns_minus_ew"))
    assert [{"table": table.number, "ns": table.ns, "ew": table.ew} for table in tables] == case["expected"]


def test_that_is_every_table_up_to_24():
    assert [case["table"] for case in CASES if "table" in case] == list(range(1, 25))


@given(matches, st.sampled_from(Seating), st.dictionaries(st.integers(0, 39), st.integers(-4, 4)))
def test_everybody_keeps_his_table_and_the_lower_ranked_sits_first(pairs, seating, lean):
    tables = seat(pairs, seating, lean)
    assert [table.number for table in tables] == list(range(1, 21))
    for table, (higher, lower) in zip(tables, pairs, strict=True):
        assert {table.ns, table.ew} == {higher, lower}
        assert table.sits_first == lower


@given(matches, st.dictionaries(st.integers(0, 39), st.integers(-4, 4)))
def test_balanced_seating_puts_who_sat_there_less_to_the_north(pairs, lean):
    for table, (higher, _) in zip(seat(pairs, Seating.BALANCED, lean), pairs, strict=True):
        ns, ew = lean.get(table.ns, 0), lean.get(table.ew, 0)
        assert ns <= ew
        if ns == ew:
            assert (table.ns == higher) == higher_sits_ns(table.number)


@given(st.lists(matches, max_size=6), st.sampled_from(Seating))
def test_the_lean_is_what_was_sat(rounds, seating):
    tables = [table for pairs in rounds for table in seat(pairs, seating)]
    lean = lean_to_ns(tables)
    assert sum(lean.values()) == 0
    for pair in range(40):
        sat = [table.ns == pair for table in tables if pair in (table.ns, table.ew)]
        assert lean.get(pair, 0) == 2 * sum(sat) - len(sat)


def leans_of_an_event(seating, seed):
    """160 pairs, 10 rounds with random scores."""
    source, scores, meetings, tables = SplitMix64(seed), [0] * 160, [], []
    for number in range(1, 11):
        order = sorted(range(160), key=lambda pair: (-scores[pair], pair))
        paired = pair_round(order, meetings, {}, number) if meetings else in_order_of_registration(order)
        tables += seat(paired.matches, seating, lean_to_ns(tables))
        for a, b in paired.matches:
            gained = source.below(2001)
            scores[a] += gained
            scores[b] += 2000 - gained
            meetings.append(Meeting(number, a, b))
    return [abs(lean) for lean in lean_to_ns(tables).values()]


@pytest.mark.parametrize("seed", range(5))
def test_balanced_seating_keeps_both_lines_even_for_everybody(seed):
    balanced, by_table = (
        leans_of_an_event(seating, seed) for seating in (Seating.BALANCED, Seating.TABLE_RULE)
    )
    assert max(balanced) <= 2
    assert balanced.count(0) >= 0.6 * len(balanced)
    assert sum(lean >= 4 for lean in by_table) > 0.2 * len(by_table)


@pytest.mark.parametrize(
    ("round_number", "boards", "numbers"), [(1, 8, range(1, 9)), (2, 8, range(9, 17)), (10, 3, range(28, 31))]
)
def test_all_tables_play_the_boards_of_the_round(round_number, boards, numbers):
    assert boards_of_round(round_number, boards) == numbers
