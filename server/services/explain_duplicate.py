"""Why a player's duplicate points of a week came to what they did: each award, and what leaving boards cost.

They are told as they were counted last, so that they add up to the total that is shown.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.week import Week
from server.services.secrecy import Reader, Secrecy
from server.storage import boards, disconnects, results, tallies
from server.storage.boards import Board
from server.storage.players import Player
from server.storage.tallies import Line


@dataclass(frozen=True, slots=True)
class DuplicateLine:
    """What one board gave to a player's duplicate points."""

    board: Board
    sequence: int | None  # of the result whose award it is; None: nobody finished
    left: bool  # he disconnected, and has the loss instead
    points: int  # ten-thousandths


@dataclass(frozen=True, slots=True)
class Duplicates:
    """A player's duplicate points of a week."""

    lines: tuple[DuplicateLine, ...]  # of boards that the reader may see, by number
    hidden_boards: int  # whose lines are left out: somebody may still play them
    points: int  # ten-thousandths; of all boards


def duplicates(
    connection: Connection,
    player: Player,
    week: Week,
    pool: str,
    secrecy: Secrecy,
    reader: Reader,
    now: datetime,
) -> Duplicates:
    """A player's duplicate points of a week, as far as the reader may see them. Raises ScopeMissing."""
    every = _lines(connection, player, str(week), pool)
    shown = tuple(line for line in every if secrecy.open_to(connection, line.board, reader, now))
    return Duplicates(shown, len(every) - len(shown), sum(line.points for line in every))


def _lines(connection: Connection, player: Player, week: str, pool: str) -> list[DuplicateLine]:
    played = dict(results.of_player(connection, player.number, week, pool))
    left = {each.board for each in disconnects.of_player(connection, player.number, week, pool)}
    counted = tallies.of_boards(connection, {*played, *left})
    known = boards.several(connection, counted)
    lines = [
        DuplicateLine(known[board], played.get(board), board in left, given.duplicate)
        for board, tally in counted.items()
        for given in tally.lines
        if given.player == player.number and _gives(given)
    ]
    return sorted(lines, key=lambda line: line.board.number)


def _gives(given: Line) -> bool:
    """Whether there is an award or a loss; of a board that is not scored there is neither."""
    return any((given.duplicate, given.won, given.drawn, given.lost))
