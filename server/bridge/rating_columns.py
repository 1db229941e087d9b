"""What the rating is computed from: columns of the finished tables of a week, and of who left one.

Players are named by their position in a sorted array of players' numbers, the same for all columns of a week
(`roster`, `positions`). Numbers are those of the database: from 0, and nearly dense. Nothing here or behind
it loops over rows, and no result depends on their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from server.bridge.errors import Impossible
from server.bridge.rating import FIRST, Algorithm

Numbers = npt.NDArray[np.int64]
Positions = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

NO_RESULT = -1  # in place of a result's key


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """The ratable tables of a week and pool, a row each.

    A seat belongs to whoever is rated there: to the player who was replaced, not to his substitute. The
    score is the field score of the pool's method: IMPs, exact, or 0.15 x (per cent - 50) where the method is
    matchpoints, so that both fill the same scale (15 IMPs are 100 %).
    """

    key: Numbers  # names the result; unique
    north: Positions
    south: Positions
    east: Positions
    west: Positions
    x: Floats  # field score of NS, not clamped

    def __len__(self) -> int:
        return len(self.key)

    @property
    def seats(self) -> tuple[Positions, Positions, Positions, Positions]:
        """Who is rated at each table: N, S, E, W."""
        return self.north, self.south, self.east, self.west

    def where(self, kept: npt.NDArray[Any] | slice) -> "Tables":
        """Some of the rows, by flags, positions or a slice."""
        north, south, east, west = (seat[kept] for seat in self.seats)
        return Tables(self.key[kept], north, south, east, west, self.x[kept])


@dataclass(frozen=True, slots=True, eq=False)
class Disconnects:
    """Who disconnected on a board of the week, a row for each (player, board), reversed ones left out."""

    player: Positions
    key: Numbers  # of the result that he left behind, rated or not; NO_RESULT: nobody finished

    def __len__(self) -> int:
        return len(self.player)


@dataclass(frozen=True, slots=True, eq=False)
class Abandoned:
    """Boards that nobody finished after a player left, of this and the last weeks: a row for each leaver."""

    age: Numbers  # weeks ago; 0: the week that is rated
    board: Numbers
    at: Numbers  # when he left; any number that rises with time
    leaver: Positions
    partner: Positions
    lifted: Flags  # a director took the consequence for the partner away

    def __len__(self) -> int:
        return len(self.leaver)


@dataclass(frozen=True, slots=True, eq=False)
class WeekRows:
    """Everything that one pool's rating of one week is computed from, beside the snapshot before it."""

    players: Numbers  # sorted; everybody named in the columns and in the snapshot before
    tables: Tables
    disconnects: Disconnects
    abandoned: Abandoned

    def __post_init__(self) -> None:
        if not (np.diff(self.players) > 0).all():
            raise Impossible("players", "players are sorted and different")
        check_tables(self.tables, len(self.players))


@dataclass(frozen=True, slots=True, eq=False)
class Leavings:
    """Disconnects, told apart by whether they belong to a seat."""

    left: Flags  # shape (4, tables): who is rated in seat N, S, E, W left; his Rate of this board is 0
    alone: Positions  # who left without such a seat, a row for each board; a Rate of 0 by itself


def no_tables() -> Tables:
    """No row."""
    none = np.zeros(0, np.int32)
    return Tables(np.zeros(0, np.int64), none, none, none, none, np.zeros(0))


def no_disconnects() -> Disconnects:
    """No row."""
    return Disconnects(np.zeros(0, np.int32), np.zeros(0, np.int64))


def no_abandoned() -> Abandoned:
    """No row."""
    none, nobody = np.zeros(0, np.int64), np.zeros(0, np.int32)
    return Abandoned(none, none, none, nobody, nobody, np.zeros(0, np.bool_))


def roster(*columns: npt.NDArray[Any]) -> Numbers:
    """All players' numbers that occur in some columns, sorted."""
    found = [np.unique(column) for column in columns]
    players: Numbers = np.unique(np.concatenate(found)).astype(np.int64) if found else np.zeros(0, np.int64)
    return players


