"""Leaderboards: who is on a list, and what it shows of him."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    func,
    null,
    or_,
    select,
    text,
)

from server.storage import columns, sets
from server.storage.columns import Column, Numbers
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
    official_joint: bool = False  # the joint index is the one that counts


@dataclass(frozen=True, slots=True)
class Filters:
    """Which of the players are shown. Their places stay those of the whole list."""

    min_boards: int = 0  # of the week
    words: str = ""  # in the id, name or alias
    provisional: bool | None = None  # only those whose index rests on few boards, or only the others
    lowest: float | None = None  # official index
    highest: float | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A player on a list."""

    place: int
    player: int
    moved: int | None  # places won since last week; None: not known, or by index before the week is rated
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


def standing(connection: Connection, snapshot: int, order: Order) -> Numbers:
    """Everybody with a place in a snapshot: player, place, boards of its week, flags; in no special order."""
    names = ("player", f"{order}_rank", "boards", "flags")
    return columns.whole(connection, names, _PLACED.format(order), {"snapshot": snapshot})


def totals(connection: Connection, week: str, pool: str) -> Numbers:
    """Everybody with boards in a week: player, points in ten-thousandths, boards; in no special order."""
    return columns.whole(connection, ("player", "points", "boards"), _PLAYED, {"week": week, "pool": pool})


_PLACED = "ratings WHERE snapshot = :snapshot AND {}_rank > 0"
_PLAYED = "week_totals WHERE week = :week AND pool = :pool AND boards > 0"


def named(connection: Connection, words: str) -> list[int]:
    """Players with the words in their id or name; those who are hidden too."""
    inside = or_(_contains(players.c.id, words), _contains(_NAME, words))
    return list(connection.execute(select(players.c.number).where(inside)).scalars())


def indexes(connection: Connection, snapshot: int, joint: bool) -> tuple[Numbers, Column]:
    """Everybody of a snapshot, in order of number, with his index: the joint one where there is any."""
    index = "coalesce(joint_index, rate)" if joint else "rate"
    given = {"snapshot": snapshot}
    player, found = columns.floats(connection, ("player", index), "ratings WHERE snapshot = :snapshot", given)
    return player.astype(np.int64), found


def entries(
    connection: Connection, source: Source, order: Order, numbers: Sequence[int] | None
) -> dict[int, Entry]:
    """What a list shows of some players, or of everybody who may be on it; their places are left open.

    Of a week that is not closed, by points, ``moved`` is the place on the list of the week before.
    """
    statement, player = _of(source, order)
    named = {}
    if numbers is not None:
        statement = statement.where(text(f"{player} IN {sets.elements(connection, 'numbers')}"))
        named["numbers"] = sets.as_json(numbers)
    return {row.player: Entry(0, *row) for row in connection.execute(statement, named)}


def _contains(column: ColumnElement[str], words: str) -> ColumnElement[bool]:
    escaped = words.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return func.lower(column).like(f"%{escaped}%", escape="\\")


def _of(source: Source, order: Order) -> tuple[Select[Any], str]:
    """The rows of a list, and which column is the player's."""
    if source.closed:
        return _of_closed(source, order), "ratings.player"
    if order is Order.POINTS:
        return _by_points(source), "this.player"
    return _by_index(source), "ratings.player"


_NAME = func.coalesce(players.c.alias, players.c.name, players.c.id).label("name")


def _of_closed(source: Source, order: Order) -> Select[Any]:
    """As the week was published."""
    moved = ratings.c[f"{order}_moved"]
    last = ratings.alias("last")
    before = select(snapshots.c.before).where(snapshots.c.id == source.snapshot).scalar_subquery()
    return (
        select(
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
        .where(ratings.c.snapshot == source.snapshot)
    )


def _by_index(source: Source) -> Select[Any]:
    """By the ratings of the last closed week, with what has happened in this one. Nobody has moved yet."""
    this, last = week_totals.alias("this"), week_totals.alias("last")
    boards = func.coalesce(this.c.boards, 0)
    return (
        select(
            ratings.c.player,
            null().label("moved"),
            players.c.id,
            _NAME,
            *(ratings.c[name] for name in ("rate", "joint_index", "joint_bar", "flags")),
            func.coalesce(this.c.points, 0).label("points"),
            boards.label("boards"),
            (ratings.c.total_boards + _since(source, ratings.c.player)).label("total_boards"),
            last.c.points.label("last_points"),
            last.c.boards.label("last_boards"),
        )
        .join(players, players.c.number == ratings.c.player)
        .join(this, _of_week(this, source.week, source, ratings.c.player), isouter=True)
        .join(last, _of_week(last, source.week_before, source, ratings.c.player), isouter=True)
        .where(ratings.c.snapshot == source.snapshot)
    )


def _by_points(source: Source) -> Select[Any]:
    """By the points of a week that is not closed."""
    this, last = week_totals.alias("this"), week_totals.alias("last")
    rated = and_(ratings.c.snapshot == source.snapshot, ratings.c.player == this.c.player)
    return (
        select(
            this.c.player,
            func.nullif(ratings.c.points_rank, 0).label("moved"),
            players.c.id,
            _NAME,
            *(ratings.c[name] for name in ("rate", "joint_index", "joint_bar", "flags")),
            this.c.points,
            this.c.boards,
            (func.coalesce(ratings.c.total_boards, 0) + _since(source, this.c.player)).label("total_boards"),
            last.c.points.label("last_points"),
            last.c.boards.label("last_boards"),
        )
        .select_from(this)
        .join(players, players.c.number == this.c.player)
        .join(ratings, rated, isouter=True)
        .join(last, _of_week(last, source.week_before, source, this.c.player), isouter=True)
        .where(this.c.week == source.week, this.c.pool == source.pool)
    )


def _since(source: Source, player: ColumnElement[int]) -> ColumnElement[int]:
    """Boards of a player since the snapshot: a week may be over and not rated yet."""
    some = week_totals.alias("since")
    rated = select(snapshots.c.week).where(snapshots.c.id == source.snapshot).scalar_subquery()
    mine = and_(some.c.player == player, some.c.pool == source.pool, some.c.week <= source.week)
    found = select(func.coalesce(func.sum(some.c.boards), 0)).where(
        mine, some.c.week > func.coalesce(rated, "")
    )
    return found.correlate_except(some, snapshots).scalar_subquery()


def _of_week(table: Any, week: str, source: Source, player: ColumnElement[int]) -> ColumnElement[bool]:
    return and_(table.c.week == week, table.c.pool == source.pool, table.c.player == player)
