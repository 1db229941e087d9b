"""The joint rating: golden figures, an independent solution in fractions, the shield, fading sums."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.rating import FIRST, Rules
from server.bridge.rating_columns import no_abandoned
from server.bridge.rating_joint import NOTHING, handed_over, index, strengths
from server.bridge.rating_neighbours import error_bars, neighbours
from server.bridge.rating_quartets import no_quartets
from server.bridge.rating_week import Snapshot, beginning, joint_week, rate_week
from tests.bridge import golden, rating_oracle
from tests.bridge.rating_worlds import (
    NO_SHIELD,
    Played,
    Table,
    histories,
    indexes,
    rated,
    rows_of,
)

NAMES = "ABCDEFGH"


def golden_tables(name: str) -> tuple[Table, ...]:
    return tuple(
        Table(tuple(NAMES.index(row[seat]) for seat in "NSEW"), Fraction(row["ns_ximp"]))
        for row in golden.rows(name)
    )


WEEK_1 = Played(golden_tables("rating/4_week_classic_tables.csv"))
WEEK_2 = Played(golden_tables("rating/5_joint_week2_tables.csv"))
# A disconnects on the first table, which has a result all the same.
LEFT = Played((replace(WEEK_1.tables[0], left=frozenset({0})), *WEEK_1.tables[1:]))


@pytest.mark.parametrize(
    ("weeks", "column"),
    [([WEEK_1], "week1"), ([WEEK_1, WEEK_2], "week2"), ([LEFT], "week1_with_A_disconnect")],
)
def test_the_golden_strengths(weeks, column):
    last = rated(weeks)[-1]
    rows = golden.rows("rating/5_joint_players.csv")
    assert [row["player"] for row in rows] == list(NAMES)
    s = strengths(last.snapshot.joint)
    assert s.tolist() == pytest.approx([float(row[f"s_{column}"]) for row in rows], abs=0.6e-9)
    assert last.joint.index.tolist() == pytest.approx(
        [float(row[f"index_{column}"]) for row in rows], abs=0.6e-6
    )


def test_the_golden_error_bars():
    last = rated([WEEK_1])[-1]
    near = neighbours(last.snapshot.joint)
    bars = error_bars(last.snapshot.joint, near)
    rows = golden.rows("rating/6_joint_uncertainty.csv")
    assert len(rows) == 8
    assert [NAMES[i] for i in near.strongest] == [row["strongest_neighbour"] for row in rows]
    for values, name, digits in (
        (bars.b, "b_block_imp", 0.6e-6),
        (bars.share, "data_share", 0.6e-6),
        (bars.bar, "error_bar_imp", 0.6e-6),
        (bars.points(), "error_bar_index", 0.6e-3),
        (last.joint.bar, "error_bar_index", 0.6e-3),
    ):
        assert values.tolist() == pytest.approx([float(row[name]) for row in rows], abs=digits)


@given(histories(players=6), st.sampled_from([0, 1, 2, 4]), st.booleans())
def test_random_weeks_are_those_of_an_exact_solution(history, shield, partner_rule):
    rules = Rules(shield_boards=shield, partner_of_leaver=partner_rule)
    last = rated(history, rules)[-1]
    fit = rating_oracle.joint(history, shield, partner_rule)
    s = strengths(last.snapshot.joint)
    bars = error_bars(last.snapshot.joint, neighbours(last.snapshot.joint))
    near = neighbours(last.snapshot.joint)
    for row, who in enumerate(last.players.tolist()):
        exact = fit.s.get(who, Fraction(0))
        assert s[row] == pytest.approx(float(exact), abs=1e-8)
        assert last.joint.index[row] == pytest.approx(50 + 80 / 3 * float(exact), abs=1e-6)
        b, share, bar, strongest = rating_oracle.error_bar(fit, who)
        assert bars.b[row] == pytest.approx(b, abs=1e-8)
        assert bars.share[row] == pytest.approx(share, abs=1e-9)
        assert last.joint.bar[row] == pytest.approx(80 / 3 * bar, abs=1e-6)
        found = near.strongest[row]
        assert (None if found < 0 else int(last.players[found])) == strongest
        assert last.joint.pair_only[row] == rating_oracle.pair_only(fit, who)


def test_the_index_is_50_on_average_and_80_thirds_a_point():
    assert index(np.array([0.0, 0.375, -0.375])).tolist() == pytest.approx([50, 60, 40])


def test_an_absent_player_keeps_most_of_his_distance_for_a_year():
    # He plays a lot, then not at all; with the prior he must come back towards 50 slowly.
    often = Played(tuple(Table((0, 1 + i % 5, 6 + i % 5, 11 + i % 4), Fraction(3)) for i in range(150)))
    weeks = [often] * 20
    first = indexes(rated(weeks)[-1])[0]
    later = indexes(rated([*weeks, *[Played()] * 52])[-1])[0]
    assert 0.7 < (later - 50) / (first - 50) < 0.98


def test_nobody_and_nothing():
    empty = rate_week(beginning(joint=True), rows_of([Played()]), Rules())
    assert len(empty.players) == len(empty.joint.index) == 0
    idle = rated([WEEK_1, Played()])
    assert len(idle[-1].players) == 8
    assert joint_week(NOTHING, FIRST).island.tolist() == []
    assert len(no_quartets()) == len(no_abandoned()) == 0


def test_nobody_of_the_snapshot_before_may_be_missing():
    before = rated([WEEK_1])[-1].snapshot
    with pytest.raises(Impossible) as refused:
        rate_week(before, rows_of([WEEK_2]), NO_SHIELD)
    assert refused.value.member == "players"


def test_past_scores_fade_by_weeks():
    table = Table((0, 1, 2, 3), Fraction(6))
    s = [strengths(week.snapshot.joint)[0] for week in rated([Played((table,)), Played(), Played()])]
    for age, found in enumerate(s):
        weight = 0.985**age
        assert found == pytest.approx(6 * weight / (4 * weight + 90), abs=1e-9)


def test_players_who_join_later_stand_between_the_others():
    early = Played((Table((10, 30, 50, 70), Fraction(4)),))
    late = Played((Table((20, 30, 60, 5), Fraction(-2)),))
    got = indexes(rated([early, late])[-1])
    fit = rating_oracle.joint([early, late])
    assert got == pytest.approx({who: 50 + 80 / 3 * float(s) for who, s in fit.s.items()}, abs=1e-6)


def test_the_old_sums_can_be_given_up_block_by_block():
    weeks = [WEEK_1, WEEK_2]
    before = rated(weeks[:1])[-1].snapshot
    ties = list(before.joint.ties)
    draining = Snapshot(before.classic, replace(before.joint, ties=handed_over(ties)))
    got = rate_week(draining, rows_of(weeks), NO_SHIELD)
    assert ties == []
    assert got.joint.index.tolist() == rated(weeks)[-1].joint.index.tolist()


def test_the_settled_are_not_moved_by_tables_with_newcomers():
    regulars = Played(tuple(Table((0, 1, 2, 3), Fraction(i % 5 - 1)) for i in range(5)))
    with_newcomer = Played((Table((9, 0, 2, 3), Fraction(7)),) * 4)
    rules = Rules(shield_boards=5)
    alone, mixed = (rated([regulars, week], rules)[-1] for week in (Played(), with_newcomer))
    for who in range(4):
        assert indexes(mixed)[who] == indexes(alone)[who]
    assert indexes(mixed)[9] > 50
    assert len(mixed.snapshot.joint.waiting) == 1


def test_a_newcomers_tables_count_for_all_from_the_week_he_is_settled():
    regulars = Played(tuple(Table((0, 1, 2, 3), Fraction(i % 5 - 1)) for i in range(5)))
    with_newcomer = Played((Table((9, 0, 2, 3), Fraction(7)),) * 4)
    fifth = Played((Table((9, 1, 2, 3), Fraction(1)),))
    rules = Rules(shield_boards=5)
    weeks = [regulars, with_newcomer, fifth]
    shielded, open_to_all = rated(weeks, rules)[-1], rated(weeks)[-1]
    assert len(shielded.snapshot.joint.waiting) == 0
    assert indexes(shielded) == pytest.approx(indexes(open_to_all), abs=1e-9)


def test_who_was_settled_once_stays_so_when_the_shield_is_raised():
    regulars = Played(tuple(Table((0, 1, 2, 3), Fraction(i % 5 - 1)) for i in range(5)))
    before = rated([regulars], Rules(shield_boards=5))[-1].snapshot
    after = rate_week(before, rows_of([regulars, Played()]), Rules(shield_boards=100))
    assert after.snapshot.joint.settled.all()


def test_fed_by_fresh_accounts_a_player_gains_nothing():
    regulars = Played(tuple(Table((0, 1, 2, 3), Fraction(0)) for _ in range(60)))
    weeks = [regulars]
    for week in range(5):
        fresh = [100 + 3 * week + i for i in range(3)]
        weeks.append(Played(tuple(Table((0, *fresh), Fraction(12)) for _ in range(20))))
    shielded, literal = rated(weeks, Rules())[-1], rated(weeks)[-1]
    assert indexes(shielded)[0] == pytest.approx(50)
    assert indexes(literal)[0] > 55
    kept, gained = (week.snapshot.classic.rate[0] for week in (shielded, literal))
    assert kept == pytest.approx(50)
    assert gained > 60
