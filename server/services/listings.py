"""Who is on a list, in order of place: read whole, and kept for those who look at the next page.

What a published snapshot says never changes. What a week in play says is read again after a moment; a short
list every time.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from sqlalchemy import Connection

from server.bridge.rating import FIRST
from server.bridge.rating_columns import Flags, Floats, Numbers
from server.bridge.rating_ranks import ranks
from server.storage import leaderboards, players
from server.storage.leaderboards import Entry, Filters, Order, Source
from server.storage.ratings import PROVISIONAL

K = TypeVar("K")
V = TypeVar("V")

MOMENT = 2.0  # seconds for which the totals of a week in play are kept
SHORT = 5_000  # players up to whom they are not
KEPT = 12  # lists


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """Players in order of place, a row for each."""

    players: Numbers
    places: Numbers
    points: Numbers  # of the week, in ten-thousandths; of a closed week none: its rows have them
    boards: Numbers  # of the week
    provisional: Flags

    def only(self, rows: Numbers | Flags) -> "Listing":
        """Some of them. Their places stay those of the whole list."""
        points = self.points[rows] if len(self.points) else self.points
        return Listing(
            self.players[rows], self.places[rows], points, self.boards[rows], self.provisional[rows]
        )

    def completed(self, entries: dict[int, Entry]) -> tuple[Entry, ...]:
        """Entries with their places, and with the points and boards by which they have them."""
        found = []
        for row, (player, place) in enumerate(zip(self.players.tolist(), self.places.tolist(), strict=True)):
            entry = replace(entries[player], place=place)
            found.append(self._of_moment(entry, row) if len(self.points) else entry)
        return tuple(found)

    def _of_moment(self, entry: Entry, row: int) -> Entry:
        boards, before = int(self.boards[row]), entry.moved
        return replace(
            entry,
            points=int(self.points[row]),
            boards=boards,
            total_boards=entry.total_boards - entry.boards + boards,
            moved=None if before is None else before - entry.place,
        )


class Recent(Generic[K, V]):
    """Some values, those that were used last. Lists are read by several threads at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """What is kept; None when nothing is."""
        with self._lock:
            found = self._values.get(key)
            if found is not None:
                self._values.move_to_end(key)
            return found

    def keep(self, key: K, value: V) -> None:
        """Keep a value, in place of the one that was not used for the longest."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)


class Listings:
    """The lists that were read last."""

    def __init__(self, elapsed: Callable[[], float], short: int = SHORT) -> None:
        self._elapsed = elapsed  # seconds of the monotonic clock
        self._short = short
        self._standings: Recent[tuple[int, Order], Numbers] = Recent(KEPT)
        self._indexes: Recent[tuple[int, bool], tuple[Numbers, Floats]] = Recent(KEPT)
        self._totals: Recent[tuple[str, str], tuple[float, Numbers]] = Recent(KEPT)

    def read(self, connection: Connection, source: Source, order: Order) -> Listing:
        """Everybody on a list who is not hidden now."""
        hidden = np.array(players.hidden(connection), np.int64)
        if not source.closed and order is Order.POINTS:
            return self._by_points(connection, source, hidden)
        found = self._by_standing(connection, source, order)
        return found.only(~np.isin(found.players, hidden)) if len(hidden) else found

    def indexes(self, connection: Connection, source: Source, wanted: Numbers) -> Floats:
        """The official index of each player; of who is not rated that with which everybody begins."""
        found = np.full(len(wanted), FIRST.classic.start)
        if source.snapshot is None:
            return found
        key = (source.snapshot, source.official_joint)
        kept = self._indexes.get(key)
        if kept is None:
            kept = leaderboards.indexes(connection, source.snapshot, source.official_joint)
            self._indexes.keep(key, kept)
        players, indexes = kept
        if len(players):
            places = np.minimum(np.searchsorted(players, wanted), len(players) - 1)
            rated = players[places] == wanted
            found[rated] = indexes[places[rated]]
        return found

    def _by_standing(self, connection: Connection, source: Source, order: Order) -> Listing:
        player, place, boards, flags = self._standing(connection, source.snapshot, order)
        if not source.closed:
            of, _, now = self._total(connection, source)
            boards = _looked_up(player, of, now)
        return Listing(player, place, boards[:0], boards, (flags & PROVISIONAL) != 0)

    def _by_points(self, connection: Connection, source: Source, hidden: Numbers) -> Listing:
        """Who is hidden takes no place."""
        player, points, boards = self._total(connection, source)
        rated, _, _, flags = self._standing(connection, source.snapshot, Order.SKILL)
        provisional = (_looked_up(player, rated, flags, PROVISIONAL) & PROVISIONAL) != 0
        shown = ~np.isin(player, hidden)
        place = ranks(points, np.zeros(len(points), np.bool_), shown).astype(np.int64)
        rows = np.lexsort((player, place))
        return Listing(player, place, points, boards, provisional).only(rows[shown[rows]])

    def _standing(self, connection: Connection, snapshot: int | None, order: Order) -> Numbers:
        """Player, place, boards, flags; by place, then player."""
        if snapshot is None:
            return np.zeros((4, 0), np.int64)
        key = (snapshot, order)
        found = self._standings.get(key)
        if found is None:
            read = leaderboards.standing(connection, snapshot, order)
            found = read[:, np.lexsort((read[0], read[1]))]
            self._standings.keep(key, found)
        return found

    def _total(self, connection: Connection, source: Source) -> Numbers:
        """Player, points, boards of a week that is not closed."""
        key, now = (source.week, source.pool), self._elapsed()
        kept = self._totals.get(key)
        if kept is None or now - kept[0] > MOMENT or kept[1].shape[1] <= self._short:
            kept = now, leaderboards.totals(connection, source.week, source.pool)
            self._totals.keep(key, kept)
        return kept[1]


def filtered(connection: Connection, found: Listing, filters: Filters, index: Floats | None = None) -> Flags:
    """Which rows of a list pass; ``index``: that of each row, where the filters ask for it."""
    passed = found.boards >= filters.min_boards
    if filters.words:
        passed &= np.isin(found.players, np.array(leaderboards.named(connection, filters.words), np.int64))
    if filters.provisional is not None:
        passed &= found.provisional == filters.provisional
    if index is not None and filters.lowest is not None:
        passed &= index >= filters.lowest
    if index is not None and filters.highest is not None:
        passed &= index <= filters.highest
    return passed


def _looked_up(wanted: Numbers, keys: Numbers, values: Numbers, otherwise: int = 0) -> Numbers:
    """The value of each wanted key; ``keys`` are in any order."""
    if not len(keys):
        return np.full(len(wanted), otherwise, np.int64)
    order = np.argsort(keys)
    places = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    rows = order[places]
    return np.where(keys[rows] == wanted, values[rows], otherwise)
