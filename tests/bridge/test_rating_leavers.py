"""Boards that a pair abandoned, and the leaver's partner."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge import rating_leavers
from server.bridge.rating import Rules
from server.bridge.rating_columns import Abandoned
from server.bridge.rating_leavers import partners_with_zero
from tests.bridge import rating_oracle
from tests.bridge.rating_worlds import Leaving, Played, histories, rated, rates, rows_of

ANN, BEN, EVE = 1, 2, 3
ONCE = Leaving(board=10, at=5, leaver=ANN, partner=BEN)


def charged(*weeks: list[Leaving], rules: Rules | None = None) -> list[int]:
    """Partners with a Rate of 0 in the last week, by number."""
    rows = rows_of([Played(leavings=tuple(week)) for week in weeks])
    return sorted(rows.players[partners_with_zero(rows.abandoned, rules or Rules())].tolist())


def again(board: int, at: int, leaver: int = ANN, partner: int = BEN, lifted: bool = False) -> Leaving:
    return Leaving(board, at, leaver, partner, lifted)


def test_once_in_four_weeks_costs_the_partner_nothing():
    assert charged([ONCE]) == []


def test_the_second_board_of_a_week_is_a_rate_of_0():
    assert charged([ONCE, again(11, 6)]) == [BEN]
    assert charged([ONCE, again(11, 6), again(12, 7)]) == [BEN, BEN]


@pytest.mark.parametrize("weeks_between", range(5))
def test_weeks_in_between(weeks_between):
    weeks = [[ONCE], *[[] for _ in range(weeks_between)], [again(11, 6)]]
    assert charged(*weeks) == ([BEN] if weeks_between < 3 else [])


def test_it_is_the_pairs_board_whichever_of_the_two_left():
    assert charged([ONCE, again(11, 6, leaver=BEN, partner=ANN)]) == [ANN]
    assert charged([ONCE, again(11, 4, leaver=BEN, partner=ANN)]) == [BEN]


def test_another_pair_has_a_board_of_its_own():
    assert charged([ONCE, again(11, 6, partner=EVE)]) == []


def test_who_left_himself_has_his_0_already():
    both = [again(11, 6), again(11, 7, leaver=BEN, partner=ANN)]
    assert charged([ONCE, *both]) == []
    assert charged([*both, again(12, 8)]) == [BEN]


def test_a_board_left_by_both_is_one_board_at_the_time_of_the_first():
    both = [again(11, 4), again(11, 9, leaver=BEN, partner=ANN)]
    assert charged([ONCE, *both]) == [BEN]
    later = [again(11, 6), again(11, 9, leaver=BEN, partner=ANN)]
    assert charged([ONCE, *later]) == []


def test_a_director_can_lift_it_for_one_board():
    assert charged([ONCE, again(11, 6, lifted=True)]) == []
    assert charged([ONCE, again(11, 6, lifted=True), again(12, 7)]) == [BEN]


def test_the_rule_can_be_switched_off():
    assert charged([ONCE, again(11, 6)], rules=Rules(partner_of_leaver=False)) == []


def test_boards_of_weeks_before_cost_nothing_again():
    assert charged([ONCE, again(11, 6)], []) == []


def test_the_partner_has_a_rate_of_0_and_the_extra_row():
    week = Played(leavings=(ONCE, again(11, 6)))
    last = rated([week])[-1]
    assert last.classic.boards.tolist() == [2, 1]
    assert last.classic.week_rate.tolist() == [0, 0]
    assert rates(last)[ANN] < rates(last)[BEN] < 50
    assert last.snapshot.joint.penalties.tolist() == [2, 1]
    assert last.joint.index[0] < last.joint.index[1] < 50


@given(histories(weeks=5, most=0), st.booleans())
def test_random_weeks_are_those_of_an_independent_count(history, rule):
    rows = rows_of(history)
    got = rows.players[partners_with_zero(rows.abandoned, Rules(partner_of_leaver=rule))].tolist()
    assert sorted(got) == (sorted(rating_oracle.partners_charged(history)) if rule else [])


@given(histories(weeks=5, most=0))
def test_what_a_player_is_charged_stands_in_the_boards_of_his_own_pairs(history):
    whole = rows_of(history).abandoned
    everybody = rating_leavers.charged(whole, Rules())
    for player in {*whole.leaver.tolist(), *whole.partner.tolist()}:
        mine = (whole.leaver == player) | (whole.partner == player)
        own = Abandoned(*(getattr(whole, field.name)[mine] for field in fields(Abandoned)))
        charged_own = rating_leavers.charged(own, Rules()) & (own.partner == player)
        assert (charged_own == (everybody & (whole.partner == player))[mine]).all()
