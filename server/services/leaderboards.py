"""Leaderboards of weeks, open and closed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np
from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.bridge.rating import Estimator
from server.bridge.week import Week, WeekState, parse_week, week_of
from server.services.closing_steps import has_joint, rules_of
from server.services.errors import PlayerNotFound, UnknownPool, WeekNotFound
from server.services.listings import Listing, Listings, filtered
from server.services.weeks import WeekStatus, first, status_of
from server.storage import leaderboards, players, ratings, weeks
from server.storage.database import Database
from server.storage.leaderboards import Entry, Filters, Order, Source
from server.storage.ratings import SnapshotRow

_FEW = 5_000  # entries that are asked for by name; of more, all are read


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for."""

    week: Week
    pool: str
    order: Order
    filters: Filters
    offset: int
    limit: int | None  # None: everything
    revision: int | None = None  # None: the current one
    around: str | None = None  # the page with this player in its middle


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a list."""

    status: WeekStatus
    pool: str
    order: Order
    revision: int  # that is shown; 0: of a week that is not closed
    official: Estimator
    total: int  # entries on the list, as far as they pass the filters
    offset: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is beside a list: weeks before and after it that have one, and its revisions."""

    earlier: Week | None
    later: Week | None
    pools: frozenset[str]  # that have a list of this week
    revisions: tuple[SnapshotRow, ...]  # oldest first


@dataclass(frozen=True, slots=True)
class Leaderboards:
    """Reads leaderboards of this installation."""

    database: Database
    zone: ZoneInfo
    pools: Mapping[str, Pool]
    official: Estimator
    listings: Listings

    async def page(self, wanted: Wanted, now: datetime) -> Leaderboard:
        """A page. Raises UnknownPool, WeekNotFound, PlayerNotFound."""
        return await self.database.read(lambda connection: self._page(connection, wanted, now))

    async def surroundings(self, week: Week, pool: str, now: datetime) -> Surroundings:
        """What is beside the list of a week and pool."""

        def query(connection: Connection) -> Surroundings:
            known = self._weeks(connection, pool, now)
            return Surroundings(
                max((each for each in known if each < week), default=None),
                min((each for each in known if each > week), default=None),
                frozenset(name for name in self.pools if week in self._weeks(connection, name, now)),
                tuple(ratings.revisions(connection, str(week), pool)),
            )

        return await self.database.read(query)

    def _weeks(self, connection: Connection, pool: str, now: datetime) -> set[Week]:
        """Weeks that have a list: the open one, and those before it that were played or rated."""
        current = week_of(now, self.zone)
        found = {parse_week(week) for week, _ in weeks.played(connection, pool)}
        found |= {parse_week(row.week) for row in weeks.of_pool(connection, pool) if row.revision}
        return {week for week in found if week < current} | {current}

    def _page(self, connection: Connection, wanted: Wanted, now: datetime) -> Leaderboard:
        pool = self.pools.get(wanted.pool)
        if pool is None:
            raise UnknownPool("?pool", f"no pool is called {wanted.pool!r}")
        if wanted.order is Order.JOINT and not has_joint(pool):
            raise UnknownPool("?pool", f"pool {pool.name} has no joint rating")
        status = status_of(connection, wanted.week, wanted.pool, now, self.zone)
        source, revision, official = self._source(connection, wanted, status)
        listing = self.listings.read(connection, source, wanted.order)
        banded = (wanted.filters.lowest, wanted.filters.highest) != (None, None)
        index = self.listings.indexes(connection, source, listing.players) if banded else None
        passed = filtered(connection, listing, wanted.filters, index)
        total, offset = int(passed.sum()), wanted.offset
        limit = total if wanted.limit is None else wanted.limit
        if wanted.around is not None:
            before = passed[: self._row(connection, listing, wanted.around)].sum()
            offset = max(0, int(before) - limit // 2)
        shown = listing.only(np.flatnonzero(passed)[offset : offset + limit])
        numbers = shown.players.tolist() if len(shown.players) <= _FEW else None
        entries = shown.completed(leaderboards.entries(connection, source, wanted.order, numbers))
        return Leaderboard(status, wanted.pool, wanted.order, revision, official, total, offset, entries)

    def _source(
        self, connection: Connection, wanted: Wanted, status: WeekStatus
    ) -> tuple[Source, int, Estimator]:
        """Where the list comes from, which revision it is, and which index is the official one in it."""
        week, pool = str(wanted.week), wanted.pool
        row, before = weeks.get(connection, week, pool), str(wanted.week.plus(-1))
        over = status.state not in (WeekState.FUTURE, WeekState.OPEN)
        number = row.revision if wanted.revision is None else wanted.revision
        if over and number:
            snapshot = weeks.snapshot_of(connection, week, pool, number)
            if snapshot is None:
                raise WeekNotFound(f"revision {number} of {week}")
            made = rules_of(ratings.get(connection, snapshot))
            joint = made.official is Estimator.JOINT
            return Source(week, pool, snapshot, True, before, joint), number, made.official
        if wanted.revision is not None or not self._known(connection, wanted, status):
            named = week if wanted.revision is None else f"revision {wanted.revision} of {week}"
            begins = first(connection, pool)
            raise WeekNotFound(named, None if begins is None else str(begins))
        last = weeks.published(connection, pool, week)
        joint = self.official is Estimator.JOINT
        newest = None if last is None else last.snapshot
        return Source(week, pool, newest, False, before, joint), 0, self.official

    def _known(self, connection: Connection, wanted: Wanted, status: WeekStatus) -> bool:
        if status.state is WeekState.OPEN:
            return True
        return any(week == str(wanted.week) for week, _ in weeks.played(connection, wanted.pool))

    @staticmethod
    def _row(connection: Connection, listing: Listing, name: str) -> int:
        # No id holds a NUL, and PostgreSQL takes none in what it is asked.
        player = None if "\x00" in name else players.find(connection, [name]).get(name)
        rows = [] if player is None else np.flatnonzero(listing.players == player.number).tolist()
        if not rows:
            raise PlayerNotFound(name)
        return int(rows[0])
