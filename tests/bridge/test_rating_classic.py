"""The classic rating: golden figures, the example, an independent recomputation, the shield."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.rating import FIRST, Rules
from server.bridge.rating_classic import NOBODY, BoardRates, ClassicState, board_rates, rate_classic, unmoved
from server.bridge.rating_columns import leavings, no_disconnects, no_tables
from tests.bridge import golden, rating_oracle
from tests.bridge.rating_worlds import NO_SHIELD, Played, Table, column, histories, rated, tables_of

GOLDEN_DIGITS = 0.5e-6 + 1e-9  # golden figures are printed with six
four_rates = st.tuples(*[st.floats(1, 99)] * 4)
nobody = np.zeros(0, np.int32)


def state(rows: list[tuple[float, float]]) -> ClassicState:
    """Players 0, 1, 2 … with Rates and weights, all of them known for long."""
    rate, weight = (np.array(values, dtype=np.float64) for values in zip(*rows, strict=True))
    many = np.full(len(rows), 1000)
    return ClassicState(column(range(len(rows))), rate, weight, many, many.astype(np.float64))


def week_of(before: ClassicState, tables: list[Table], zeros: tuple[int, ...] = ()):
    rows = tables_of(tables, before.players)
    found = leavings(rows.key, rows.seats, no_disconnects())
    return rate_classic(before, rows, found, np.array(zeros, np.int32), NO_SHIELD)


def test_every_golden_board_rate():
    found = golden.rows("rating/2_board_rate_classic.csv")
    assert len(found) == 14
    for row in found:
        by_share = row["ns_ximp"].startswith("P=")
        # A share of 42 % at matchpoints stands on the same scale as 0.15 IMPs a per cent.
        x = 0.15 * (100 * float(row["ns_ximp"][2:]) - 50) if by_share else float(row["ns_ximp"])
        rates = tuple(float(row[f"r{seat}"]) for seat in "NSEW")
        got = board_rates(rates, x)
        assert got.rates == rates
        assert got.p_ns == pytest.approx(float(row["P_ns"]), abs=GOLDEN_DIGITS)
        assert got.s4 == float(row["sum"])
        expected = [float(row[f"rate{seat}"]) for seat in "NSEW"]
        assert got.board_rates == pytest.approx(expected, abs=GOLDEN_DIGITS)


def test_every_golden_week_of_one_player():
    found = golden.rows("rating/3_week_update_classic.csv")
    assert len(found) == 8
    for row in found:
        got = repeated(row)
        assert float(got.state.rate[0]) == pytest.approx(float(row["new_rate"]), abs=GOLDEN_DIGITS)
        assert float(got.state.weight[0]) == pytest.approx(float(row["new_W"]), abs=GOLDEN_DIGITS)
        if row["week_rate"]:
            assert float(got.week_rate[0]) == pytest.approx(float(row["week_rate"]), abs=GOLDEN_DIGITS)
        else:
            assert np.isnan(got.week_rate[0])
        assert not got.clamped[0]


def repeated(row: dict[str, str]):
    """A golden week, its board Rates made by tables whose other three players have the right strength."""
    wanted = [float(rate) for rate in row["board_rates"].split()]
    old = (float(row["old_rate"]), float(row["old_W"]))
    others = [(50.0, 100.0)] * 3
    before = state([old, *others])
    # With partner r_S and opponents of 50, board Rate 0 is a disconnect; others follow from the share:
    # rate = P (r_N + r_S + 100) r_N / (r_N + r_S).
    tables = []
    for rate in wanted:
        if rate:
            share = rate * (old[0] + 50) / ((old[0] + 150) * old[0])
            tables.append(Table((0, 1, 2, 3), Fraction((share - 0.5) * 15)))
    zeros = tuple(0 for rate in wanted if not rate)
    got = week_of(before, tables, zeros)
    assert got.boards[0] == int(row["n"]) or row["case"].startswith("14")
    if row["case"].startswith("14"):
        for _ in range(13):
            got = week_of(got.state, [])
    return got


def test_the_golden_week_of_eight_players():
    players = golden.rows("rating/4_week_classic_players.csv")
    names = [row["player"] for row in players]
    before = state([(float(row["old_rate"]), float(row["old_W"])) for row in players])
    rows = golden.rows("rating/4_week_classic_tables.csv")
    tables = [
        Table(tuple(names.index(row[seat]) for seat in "NSEW"), Fraction(row["ns_ximp"])) for row in rows
    ]
    got = week_of(before, tables)
    assert len(rows) == 6
    assert got.boards.tolist() == [int(row["n"]) for row in players]
    for name, values in (
        ("week_rate", got.week_rate),
        ("new_rate", got.state.rate),
        ("new_W", got.state.weight),
    ):
        assert values.tolist() == pytest.approx([float(row[name]) for row in players], abs=GOLDEN_DIGITS)


def test_the_example_of_the_rules():
    before = state([(50, 25), (50, 25), (62, 25), (58, 25)])
    won, lost = (board_rates((50, 50, 62, 58), x) for x in (3, -6))
    assert [won.board_rates[0], lost.board_rates[0]] == pytest.approx([77, 11])
    got = week_of(before, [Table((0, 1, 2, 3), Fraction(x)) for x in (3, -6)])
    assert got.week_rate[0] == pytest.approx(44)


def test_a_newcomer_begins_with_50_and_25_and_stays_one_until_his_first_board_rate():
    grown = NOBODY.grown(column([5]))
    assert (grown.rate[0], grown.weight[0], grown.rated[0], grown.recent[0]) == (50, 25, 0, 0)
    idle = week_of(grown, [])
    assert (idle.state.rate[0], idle.state.weight[0]) == (50, 25)
    assert idle.boards[0] == 0


def test_players_keep_their_rows_when_others_join():
    before = state([(60, 30), (40, 20)])
    before = replace(before, players=column([4, 9]))
    grown = before.grown(column([1, 4, 7, 9]))
    assert grown.rate.tolist() == [50, 60, 50, 40]
    assert grown.weight.tolist() == [25, 30, 25, 20]
    assert grown.rated.tolist() == [0, 1000, 0, 1000]
    assert grown.recent.tolist() == [0, 1000, 0, 1000]


def test_a_board_rate_may_pass_100_and_counts_in_full():
    before = state([(99, 25), (1, 25), (50, 25), (50, 25)])
    got = week_of(before, [Table((0, 1, 2, 3), Fraction(24))])
    assert got.week_rate[0] == pytest.approx(198)
    assert got.state.rate[0] == 99
    assert got.clamped.tolist() == [True, False, False, False]


def test_stored_rates_are_held_at_1_and_99():
    before = state([(98.5, 1), (98.5, 1), (1, 1), (1, 1)])
    got = week_of(before, [Table((0, 1, 2, 3), Fraction(x)) for x in (9, 9, 9)])
    assert got.state.rate.tolist() == [99, 99, 1, 1]
    assert got.clamped.all()
    again = week_of(got.state, [])
    assert not again.clamped.any()
    assert again.state.rate.tolist() == [99, 99, 1, 1]


def test_a_week_without_players():
    got = rate_classic(
        NOBODY, no_tables(), leavings(no_tables().key, no_tables().seats, no_disconnects()), nobody, Rules()
    )
    assert len(got.state.players) == len(got.boards) == 0


@given(four_rates, st.floats(-30, 30))
def test_the_arithmetic_of_one_table_is_that_of_the_week(rates, x):
    before = state([(rate, 25) for rate in rates])
    got = week_of(before, [Table((0, 1, 2, 3), Fraction(x))])
    shown = board_rates(rates, x)
    assert isinstance(shown, BoardRates)
    assert got.week_rate.tolist() == pytest.approx(shown.board_rates, abs=1e-9)
    exact = rating_oracle.table_rates([Fraction(rate) for rate in rates], Fraction(x))
    assert shown.board_rates == pytest.approx([float(rate) for rate in exact], abs=1e-9)
    assert shown.p_ns == pytest.approx(float(Fraction(1, 2) + rating_oracle.clamp(Fraction(x)) / 15))
    assert shown.s4 == pytest.approx(sum(rates))


@given(histories(), st.sampled_from([0, 1, 2, 4]), st.booleans())
def test_random_weeks_are_those_of_a_recomputation_in_fractions(history, shield, partner_rule):
    rules = Rules(shield_boards=shield, partner_of_leaver=partner_rule)
    for got, exact in zip(
        rated(history, rules, joint=False),
        rating_oracle.classic(history, shield, partner_rule),
        strict=True,
    ):
        assert got.joint is None
        for row, who in enumerate(got.players.tolist()):
            known = exact.get(who, rating_oracle.Known())
            held = got.snapshot.classic
            assert held.rate[row] == pytest.approx(float(known.rate), abs=1e-6)
            assert held.weight[row] == pytest.approx(float(known.weight), abs=1e-6)
            assert held.rated[row] == known.rated
            assert held.recent[row] == pytest.approx(float(known.recent), abs=1e-9)
            n = len(known.board_rates)
            assert got.classic.boards[row] == n
            week_rate = float(sum(known.board_rates) / n) if n else float("nan")
            assert got.classic.week_rate[row] == pytest.approx(week_rate, abs=1e-6, nan_ok=True)
            assert got.provisional[row] == (known.recent < 150)


def test_a_table_with_a_newcomer_moves_only_newcomers():
    before = state([(60, 100)] * 4)
    before = replace(before, rated=np.array([49, 50, 51, 49]))
    rows = tables_of([Table((0, 1, 2, 3), Fraction(5))], before.players)
    found = leavings(rows.key, rows.seats, no_disconnects())
    got = rate_classic(before, rows, found, nobody, Rules())
    assert got.boards.tolist() == [1, 0, 0, 1]
    assert unmoved(before, rows, Rules())[:, 0].tolist() == [False, True, True, False]
    assert got.state.rate[1:3].tolist() == [60, 60]
    assert got.state.rate[0] > 60 > got.state.rate[3]
    assert rate_classic(before, rows, found, nobody, NO_SHIELD).boards.tolist() == [1, 1, 1, 1]


def test_newcomers_among_themselves_and_old_hands_among_themselves_all_move():
    for boards in (0, 50):
        before = replace(state([(60, 100)] * 4), rated=np.full(4, boards))
        rows = tables_of([Table((0, 1, 2, 3), Fraction(5))], before.players)
        assert not unmoved(before, rows, Rules()).any()


def test_leaving_a_newcomers_table_is_a_rate_of_0_all_the_same():
    known = Played(tuple(Table((0, 1, 2, 3), Fraction(0)) for _ in range(2)))
    left = Played((Table((0, 1, 2, 9), Fraction(3), frozenset({0, 9})),))
    last = rated([known, left], Rules(shield_boards=2))[-1]
    assert dict(zip(last.players.tolist(), last.classic.boards.tolist(), strict=True)) == {
        0: 1,
        1: 0,
        2: 0,
        3: 0,
        9: 1,
    }
    assert last.classic.week_rate[0] == 0


def test_a_disconnect_on_a_board_with_too_few_results_is_a_rate_of_0_for_him_alone():
    last = rated([Played((), (4,))])[-1]
    assert last.players.tolist() == [4]
    assert (last.classic.boards[0], last.classic.week_rate[0]) == (1, 0)
    assert last.snapshot.classic.rate[0] == pytest.approx(50 * 23.75 / 24.75)


def test_the_past_weighs_at_most_150_boards():
    got = week_of(state([(60, 600)] * 4), [])
    assert set(got.state.weight.tolist()) == {FIRST.classic.most_past}
