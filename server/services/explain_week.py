"""Why a player's week came to what it did: each board Rate, each line of points, and how they add up."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.rating import Rules
from server.bridge.week import Week, WeekState
from server.services import explain_week_tables
from server.services.closing_steps import rules_of
from server.services.errors import WeekNotFound
from server.services.explain_duplicate import Duplicates, duplicates
from server.services.explain_week_lines import LineSums, RatedBy, sums, week_lines
from server.services.explain_week_tables import BoardLine, field_table
from server.services.figures import PlayerFigures
from server.services.secrecy import Reader, Secrecy
from server.services.tokens import Scope
from server.services.weeks import WeekStatus, late_from, status_of
from server.storage import boards, disconnects, players, ratings, weeks
from server.storage.boards import Board
from server.storage.players import Player
from server.storage.ratings import Rating, SnapshotRow


@dataclass(frozen=True, slots=True)
class PublishedWeek:
    """A player's figures of the week's published revision, with what they were computed from."""

    rules: Rules
    before: Rating | None  # his row of the week before; None: he was new
    rating: Rating


@dataclass(frozen=True, slots=True)
class WeekExplained:
    """A player's week: its lines as they are now, and the figures that were published of it."""

    player: Player
    status: WeekStatus
    pool: str
    lines: tuple[BoardLine, ...]  # of boards that the reader may see
    hidden_boards: int  # whose lines are left out: somebody may still play them
    published: PublishedWeek | None  # None: the week is not rated, or he had no part in that revision
    changed: bool  # something changed since that revision: it is to be rated again
    duplicate: Duplicates

    @property
    def sums(self) -> LineSums:
        """What the lines come to; the published figures, unless lines are left out or something changed."""
        return sums(self.lines)


@dataclass(frozen=True, slots=True)
class TableRated:
    """A result as the ratings of its week see it."""

    snapshot: SnapshotRow
    lines: tuple[BoardLine, ...]  # of N, E, S, W


@dataclass(frozen=True, slots=True)
class WeekExplainer:
    """Explains weeks of this installation."""

    figures: PlayerFigures
    secrecy: Secrecy

    async def explain(self, name: str, week: Week, pool: str, reader: Reader, now: datetime) -> WeekExplained:
        """A player's week as far as the reader may see it.

        Raises PlayerNotFound, UnknownPool, WeekNotFound, ScopeMissing.
        """

        def query(connection: Connection) -> WeekExplained:
            hidden_too = reader.caller.may(Scope.RESULTS)
            player = self.figures.named(connection, name, pool, hidden_too)
            status = status_of(connection, week, pool, now, self.secrecy.zone)
            return self._explain(connection, player, status, pool, reader, now)

        return await self.figures.database.read(query)

    async def tables(self, board: Board, sequence: int) -> TableRated | None:
        """How the week's ratings see a result; None as long as its week is not rated, or without such."""

        def query(connection: Connection) -> TableRated | None:
            return _table_rated(connection, board, sequence)

        return await self.figures.database.read(query)

    def _explain(
        self,
        connection: Connection,
        player: Player,
        status: WeekStatus,
        pool: str,
        reader: Reader,
        now: datetime,
    ) -> WeekExplained:
        row = weeks.get(connection, str(status.week), pool)
        if not _known(connection, status, pool):
            raise WeekNotFound(f"week {status.week} of pool {pool}")
        by = None if row.snapshot is None else _rated_by(connection, row.snapshot)
        changed = by is not None and status.state is not WeekState.CLOSED
        published = None if by is None else _published(connection, by, player)
        duplicate = duplicates(connection, player, status.week, pool, self.secrecy, reader, now)
        known = duplicate.lines or duplicate.hidden_boards  # of results that came too late to be rated
        if by is not None and published is None and not changed and not known:
            raise WeekNotFound(f"a rated week {status.week} of {player.id}")
        over = status.state is not WeekState.OPEN
        lines = week_lines(connection, player, row, by, over)
        shown = [line for line in lines if self.secrecy.open_to(connection, line.board, reader, now)]
        hidden = len(lines) - len(shown)  # a player has one line of a board
        return WeekExplained(player, status, pool, tuple(shown), hidden, published, changed, duplicate)


def _known(connection: Connection, status: WeekStatus, pool: str) -> bool:
    """Whether there is anything to be told of the week: it is open, was rated, or had boards."""
    if status.state is WeekState.OPEN or status.revision:
        return True
    return status.state is not WeekState.FUTURE and boards.set_exists(connection, str(status.week), pool)


def _rated_by(connection: Connection, snapshot: int) -> RatedBy:
    found = ratings.get(connection, snapshot)
    return RatedBy(found, rules_of(found))


def _published(connection: Connection, by: RatedBy, player: Player) -> PublishedWeek | None:
    rating = ratings.row_of(connection, by.snapshot.id, player.number)
    if rating is None:
        return None
    before = by.rates(connection, [player.number]).known.get(player.number)
    return PublishedWeek(by.rules, before, rating)


def _table_rated(connection: Connection, board: Board, sequence: int) -> TableRated | None:
    if board.week is None or board.pool is None:
        return None
    row = weeks.get(connection, str(board.week), board.pool)
    late = late_from(row)
    table = None if row.snapshot is None else field_table(connection, (board.id, sequence), late)
    if row.snapshot is None or table is None:
        return None
    by = _rated_by(connection, row.snapshot)
    people, rates = players.by_number(connection, table.seats), by.rates(connection, table.seats)
    gone = {
        each.player: each
        for each in disconnects.of_board(connection, board.id)
        if each.live and each.received_at < late
    }
    lines = (
        explain_week_tables.finished(number, table, people, rates, gone.get(number)) for number in table.seats
    )
    return TableRated(by.snapshot, tuple(lines))
