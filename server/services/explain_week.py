"""Why a player's week came to what it did: each board Rate, each line of points, and how they add up."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np
from sqlalchemy import Connection

from server.bridge.field_bulk import field_scores
from server.bridge.five_figures import POINT, line
from server.bridge.pool import ScoringMethod
from server.bridge.rated import NotRated
from server.bridge.rating import Rules
from server.bridge.rating_classic import BoardRates, board_rates
from server.bridge.week import Week
from server.services.closing_steps import rules_of
from server.services.errors import NotRevealed, WeekNotFound
from server.services.figures import PlayerFigures
from server.services.secrecy import Secrecy
from server.services.tallies import penalty_of, rated_players
from server.services.weeks import late_from
from server.storage import boards, disconnects, players, ratings, results, weeks
from server.storage.boards import Board
from server.storage.players import Player
from server.storage.ratings import Rating, SnapshotRow
from server.storage.results import Result

SeatLetter = Literal["N", "E", "S", "W"]
SEATS: tuple[SeatLetter, ...] = ("N", "E", "S", "W")


@dataclass(frozen=True, slots=True)
class BoardLine:
    """What one board did to a player's week."""

    board: Board
    sequence: int | None  # of the result; None: nobody finished
    seat: SeatLetter | None
    people: tuple[Player, ...]  # N, E, S, W
    left: bool  # he disconnected
    points: int  # ten-thousandths
    x: float | None  # field score of NS in IMPs as it is rated; None: not scored
    rates: BoardRates | None  # the arithmetic of the table
    board_rate: float | None  # that enters the mean; None: none
    reason: NotRated | None  # why there is none


@dataclass(frozen=True, slots=True)
class WeekExplained:
    """A player's week, with everything that it was computed from."""

    player: Player
    snapshot: SnapshotRow
    rules: Rules
    before: Rating | None  # his row of the week before; None: he was new
    rating: Rating
    lines: tuple[BoardLine, ...]
    other_zeros: int  # Rates of 0 for boards that a partner abandoned


@dataclass(frozen=True, slots=True)
class TableRated:
    """A result as the ratings of its week see it."""

    snapshot: SnapshotRow
    lines: tuple[BoardLine, ...]  # of N, E, S, W


@dataclass(frozen=True, slots=True)
class _Table:
    """One result of the week, with what it is rated by."""

    board: Board
    result: Result
    seats: tuple[int, ...]  # numbers of those rated in N, E, S, W
    x: float | None
    ns: int | None  # field scores of the sides in hundredths
    ew: int | None


@dataclass(frozen=True, slots=True)
class WeekExplainer:
    """Explains weeks of this installation."""

    figures: PlayerFigures
    secrecy: Secrecy

    async def explain(
        self, name: str, week: Week, pool: str, hidden_too: bool, now: datetime
    ) -> WeekExplained:
        """A closed week of a player. Raises PlayerNotFound, UnknownPool, WeekNotFound, NotRevealed."""
        if now < week.closes_at(self.secrecy.zone) + self.secrecy.after_close:
            raise NotRevealed

        def query(connection: Connection) -> WeekExplained:
            player = self.figures.named(connection, name, pool, hidden_too)
            return self._explain(connection, player, week, pool)

        return await self.figures.database.read(query)

    async def tables(self, board: Board, sequence: int) -> "TableRated | None":
        """How the week's ratings see a result; None as long as its week is not rated, or without such."""

        def query(connection: Connection) -> TableRated | None:
            return self._table(connection, board, sequence)

        return await self.figures.database.read(query)

    def _table(self, connection: Connection, board: Board, sequence: int) -> "TableRated | None":
        if board.week is None or board.pool is None:
            return None
        row = weeks.get(connection, str(board.week), board.pool)
        late = late_from(row)
        table = None if row.snapshot is None else _table(connection, (board.id, sequence), late)
        if row.snapshot is None or table is None:
            return None
        snapshot = ratings.get(connection, row.snapshot)
        people = players.by_number(connection, table.seats)
        known, rules = _before(connection, snapshot, people), rules_of(snapshot)
        gone = {number for number, at in disconnects.left(connection, board.id).items() if at < late}
        lines = (_line(people[number], table, number in gone, people, known, rules) for number in table.seats)
        return TableRated(snapshot, tuple(lines))

    def _explain(self, connection: Connection, player: Player, week: Week, pool: str) -> WeekExplained:
        row = weeks.get(connection, str(week), pool)
        rating = None if row.snapshot is None else ratings.row_of(connection, row.snapshot, player.number)
        if row.snapshot is None or rating is None:
            raise WeekNotFound(f"a rated week {week} of {player.id}")
        snapshot = ratings.get(connection, row.snapshot)
        rules, late = rules_of(snapshot), late_from(row)
        lines = tuple(_lines(connection, player, snapshot, rules, late))
        before = _before(connection, snapshot, (player.number,)).get(player.number)
        zeros = rating.week_rated - sum(each.board_rate is not None for each in lines)
        return WeekExplained(player, snapshot, rules, before, rating, lines, zeros)


