"""The joint weekly rating: what each player adds a board, fitted over all tables at once.

    minimise  sum over tables of fade^weeks (x - a s)^2 / 18  +  sum over players of s_i^2 / 0.2

where a is +1 for N and S, -1 for E and W, and x the clamped score. With H the faded sum of a a' and g that of
a x, which is all that is kept of the past, (H + 18/0.2 I) s = g. A disconnect is one more row, +1 for the
player with the target -7.5, beside the table's own row.

The shield: players are *settled* once they have so many board Rates. Tables of four settled players make s of
the settled; only then are the others solved on the tables where somebody is not settled, with s of the
settled as it stands. So these tables are kept apart, by quartet, until all four are settled.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from server.bridge.rating import FIRST, Algorithm, Rules
from server.bridge.rating_columns import Flags, Floats, Numbers, Positions, positions
from server.bridge.rating_quartets import Quartets, joined, no_quartets
from server.bridge.rating_solve import conjugate_gradients
from server.bridge.rating_ties import Ties, merged, ties_of, times


@dataclass(frozen=True, slots=True, eq=False)
class JointState:
    """The faded sums at the end of a week, a row for each player."""

    players: Numbers  # sorted
    settled: Flags  # has, or once had, enough board Rates to be out of the shield
    boards: Floats  # at tables of four settled players: the diagonal of H
    total: Floats  # half-IMPs of him at these: g
    penalties: Floats  # rows of disconnects
    waiting: Quartets  # tables with somebody who is not settled
    # Tables of four settled players off the diagonal of H. Read block by block, each reading from the start:
    # a tuple, or something that fetches the blocks from where they are kept.
    ties: Iterable[Ties]


NOTHING = JointState(
    np.zeros(0, np.int64), np.zeros(0, np.bool_), np.zeros(0), np.zeros(0), np.zeros(0), no_quartets(), ()
)


def advanced(
    before: JointState, players: Numbers, week: Quartets, zeros: Positions, settled: Flags, rules: Rules
) -> JointState:
    """The sums a week later.

    ``players`` holds all of ``before`` too, and positions in the other arguments are those in it. ``zeros``:
    a row for each disconnect and each Rate of 0 of a leaver's partner; ``settled``: who by now has the board
    Rates that the shield asks for. The blocks of ``before`` are read once and in turn, and can be given up
    one by one.
    """
    fade, count = rules.algorithm.joint.fade, len(players)
    at = positions(players, before.players)
    settled = settled | _placed(before.settled, at, count)
    open_tables = joined(before.waiting.moved(at).faded(fade), week)
    done = open_tables.all_in(settled)
    counted = open_tables.where(done)
    new = ties_of(counted, players)
    return JointState(
        players,
        settled,
        fade * _placed(before.boards, at, count) + counted.boards_of(count),
        fade * _placed(before.total, at, count) + counted.totals_of(count),
        fade * _placed(before.penalties, at, count) + np.bincount(zeros, minlength=count),
        open_tables.where(~done),
        tuple(merged(before.ties, new, players, at, fade)),
    )


def handed_over(ties: list[Ties]) -> Iterable[Ties]:
    """The blocks of a list, which is emptied on the way, so that the old and the new need no room at once."""
    while ties:
        yield ties.pop(0)


def strengths(state: JointState, algorithm: Algorithm = FIRST) -> Floats:
    """IMPs a board that each player adds (s). Raises NotSolved."""
    count = len(state.players)
    lost = algorithm.clamp * state.penalties
    diagonal = ridge(algorithm) + state.boards + state.penalties
    found = _solve(state.ties, diagonal, state.total / 2 - lost, algorithm)
    if state.settled.all():
        return found
    ties, newcomers = ties_of(state.waiting, state.players), ~state.settled
    found[newcomers] = 0.0
    diagonal = ridge(algorithm) + state.waiting.boards_of(count) + state.penalties
    right = state.waiting.totals_of(count) / 2 - lost - times(ties, found)
    return found + _solve(ties, diagonal, right, algorithm, newcomers)


def ridge(algorithm: Algorithm) -> float:
    """What the prior adds to the diagonal of H."""
    return algorithm.joint.residual_variance / algorithm.joint.prior_variance


def index(strength: Floats, algorithm: Algorithm = FIRST) -> Floats:
    """The joint index, 50 on average; not clamped."""
    return algorithm.classic.start + algorithm.joint.points_per_imp * strength


def _solve(
    ties: Iterable[Ties], diagonal: Floats, right: Floats, algorithm: Algorithm, only: Flags | None = None
) -> Floats:
    """(H + ridge) s = g, for all players or only for some while the others stay at 0."""

    def apply(vector: Floats) -> Floats:
        return within(diagonal * vector + times(ties, vector))

    within: Callable[[Floats], Floats] = (lambda v: v) if only is None else (lambda v: np.where(only, v, 0.0))
    return conjugate_gradients(apply, diagonal, within(right), algorithm.joint.tolerance)


def _placed(values: npt.NDArray[Any], at: Positions, length: int) -> npt.NDArray[Any]:
    placed = np.zeros(length, values.dtype)
    placed[at] = values
    return placed
