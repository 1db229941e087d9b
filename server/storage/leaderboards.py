"""Leaderboards: players in order of place, with what a list shows of each."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Subquery,
    and_,
    func,
    literal,
    null,
    or_,
    select,
    tuple_,
)

from server.storage.ratings import PROVISIONAL
from server.storage.tables import players
from server.storage.week_tables import ratings, snapshots, week_totals


class Order(StrEnum):
    """What a list is ordered by."""

    SKILL = "skill"
    POINTS = "points"
    JOINT = "joint"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a list comes from."""

    week: str
    pool: str
    snapshot: int | None  # of the week itself when it is closed, else the newest before it
    closed: bool
    week_before: str


@dataclass(frozen=True, slots=True)
class Filters:
    """Which of the players are shown. Their places stay those of the whole list."""

    min_boards: int = 0  # of the week
    words: str = ""  # in the id, name or alias
    provisional: bool | None = None  # only those whose index rests on few boards, or only the others


@dataclass(frozen=True, slots=True)
class Entry:
    """A player on a list."""

    place: int
    player: int
    moved: int | None  # places won since last week; None: not known
    id: str
    name: str
    rate: float | None  # None: not rated yet
    joint_index: float | None
    joint_bar: float | None
    flags: int | None
    points: int  # ten-thousandths
    boards: int
    total_boards: int
    last_points: int | None  # of the week before
    last_boards: int | None


def page(
    connection: Connection, source: Source, order: Order, filters: Filters, offset: int, limit: int
) -> list[Entry]:
    """Entries from ``offset`` on."""
    listed = _listed(source, order)
    statement = _filtered(listed, filters).order_by(listed.c.place, listed.c.player)
    return [Entry(*row) for row in connection.execute(statement.offset(offset).limit(limit))]


def count(connection: Connection, source: Source, order: Order, filters: Filters) -> int:
    """How many entries there are."""
    statement = _filtered(_listed(source, order), filters).with_only_columns(
        func.count(), maintain_column_froms=True
    )
    return int(connection.execute(statement).scalar_one())


def position(
    connection: Connection, source: Source, order: Order, filters: Filters, player: int
) -> int | None:
    """How many entries stand before the player; None when he is not on the list."""
    listed = _listed(source, order)
    place = connection.execute(select(listed.c.place).where(listed.c.player == player)).scalar()
    if place is None:
        return None
    before = tuple_(listed.c.place, listed.c.player) < tuple_(literal(place), literal(player))
    statement = (
        _filtered(listed, filters).where(before).with_only_columns(func.count(), maintain_column_froms=True)
    )
    return int(connection.execute(statement).scalar_one())


def _filtered(listed: Subquery, filters: Filters) -> Select[Any]:
    statement = select(listed)
    if filters.min_boards:
        statement = statement.where(listed.c.boards >= filters.min_boards)
    if filters.words:
        inside = [_contains(listed.c[name], filters.words) for name in ("id", "name")]
        statement = statement.where(or_(*inside))
    if filters.provisional is not None:
        flags = func.coalesce(listed.c.flags, PROVISIONAL).bitwise_and(PROVISIONAL)
        statement = statement.where(flags != 0 if filters.provisional else flags == 0)
    return statement


def _contains(column: ColumnElement[str], words: str) -> ColumnElement[bool]:
    escaped = words.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return func.lower(column).like(f"%{escaped}%", escape="\\")


def _listed(source: Source, order: Order) -> Subquery:
    if source.closed:
        return _of_closed(source, order).subquery()
    return (_by_points(source) if order is Order.POINTS else _by_index(source, order)).subquery()


_NAME = func.coalesce(players.c.alias, players.c.name, players.c.id).label("name")


def _of_closed(source: Source, order: Order) -> Select[Any]:
    """As the week was published."""
    place, moved = ratings.c[f"{order}_rank"], ratings.c[f"{order}_moved"]
    last = ratings.alias("last")
    before = select(snapshots.c.before).where(snapshots.c.id == source.snapshot).scalar_subquery()
    return (
        select(
            place.label("place"),
            ratings.c.player,
            moved.label("moved"),
            players.c.id,
            _NAME,
            *(ratings.c[name] for name in ("rate", "joint_index", "joint_bar", "flags", "points", "boards")),
            ratings.c.total_boards,
            last.c.points.label("last_points"),
            last.c.boards.label("last_boards"),
        )
        .join(players, players.c.number == ratings.c.player)
        .join(last, and_(last.c.snapshot == before, last.c.player == ratings.c.player), isouter=True)
        .where(ratings.c.snapshot == source.snapshot, place > 0, ~players.c.hidden)
    )


def _by_index(source: Source, order: Order) -> Select[Any]:
    """By the ratings of the last closed week, with what has happened in this one."""
    place, moved = ratings.c[f"{order}_rank"], ratings.c[f"{order}_moved"]
    this, last = week_totals.alias("this"), week_totals.alias("last")
    boards = func.coalesce(this.c.boards, 0)
    return (
        select(
            place.label("place"),
            ratings.c.player,
            moved.label("moved"),
            players.c.id,
            _NAME,
            *(ratings.c[name] for name in ("rate", "joint_index", "joint_bar", "flags")),
            func.coalesce(this.c.points, 0).label("points"),
            boards.label("boards"),
            (ratings.c.total_boards + boards).label("total_boards"),
            last.c.points.label("last_points"),
            last.c.boards.label("last_boards"),
        )
        .join(players, players.c.number == ratings.c.player)
        .join(this, _of_week(this, source.week, source, ratings.c.player), isouter=True)
        .join(last, _of_week(last, source.week_before, source, ratings.c.player), isouter=True)
        .where(ratings.c.snapshot == source.snapshot, place > 0, ~players.c.hidden)
    )


def _by_points(source: Source) -> Select[Any]:
    """By the points of a week that is not closed."""
    this, last = week_totals.alias("this"), week_totals.alias("last")
    rated = and_(ratings.c.snapshot == source.snapshot, ratings.c.player == this.c.player)
    place = func.rank().over(order_by=this.c.points.desc())
    moved = func.nullif(ratings.c.points_rank, 0) - place if source.snapshot is not None else null()
    return (
        select(
            place.label("place"),
            this.c.player,
            moved.label("moved"),
            players.c.id,
            _NAME,
            *(ratings.c[name] for name in ("rate", "joint_index", "joint_bar", "flags")),
            this.c.points,
            this.c.boards,
            (func.coalesce(ratings.c.total_boards, 0) + this.c.boards).label("total_boards"),
            last.c.points.label("last_points"),
            last.c.boards.label("last_boards"),
        )
        .select_from(this)
        .join(players, players.c.number == this.c.player)
        .join(ratings, rated, isouter=True)
        .join(last, _of_week(last, source.week_before, source, this.c.player), isouter=True)
        .where(this.c.week == source.week, this.c.pool == source.pool, this.c.boards > 0, ~players.c.hidden)
    )


def _of_week(table: Any, week: str, source: Source, player: ColumnElement[int]) -> ColumnElement[bool]:
    return and_(table.c.week == week, table.c.pool == source.pool, table.c.player == player)
