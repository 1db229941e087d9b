"""The weekly report for directors."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge import rating_watch
from server.bridge.rating_classic import NOBODY, board_rates
from server.bridge.rating_watch import Watched, Why, expected_imps, watched
from tests.bridge.rating_worlds import (
    Leaving,
    Played,
    Table,
    column,
    everybody,
    histories,
    rows_of,
    tables_of,
)

MANY, FEW = 1000, 149


def report(week: Played, expected: float = 0.0, novices: tuple[int, ...] = ()) -> tuple[Watched, ...]:
    rows = rows_of([week])
    boards = np.array([FEW if who in novices else MANY for who in rows.players.tolist()])
    return watched(rows.players, rows.tables, np.full(len(rows.tables), expected), boards, rows.abandoned)


def against(players: tuple[int, int, int, int], *scores: float) -> tuple[Table, ...]:
    return tuple(Table(players, Fraction(score)) for score in scores)


def test_too_good_to_be_true_against_the_same_two():
    # 8 boards: 4 x 5.3 x root of 8 = 59.96 IMPs.
    found = report(Played(against((10, 20, 40, 30), *[7.5] * 8)))
    assert [(each.why, each.players, each.opponents, each.boards) for each in found] == [
        (Why.SAME_OPPONENTS, (10,), (30, 40), 8),
        (Why.SAME_OPPONENTS, (20,), (30, 40), 8),
    ]
    assert found[0].excess == 60
    assert found[0].z == pytest.approx(60 / (5.3 * 8**0.5))


@pytest.mark.parametrize(("scores", "told"), [([7.5] * 8, True), ([7.4] * 8, False), ([24] * 7, False)])
def test_bounds_of_boards_and_excess(scores, told):
    assert bool(report(Played(against((0, 1, 2, 3), *scores)))) == told


def test_what_was_to_be_expected_is_no_excess():
    week = Played(against((0, 1, 2, 3), *[8.5] * 8))
    assert report(week, expected=1.0)
    assert not report(week, expected=1.1)


def test_partners_may_change_and_sides_too():
    tables = against((0, 1, 2, 3), *[8] * 4) + against((3, 2, 5, 0), *[-8] * 4)
    found = report(Played(tables))
    assert [(each.players, each.opponents, each.boards) for each in found] == [((0,), (2, 3), 8)]


def test_opponents_may_change_among_players_of_few_boards():
    tables = tuple(table for i in range(8) for table in against((0, 1 + i % 3, 10 + 2 * i, 11 + 2 * i), 8))
    novices = tuple(range(10, 26))
    assert report(Played(tables)) == ()
    found = report(Played(tables), novices=novices)
    assert [(each.why, each.players, each.opponents, each.boards) for each in found] == [
        (Why.NOVICES, (0,), (), 8)
    ]
    assert report(Played(tables), novices=novices[1:]) == ()


def test_a_pair_with_more_than_two_abandoned_boards():
    def left(board: int, leaver: int, partner: int) -> Leaving:
        return Leaving(board, board, leaver, partner)

    two = (left(1, 5, 7), left(2, 7, 5), left(2, 5, 7))
    assert report(Played(leavings=two)) == ()
    found = report(Played(leavings=(*two, left(3, 5, 7), left(4, 5, 8))))
    assert found == (Watched(Why.ABANDONED, (5, 7), (), 3, 0.0, 0.0),)


def test_abandoned_boards_count_for_four_weeks():
    def rows(weeks_between: int):
        first = Played(leavings=(Leaving(1, 1, 5, 7), Leaving(2, 2, 5, 7)))
        last = Played(leavings=(Leaving(3, 3, 5, 7),))
        return rows_of([first, *[Played()] * weeks_between, last])

    for weeks_between in range(5):
        found = rows(weeks_between)
        lines = watched(found.players, found.tables, np.zeros(0), column([0, 0]), found.abandoned)
        assert bool(lines) == (weeks_between < 3)


@given(st.lists(histories(weeks=1, most=12, leaving=False), min_size=1, max_size=3), st.randoms())
def test_it_is_what_counting_one_by_one_finds(parts, chance):
    # The same few tables again and again, so that there is something to find.
    some = [table for part in parts for table in part[0].tables][:4]
    tables = [chance.choice(some) for _ in range(40)] if some else []
    novices = set(range(0, 7, 2))
    found = report(Played(tuple(tables)), expected=0.5, novices=tuple(novices))
    sums: dict[tuple, list[Fraction]] = {}
    for table in tables:
        north, south, east, west = table.players
        for who in table.players:
            ours = who in (north, south)
            both = tuple(sorted((east, west) if ours else (north, south)))
            excess = (table.x - Fraction(1, 2)) * (1 if ours else -1)
            sums.setdefault((Why.SAME_OPPONENTS, (who,), both), []).append(excess)
            if novices >= set(both):
                sums.setdefault((Why.NOVICES, (who,), ()), []).append(excess)
    expected = {
        key: (len(each), float(sum(each)))
        for key, each in sums.items()
        if len(each) >= 8 and float(sum(each)) >= 4 * 5.3 * len(each) ** 0.5
    }
    assert {(one.why, one.players, one.opponents): (one.boards, one.excess) for one in found} == {
        key: (boards, pytest.approx(excess, abs=1e-4)) for key, (boards, excess) in expected.items()
    }
    assert list(found) == sorted(found)


def test_portions_do_not_show(monkeypatch):
    week = Played(against((0, 1, 2, 3), *[9] * 9) + against((4, 5, 2, 3), *[9] * 9))
    whole = report(week)
    monkeypatch.setattr(rating_watch, "_ROWS_AT_ONCE", 7)
    assert report(week) == whole
    assert len(whole) == 4


def test_expected_is_what_moves_nobody():
    players = everybody([Played(against((0, 1, 2, 3), 0))])
    state = NOBODY.grown(players)
    state.rate[:] = (60, 50, 45, 44)
    tables = tables_of(against((0, 1, 2, 3), 0), players)
    x = float(expected_imps(state, tables)[0])
    assert board_rates((60, 50, 45, 44), x).board_rates == pytest.approx((60, 50, 45, 44))
