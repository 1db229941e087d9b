"""Seasons of simulated worlds: boards as the server would deal them, scores as it would give them."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from benchmarks.seasons import SEATS, SIGNS, TERMS, leave, rate, raw_means, season
from server.bridge.rating import Rules
from server.bridge.traveller import Traveller
from server.world.people import make_world

PEOPLE, WEEKS, BOARDS = 60, 4, 40
RULES = Rules()
BAD = -6.0


@cache
def played():
    """A small season."""
    return season(make_world(1, PEOPLE, 2), WEEKS, BOARDS)


@cache
def busiest():
    """Who has played most."""
    return Counter(np.concatenate([week.seats.ravel() for week in played().weeks]).tolist()).most_common(1)[
        0
    ][0]


def own(week, player):
    """Rows in which somebody plays, his side's scores there and his partners."""
    x = week.x
    for seat, mate, sign in zip(week.seats, week.seats[[1, 0, 3, 2]], SIGNS, strict=True):
        for row in np.flatnonzero(seat == player):
            yield row, sign * x[row], mate[row]


def test_nobody_plays_a_board_twice_and_no_board_has_more_than_forty_results():
    for week in played().weeks:
        for board in np.unique(week.board):
            seats = week.seats[:, week.board == board]
            assert len(np.unique(seats)) == seats.size <= 4 * TERMS.retire_at


def test_weeks_have_boards_of_their_own():
    boards = [set(week.board.tolist()) for week in played().weeks]
    assert sum(map(len, boards)) == len(set().union(*boards))


def test_scores_are_those_of_the_travellers():
    week = played().weeks[0]
    x = week.x
    for board in np.unique(week.board):
        rows = np.flatnonzero(week.board == board)
        scores = Traveller(TERMS, tuple(week.score[rows].tolist())).field_scores()
        if scores is None:
            assert np.isnan(x[rows]).all()
        else:
            assert [score.ns / 100 for score in scores] == x[rows].tolist()
    assert np.isnan(x).any() != np.isnan(x).all()


def test_raw_means_are_means():
    raw = raw_means(played())
    for player in range(0, PEOPLE, 7):
        scores = [
            score for week in played().weeks for _, score, _ in own(week, player) if not np.isnan(score)
        ]
        assert raw[player] == pytest.approx(np.mean(scores)) if scores else np.isnan(raw[player])


def test_who_leaves_leaves_his_bad_boards_and_nothing_else_changes():
    leaver = busiest()
    short, left = leave(played(), leaver, BAD)
    for before, after, gone in zip(played().weeks, short.weeks, left, strict=True):
        bad = [(int(before.board[row]), mate) for row, score, mate in own(before, leaver) if score <= BAD]
        assert sorted(bad) == sorted(zip(gone.board.tolist(), gone.partner.tolist(), strict=True))
        assert len(after.board) == len(before.board) - len(bad)
        kept = {(b, *seats) for b, *seats in zip(before.board.tolist(), *before.seats.tolist(), strict=True)}
        assert kept >= {
            (b, *seats) for b, *seats in zip(after.board.tolist(), *after.seats.tolist(), strict=True)
        }
    assert sum(len(gone.board) for gone in left) > 3


def test_who_leaves_nothing_is_his_own_twin():
    short, left = leave(played(), busiest(), -100)
    one, other = rate(short, RULES, left), rate(played(), RULES)
    assert (one.snapshot.classic.rate == other.snapshot.classic.rate).all()
    assert (one.joint.index == other.joint.index).all()


def test_every_board_that_is_left_counts_as_nothing_for_who_leaves():
    leaver = busiest()
    short, left = leave(played(), leaver, BAD)
    by_rules, free = rate(short, RULES, left), rate(short, RULES)
    zeros = sum(len(gone.board) for gone in left)
    assert by_rules.snapshot.classic.rated[leaver] == free.snapshot.classic.rated[leaver] + zeros
    assert by_rules.snapshot.classic.rate[leaver] < free.snapshot.classic.rate[leaver]
    assert by_rules.joint.index[leaver] < free.joint.index[leaver]


def test_partners_pay_from_the_second_board_in_four_weeks_on():
    leaver = busiest()
    short, left = leave(played(), leaver, BAD)
    free = rate(short, RULES).snapshot.classic.rated
    more = rate(short, RULES, left).snapshot.classic.rated - free
    gone = Counter(mate for each in left for mate in each.partner.tolist())
    assert max(gone.values()) > 1
    assert {mate: more[mate] for mate in gone} == {mate: count - 1 for mate, count in gone.items()}


def test_seats_are_in_the_order_of_the_columns():
    assert [seat.value for seat in SEATS] == ["N", "S", "E", "W"]
