"""Whom each player sat with most, and how sure his joint index is."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from server.bridge.rating import FIRST, Algorithm
from server.bridge.rating_columns import Flags, Floats, Numbers, Positions
from server.bridge.rating_joint import JointState, ridge
from server.bridge.rating_ties import Entries, Ties, entries, ties_of

# A neighbour and how strong he is in one number, so that the greatest of them is his: the strength in whole
# units of 2^-24 boards, up to 2^16 boards, and below it the position. What differs by less is a tie.
_PLACE_BITS = 23
_UNIT = 2.0**24
_MOST = 2.0**40 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Of each player, over the tables that his index rests on."""

    strongest: Positions  # with whom the entry of H is greatest; of equal ones the last; -1: nobody
    size: Floats  # of that entry: boards as partners less boards as opponents, without sign
    partner: Floats  # boards with the partner he had most
    boards: Floats  # all boards
    boards_of_strongest: Floats  # by the same tables


@dataclass(frozen=True, slots=True, eq=False)
class ErrorBars:
    """How sure each joint index is; b and bar are one standard deviation, in IMPs a board."""

    b: Floats  # what a player's and his strongest neighbour's tables leave open
    share: Floats  # of the index that comes from tables, not from the prior
    bar: Floats

    def points(self, algorithm: Algorithm = FIRST) -> Floats:
        """The bars in points of the index."""
        return algorithm.joint.points_per_imp * self.bar


def neighbours(state: JointState) -> Neighbours:
    """Neighbours of everybody: of a settled player over tables of four such, of others over all of theirs."""
    count, settled = len(state.players), state.settled
    greatest, partner = _of(state.ties, count)
    if not settled.all():
        others = _of(ties_of(state.waiting, state.players), count)
        greatest = np.where(settled, greatest, others[0])
        partner = np.where(settled, partner, others[1])
    some = greatest >= 0
    strongest = np.where(some, greatest & ((1 << _PLACE_BITS) - 1), -1).astype(np.int32)
    waiting = state.waiting.boards_of(count)
    # A newcomer's neighbour is taken with every table of his: those that the two share are among them.
    theirs = np.where(settled, state.boards[strongest], (state.boards + waiting)[strongest])
    return Neighbours(
        strongest,
        np.where(some, (greatest >> _PLACE_BITS) / _UNIT, 0.0),
        partner,
        np.where(settled, state.boards, waiting),
        np.where(some, theirs, 0.0),
    )


def error_bars(state: JointState, near: Neighbours, algorithm: Algorithm = FIRST) -> ErrorBars:
    """The error bars of the joint index."""
    joint, prior = algorithm.joint, ridge(algorithm)
    own = near.boards + state.penalties + prior
    some = near.strongest >= 0
    theirs = near.boards_of_strongest + np.where(some, state.penalties[near.strongest], 0.0) + prior
    precision = (own - near.size**2 / theirs) / joint.residual_variance
    b = 1 / np.sqrt(precision)
    share = 1 - prior / own
    return ErrorBars(b, share, np.sqrt((joint.bar_widening * b) ** 2 + joint.bar_drift * share**2))


def pair_only(near: Neighbours, algorithm: Algorithm = FIRST) -> Flags:
    """Who had (nearly) all his boards with one partner: nobody can tell the two apart."""
    least = algorithm.flags.pair_only_from * (1 - 1e-9)  # an exact 95 % must not fail by a rounding
    return (near.boards > 0) & (near.partner >= least * near.boards)


def _of(ties: Iterable[Ties], players: int) -> tuple[Numbers, Floats]:
    """The greatest neighbour (strength and position in one number, -1: none), and boards with a partner."""
    greatest = np.full(players, -1, np.int64)
    partner: Floats = np.zeros(players)
    for each in ties:
        held = entries(each)
        if not len(held.one):
            continue
        starts = np.flatnonzero(np.append(True, held.one[1:] != held.one[:-1]))
        rows = held.one[starts]
        strength = _strengths(held) << _PLACE_BITS
        greatest[rows] = np.maximum(greatest[rows], np.maximum.reduceat(strength | held.other, starts))
        np.maximum.at(greatest, held.other, strength | held.one)
        together = np.where(held.partners, held.boards, 0.0)
        partner[rows] = np.maximum(partner[rows], np.maximum.reduceat(together, starts))
        np.maximum.at(partner, held.other, together)
    return greatest, partner


def _strengths(held: Entries) -> Numbers:
    """Size of the entry of H, in units; of two entries of one pair the whole stands in both."""
    signed = np.where(held.partners, held.boards, -held.boards)
    same = np.flatnonzero((held.one[1:] == held.one[:-1]) & (held.other[1:] == held.other[:-1]))
    both = signed[same] + signed[same + 1]
    signed[same] = both
    signed[same + 1] = both
    return np.minimum(np.rint(np.abs(signed) * _UNIT), _MOST).astype(np.int64)