def positions(players: Numbers, numbers: npt.NDArray[Any]) -> Positions:
    """Where in ``players`` each number stands; raises Impossible for a number that is not there."""
    if not len(numbers):
        return np.zeros(0, np.int32)
    found = _places(players, numbers)
    if found.min() < 0:
        raise Impossible("players", "a column names a player who is not among the players")
    return found


def _places(players: Numbers, numbers: npt.NDArray[Any]) -> Positions:
    """As ``positions``; -1 for a number that is not there."""
    highest = int(players[-1]) if len(players) else 0
    if highest < 16 * len(players) + 65536:  # dense enough to look numbers up rather than to search them
        table = np.full(highest + 2, -1, np.int32)  # the last place stands for whatever lies outside
        table[players] = np.arange(len(players), dtype=np.int32)
        outside = (numbers < 0) | (numbers > highest)
        places: Positions = table[np.where(outside, highest + 1, numbers)]
        return places
    at = np.searchsorted(players, numbers)
    there = at < len(players)
    there[there] = players[at[there]] == numbers[there]
    return np.where(there, at, -1).astype(np.int32)


def check_tables(tables: Tables, players: int) -> None:
    """Raise Impossible unless results have names of their own, four players each, and numbers for scores."""
    if not (np.diff(np.sort(tables.key)) > 0).all():
        raise Impossible("key", "a result is named twice")
    for seat in tables.seats:
        if len(seat) and not (seat.min() >= 0 and seat.max() < players):
            raise Impossible("players", "a table names a player who is not among the players")
    if not different(tables.seats).all():
        raise Impossible("players", "four different players sit at a table")
    if not np.isfinite(tables.x).all():
        raise Impossible("x", "a score is a number")


def different(seats: Sequence[Positions]) -> Flags:
    """At which tables four different players sit."""
    north, south, east, west = seats
    same = (north == south) | (east == west)
    for one in (north, south):
        same |= (one == east) | (one == west)
    distinct: Flags = ~same
    return distinct


def scores_of_matchpoints(
    points: npt.NDArray[Any], top: npt.NDArray[Any] | int, algorithm: Algorithm = FIRST
) -> Floats:
    """Matchpoints of NS among ``top`` on the scale of IMPs; 0, which is average, where there is no top."""
    middle = np.maximum(2 * top, 1)
    found: Floats = float(100 * algorithm.per_cent) * (2 * points - top) / middle
    return found


def ratable(
    results: npt.NDArray[Any], score_at: npt.NDArray[Any], normal: Flags, seats: Sequence[Positions]
) -> Flags:
    """Which finished tables have board Rates.

    ``results``: live results on the table's board, or in its group of a fouled one; ``score_at``: with how
    many of them it is scored; ``normal``: an ordinary result of a board of a weekly pool, neither withdrawn
    nor adjusted nor late.
    """
    enough: Flags = results >= score_at
    return enough & normal & different(seats)


def leavings(key: Numbers, seats: Sequence[Positions], disconnects: Disconnects) -> Leavings:
    """Who of those at some tables (their keys; N, S, E, W) disconnected there.

    Someone stands alone when his result is not among these tables (nobody finished, or the board has too few
    results) or when he has no seat of his own there (he sat in for somebody who had left before).
    """
    left = np.zeros((4, len(key)), np.bool_)
    rows = rows_of(key, disconnects.key)
    alone = rows < 0
    at, who = rows[~alone], disconnects.player[~alone]
    seated = np.zeros(len(at), np.bool_)
    for flags, seat in zip(left, seats, strict=True):
        here = seat[at] == who
        flags[at[here]] = True
        seated |= here
    return Leavings(left, np.concatenate([disconnects.player[alone], who[~seated]]))


def rows_of(keys: Numbers, wanted: Numbers) -> Numbers:
    """In which row each of the ``wanted`` keys stands; -1: in none."""
    found = np.full(len(wanted), -1, np.int64)
    if not len(keys):
        return found
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys, wanted, sorter=order)
    at[at == len(keys)] = 0
    rows = order[at]
    return np.where(keys[rows] == wanted, rows, found)
