"""Islands: groups of players who hardly ever meet anybody else, so that nothing compares them with the rest.

A group is an island when less than 2 % of its boards were against outsiders and when it has no more than half
of everybody's boards. Asked are the connected parts of the graph of who sat at a table with whom and, as a
single table with outsiders connects everybody, the circles found in it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from server.bridge.rating import FIRST, Algorithm
from server.bridge.rating_circles import circles
from server.bridge.rating_columns import Flags, Floats, Positions
from server.bridge.rating_joint import JointState
from server.bridge.rating_ties import Ties, entries, ties_of

_SMALLEST = 4  # fewer players cannot keep to themselves
_ROUNDING = 1e-9
_TINY = np.finfo(np.float64).tiny


def islands(state: JointState, algorithm: Algorithm = FIRST) -> Flags:
    """Who belongs to an island, by all tables, whether or not the shield lets them count."""
    count = len(state.players)
    boards = state.boards + state.waiting.boards_of(count)
    waiting = ties_of(state.waiting, state.players) if len(state.waiting) else ()
    ties = _Read((state.ties, waiting))
    found = np.zeros(count, np.bool_)
    for groups in chain([_connected(ties, count)], circles(ties, state.players, boards)):
        found |= _apart(ties, groups, boards, algorithm.flags.island_below)
    return found & (boards > 0)


@dataclass(frozen=True, slots=True)
class _Read:
    """Several lists of blocks as one that can be read again and again."""

    lists: tuple[Iterable[Ties], ...]

    def __iter__(self) -> Iterator[Ties]:
        return chain(*self.lists)


def _connected(ties: Iterable[Ties], players: int) -> Positions:
    """The connected parts of the graph; the part's number for each player."""
    groups = np.arange(players, dtype=np.int32)
    for each in ties:
        held = entries(each)
        one, other = groups[held.one], groups[held.other]
        apart = one != other
        if apart.any():
            edges = (np.ones(int(apart.sum()), np.bool_), (one[apart], other[apart]))
            graph = sparse.coo_array(edges, shape=(players, players))
            groups = connected_components(graph, directed=False)[1][groups].astype(np.int32)
    return groups


def _apart(ties: Iterable[Ties], groups: Positions, boards: Floats, below: float) -> Flags:
    """Whose group is an island."""
    size, weight = np.bincount(groups), np.bincount(groups, boards)
    small = (size >= _SMALLEST) & (weight > 0) & (2 * weight <= (1 + _ROUNDING) * boards.sum())
    if not small.any():
        return np.zeros(len(groups), np.bool_)
    asked = small[groups]
    inside = np.zeros(len(size))
    for each in ties:
        if not asked[each.rows].any():
            continue
        held = entries(each)
        rows = np.flatnonzero(asked[held.one] & ~held.partners)
        one = groups[held.one[rows]]
        within = one == groups[held.other[rows]]
        inside += np.bincount(one[within], held.boards[rows[within]], len(size))
    # Every board of a player is one against each of two opponents; a tie stands once and counts for both.
    outside = 1 - inside / np.maximum(weight, _TINY)
    found: Flags = (small & (outside < below - _ROUNDING))[groups]
    return found
