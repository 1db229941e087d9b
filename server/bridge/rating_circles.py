"""Circles of players who mostly sit with one another: where to look for islands.

A walk from player to player along the tables mixes fast within a circle and leaks out of it slowly. So
numbers that are spread along such walks soon agree within a circle while circles still differ, and gaps
between the sorted numbers are the borders of circles: of small ones after few steps, of loose ones after
many. The walks go over a thinned graph, which keeps all ties of a player who has few and samples many weak
ones. Everything is fixed by the players' numbers; chance has no part in it.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from server.bridge.rating_columns import Floats, Numbers, Positions
from server.bridge.rating_ties import Entries, Ties, entries

_KEPT_FROM = 1 / 16  # ties of this strength are kept; of weaker ones as many as makes up for the others
_STEPS = (8, 16, 40)  # of the walk, one after the other; circles are looked for after each
_WALKS = 3  # so that two circles hardly agree in all
_GAPS = (1 / 4, 1 / 16, 1 / 64, 1 / 256)  # shares of the spread: large circles differ less than small ones
_OUTSIDE = 0.05  # share of a circle's ties, by the thinned graph, above which it is none
_TINY = np.finfo(np.float64).tiny
_ODD = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # constants of SplitMix64


def circles(ties: Iterable[Ties], players: Numbers, boards: Floats) -> Iterator[Positions]:
    """A few ways to part the players, each with a circle in it; the part's number for each player.

    ``boards``: of each player, by the same tables.
    """
    graph = _thinned(ties, players, boards)
    degree = np.maximum(np.asarray(graph.sum(axis=1)), _TINY)[:, None]
    walks = np.stack([_chance(players, players + walk) for walk in range(_WALKS)], axis=1)
    alone = np.diff(graph.indptr) == 0
    for steps in _STEPS:
        for _ in range(steps):
            walks = np.where(alone[:, None], walks, (graph @ walks) / degree)
        parted = (_parted(walks, gap) for gap in _GAPS)
        yield from (parts for parts in parted if _some_circle(graph, parts))


def _thinned(ties: Iterable[Ties], players: Numbers, boards: Floats) -> Any:
    """The graph of who sat with whom and how often, weak ties sampled by the strength that they have.

    A tie is the boards of two players as a share of the geometric mean of all their boards.
    """
    root = np.sqrt(boards)
    kept = [_sampled(entries(each), players, root) for each in ties]
    count = len(players)
    if not kept:
        return sparse.csr_array((count, count))
    one, other, weight = (np.concatenate(column) for column in zip(*kept, strict=True))
    both = (np.concatenate([one, other]), np.concatenate([other, one]))
    return sparse.coo_array((np.concatenate([weight, weight]), both), shape=(count, count)).tocsr()


def _sampled(held: Entries, players: Numbers, root: Floats) -> tuple[Positions, Positions, Floats]:
    full = _KEPT_FROM * root[held.one] * root[held.other]  # boards that make a tie of the strength kept
    sure = held.boards >= full
    weak = np.flatnonzero(~sure)
    chance = _chance(players[held.one[weak]], players[held.other[weak]])
    lucky = weak[chance * full[weak] < held.boards[weak]]
    rows = np.concatenate([np.flatnonzero(sure), lucky])
    return held.one[rows], held.other[rows], np.maximum(held.boards[rows], full[rows])


def _some_circle(graph: Any, parts: Positions) -> bool:
    """Whether a part that is not most of the graph has few ties to the others."""
    one = np.repeat(parts, np.diff(graph.indptr))
    ties = np.bincount(one, graph.data)
    inside = np.bincount(one, np.where(one == parts[graph.indices], graph.data, 0.0))
    return bool(((inside > (1 - _OUTSIDE) * ties) & (2 * ties < 1.1 * ties.sum())).any())


def _parted(walks: Floats, gap: float) -> Positions:
    """Players between whose numbers there is no such gap on any walk."""
    name = np.zeros(len(walks), np.int64)
    for values in walks.T:
        order = np.argsort(values, kind="stable")
        steps = np.diff(values[order])
        part = np.empty(len(values), np.int64)
        part[order] = np.append(0, np.cumsum(steps > gap * steps.sum()))[: len(values)]
        _, name = np.unique(name * (len(values) + 1) + part, return_inverse=True)
    return name.astype(np.int32)


def _chance(one: Numbers, other: Numbers) -> Floats:
    """Numbers from 0 to 1 that look random, each fixed by two others; after SplitMix64."""
    mixed = one.astype(np.uint64) * np.uint64(_ODD[0]) + other.astype(np.uint64) * np.uint64(_ODD[1])
    for shift, odd in ((30, _ODD[1]), (27, _ODD[2])):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(odd)
    mixed ^= mixed >> np.uint64(31)
    return (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53
