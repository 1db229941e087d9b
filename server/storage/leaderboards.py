"""Leaderboards: players in order of place, with what a list shows of each.

First the players of a page are chosen, mostly from an index alone; what is shown is read of these only.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Subquery, and_, func, null, or_, select, text

from server.bridge.rating import FIRST
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
    official_joint: bool = False  # the joint index is the one that counts


@dataclass(frozen=True, slots=True)
class Filters:
    """Which of the players are shown. Their places stay those of the whole list."""

    min_boards: int = 0  # of the week
    words: str = ""  # in the id, name or alias
    provisional: bool | None = None  # only those whose index rests on few boards, or only the others
    lowest: float | None = None  # official index
    highest: float | None = None


_EVERYBODY = Filters()


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
    place, player, statement = _chosen(source, order, filters)
    chosen = statement.order_by(place, player).offset(offset).limit(limit).subquery("chosen")
    told = _told(source, order, chosen).order_by(chosen.c.place, chosen.c.player)
    return [Entry(*row) for row in connection.execute(told)]


def count(connection: Connection, source: Source, order: Order, filters: Filters) -> int:
    """How many entries there are."""
    _, _, statement = _chosen(source, order, filters, ranked=False)
    counted = statement.with_only_columns(func.count(), maintain_column_froms=True)
    return int(connection.execute(counted).scalar_one())


def position(
    connection: Connection, source: Source, order: Order, filters: Filters, player: int
) -> int | None:
    """How many entries stand before the player; None when he is not on the list."""
    place, who, statement = _chosen(source, order, _EVERYBODY, ranked=False)
    own = connection.execute(statement.where(who == player)).first()
    if own is None:
        return None
    place, who, statement = _chosen(source, order, filters, ranked=False)
    before = or_(place < own[0], and_(place == own[0], who < player))
    counted = statement.where(before).with_only_columns(func.count(), maintain_column_froms=True)
    return int(connection.execute(counted).scalar_one())


_Chosen = tuple[ColumnElement[int], ColumnElement[int], Select[Any]]


def _chosen(source: Source, order: Order, filters: Filters, ranked: bool = True) -> _Chosen:
    """Place and player of whom the filters let pass; not ``ranked``: something in the order of the places."""
    if order is Order.POINTS and not source.closed:
        place, player, statement = _by_points(source, filters, ranked)
    else:
        place, player, statement = _by_index(source, order, filters)
    if filters.words:
        statement = statement.join(players, players.c.number == player)
        statement = statement.where(or_(*(_contains(each, filters.words) for each in (players.c.id, _NAME))))
    if filters.provisional is not None:
        flags = func.coalesce(ratings.c.flags, PROVISIONAL).bitwise_and(PROVISIONAL)
        statement = statement.where(flags != 0 if filters.provisional else flags == 0)
    index = func.coalesce(ratings.c.rate, FIRST.classic.start)
    if source.official_joint:
        index = func.coalesce(ratings.c.joint_index, index)
    if filters.lowest is not None:
        statement = statement.where(index >= filters.lowest)
    if filters.highest is not None:
        statement = statement.where(index <= filters.highest)
    return place, player, statement


def _by_index(source: Source, order: Order, filters: Filters) -> _Chosen:
    """By the places of a snapshot."""
    place, player = ratings.c[f"{order}_rank"], ratings.c.player
    statement = select(place.label("place"), player).where(
        ratings.c.snapshot == source.snapshot, place > 0, player.not_in(_HIDDEN)
    )
    if filters.min_boards and source.closed:
        statement = statement.where(ratings.c.boards >= filters.min_boards)
    elif filters.min_boards:
        statement = statement.join(week_totals, _of_week(week_totals, source.week, source, player))
        statement = statement.where(week_totals.c.boards >= filters.min_boards)
    return place, player, statement


def _by_points(source: Source, filters: Filters, ranked: bool) -> _Chosen:
    """By the points of a week that is not closed."""
    points = week_totals.c.points
    place: ColumnElement[int] = func.rank().over(order_by=points.desc()) if ranked else -points
    listed = (
        select(place.label("place"), week_totals.c.player, week_totals.c.boards)
        .where(week_totals.c.week == source.week, week_totals.c.pool == source.pool)
        .where(week_totals.c.boards > 0, week_totals.c.player.not_in(_HIDDEN))
        .subquery("listed")
    )
    statement = select(listed.c.place, listed.c.player)
    if filters.min_boards:
        statement = statement.where(listed.c.boards >= filters.min_boards)
    if filters.provisional is not None or filters.lowest is not None or filters.highest is not None:
        statement = statement.join(ratings, _rated(source, listed.c.player), isouter=True)
    return listed.c.place, listed.c.player, statement


_HIDDEN = select(players.c.number).where(text("players.hidden"))
_NAME = func.coalesce(players.c.alias, players.c.name, players.c.id).label("name")


def _contains(column: ColumnElement[str], words: str) -> ColumnElement[bool]:
    return func.lower(column).contains(words.lower(), autoescape=True)


def _told(source: Source, order: Order, chosen: Subquery) -> Select[Any]:
    """What a list shows of those who were chosen."""
    return (_told_closed if source.closed else _told_live)(source, order, chosen)


def _told_closed(source: Source, order: Order, chosen: Subquery) -> Select[Any]:
    """As the week was published."""
    last = ratings.alias("last")
    before = select(snapshots.c.before).where(snapshots.c.id == source.snapshot).scalar_subquery()
    return (
        select(
            chosen.c.place,
            chosen.c.player,
            ratings.c[f"{order}_moved"],
            players.c.id,
            _NAME,
            *(ratings.c[name] for name in ("rate", "joint_index", "joint_bar", "flags", "points", "boards")),
            ratings.c.total_boards,
            last.c.points,
            last.c.boards,
        )
        .select_from(chosen)
        .join(ratings, _rated(source, chosen.c.player))
        .join(players, players.c.number == chosen.c.player)
        .join(last, and_(last.c.snapshot == before, last.c.player == chosen.c.player), isouter=True)
    )


def _told_live(source: Source, order: Order, chosen: Subquery) -> Select[Any]:
    """With what has happened in a week that is not closed."""
    this, last = week_totals.alias("this"), week_totals.alias("last")
    boards = func.coalesce(this.c.boards, 0)
    moved: ColumnElement[Any] = ratings.c[f"{order}_moved"]
    if order is Order.POINTS:
        rank = func.nullif(ratings.c.points_rank, 0)
        moved = null() if source.snapshot is None else rank - chosen.c.place
    return (
        select(
            chosen.c.place,
            chosen.c.player,
            moved,
            players.c.id,
            _NAME,
            *(ratings.c[name] for name in ("rate", "joint_index", "joint_bar", "flags")),
            func.coalesce(this.c.points, 0),
            boards,
            func.coalesce(ratings.c.total_boards, 0) + boards,
            last.c.points,
            last.c.boards,
        )
        .select_from(chosen)
        .join(players, players.c.number == chosen.c.player)
        .join(ratings, _rated(source, chosen.c.player), isouter=True)
        .join(this, _of_week(this, source.week, source, chosen.c.player), isouter=True)
        .join(last, _of_week(last, source.week_before, source, chosen.c.player), isouter=True)
    )


def _rated(source: Source, player: ColumnElement[int]) -> ColumnElement[bool]:
    return and_(ratings.c.snapshot == source.snapshot, ratings.c.player == player)


def _of_week(table: Any, week: str, source: Source, player: ColumnElement[int]) -> ColumnElement[bool]:
    return and_(table.c.week == week, table.c.pool == source.pool, table.c.player == player)
