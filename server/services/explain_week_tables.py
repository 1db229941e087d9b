"""What one table, or one abandoned board, did to a player's week: its points and its board Rate."""

from collections.abc import Mapping
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
from server.services.tallies import penalty_of, rated_players
from server.storage import boards, results
from server.storage.boards import Board
from server.storage.disconnects import Disconnect
from server.storage.players import Player
from server.storage.ratings import Rating
from server.storage.results import Result

SeatLetter = Literal["N", "E", "S", "W"]
SEATS: tuple[SeatLetter, ...] = ("N", "E", "S", "W")


@dataclass(frozen=True, slots=True)
class BoardLine:
    """What one board did to a player's week."""

    board: Board
    sequence: int | None  # of the result; None: nobody finished
    seat: SeatLetter | None
    people: tuple[Player, ...]  # N, E, S, W; nobody where an early version did not keep them
    disconnect: Disconnect | None  # his own, or his partner's that cost him a Rate of 0
    left: bool  # he disconnected
    points: int  # ten-thousandths
    boards: int  # that it adds to the boards of his week: 0 or 1
    x: float | None = None  # field score of NS in IMPs as it is rated; None: not scored
    rates: BoardRates | None = None  # the arithmetic of the table
    board_rate: float | None = None  # that enters the mean; None: none
    reason: NotRated | None = None  # why there is none; None also as long as the week is not rated

    @property
    def leaver(self) -> Player | None:
        """The partner who abandoned the board; None for every other line."""
        if self.disconnect is None or self.left:
            return None
        return next((each for each in self.people if each.number == self.disconnect.player), None)


@dataclass(frozen=True, slots=True)
class FieldTable:
    """One result of a week, with what it is worth against its field."""

    board: Board
    result: Result
    seats: tuple[int, ...]  # numbers of those rated in N, E, S, W
    x: float | None
    ns: int | None  # field scores of the sides in hundredths
    ew: int | None


@dataclass(frozen=True, slots=True)
class Rates:
    """What the tables of a week are rated by."""

    rules: Rules
    known: Mapping[int, Rating]  # rows of the week before, of those who had one

    def of(self, player: int) -> float:
        """The Rate that a player brought into the week."""
        row = self.known.get(player)
        return self.rules.algorithm.classic.start if row is None else row.rate

    def settled(self, player: int) -> bool:
        """Whether he is no newcomer to the shield any more."""
        row = self.known.get(player)
        return (0 if row is None else row.rated) >= self.rules.shield_boards


def field_table(connection: Connection, named: tuple[int, int], late: datetime) -> FieldTable | None:
    """A result (board, sequence) with its field score; None when it does not stand or came late."""
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
    return FieldTable(
        board,
        timely[index],
        rated_players(timely[index]),
        float(found.x[index]) if scored else None,
        int(found.ns[index]) if scored else None,
        int(found.ew[index]) if scored else None,
    )


def finished(
    player: int,
    table: FieldTable,
    people: Mapping[int, Player],
    rates: Rates | None,
    gone: Disconnect | None,
    over: bool = True,
) -> BoardLine:
    """A player's line of a table, without Rates as long as its week is not rated.

    ``gone``: he disconnected there; ``over``: the week has ended.
    """
    seat = table.seats.index(player) if player in table.seats else None
    arithmetic = None if rates is None or table.x is None else _arithmetic(table, table.x, rates)
    own, reason = None, None
    if gone is not None:
        own = None if rates is None else 0.0
    else:
        reason = _reason(table, seat, rates, over)
        if arithmetic is not None and reason is None and seat is not None:
            own = dict(zip("NSEW", arithmetic.board_rates, strict=True))[SEATS[seat]]
    return BoardLine(
        table.board,
        table.result.sequence,
        None if seat is None else SEATS[seat],
        tuple(people[number] for number in table.seats),
        gone,
        gone is not None,
        _points(table, seat, gone is not None),
        int(seat is not None or gone is not None),
        table.x,
        arithmetic,
        own,
        reason,
    )


def abandoned(
    player: int, board: Board, gone: Disconnect, seated: tuple[Player, ...], rated: bool
) -> BoardLine:
    """A line of a board that nobody finished, after he or his partner left; a partner has the Rate alone."""
    left = gone.player == player
    numbers = [each.number for each in seated]
    return BoardLine(
        board,
        None,
        SEATS[numbers.index(player)] if player in numbers else None,
        seated,
        gone,
        left,
        -POINT * penalty_of(board.terms.method) if left else 0,
        int(left),
        board_rate=0.0 if rated else None,
    )


def _arithmetic(table: FieldTable, x: float, rates: Rates) -> BoardRates:
    north, east, south, west = (rates.of(number) for number in table.seats)
    return board_rates((north, south, east, west), x, rates.rules.algorithm)


def _reason(table: FieldTable, seat: int | None, rates: Rates | None, over: bool) -> NotRated | None:
    if seat is None:
        return NotRated.SUBSTITUTE
    if table.x is None:
        return NotRated.TOO_FEW_RESULTS if over else NotRated.PENDING
    if rates is None:
        return None
    settled = [rates.settled(number) for number in table.seats]
    return NotRated.NEWCOMER_AT_TABLE if settled[seat] and not all(settled) else None


def _points(table: FieldTable, seat: int | None, left: bool) -> int:
    method = table.board.terms.method
    if left:
        return -POINT * penalty_of(method)
    own = None if seat is None else table.ns if seat % 2 == 0 else table.ew
    return 0 if own is None else line(own, method is ScoringMethod.MATCHPOINTS)
