"""Islands: groups of players who hardly ever meet anybody else, so that nothing compares them with the rest.

A group is an island when less than 2 % of its boards were against outsiders and when it has no more than half
of everybody's boards. Which groups to ask about: the connected parts of the graph of who sat at a table with
whom; and, as a single table with outsiders connects everybody, the parts that remain when weak ties are left
out. The tie of two players is the boards that they had as partners, or as opponents, as a share of the
geometric mean of all boards of the one and of the other; ties below 1/4, 1/16, … 1/1024 are left out in turn.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from server.bridge.rating import FIRST, Algorithm
from server.bridge.rating_columns import Flags, Floats, Positions
from server.bridge.rating_joint import JointState
from server.bridge.rating_ties import Ties, entries, ties_of

_LEVELS = tuple(4.0**-k for k in range(1, 6))  # weakest ties that count, in turn; then all
_SMALLEST = 4  # fewer players cannot keep to themselves
_TINY = np.finfo(np.float64).tiny


def islands(state: JointState, algorithm: Algorithm = FIRST) -> Flags:
    """Who belongs to an island, by all tables, whether or not the shield lets them count."""
    count = len(state.players)
    boards = state.boards + state.pending.boards_of(count)
    pending = ties_of(state.pending, state.players) if len(state.pending) else ()
    ties = _Read((state.ties, pending))
    levels = _levels(ties, boards)
    found = np.zeros(count, np.bool_)
    groups = np.arange(count, dtype=np.int32)
    for level in range(len(_LEVELS) + 1):
        finer, groups = groups, _joined(ties, levels, level, groups)
        if not np.array_equal(finer, groups):
            found |= _apart(ties, groups, boards, algorithm.flags.island_below)
    return found & (boards > 0)


@dataclass(frozen=True, slots=True)
class _Read:
    """Several lists of blocks as one that can be read again and again."""

    lists: tuple[Iterable[Ties], ...]

    def __iter__(self) -> Iterator[Ties]:
        return chain(*self.lists)


def _levels(ties: Iterable[Ties], boards: Floats) -> list[npt.NDArray[np.uint8]]:
    """For every entry of every block, from which level on it counts."""
    root = 1 / np.sqrt(np.maximum(boards, _TINY))
    bounds = np.array(_LEVELS[::-1])
    found = []
    for each in ties:
        held = entries(each)
        tie = held.boards * root[held.other]
        tie *= root[held.one]
        found.append((len(bounds) - np.searchsorted(bounds, tie, side="right")).astype(np.uint8))
    return found


def _joined(
    ties: Iterable[Ties], levels: Sequence[npt.NDArray[np.uint8]], level: int, groups: Positions
) -> Positions:
    """Coarser groups: those that a tie of this level connects become one."""
    for each, from_level in zip(ties, levels, strict=True):
        places = np.flatnonzero(from_level == level)
        if not len(places):
            continue
        rows = np.searchsorted(each.matrix.indptr, places, side="right") - 1
        one, other = groups[each.first + rows], groups[each.matrix.indices[places] >> 1]
        apart = one != other
        if apart.any():
            edges = (np.ones(int(apart.sum()), np.bool_), (one[apart], other[apart]))
            graph = sparse.coo_array(edges, shape=(len(groups), len(groups)))
            groups = connected_components(graph, directed=False)[1][groups].astype(np.int32)
    return groups


def _apart(ties: Iterable[Ties], groups: Positions, boards: Floats, below: float) -> Flags:
    """Whose group is an island."""
    size, weight = np.bincount(groups), np.bincount(groups, boards)
    small = (size >= _SMALLEST) & (weight > 0) & (2 * weight <= (1 + 1e-9) * boards.sum())
    if not small.any():
        return np.zeros(len(groups), np.bool_)
    inside = np.zeros(len(size))
    for each in ties:
        held = entries(each)
        one = groups[held.one]
        within = (one == groups[held.other]) & ~held.partners & small[one]
        inside += np.bincount(one[within], held.boards[within], len(size))
    # Every board of a player is one against each of two opponents; a tie stands once and counts for both.
    outside = 1 - inside / np.maximum(weight, _TINY)
    found: Flags = (small & (outside < below - 1e-9))[groups]
    return found
