"""Computing the ratings again, week upon week, from the results alone.

Of what is stored two things are taken for granted, as both may have changed since: the rules of each
snapshot, and which players held no place then.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.bridge.rating_columns import Numbers
from server.bridge.rating_digest import millionths
from server.bridge.rating_joint import NOTHING, JointState
from server.bridge.rating_packing import checksum, packed
from server.bridge.rating_ranks import UNRANKED
from server.bridge.rating_week import Snapshot, rate_week
from server.services import closing_steps
from server.services.closing_figures import Before, Figures, WeekRead, gathered, placed
from server.services.verify_boards import Discrepancy
from server.storage import players, rating_checks, ratings, weeks
from server.storage.columns import Column
from server.storage.database import Database
from server.storage.ratings import COLUMNS, SnapshotRow
from server.storage.weeks import WeekRow

NAMED = 20  # players for each figure of a week
_PUBLISHED = {"joint_index", "joint_bar"}  # compared as they are published: their last bits are the solver's


@dataclass(frozen=True, slots=True)
class VerifiedRatings:
    """Some rated weeks that were computed again."""

    weeks: int
    discrepancies: tuple[Discrepancy, ...]
    waiting: bool = False  # the next week changed: it is going to be rated again, and so are those after it


@dataclass(frozen=True, slots=True, eq=False)
class _Stored:
    """What is stored of a published week, and what it was made from."""

    row: WeekRow
    snapshot: SnapshotRow
    changes: int  # of the week's boards now
    read: WeekRead
    columns: Mapping[str, Column]
    sums: Sequence[bytes]

    @property
    def named(self) -> str:
        """Where a difference is."""
        return f"{self.row.week} {self.row.pool} revision {self.row.revision}"


@dataclass(frozen=True, slots=True, eq=False)
class _Past:
    """What the weeks before come to, computed again."""

    before: Before
    sums: JointState | None
    snapshot: int | None


@dataclass(frozen=True, slots=True)
class _Difference:
    what: str
    player: int | None
    stored: str
    computed: str


async def verify_ratings(database: Database, pools: Mapping[str, Pool]) -> AsyncIterator[VerifiedRatings]:
    """Compute every rated week again; of each pool up to the first one that waits to be rated again."""
    for found in await database.read(lambda connection: list(rating_checks.misplaced(connection))):
        yield VerifiedRatings(0, (Discrepancy(*found),))
    for pool in pools.values():
        joint = closing_steps.has_joint(pool)
        past = _Past(closing_steps.nothing_before(joint), NOTHING if joint else None, None)
        for row in await database.read(partial(weeks.of_pool, pool=pool.name)):
            if not row.revision:
                continue
            stored = await database.read(partial(_stored, row=row, pool=pool))
            if stored.changes > row.changes or row.before != past.snapshot:
                yield VerifiedRatings(0, (), waiting=True)
                break
            past, differences = _verified(stored, past)
            named = await database.read(partial(_with_names, where=stored.named, found=differences))
            yield VerifiedRatings(1, tuple(named))


def _stored(connection: Connection, row: WeekRow, pool: Pool) -> _Stored:
    assert row.snapshot is not None
    read = closing_steps.read(connection, row, pool)
    columns = ratings.columns_of(connection, row.snapshot, COLUMNS)
    return _Stored(
        row,
        ratings.get(connection, row.snapshot),
        read.changes,
        read,
        dict(zip(COLUMNS, columns, strict=True)),
        ratings.sums(connection, row.snapshot) if ratings.has_sums(connection, row.snapshot) else (),
    )


def _verified(stored: _Stored, past: _Past) -> tuple[_Past, list[_Difference]]:
    """The week computed again, and what of it is stored otherwise."""
    rules = closing_steps.rules_of(stored.snapshot)
    week = gathered(past.before, stored.read, rules)
    rated = rate_week(Snapshot(past.before.classic, past.sums), week.rows, rules)
    made = placed(past.before, rated, replace(week, hidden=np.zeros(0, np.int64)), rules)
    made = placed(past.before, rated, replace(week, hidden=_hidden(stored, made)), rules)
    sums = rated.snapshot.joint
    after = Before(made.checksum, rated.snapshot.classic, past.before.joint, made.total_boards, made.places)
    found = [*_simple(stored, made), *_rows(stored, made)]
    if stored.sums and sums is not None and checksum(stored.sums) != checksum(packed(sums)):
        found.append(_Difference("sums", None, checksum(stored.sums), checksum(packed(sums))))
    return _Past(after, sums, stored.row.snapshot), found


def _hidden(stored: _Stored, made: Figures) -> Numbers:
    """Who could have a place and has none: he was hidden then."""
    rankable = made.rated.snapshot.classic.rated > 0
    lists = (("points_rank", made.totals.boards > 0), ("skill_rank", rankable))
    unranked = [
        np.intersect1d(made.rated.players[listed], stored.columns["player"][stored.columns[name] == UNRANKED])
        for name, listed in lists
    ]
    return np.union1d(*unranked)


def _simple(stored: _Stored, made: Figures) -> Iterator[_Difference]:
    figures = (
        ("checksum", stored.snapshot.checksum, made.checksum),
        ("number of players", stored.snapshot.players, len(made.rated.players)),
        ("number of changes read", stored.row.changes, stored.changes),
    )
    for what, before, now in figures:
        if before != now:
            yield _Difference(what, None, str(before), str(now))


def _rows(stored: _Stored, made: Figures) -> Iterator[_Difference]:
    computed = dict(zip(COLUMNS, made.columns(), strict=True))
    for player in np.setxor1d(stored.columns["player"], computed["player"])[:NAMED].tolist():
        there = player in stored.columns["player"]
        yield _Difference("row", player, "there" if there else "none", "none" if there else "there")
    both, one, other = np.intersect1d(stored.columns["player"], computed["player"], return_indices=True)
    for name in COLUMNS[1:]:
        before, now = stored.columns[name][one], computed[name][other]
        wrong = np.flatnonzero(~_same(name, before, now))[:NAMED]
        for player, old, new in zip(both[wrong], before[wrong], now[wrong], strict=True):
            yield _Difference(name, int(player), _shown(old), _shown(new))


def _same(name: str, before: Column, now: Column) -> Column:
    nothing = np.isnan(before) & np.isnan(now)
    if name in _PUBLISHED:
        before, now = (np.where(nothing, np.nan, millionths(np.nan_to_num(each))) for each in (before, now))
    return np.asarray((before == now) | nothing)


def _shown(value: float) -> str:
    return "nothing" if value != value else repr(value.item() if hasattr(value, "item") else value)  # noqa: PLR0124 - NaN


def _with_names(connection: Connection, where: str, found: Sequence[_Difference]) -> list[Discrepancy]:
    known = players.by_number(connection, {each.player for each in found if each.player is not None})
    named = []
    for each in found:
        player = known.get(each.player or 0)
        of = "" if each.player is None else f" of {player.id if player else f'number {each.player}'}"
        named.append(Discrepancy(where, f"{each.what}{of}", each.stored, each.computed))
    return named
