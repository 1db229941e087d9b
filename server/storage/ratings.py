"""Ratings: snapshots of the end of a week, a row for each player, and the sums of the joint rating."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Row, delete, insert, select, text, update

from server.storage import sets
from server.storage.week_tables import rating_sums, ratings, snapshots

PROVISIONAL, PAIR_ONLY, ISLAND = 1, 2, 4  # flags

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """What a snapshot is, without its rows."""

    id: int
    week: str
    pool: str
    revision: int | None  # None: not published
    before: int | None  # the snapshot it is built upon
    algorithm: int
    rules: str
    input: str
    checksum: str
    players: int
    made_at: datetime
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's row of a snapshot."""

    snapshot: int
    player: int
    rate: float
    weight: float
    rated: int
    recent: float
    total_boards: int
    week_rate: float | None
    week_rated: int
    points: int  # ten-thousandths
    boards: int
    disconnects: int
    joint_index: float | None
    joint_bar: float | None
    flags: int
    skill_rank: int  # 0: none
    points_rank: int
    joint_rank: int
    skill_moved: int | None
    points_moved: int | None
    joint_moved: int | None

    @property
    def provisional(self) -> bool:
        """Too few boards lately to rely on the index."""
        return bool(self.flags & PROVISIONAL)

    @property
    def pair_only(self) -> bool:
        """Nobody can tell him from his partner."""
        return bool(self.flags & PAIR_ONLY)

    @property
    def island(self) -> bool:
        """Of a group that hardly meets anybody else."""
        return bool(self.flags & ISLAND)


COLUMNS = tuple(field.name for field in fields(Rating))[1:]


def stage(connection: Connection, **values: Any) -> int:
    """Begin a snapshot that nobody sees yet; its number."""
    statement = insert(snapshots).values(**values).returning(snapshots.c.id)
    return int(connection.execute(statement).scalar_one())


def add(connection: Connection, snapshot: int, columns: Sequence[Column]) -> None:
    """Keep rows of a snapshot: the columns of ``COLUMNS``, NaN where there is nothing."""
    names = ("snapshot", *COLUMNS)
    lists = [_values(name, column) for name, column in zip(COLUMNS, columns, strict=True)]
    rows = [dict(zip(names, (snapshot, *row), strict=True)) for row in zip(*lists, strict=True)]
    sets.insert(connection, ratings, rows)


def _values(name: str, column: Column) -> list[Any]:
    values = column.tolist()
    if column.dtype.kind != "f":
        return list(values)
    whole = name.endswith("_moved")
    return [None if value != value else int(value) if whole else value for value in values]  # noqa: PLR0124 - NaN


def add_sums(connection: Connection, snapshot: int, part: int, content: bytes) -> None:
    """Keep a part of the joint rating's sums."""
    row = {"snapshot": snapshot, "part": part, "content": content}
    sets.insert(connection, rating_sums, [row], "ON CONFLICT DO NOTHING")


def has_sums(connection: Connection, snapshot: int) -> bool:
    """Whether all parts are kept; they are written one by one, the first one last."""
    statement = select(rating_sums.c.part).where(rating_sums.c.snapshot == snapshot, rating_sums.c.part == 0)
    return connection.execute(statement).first() is not None


def sums(connection: Connection, snapshot: int) -> list[bytes]:
    """All parts of the sums, in order; none when they are not kept any more."""
    statement = select(rating_sums.c.content).where(rating_sums.c.snapshot == snapshot)
    return list(connection.execute(statement.order_by(rating_sums.c.part)).scalars())


def publish(connection: Connection, snapshot: int, revision: int, now: datetime) -> None:
    """Let a snapshot be seen as this revision of its week."""
    statement = update(snapshots).where(snapshots.c.id == snapshot)
    connection.execute(statement.values(revision=revision, published_at=now))


def rest(connection: Connection, snapshot: int, before: int | None) -> None:
    """Note that a snapshot is built upon another one, which has the same figures as the one before."""
    connection.execute(update(snapshots).where(snapshots.c.id == snapshot).values(before=before))


def get(connection: Connection, snapshot: int) -> SnapshotRow:
    """What a snapshot is."""
    return _snapshot(connection.execute(select(snapshots).where(snapshots.c.id == snapshot)).one())


