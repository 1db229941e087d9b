"""Ratings: snapshots of the end of a week, a row for each player, and the sums of the joint rating."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Double, Row, delete, insert, select, text, update

from server.storage import columns, sets
from server.storage.columns import Column
from server.storage.week_tables import rating_sums, ratings, snapshots

PROVISIONAL, PAIR_ONLY, ISLAND = 1, 2, 4  # flags
GIVEN_UP = ""  # in place of the digest of what a snapshot was made from


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
    lists = {name: _values(name, column) for name, column in zip(COLUMNS, columns, strict=True)}
    sets.insert_columns(connection, ratings, {"snapshot": [snapshot] * len(columns[0])} | lists)


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


def touch(connection: Connection, snapshot: int, now: datetime) -> bool:
    """Note that whoever makes a snapshot was alive; false when it was given up meanwhile."""
    statement = update(snapshots).where(_in_the_making(snapshot)).values(made_at=now)
    return connection.execute(statement).rowcount == 1


def publish(connection: Connection, snapshot: int, revision: int, now: datetime) -> bool:
    """Let a snapshot be seen as this revision of its week; false when it was given up meanwhile."""
    statement = update(snapshots).where(_in_the_making(snapshot))
    return connection.execute(statement.values(revision=revision, published_at=now)).rowcount == 1


def give_up(connection: Connection, snapshot: int, before: datetime) -> bool:
    """See to it that a snapshot is never published; false when somebody was at it since a moment.

    From then on its rows may be dropped, in portions: whoever made it will find that he cannot go on.
    """
    over = (snapshots.c.input == GIVEN_UP) | (snapshots.c.made_at < before)
    mine = (snapshots.c.id == snapshot) & snapshots.c.revision.is_(None)
    return connection.execute(update(snapshots).where(mine, over).values(input=GIVEN_UP)).rowcount == 1


def _in_the_making(snapshot: int) -> ColumnElement[bool]:
    unpublished = snapshots.c.revision.is_(None) & (snapshots.c.input != GIVEN_UP)
    return (snapshots.c.id == snapshot) & unpublished


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
    """Drop some rows of a snapshot that was given up; how many."""
    some = select(ratings.c.player).where(ratings.c.snapshot == snapshot).limit(limit)
    statement = delete(ratings).where(ratings.c.snapshot == snapshot, ratings.c.player.in_(some))
    return connection.execute(statement).rowcount


def drop(connection: Connection, snapshot: int) -> None:
    """Drop a snapshot that was given up, once it has no rows any more."""
    given_up = (snapshots.c.id == snapshot) & (snapshots.c.input == GIVEN_UP)
    connection.execute(delete(snapshots).where(given_up))


def abandoned(connection: Connection, before: datetime) -> list[int]:
    """Snapshots that nobody published: given up, or with nobody at them since a moment."""
    over = (snapshots.c.input == GIVEN_UP) | (snapshots.c.made_at < before)
    statement = select(snapshots.c.id).where(snapshots.c.revision.is_(None), over)
    return list(connection.execute(statement.order_by(snapshots.c.id)).scalars())


def old_sums(connection: Connection, pool: str, kept: Iterable[int]) -> list[int]:
    """Published snapshots of a pool, but these, whose sums are kept; and any that was given up."""
    having = select(rating_sums.c.snapshot).distinct()
    old = (snapshots.c.pool == pool) & snapshots.c.revision.is_not(None) & snapshots.c.id.not_in(sorted(kept))
    statement = select(snapshots.c.id).where(
        old | (snapshots.c.input == GIVEN_UP), snapshots.c.id.in_(having)
    )
    return list(connection.execute(statement.order_by(snapshots.c.id)).scalars())


def forget_sums(connection: Connection, snapshot: int, limit: int) -> int:
    """Drop some parts of the sums of a snapshot, the first one first; how many."""
    of_snapshot = rating_sums.c.snapshot == snapshot
    some = select(rating_sums.c.part).where(of_snapshot).order_by(rating_sums.c.part).limit(limit)
    return connection.execute(delete(rating_sums).where(of_snapshot, rating_sums.c.part.in_(some))).rowcount


def columns_of(connection: Connection, snapshot: int, names: Sequence[str]) -> list[Column]:
    """Some columns of all rows of a snapshot, in order of player; NaN where there may be nothing."""
    named = {"snapshot": snapshot}
    _, *found = columns.floats(connection, ("player", *names), "ratings WHERE snapshot = :snapshot", named)
    return [
        column if ratings.c[name].nullable or isinstance(ratings.c[name].type, Double) else column.astype(int)
        for name, column in zip(names, found, strict=True)
    ]


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
