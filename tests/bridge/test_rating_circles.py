"""Where to look for islands: circles of players, and the thinned graph that they are found in."""

import numpy as np
import pytest

from server.bridge import rating_circles
from server.bridge.rating_circles import circles
from server.bridge.rating_columns import Tables
from server.bridge.rating_quartets import quartets
from server.bridge.rating_ties import ties_of, times


def sittings(groups: list[range], rounds: int):
    """Ties and boards when everybody sits with others of his group, as many rounds; one board each."""
    rng = np.random.default_rng(3)
    four = [
        rng.permutation(np.array(group))[: len(group) // 4 * 4].reshape(-1, 4)
        for group in groups
        for _ in range(rounds)
    ]
    seats = np.ascontiguousarray(np.concatenate(four).T.astype(np.int32))
    players = np.arange(max(group.stop for group in groups), dtype=np.int64)
    found = quartets(Tables(np.arange(seats.shape[1]), *seats, np.zeros(seats.shape[1])))
    return ties_of(found, players), players, found.boards_of(len(players))


def test_two_groups_that_never_meet_are_told_apart():
    ties, players, boards = sittings([range(100), range(100, 160)], 30)
    partings = list(circles(ties, players, boards))
    assert partings
    for parts in partings:
        assert not set(parts[:100].tolist()) & set(parts[100:].tolist())
    assert any(len(set(parts.tolist())) == 2 for parts in partings)


def test_one_group_has_no_circle_in_it():
    assert list(circles(*sittings([range(400)], 30))) == []
    assert list(circles((), np.zeros(0, np.int64), np.zeros(0))) == []


def test_the_same_ties_give_the_same_circles():
    one, other = (list(circles(*sittings([range(90), range(90, 150)], 20))) for _ in range(2))
    assert [parts.tolist() for parts in one] == [parts.tolist() for parts in other]


def test_who_has_few_ties_keeps_them_all():
    ties, players, boards = sittings([range(8)], 10)
    graph = rating_circles._thinned(ties, players, boards)
    assert graph.toarray() == pytest.approx(together(ties, len(players)))


def test_many_weak_ties_are_thinned_to_about_the_same_weight():
    ties, players, boards = sittings([range(2000)], 400)
    graph = rating_circles._thinned(ties, players, boards)
    kept = np.diff(graph.indptr)
    assert kept.max() < 120  # of some 900 each
    assert kept.min() > 15
    assert graph.sum() == pytest.approx(3 * boards.sum(), rel=0.02)


def together(ties, players: int) -> np.ndarray:
    """Boards that each two had together, as partners or opponents: columns of the matrix one by one."""
    signed = np.column_stack([times(ties, column) for column in np.eye(players)])
    partners = np.zeros((players, players))
    for each in ties:
        dense = each.matrix.toarray()
        partners[each.rows] += dense[:, 0::2]
    partners += partners.T
    return 2 * partners - signed
