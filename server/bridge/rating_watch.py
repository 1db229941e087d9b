"""The weekly report for directors: results and habits out of the ordinary. It names, it accuses nobody."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np

from server.bridge.rating import FIRST, Algorithm
from server.bridge.rating_classic import ClassicState
from server.bridge.rating_columns import Abandoned, Flags, Floats, Numbers, Tables
from server.bridge.rating_leavers import pairs_of

_UNIT = 2.0**20  # of an IMP; sums of whole units do not depend on the order of rows
_ROWS_AT_ONCE = 1 << 23


class Why(StrEnum):
    """What somebody is named for."""

    SAME_OPPONENTS = "same-opponents"  # much better than expected against the same two
    NOVICES = "novices"  # much better than expected against players of few boards
    ABANDONED = "abandoned"  # a pair with several abandoned boards


@dataclass(frozen=True, slots=True, order=True)
class Watched:
    """One line of the report. Players by number, the smaller one first."""

    why: Why
    players: tuple[int, ...]  # one, or the pair
    opponents: tuple[int, ...]  # the two; none where it is about many or nobody
    boards: int
    excess: float  # IMPs above expectation, of all boards together; 0 where it is about leaving
    z: float  # the same in standard deviations


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """One player of one table: with what excess against whom."""

    player: Numbers
    opponents: Numbers  # both in one number
    excess: Floats  # whole units


def expected_imps(state: ClassicState, tables: Tables, algorithm: Algorithm = FIRST) -> Floats:
    """What NS were to score at each table, in IMPs: their share is fair when nobody's Rate moves.

    ``state`` is of the end of the week before the tables' week and names the same players by position.
    """
    north, south, east, west = (state.rate[seat] for seat in tables.seats)
    ns, ew = north + south, east + west
    return 2 * algorithm.clamp * (ns / (ns + ew) - 0.5)


def watched(
    players: Numbers,
    tables: Tables,
    expected: Floats,
    rated: Numbers,
    abandoned: Abandoned,
    algorithm: Algorithm = FIRST,
) -> tuple[Watched, ...]:
    """The report on the tables of the last weeks, sorted.

    ``expected``: IMPs that NS were to score at each; ``rated``: board Rates that each player ever had. Scores
    count as they are, not clamped.
    """
    excess = np.rint((tables.x - expected) * _UNIT)
    novice = rated < algorithm.watch.novice_boards
    found = [
        *_against_the_same(players, tables, excess, algorithm),
        *_against_novices(players, tables, excess, novice, algorithm),
        *_abandoned(players, abandoned, algorithm),
    ]
    return tuple(sorted(found))


def _against_the_same(
    players: Numbers, tables: Tables, excess: Floats, algorithm: Algorithm
) -> Iterator[Watched]:
    portions = max(1, -(-4 * len(tables) // _ROWS_AT_ONCE))
    bounds = np.linspace(0, len(players), portions + 1).astype(np.int64)
    for low, high in pairwise(bounds):
        seen = _seen(tables, excess, int(low), int(high))
        order = np.lexsort((seen.opponents, seen.player))
        player, opponents = seen.player[order], seen.opponents[order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (player[1:] != player[:-1]) | (opponents[1:] != opponents[:-1])
        starts = np.flatnonzero(new)
        if not len(starts):
            continue
        boards = np.diff(np.append(starts, len(order)))
        sums = np.add.reduceat(seen.excess[order], starts)
        for row in _remarkable(boards, sums, algorithm):
            both = int(opponents[starts[row]])
            named = (int(players[both >> 32]), int(players[both & 0xFFFFFFFF]))
            one = int(players[player[starts[row]]])
            yield _line(Why.SAME_OPPONENTS, one, named, int(boards[row]), float(sums[row]), algorithm)


def _against_novices(
    players: Numbers, tables: Tables, excess: Floats, novice: Flags, algorithm: Algorithm
) -> Iterator[Watched]:
    north, south, east, west = tables.seats
    boards = np.zeros(len(players), np.int64)
    sums = np.zeros(len(players))
    sides = (((north, south), (east, west), excess), ((east, west), (north, south), -excess))
    for own, against, won in sides:
        both = novice[against[0]] & novice[against[1]]
        for seat in own:
            boards += np.bincount(seat[both], minlength=len(players))
            sums += np.bincount(seat[both], won[both], len(players))
    for row in _remarkable(boards, sums, algorithm):
        yield _line(Why.NOVICES, int(players[row]), (), int(boards[row]), float(sums[row]), algorithm)


def _abandoned(players: Numbers, abandoned: Abandoned, algorithm: Algorithm) -> Iterator[Watched]:
    recent = (abandoned.age >= 0) & (abandoned.age < algorithm.watch.weeks)
    each = np.unique(np.stack([pairs_of(abandoned)[recent], abandoned.board[recent]], axis=1), axis=0)
    pairs, boards = np.unique(each[:, 0], return_counts=True)
    for row in np.flatnonzero(boards > algorithm.watch.abandoned):
        pair = int(pairs[row])
        both = (int(players[pair >> 32]), int(players[pair & 0xFFFFFFFF]))
        yield Watched(Why.ABANDONED, both, (), int(boards[row]), 0.0, 0.0)


def _seen(tables: Tables, excess: Floats, low: int, high: int) -> _Seen:
    """Every table once for each of its players from position ``low`` to before ``high``."""
    north, south, east, west = tables.seats
    found: list[_Seen] = []
    sides = (((north, south), (east, west), excess), ((east, west), (north, south), -excess))
    for own, against, won in sides:
        for seat in own:
            rows = np.flatnonzero((seat >= low) & (seat < high))
            one, other = against[0][rows].astype(np.int64), against[1][rows].astype(np.int64)
            both = (np.minimum(one, other) << 32) | np.maximum(one, other)
            found.append(_Seen(seat[rows].astype(np.int64), both, won[rows]))
    return _Seen(
        np.concatenate([each.player for each in found]),
        np.concatenate([each.opponents for each in found]),
        np.concatenate([each.excess for each in found]),
    )


def _remarkable(boards: Numbers, sums: Floats, algorithm: Algorithm) -> Numbers:
    """Rows with enough boards and so much above expectation that it is told."""
    watch = algorithm.watch
    least = watch.score * watch.deviation * np.sqrt(boards) * _UNIT
    return np.flatnonzero((boards >= watch.boards) & (sums >= least))


def _line(
    why: Why, player: int, opponents: tuple[int, ...], boards: int, units: float, algorithm: Algorithm
) -> Watched:
    excess = units / _UNIT
    return Watched(
        why, (player,), opponents, boards, excess, excess / (algorithm.watch.deviation * boards**0.5)
    )
