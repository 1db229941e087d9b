"""The figures of a player: the five, the older duplicate figures, and what each week was."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.five_figures import DuplicateFigures, average
from server.bridge.pool import Pool
from server.bridge.rating import FIRST, Estimator
from server.bridge.week import week_of
from server.services.closing_steps import has_joint, rules_of
from server.services.errors import PlayerNotFound, UnknownPool
from server.storage import players, ratings, tallies
from server.storage.database import Database
from server.storage.players import Player
from server.storage.ratings import Rating, SnapshotRow
from server.storage.tallies import Total


@dataclass(frozen=True, slots=True)
class PlayedWeek:
    """A closed week of a player."""

    snapshot: SnapshotRow
    rating: Rating
    average: Fraction | None  # points a board

    @property
    def skill_index(self) -> float:
        """By the estimator that was the official one then."""
        official = rules_of(self.snapshot).official
        joint = self.rating.joint_index
        return self.rating.rate if official is Estimator.CLASSIC or joint is None else joint

    @property
    def skill_error(self) -> float | None:
        """One standard deviation of the skill index; None where it is the classic one, whose nobody knows."""
        official = rules_of(self.snapshot).official
        return None if official is Estimator.CLASSIC else self.rating.joint_bar


@dataclass(frozen=True, slots=True)
class Figures:
    """What a player's page begins with."""

    player: Player
    pool: str
    last: PlayedWeek | None  # his newest rating; None: not rated yet
    has_joint: bool
    week_points: int  # ten-thousandths
    week_boards: int
    total_boards: int
    last_week_average: Fraction | None
    duplicate: DuplicateFigures
    last_week: Total | None  # of which that is the average
    totals: tuple[Total, ...]  # of every week, the newest first

    @property
    def skill_index(self) -> float:
        """The official index; where he begins as long as he is not rated."""
        return FIRST.classic.start if self.last is None else self.last.skill_index

    @property
    def skill_error(self) -> float | None:
        """One standard deviation of that index; None where it has none."""
        return None if self.last is None else self.last.skill_error

    @property
    def provisional(self) -> bool:
        """The index rests on few boards."""
        return self.last is None or self.last.rating.provisional


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """Reads figures of this installation."""

    database: Database
    zone: ZoneInfo
    pools: Mapping[str, Pool]

    async def figures(self, name: str, pool: str, now: datetime, hidden_too: bool) -> Figures:
        """A player's figures in a pool. Raises PlayerNotFound, UnknownPool."""

        def query(connection: Connection) -> Figures:
            player = self.named(connection, name, pool, hidden_too)
            return self._figures(connection, player, pool, now)

        return await self.database.read(query)

    async def weeks(self, name: str, pool: str, hidden_too: bool) -> tuple[Player, list[PlayedWeek]]:
        """Every closed week of a player, newest first. Raises PlayerNotFound, UnknownPool."""

        def query(connection: Connection) -> tuple[Player, list[PlayedWeek]]:
            player = self.named(connection, name, pool, hidden_too)
            return player, _weeks(connection, player, pool)

        return await self.database.read(query)

    def named(self, connection: Connection, name: str, pool: str, hidden_too: bool) -> Player:
        """The player with this id. Raises PlayerNotFound, UnknownPool."""
        if pool not in self.pools:
            raise UnknownPool("?pool", f"no pool is called {pool!r}")
        player = players.find(connection, [name]).get(name)
        if player is None or (player.hidden and not hidden_too):
            raise PlayerNotFound(name)
        return player

    def _figures(self, connection: Connection, player: Player, pool: str, now: datetime) -> Figures:
        totals = {total.week: total for total in tallies.of_player(connection, player.number, pool)}
        last = next(iter(_weeks(connection, player, pool)), None)
        open_week = week_of(now, self.zone)
        this, before = totals.get(str(open_week)), totals.get(str(open_week.plus(-1)))
        rated = "" if last is None else last.snapshot.week
        since = sum(total.boards for week, total in totals.items() if week > rated)
        return Figures(
            player,
            pool,
            last,
            has_joint(self.pools[pool]),
            this.points if this else 0,
            this.boards if this else 0,
            (last.rating.total_boards if last else 0) + since,
            average(before.points, before.boards) if before else None,
            DuplicateFigures(
                sum(total.duplicate for total in totals.values()),
                sum(total.won for total in totals.values()),
                sum(total.drawn for total in totals.values()),
                sum(total.lost for total in totals.values()),
            ),
            before if before is not None and before.boards else None,
            tuple(totals[week] for week in sorted(totals, reverse=True)),
        )


def _weeks(connection: Connection, player: Player, pool: str) -> list[PlayedWeek]:
    return [
        PlayedWeek(snapshot, rating, average(rating.points, rating.boards))
        for snapshot, rating in ratings.of_player(connection, player.number, pool)
    ]
