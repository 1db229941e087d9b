"""The triangle of H, against the whole matrix table by table."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.rating_columns import positions
from server.bridge.rating_quartets import quartets
from server.bridge.rating_ties import blocks_of, entries, merged, ties_of, times
from tests.bridge.rating_worlds import Played, Table, column, everybody, histories, renamed, tables_of

quiet = histories(weeks=2, leaving=False, players=6)
# Numbers around the bounds of blocks, so that blocks are split, joined and grown.
names = st.lists(
    st.sampled_from([*range(3), *range(1021, 1028), 2047, 2048, 99_999]), min_size=6, max_size=6, unique=True
)


def whole(weeks: list[Played], players: np.ndarray, fade: float) -> np.ndarray:
    """H off its diagonal, one table at a time."""
    found = np.zeros((len(players), len(players)))
    for age, week in enumerate(reversed(weeks)):
        for table in week.tables:
            row = np.zeros(len(players))
            row[positions(players, column(table.players))] = (1, 1, -1, -1)
            found += fade**age * np.outer(row, row)
    np.fill_diagonal(found, 0)
    return found


def ties(week: Played, players: np.ndarray):
    return ties_of(quartets(tables_of(week.tables, players)), players)


def faded(weeks: list[Played], fade: float):
    """The ties of all weeks, added up week by week."""
    old, before = (), everybody([])
    for last in range(1, len(weeks) + 1):
        players = everybody(weeks[:last])
        new = ties(weeks[last - 1], players)
        old = tuple(merged(old, new, players, positions(players, before), fade))
        before = players
    return old, before


@given(quiet, names, st.floats(0.5, 1))
def test_times_a_vector_is_the_whole_matrix_times_it(history, named, fade):
    history = [renamed(week, dict(enumerate(named))) for week in history]
    found, players = faded(history, fade)
    vector = np.sin(1 + np.arange(len(players)))
    assert times(found, vector) == pytest.approx(whole(history, players, fade) @ vector, abs=1e-9)


@given(quiet, names, st.floats(0.5, 1))
def test_entries_are_boards_as_partners_and_as_opponents(history, named, fade):
    history = [renamed(week, dict(enumerate(named))) for week in history]
    found, players = faded(history, fade)
    matrix = np.zeros((len(players), len(players)))
    for block in found:
        held = entries(block)
        assert (held.one < held.other).all()
        assert (held.boards > 0).all()
        np.add.at(matrix, (held.one, held.other), np.where(held.partners, held.boards, -held.boards))
    assert matrix + matrix.T == pytest.approx(whole(history, players, fade), abs=1e-9)


@given(names)
def test_blocks_hold_players_who_agree_but_for_the_last_ten_bits(named):
    players = column(sorted(named))
    blocks = list(blocks_of(players))
    assert [number for number, _, _ in blocks] == sorted({who // 1024 for who in named})
    assert [at for _, start, stop in blocks for at in range(start, stop)] == list(range(len(named)))
    for number, start, stop in blocks:
        assert {who // 1024 for who in players[start:stop].tolist()} == {number}


def test_no_old_block_is_lost_unseen():
    week = Played(tuple(Table((0, 1, 2, 3 + 1024 * i), Fraction(1)) for i in range(2)))
    players = everybody([week])
    blocks = ties(week, players)
    assert len(blocks) == 2
    at = positions(players, players)
    for old in (blocks[::-1], (*blocks, replace(blocks[1], block=7))):
        with pytest.raises(Impossible):
            list(merged(old, blocks, players, at, 1.0))


def test_nobody_has_no_block():
    assert ties(Played(), everybody([])) == ()
    assert times((), np.zeros(0)).tolist() == []
