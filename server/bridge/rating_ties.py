"""Who sat with whom: one triangle of the matrix H of the joint rating, off its diagonal, in blocks of rows.

H adds up a row of +1 N, +1 S, -1 E, -1 W for every table. Its entry for two players is their boards as
partners less their boards as opponents; the two are kept apart here, in columns 2 j and 2 j + 1 (there with a
minus) of the row of the player with the smaller number. A block holds the players whose numbers agree but for
the last ten bits, so that newcomers change no block but their own, and a triangle can be faded and added to
block by block: old blocks may come one by one from where they are kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from server.bridge.errors import Impossible
from server.bridge.rating_columns import Flags, Floats, Numbers, Positions
from server.bridge.rating_quartets import Quartets

_BITS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """Rows of the players of one block, without a duplicate, columns rising."""

    block: int  # the number of these players, without its last bits
    first: int  # position of the first of these players; the others follow
    matrix: Any  # scipy.sparse.csr_array of floats, shape (players of the block, 2 * all players)

    @property
    def rows(self) -> slice:
        """Positions of the players of the block."""
        return slice(self.first, self.first + self.matrix.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """The entries of one block."""

    one: Positions  # the player of the row
    other: Positions  # always of a larger number
    partners: Flags  # whether it is about them as partners, or as opponents
    boards: Floats  # faded ones weigh less


def blocks_of(players: Numbers) -> Iterator[tuple[int, int, int]]:
    """Number, first position and position after the last of every block that has a player."""
    numbers = players >> _BITS
    new = np.ones(len(players), np.bool_)
    new[1:] = numbers[1:] != numbers[:-1]
    for start, stop in pairwise([*np.flatnonzero(new), len(players)]):
        yield int(numbers[start]), int(start), int(stop)


def ties_of(quartets: Quartets, players: Numbers) -> tuple[Ties, ...]:
    """The triangle of some quartets."""
    a, b, c, d = quartets.players
    # a is the smallest of the four: of these pairs only b and c, b and d may stand the wrong way round.
    low = np.concatenate([a, c, a, a, np.minimum(b, c), np.minimum(b, d)])
    high = np.concatenate([b, d, c, d, np.maximum(b, c), np.maximum(b, d)])
    count = len(quartets)
    kind = np.repeat(np.array([0, 1], np.int32), [2 * count, 4 * count])
    boards = np.concatenate([quartets.boards] * 2 + [-quartets.boards] * 4)
    everything = sparse.coo_array(
        (boards, (low, 2 * high + kind)), shape=(len(players), 2 * len(players))
    ).tocsr()
    everything.sum_duplicates()
    return tuple(Ties(block, start, everything[start:stop]) for block, start, stop in blocks_of(players))


def merged(
    old: Iterable[Ties], new: Sequence[Ties], players: Numbers, moved: Positions, fade: float
) -> Iterator[Ties]:
    """Old blocks, faded, and new ones added to them, block by block.

    ``new`` has every block of ``players``; position i of the old blocks has become ``moved[i]``. Raises
    Impossible for an old block that is none of these, or out of turn.
    """
    kept = iter(old)
    older = next(kept, None)
    for fresh in new:
        if older is None or older.block != fresh.block:
            yield fresh
            continue
        grown = _grown(older, fresh, moved, len(players), fade)
        yield Ties(fresh.block, fresh.first, grown + fresh.matrix)
        older = next(kept, None)
    if older is not None:
        raise Impossible("ties", "a block of ties has none of the players")


def times(ties: Iterable[Ties], vector: Floats) -> Floats:
    """The matrix, of which ``ties`` are one triangle without the diagonal, times a vector."""
    doubled = np.repeat(vector, 2)
    product, mirrored = np.zeros(len(vector)), np.zeros(2 * len(vector))
    for each in ties:
        product[each.rows] += each.matrix @ doubled
        mirrored += each.matrix.T @ vector[each.rows]
    product += mirrored[0::2]
    product += mirrored[1::2]
    return product


def entries(ties: Ties) -> Entries:
    """What a block holds, entry by entry."""
    matrix = ties.matrix
    one = np.repeat(np.arange(*_range(ties), dtype=np.int32), np.diff(matrix.indptr))
    return Entries(one, matrix.indices >> 1, (matrix.indices & 1) == 0, np.abs(matrix.data))


def _range(ties: Ties) -> tuple[int, int]:
    return ties.rows.start, ties.rows.stop


def _grown(old: Ties, fresh: Ties, moved: Positions, players: int, fade: float) -> Any:
    """The old rows, faded, at the places that their players have now."""
    rows = fresh.matrix.shape[0]
    counts = np.zeros(rows, np.int64)
    counts[moved[old.rows] - fresh.first] = np.diff(old.matrix.indptr)
    ends = np.append(0, np.cumsum(counts)).astype(old.matrix.indptr.dtype)
    columns = old.matrix.indices
    if moved[-1] != len(moved) - 1:  # somebody came in between
        columns = 2 * moved[columns >> 1] + (columns & 1)
    return sparse.csr_array((fade * old.matrix.data, columns, ends), shape=(rows, 2 * players))