def _before(connection: Connection, snapshot: SnapshotRow, numbers: Iterable[int]) -> dict[int, Rating]:
    """Rows of the week before, of those who had one."""
    return {} if snapshot.before is None else ratings.rows_of(connection, snapshot.before, numbers)


def _lines(
    connection: Connection, player: Player, snapshot: SnapshotRow, rules: Rules, late: datetime
) -> Iterator[BoardLine]:
    played = results.of_player(connection, player.number, snapshot.week, snapshot.pool)
    gone = disconnects.left_by(connection, player.number, snapshot.week, snapshot.pool, late)
    tables = [table for named in played if (table := _table(connection, named, late)) is not None]
    people = players.by_number(connection, {number for table in tables for number in table.seats})
    known = _before(connection, snapshot, people)
    for table in tables:
        yield _line(player, table, table.board.id in gone, people, known, rules)
    finished = {table.board.id for table in tables}
    for number in gone:
        board = boards.get(connection, number)
        if board is not None and number not in finished and board.withdrawn_at is None:
            points = -POINT * penalty_of(board.terms.method)
            yield BoardLine(board, None, None, (), True, points, None, None, 0.0, None)


def _table(connection: Connection, named: tuple[int, int], late: datetime) -> _Table | None:
    """One result of the week with its field score; None when it was withdrawn or came late."""
    board, sequence = boards.get(connection, named[0]), named[1]
    if board is None or board.withdrawn_at is not None:
        return None
    timely = [
        each for each in results.of_board(connection, board.id) if each.live and each.received_at < late
    ]
    index = next((i for i, each in enumerate(timely) if each.sequence == sequence), None)
    if index is None:
        return None
    scores = np.array([each.score for each in timely])
    found = field_scores(np.zeros(len(timely), np.int64), scores, [boards.terms_of(board)])
    scored = bool(found.scored[index])
    return _Table(
        board,
        timely[index],
        rated_players(timely[index]),
        float(found.x[index]) if scored else None,
        int(found.ns[index]) if scored else None,
        int(found.ew[index]) if scored else None,
    )


def _line(
    player: Player,
    table: _Table,
    left: bool,
    people: Mapping[int, Player],
    known: Mapping[int, Rating],
    rules: Rules,
) -> BoardLine:
    seated = tuple(people[number] for number in table.seats)
    seat = table.seats.index(player.number) if player.number in table.seats else None
    rates = None
    if table.x is not None:
        north, east, south, west = (_rate(known.get(number), rules) for number in table.seats)
        rates = board_rates((north, south, east, west), table.x, rules.algorithm)
    reason = _reason(table, seat, known, rules)
    own = None
    if left:
        own, reason = 0.0, None
    elif rates is not None and reason is None and seat is not None:
        own = dict(zip("NSEW", rates.board_rates, strict=True))[SEATS[seat]]
    return BoardLine(
        table.board,
        table.result.sequence,
        None if seat is None else SEATS[seat],
        seated,
        left,
        _points(table, seat, left),
        table.x,
        rates,
        own,
        reason,
    )


def _rate(row: Rating | None, rules: Rules) -> float:
    return rules.algorithm.classic.start if row is None else row.rate


def _reason(table: _Table, seat: int | None, known: Mapping[int, Rating], rules: Rules) -> NotRated | None:
    if seat is None:
        return NotRated.SUBSTITUTE
    if table.x is None:
        return NotRated.TOO_FEW_RESULTS
    settled = [number in known and known[number].rated >= rules.shield_boards for number in table.seats]
    return NotRated.NEWCOMER_AT_TABLE if settled[seat] and not all(settled) else None


def _points(table: _Table, seat: int | None, left: bool) -> int:
    method = table.board.terms.method
    if left:
        return -POINT * penalty_of(method)
    own = None if seat is None else table.ns if seat % 2 == 0 else table.ew
    return 0 if own is None else line(own, method is ScoringMethod.MATCHPOINTS)
