"""The crowd that fills databases to measure pages: it plays what can be played, and all of it is counted."""

import json

import numpy as np
import pytest

from benchmarks import crowd

PLAYERS, SETS, TABLES = 400, 6, 5


@pytest.fixture
def played(monkeypatch):
    """A small week."""
    for name, value in (("PLAYERS", PLAYERS), ("SETS", SETS), ("TABLES", TABLES)):
        monkeypatch.setattr(crowd, name, value)
    rng = np.random.default_rng(3)
    return crowd.play(rng, rng.normal(0, 0.45, PLAYERS), rng.normal(0, 1.2, PLAYERS))


def test_nobody_plays_a_board_twice(played):
    boards = played.seats.transpose(1, 0, 2).reshape(SETS * crowd.SET, -1)
    assert boards.min() >= 1
    assert boards.max() <= PLAYERS
    assert all(len(set(board)) == 4 * TABLES for board in boards.tolist())


def test_totals_are_the_sums_of_what_boards_gave(played):
    sums = {}
    for _board, _change, text in crowd._tallies(range(1, SETS * crowd.SET + 1), played):
        for player, points, boards, left, award, *compared in json.loads(text):
            own = sums.setdefault(player, [0] * 7)
            own[:] = [a + b for a, b in zip(own, (points, boards, left, award, *compared), strict=True)]
    totals = {row[2]: list(row[3:]) for row in crowd._totals("2026-W48", "imps", played)}
    assert totals == sums
    assert sum(own[1] for own in sums.values()) == 4 * SETS * crowd.SET * TABLES