def revisions(connection: Connection, week: str, pool: str) -> list[SnapshotRow]:
    """Every published revision of a week, oldest first."""
    statement = select(snapshots).where(snapshots.c.week == week, snapshots.c.pool == pool)
    published = statement.where(snapshots.c.revision.is_not(None)).order_by(snapshots.c.revision)
    return [_snapshot(row) for row in connection.execute(published)]


def drop_rows(connection: Connection, snapshot: int, limit: int) -> int:
    """Drop some rows of a snapshot that was never published; how many."""
    some = select(ratings.c.player).where(ratings.c.snapshot == snapshot).limit(limit)
    statement = delete(ratings).where(ratings.c.snapshot == snapshot, ratings.c.player.in_(some))
    return connection.execute(statement).rowcount


def drop(connection: Connection, snapshot: int) -> None:
    """Drop a snapshot that was never published, once it has no rows any more."""
    connection.execute(delete(rating_sums).where(rating_sums.c.snapshot == snapshot))
    connection.execute(delete(snapshots).where(snapshots.c.id == snapshot, snapshots.c.revision.is_(None)))


def abandoned(connection: Connection, week: str, pool: str, before: datetime) -> list[int]:
    """Snapshots of a week that somebody began before a moment and never published."""
    of_week = (snapshots.c.week == week) & (snapshots.c.pool == pool)
    statement = select(snapshots.c.id).where(
        of_week, snapshots.c.revision.is_(None), snapshots.c.made_at < before
    )
    return list(connection.execute(statement.order_by(snapshots.c.id)).scalars())


def forget_sums(connection: Connection, pool: str, kept: Iterable[int]) -> None:
    """Drop the sums of a pool's published snapshots but these; they can be computed again."""
    others = select(snapshots.c.id).where(
        snapshots.c.pool == pool, snapshots.c.revision.is_not(None), snapshots.c.id.not_in(sorted(kept))
    )
    connection.execute(delete(rating_sums).where(rating_sums.c.snapshot.in_(others)))


def columns(connection: Connection, snapshot: int, names: Sequence[str]) -> list[Column]:
    """Some columns of all rows of a snapshot, in order of player."""
    chosen = [ratings.c[name] for name in names]
    statement = select(*chosen).where(ratings.c.snapshot == snapshot).order_by(ratings.c.player)
    rows: Any = connection.execute(statement).all()
    found = zip(*rows, strict=True) if rows else ([] for _ in names)
    return [np.array(column) for column in found]


def of_player(connection: Connection, player: int, pool: str) -> Iterator[tuple[SnapshotRow, Rating]]:
    """The player's rows of every published snapshot of a pool that is still current, newest week first."""
    statement = (
        select(snapshots, ratings)
        .join(ratings, ratings.c.snapshot == snapshots.c.id)
        .where(ratings.c.player == player, snapshots.c.pool == pool, snapshots.c.revision.is_not(None))
        .order_by(snapshots.c.week.desc(), snapshots.c.revision.desc())
    )
    width, seen = len(snapshots.c), set()
    for row in connection.execute(statement):
        found = _snapshot(row[:width])
        if found.week not in seen:
            seen.add(found.week)
            yield found, Rating(*row[width:])


def row_of(connection: Connection, snapshot: int, player: int) -> Rating | None:
    """The player's row of a snapshot."""
    statement = select(ratings).where(ratings.c.snapshot == snapshot, ratings.c.player == player)
    found = connection.execute(statement).first()
    return None if found is None else Rating(*found)


def rows_of(connection: Connection, snapshot: int, numbers: Iterable[int]) -> dict[int, Rating]:
    """Rows of some players of a snapshot, by player."""
    inside = text(f"ratings.player IN {sets.elements(connection, 'numbers')}")
    statement = select(ratings).where(ratings.c.snapshot == snapshot, inside)
    found = connection.execute(statement, {"numbers": sets.as_json(sorted(set(numbers)))})
    return {row.player: Rating(*row) for row in found}


def _snapshot(row: Row[Any] | Sequence[Any]) -> SnapshotRow:
    return SnapshotRow(*row)
