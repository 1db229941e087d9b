"""Tables added up by quartet: who sat with whom against whom, how often, and with what sum.

A group-by that any SQL engine could do next to the data; all that the joint rating needs of a week. Sums are
in half-IMPs, so that a clamped 7.5 is a whole number and scores against a datum add up exactly; other scores
are taken to the nearest 2^-36, so that the order of rows can never show.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from server.bridge.rating import FIRST, Algorithm
from server.bridge.rating_columns import Flags, Floats, Numbers, Positions, Tables

_UNIT = 2.0**36  # parts of a half-IMP


@dataclass(frozen=True, slots=True, eq=False)
class Quartets:
    """A row for each quartet, sorted; a < b are partners, so are c < d, and a < c."""

    a: Positions
    b: Positions
    c: Positions
    d: Positions
    boards: Floats  # that they played; faded ones weigh less
    total: Floats  # half-IMPs of a and b, clamped board by board; faded likewise

    def __len__(self) -> int:
        return len(self.a)

    @property
    def players(self) -> tuple[Positions, Positions, Positions, Positions]:
        """The four, partners side by side."""
        return self.a, self.b, self.c, self.d

    def where(self, kept: npt.NDArray[Any]) -> "Quartets":
        """Some of the rows, by flags or positions."""
        a, b, c, d = (player[kept] for player in self.players)
        return Quartets(a, b, c, d, self.boards[kept], self.total[kept])

    def faded(self, fade: float) -> "Quartets":
        """The same boards when they weigh ``fade`` of what they did."""
        return replace(self, boards=fade * self.boards, total=fade * self.total)

    def moved(self, to: Positions) -> "Quartets":
        """The same when position i has become ``to[i]``, in the same order."""
        a, b, c, d = (to[player] for player in self.players)
        return Quartets(a, b, c, d, self.boards, self.total)

    def all_in(self, group: Flags) -> Flags:
        """Which quartets have all four in a group of players."""
        inside = group[self.a]
        for player in (self.b, self.c, self.d):
            inside = inside & group[player]
        return inside

    def boards_of(self, players: int) -> Floats:
        """Boards of each of so many players."""
        found: Floats = np.zeros(players)
        for player in self.players:
            found += np.bincount(player, self.boards, players)
        return found

    def totals_of(self, players: int) -> Floats:
        """Half-IMPs of each of so many players, added up over his boards."""
        found: Floats = np.zeros(players)
        for player, sign in zip(self.players, (1, 1, -1, -1), strict=True):
            found += sign * np.bincount(player, self.total, players)
        return found


def no_quartets() -> Quartets:
    """No row."""
    nobody = np.zeros(0, np.int32)
    return Quartets(nobody, nobody, nobody, nobody, np.zeros(0), np.zeros(0))


def quartets(tables: Tables, algorithm: Algorithm = FIRST) -> Quartets:
    """The tables of a week by quartet."""
    a, b = np.minimum(tables.north, tables.south), np.maximum(tables.north, tables.south)
    c, d = np.minimum(tables.east, tables.west), np.maximum(tables.east, tables.west)
    turned = a > c
    a, c = np.where(turned, c, a), np.where(turned, a, c)
    b, d = np.where(turned, d, b), np.where(turned, b, d)
    clamped = 2 * np.clip(tables.x, -algorithm.clamp, algorithm.clamp)
    units = np.rint(np.where(turned, -clamped, clamped) * _UNIT).astype(np.int64)
    order, starts = _groups(a, b, c, d)
    first = order[starts]
    boards = np.diff(np.append(starts, len(order))).astype(np.float64)
    total = np.add.reduceat(units[order], starts) / _UNIT if len(starts) else np.zeros(0)
    return Quartets(a[first], b[first], c[first], d[first], boards, total)


def joined(one: Quartets, other: Quartets) -> Quartets:
    """Two lists of quartets as one."""
    if not len(one) or not len(other):
        return other if not len(one) else one
    four = [np.concatenate(both) for both in zip(one.players, other.players, strict=True)]
    order, starts = _groups(four[0], four[1], four[2], four[3])
    boards = np.concatenate([one.boards, other.boards])[order]
    total = np.concatenate([one.total, other.total])[order]
    a, b, c, d = (player[order[starts]] for player in four)
    return Quartets(a, b, c, d, np.add.reduceat(boards, starts), np.add.reduceat(total, starts))


def _groups(a: Positions, b: Positions, c: Positions, d: Positions) -> tuple[Numbers, Numbers]:
    """An order that brings equal quartets together, and where in it each group starts."""
    ours, theirs = (a.astype(np.int64) << 32) | b, (c.astype(np.int64) << 32) | d
    order = np.lexsort((theirs, ours))
    ours, theirs = ours[order], theirs[order]
    new = np.zeros(len(order), np.bool_)
    new[:1] = True
    new[1:] = (ours[1:] != ours[:-1]) | (theirs[1:] != theirs[:-1])
    return order, np.flatnonzero(new)
