"""Week points and numbers of boards of everybody at once, as `five_figures` has them of one player."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from server.bridge.five_figures import AVERAGE, penalty, unit
from server.bridge.rating import FIRST, Algorithm
from server.bridge.rating_columns import Disconnects, Flags, Numbers, Positions, leavings


@dataclass(frozen=True, slots=True, eq=False)
class FinishedTables:
    """All finished tables of a week and pool, rated or not; a seat belongs to whoever was replaced in it."""

    key: Numbers  # names the result; unique
    north: Positions
    south: Positions
    east: Positions
    west: Positions
    ns: npt.NDArray[Any]  # field score of NS in hundredths of an IMP or per cent; anything where not scored
    ew: npt.NDArray[Any]
    scored: Flags

    @property
    def seats(self) -> tuple[Positions, Positions, Positions, Positions]:
        """Who sat at each table: N, S, E, W."""
        return self.north, self.south, self.east, self.west


@dataclass(frozen=True, slots=True, eq=False)
class WeekTotals:
    """The figures of one week, a row for each player."""

    points: Numbers  # ten-thousandths
    boards: Numbers  # finished or disconnected
    disconnects: Numbers


def week_totals(
    tables: FinishedTables,
    disconnects: Disconnects,
    players: int,
    matchpoints: bool = False,
    algorithm: Algorithm = FIRST,
) -> WeekTotals:
    """Totals of so many players, named by position. Who left a board has no score on it, only the loss."""
    found = leavings(tables.key, tables.seats, disconnects)
    left = np.bincount(disconnects.player, minlength=players)
    boards = np.bincount(found.alone, minlength=players)
    points = np.zeros(players, np.int64)
    sides = (tables.ns, tables.ns, tables.ew, tables.ew)
    for seat, own, gone in zip(tables.seats, sides, found.left, strict=True):
        boards += np.bincount(seat, minlength=players)
        counted = tables.scored & ~gone
        scores = own[counted].astype(np.int64) - (AVERAGE if matchpoints else 0)
        # Sums of whole numbers far below 2^53 are exact in floating point, in any order.
        points += np.bincount(seat[counted], scores, players).astype(np.int64)
    return WeekTotals(unit(matchpoints, algorithm) * points - penalty(1, algorithm) * left, boards, left)
