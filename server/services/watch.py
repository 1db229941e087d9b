"""The weekly report for directors: what was out of the ordinary lately. It names, it accuses nobody."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.bridge.rating import FIRST, Rules
from server.bridge.rating_columns import Abandoned, Floats, Numbers, Tables, positions, roster
from server.bridge.rating_watch import Watched, expected_imps, watched
from server.bridge.week import Week
from server.services import closing_steps
from server.services.closing_figures import Before, Gathered, WeekRead, gathered
from server.services.computing import aside
from server.services.errors import UnknownPool, WeekNotFound
from server.storage import players, ratings, weeks
from server.storage.columns import Column
from server.storage.database import Database
from server.storage.players import Player


@dataclass(frozen=True, slots=True)
class Report:
    """What is out of the ordinary, and in which weeks it was looked for."""

    week: Week
    pool: str
    weeks: tuple[Week, ...]  # oldest first
    lines: tuple[Watched, ...]
    people: Mapping[int, Player]  # by number


@dataclass(frozen=True, slots=True, eq=False)
class _Rated:
    """A week as it was rated."""

    before: Before
    read: WeekRead
    rules: Rules


@dataclass(frozen=True, slots=True)
class Watcher:
    """Makes the reports of an installation."""

    database: Database
    pools: Mapping[str, Pool]

    async def report(self, week: Week, pool: str) -> Report:
        """On a rated week and those before it. Raises UnknownPool, WeekNotFound."""
        if pool not in self.pools:
            raise UnknownPool("?pool", f"no pool is called {pool!r}")
        names, read = [], []
        for age in reversed(range(FIRST.watch.weeks)):
            each = week.plus(-age)
            found = await self.database.read(partial(_read, week=each, pool=self.pools[pool]))
            if found is not None:
                names.append(each)
                read.append(found)
        if names[-1:] != [week]:
            raise WeekNotFound(f"rated week {week}")
        known, rated = await self.database.read(partial(_rated, week=week, pool=pool))
        lines = await aside(partial(_lines, read, known, rated))
        numbers = {number for line in lines for number in (*line.players, *line.opponents)}
        people = await self.database.read(lambda connection: players.by_number(connection, numbers))
        return Report(week, pool, tuple(names), lines, people)


def _read(connection: Connection, week: Week, pool: Pool) -> _Rated | None:
    row = weeks.get(connection, str(week), pool.name)
    if row.snapshot is None:
        return None
    rules = closing_steps.rules_of(ratings.get(connection, row.snapshot))
    before = closing_steps.earlier(connection, week, pool).known
    return _Rated(before, closing_steps.read(connection, row, pool), rules)


def _rated(connection: Connection, week: Week, pool: str) -> tuple[Column, Column]:
    """Players at the end of the week, and the board Rates that each ever had."""
    snapshot = weeks.get(connection, str(week), pool).snapshot
    if snapshot is None:
        raise WeekNotFound(f"rated week {week}")
    player, rated = ratings.columns_of(connection, snapshot, ("player", "rated"))
    return player, rated


def _lines(read: Sequence[_Rated], known: Numbers, rated: Numbers) -> tuple[Watched, ...]:
    found = [(each, gathered(each.before, each.read, each.rules)) for each in read]
    everybody = roster(known, *(week.players for _, week in found))
    tables = [_moved(week.rows.tables, week.players, everybody) for _, week in found]
    expected = [_expected(each, week) for each, week in found]
    boards = np.zeros(len(everybody), np.int64)
    boards[positions(everybody, known)] = rated
    last = found[-1][1]
    abandoned = last.rows.abandoned  # of the weeks before too
    named: Abandoned = replace(
        abandoned,
        leaver=positions(everybody, last.players[abandoned.leaver]),
        partner=positions(everybody, last.players[abandoned.partner]),
    )
    return watched(everybody, _together(tables), np.concatenate(expected), boards, named)


def _expected(rated: _Rated, week: Gathered) -> Floats:
    """By the Rates with which everybody came into the week."""
    return expected_imps(rated.before.classic.grown(week.players), week.rows.tables)


def _moved(tables: Tables, own: Numbers, everybody: Numbers) -> Tables:
    """The same with players named by their positions among everybody."""
    at = positions(everybody, own)
    north, south, east, west = (at[seat] for seat in tables.seats)
    return Tables(tables.key, north, south, east, west, tables.x)


def _together(several: Sequence[Tables]) -> Tables:
    columns = ([getattr(each, name) for each in several] for name in Tables.__slots__)
    return Tables(*map(np.concatenate, columns))
