"""Tables added up by quartet."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.rating_quartets import joined, no_quartets, quartets
from tests.bridge.rating_oracle import clamp
from tests.bridge.rating_worlds import Table, column, tables, tables_of

PLAYERS = 6
lists = st.lists(tables(PLAYERS, leaving=False), max_size=12)


def columns(some: list[Table]):
    return tables_of(some, column(range(PLAYERS)))


def counted(some: list[Table]) -> dict[tuple[int, ...], list[Fraction]]:
    """Boards and half-IMPs by quartet, one table at a time."""
    found: dict[tuple[int, ...], list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    for table in some:
        ours, theirs = sorted(table.players[:2]), sorted(table.players[2:])
        x = 2 * clamp(table.x)
        if theirs < ours:
            ours, theirs, x = theirs, ours, -x
        found[*ours, *theirs][0] += 1
        found[*ours, *theirs][1] += x
    return found


def as_dict(found) -> dict[tuple[int, ...], list[float]]:
    keys = zip(*(player.tolist() for player in found.players), strict=True)
    values = zip(found.boards.tolist(), found.total.tolist(), strict=True)
    return dict(zip(keys, map(list, values), strict=True))


@given(lists)
def test_sums_by_quartet(some):
    got = as_dict(quartets(columns(some)))
    expected = counted(some)
    assert list(got) == sorted(expected)
    for quartet, (boards, total) in expected.items():
        assert got[quartet][0] == boards
        assert got[quartet][1] == pytest.approx(float(total), abs=1e-9)


@given(st.lists(tables(PLAYERS, leaving=False, x=st.integers(-24, 24).map(Fraction)), max_size=12))
def test_scores_against_a_datum_add_up_exactly(some):
    got = as_dict(quartets(columns(some)))
    assert got == {key: [int(boards), int(total)] for key, (boards, total) in counted(some).items()}


@given(lists, st.randoms())
def test_the_order_of_rows_is_irrelevant_to_the_last_bit(some, chance):
    shuffled = list(some)
    chance.shuffle(shuffled)
    assert as_dict(quartets(columns(some))) == as_dict(quartets(columns(shuffled)))


@given(lists, lists)
def test_two_lists_as_one(one, other):
    together = joined(quartets(columns(one)), quartets(columns(other)))
    expected = quartets(columns([*one, *other]))
    assert list(as_dict(together)) == list(as_dict(expected))
    assert together.boards.tolist() == expected.boards.tolist()
    assert together.total.tolist() == pytest.approx(expected.total.tolist(), abs=1e-9)


@given(lists)
def test_boards_and_totals_of_each_player(some):
    got = quartets(columns(some))
    boards, totals = [Fraction(0)] * PLAYERS, [Fraction(0)] * PLAYERS
    for table in some:
        for player, sign in zip(table.players, (1, 1, -1, -1), strict=True):
            boards[player] += 1
            totals[player] += sign * 2 * clamp(table.x)
    assert got.boards_of(PLAYERS).tolist() == boards
    assert got.totals_of(PLAYERS).tolist() == pytest.approx([float(total) for total in totals], abs=1e-9)


@given(lists, st.sets(st.integers(0, PLAYERS - 1)))
def test_quartets_within_a_group(some, group):
    got = quartets(columns(some))
    inside = got.all_in(np.array([who in group for who in range(PLAYERS)]))
    assert inside.tolist() == [set(key) <= group for key in as_dict(got)]


def test_fading_and_moving():
    got = quartets(columns([Table((3, 1, 0, 2), Fraction(-2))]))
    assert as_dict(got.faded(0.5)) == {(0, 2, 1, 3): [0.5, 2.0]}
    assert as_dict(got.moved(np.array([1, 3, 5, 7], np.int32))) == {(1, 5, 3, 7): [1, 4]}
    assert len(no_quartets()) == 0
