"""What must hold for every week: the properties by which the formulas were chosen."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from server.bridge.rating import FIRST, Rules
from server.bridge.rating_classic import board_rates
from server.bridge.rating_columns import ratable
from server.bridge.rating_digest import snapshot_checksum
from server.bridge.rating_joint import strengths
from server.bridge.rating_quartets import quartets
from server.bridge.rating_ties import ties_of, times
from server.bridge.rating_week import beginning, rate_week
from tests.bridge import rating_oracle
from tests.bridge.rating_worlds import (
    NO_SHIELD,
    Played,
    Table,
    everybody,
    histories,
    indexes,
    rated,
    rates,
    renamed,
    rows_of,
    tables_of,
)

PLAYERS = 7
four_rates = st.tuples(*[st.floats(1, 99)] * 4)
any_score = st.floats(-30, 30)
quiet_histories = histories(leaving=False)
quiet_weeks = histories(weeks=1, leaving=False).filter(lambda history: history[0].tables)


def changed(week: Played, number: int, **changes) -> Played:
    """The week with another table in place of one of its own."""
    tables = list(week.tables)
    tables[number] = replace(tables[number], **changes)
    return replace(week, tables=tuple(tables))


@given(four_rates, any_score)
def test_board_rates_of_a_table_sum_to_s4(four, x):
    found = board_rates(four, x)
    assert sum(found.board_rates) == pytest.approx(found.s4) == pytest.approx(sum(four))


@given(quiet_histories)
def test_without_disconnects_clamp_cap_and_shield_there_is_no_inflation(history):
    weeks = rated(history, joint=False)
    before = beginning(joint=False).classic.grown(weeks[0].players)
    for week in weeks:
        state = week.snapshot.classic
        assert not week.classic.clamped.any()
        known = before.grown(state.players)
        assert (0.95 * known.weight <= 150).all()
        old, new = (float(np.sum(state.weight * rate)) for rate in (known.rate, state.rate))
        assert new == pytest.approx(old, rel=1e-10)
        before = state


@given(quiet_histories)
def test_without_inflation_means_exactly(history):
    """The same of the recomputation, where equal is equal."""
    before: dict[int, rating_oracle.Known] = {}
    for after in rating_oracle.classic(history):
        old = sum(known.weight * before.get(who, rating_oracle.Known()).rate for who, known in after.items())
        assert sum(known.weight * known.rate for known in after.values()) == old
        before = after


@given(histories(), st.data())
def test_more_imps_never_lower_ones_own_rate(history, data):
    assume(history[-1].tables)
    number = data.draw(st.integers(0, len(history[-1].tables) - 1))
    more = data.draw(st.fractions(0, 20, max_denominator=12))
    table = history[-1].tables[number]
    better = [*history[:-1], changed(history[-1], number, x=table.x + more)]
    old, new = (rates(rated(each, joint=False)[-1]) for each in (history, better))
    for who in table.players[:2]:
        assert new[who] >= old[who]
    for who in table.players[2:]:
        assert new[who] <= old[who]


@given(four_rates, any_score, st.floats(0.5, 50))
def test_a_stronger_partner_means_less_credit(four, x, more):
    north, south, east, west = four
    assume(south + more <= 99)
    assume(x > -7)  # whoever lost everything has 0 in any company
    old, new = (board_rates((north, s, east, west), x) for s in (south, south + more))
    assert new.board_rates[0] < old.board_rates[0]


@given(four_rates, any_score, st.floats(0.5, 50))
def test_stronger_opponents_mean_more_credit(four, x, more):
    north, south, east, west = four
    assume(east + more <= 99)
    assume(x > -7)
    old, new = (board_rates((north, south, e, west), x) for e in (east, east + more))
    assert new.board_rates[0] > old.board_rates[0]
    assert new.board_rates[1] > old.board_rates[1]


@given(histories(), st.data())
def test_the_order_of_rows_is_irrelevant_to_the_last_bit(history, data):
    shuffled = [
        Played(
            tuple(data.draw(st.permutations(week.tables))),
            tuple(data.draw(st.permutations(week.elsewhere))),
            tuple(data.draw(st.permutations(week.leavings))),
        )
        for week in history
    ]
    rules = Rules(shield_boards=3)
    for one, other in zip(rated(history, rules), rated(shuffled, rules), strict=True):
        assert one.joint.index.tolist() == other.joint.index.tolist()
        assert one.joint.bar.tolist() == other.joint.bar.tolist()
        assert snapshot_checksum(one) == snapshot_checksum(other)


@given(histories(), st.permutations(range(PLAYERS)), st.booleans())
def test_ids_are_irrelevant(history, order, sparse):
    name = {who: 10**9 * number + 7 if sparse else number + 3 for who, number in enumerate(order)}
    rules = Rules(shield_boards=3)
    one, other = rated(history, rules)[-1], rated([renamed(week, name) for week in history], rules)[-1]
    assert {name[who]: rate for who, rate in rates(one).items()} == rates(other)
    assert {name[who]: found for who, found in indexes(one).items()} == pytest.approx(
        indexes(other), abs=1e-7
    )


@given(histories(), st.data())
def test_swapping_the_sides_and_the_sign_changes_no_bit(history, data):
    def turned(table: Table) -> Table:
        north, south, east, west = table.players
        return replace(table, players=(east, west, north, south), x=-table.x)

    def perhaps(week: Played) -> Played:
        return replace(week, tables=tuple(data.draw(st.sampled_from([t, turned(t)])) for t in week.tables))

    rules = Rules(shield_boards=3)
    one, other = (rated(each, rules)[-1] for each in (history, [perhaps(week) for week in history]))
    assert rates(one) == rates(other)
    assert indexes(one) == indexes(other)
    assert snapshot_checksum(one) == snapshot_checksum(other)


@given(histories())
def test_the_same_week_rated_twice_is_rated_once(history):
    before = rated(history[:-1])[-1].snapshot if history[1:] else beginning(joint=True)
    one, other = (rate_week(before, rows_of(history), NO_SHIELD) for _ in range(2))
    assert snapshot_checksum(one) == snapshot_checksum(other)
    assert one.joint.index.tolist() == other.joint.index.tolist()


@given(histories(leaving=False), st.sampled_from([0, 3]))
def test_two_who_only_ever_played_together_stay_equal(history, shield):
    """Players 0 and 1 become the North and South of tables of their own; the others play on."""

    def together(week: Played) -> Played:
        own = [Table((0, 1, *table.players[2:]), table.x) for table in week.tables]
        return Played(tuple(table for table in own if not {0, 1} & set(table.players[2:])))

    last = rated([together(week) for week in history], Rules(shield_boards=shield))[-1]
    found = rates(last)
    if 0 in found:
        assert found[0] == found[1]
        assert indexes(last)[0] == pytest.approx(indexes(last)[1], abs=1e-7)


@given(histories(leaving=False), st.sampled_from([0, 3]))
def test_joint_the_opposite_scores_give_exactly_the_opposite_strengths(history, shield):
    def opposite(week: Played) -> Played:
        return replace(week, tables=tuple(replace(table, x=-table.x) for table in week.tables))

    rules = Rules(shield_boards=shield)
    one, other = (
        strengths(rated(each, rules)[-1].snapshot.joint) for each in (history, [*map(opposite, history)])
    )
    assert one.tolist() == (-other).tolist()


@given(quiet_weeks, st.floats(-3, 3))
def test_joint_only_the_difference_of_the_sides_matters(history, shift):
    # What everybody has in common explains no score: H takes it to 0.
    players = everybody(history)
    sums = quartets(tables_of(history[0].tables, players))
    common = np.full(len(players), shift)
    seen = sums.boards_of(len(players)) * common + times(ties_of(sums, players), common)
    assert seen == pytest.approx(0, abs=1e-9)

    def partners_changed(table: Table) -> Table:
        north, south, east, west = table.players
        return replace(table, players=(south, north, west, east))

    other = [replace(history[0], tables=tuple(map(partners_changed, history[0].tables)))]
    assert indexes(rated(history)[-1]) == indexes(rated(other)[-1])


@given(quiet_histories)
def test_joint_strengths_sum_to_0_without_disconnects_and_shield(history):
    assert float(np.sum(strengths(rated(history)[-1].snapshot.joint))) == pytest.approx(0, abs=1e-8)


@given(histories(), st.floats(0.01, 0.99))
def test_joint_cutting_the_prior_variance_shrinks_the_strengths(history, share):
    prior = share * FIRST.joint.prior_variance
    tighter = replace(FIRST, joint=replace(FIRST.joint, prior_variance=prior))
    state = rated(history)[-1].snapshot.joint
    wide, tight = (np.linalg.norm(strengths(state, each)) for each in (FIRST, tighter))
    assert tight <= wide * (1 + 1e-9)
    if wide > 1e-6:
        assert tight < wide


@given(histories(), st.integers(0, 5), st.data())
def test_boards_below_six_without_disconnects_change_no_rate(history, results, data):
    """Tables of such boards among the finished ones leave every figure as it is."""
    few = data.draw(st.lists(st.tuples(st.permutations(range(PLAYERS)), st.integers(-24, 24)), max_size=3))
    unrated = tuple(Table(tuple(players[:4]), Fraction(x)) for players, x in few)
    week = history[-1]
    finished = replace(week, tables=(*week.tables, *unrated))
    rows = rows_of([*history[:-1], finished])
    on_board = np.array([6] * len(week.tables) + [results] * len(unrated))
    normal = np.ones(len(on_board), np.bool_)
    kept = ratable(on_board, np.full(len(on_board), 6), normal, rows.tables.seats)
    assert kept.tolist() == [True] * len(week.tables) + [False] * len(unrated)
    before = rated(history[:-1])[-1].snapshot if history[1:] else beginning(joint=True)
    with_them = rate_week(before, replace(rows, tables=rows.tables.where(kept)), NO_SHIELD)
    without = rated(history)[-1]
    known = rates(with_them)
    for who, rate in rates(without).items():
        assert known.pop(who) == rate
        assert indexes(with_them)[who] == pytest.approx(indexes(without)[who], abs=1e-7)
    assert set(known.values()) <= {50.0}


@given(histories(), st.sampled_from([0, 3]), st.data())
def test_a_disconnect_with_a_result_lowers_that_player_and_touches_nobody_else(history, shield, data):
    assume(history[-1].tables)
    number = data.draw(st.integers(0, len(history[-1].tables) - 1))
    table = history[-1].tables[number]
    who = data.draw(st.sampled_from(table.players))
    assume(who not in table.left)
    left = [*history[:-1], changed(history[-1], number, left=table.left | {who})]
    rules = Rules(shield_boards=shield)
    old, new = (rates(rated(each, rules, joint=False)[-1]) for each in (history, left))
    assert new.pop(who) <= old.pop(who)
    assert new == old


@given(histories(), st.data())
def test_a_disconnect_without_a_result_lowers_that_player_and_touches_nobody_else(history, data):
    who = data.draw(st.integers(0, PLAYERS - 1))
    week = history[-1]
    left = [*history[:-1], replace(week, elsewhere=(*week.elsewhere, who))]
    old, new = (rates(rated(each, joint=False)[-1]) for each in (history, left))
    assert new.pop(who) <= old.pop(who, 50.0)
    assert new == old


@given(four_rates, st.floats(-30, -7.5))
def test_a_board_already_at_0_stays_at_0(four, x):
    assert board_rates(four, x).board_rates[:2] == (0, 0)


@given(four_rates)
def test_the_expected_share_leaves_every_rate_as_it_is(four):
    """Fair at the expected P: whoever scores his side's share of S4 gets his own Rate."""
    north, south = four[:2]
    share = (north + south) / sum(four)
    assume(0 <= 15 * (share - 0.5) + 7.5 <= 15)
    assert board_rates(four, 15 * (share - 0.5)).board_rates == pytest.approx(four)
