"""A player's boards taken together: with whom he played, as what, and which were his best and worst."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from sqlalchemy import Connection

from server.bridge.five_figures import POINT, average
from server.bridge.pool import ScoringMethod
from server.bridge.week import week_of
from server.services.figures import PlayerFigures
from server.services.secrecy import Secrecy
from server.services.tallies import penalty_of, rated_players
from server.storage import careers, players, tallies
from server.storage.careers import Shown
from server.storage.players import Player

LOOKED_AT = 500  # newest boards
EXTREMES = 5  # best and worst boards
PENALTIES = 20  # newest of them

DECLARER, DUMMY, DEFENDER = "declarer", "dummy", "defender"


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """A scored board as it was for the player."""

    board: int
    sequence: int
    week: str
    number: int
    partner: Player
    role: str | None  # None: passed out
    points: int  # ten-thousandths


@dataclass(frozen=True, slots=True)
class Share:
    """Some of the boards taken together."""

    boards: int
    mean: Fraction  # points a board


@dataclass(frozen=True, slots=True)
class Penalty:
    """A disconnect that stands."""

    board: int
    week: str
    number: int
    points: int  # ten-thousandths, below 0


@dataclass(frozen=True, slots=True)
class Career:
    """A player's boards of a pool taken together, as far as they are revealed."""

    player: Player
    boards: int  # that were looked at
    best: tuple[OwnBoard, ...]  # the best first
    worst: tuple[OwnBoard, ...]  # the worst first
    partners: tuple[tuple[Player, Share], ...]  # with whom he played most first
    roles: dict[str, Share]
    completion: Fraction | None  # finished boards as a share of all; None without boards
    penalties: tuple[Penalty, ...]  # newest first


@dataclass(frozen=True, slots=True)
class Careers:
    """Reads careers of this installation."""

    figures: PlayerFigures
    secrecy: Secrecy

    async def of(self, name: str, pool: str, hidden_too: bool, now: datetime) -> Career:
        """A player's boards taken together. Raises PlayerNotFound, UnknownPool."""

        def query(connection: Connection) -> Career:
            player = self.figures.named(connection, name, pool, hidden_too)
            return self._career(connection, player, pool, now)

        return await self.figures.database.read(query)

    def _career(self, connection: Connection, player: Player, pool: str, now: datetime) -> Career:
        closed = week_of(now - self.secrecy.after_close, self.secrecy.zone).plus(-1)
        found = careers.shown(connection, player.number, pool, str(closed), LOOKED_AT)
        people = players.by_number(connection, {number for each in found for number in each.result.people})
        own = [board for each in found if (board := _own(player, each, people)) is not None]
        ranked = sorted(own, key=lambda board: board.points)
        totals = tallies.of_player(connection, player.number, pool)
        played, left = sum(each.boards for each in totals), sum(each.disconnects for each in totals)
        return Career(
            player,
            len(own),
            tuple(each for each in reversed(ranked[-EXTREMES:]) if each.points > 0),
            tuple(each for each in ranked[:EXTREMES] if each.points < 0),
            _partners(own),
            {role: _share(named) for role in (DECLARER, DUMMY, DEFENDER) if (named := _as(own, role))},
            Fraction(played - left, played) if played else None,
            tuple(
                Penalty(each.board, each.week, each.number, -POINT * penalty_of(ScoringMethod(each.method)))
                for each in careers.left(connection, player.number, pool, str(closed), PENALTIES)
            ),
        )


def _own(player: Player, shown: Shown, people: dict[int, Player]) -> OwnBoard | None:
    """The board as it was for the player; None where it gave him no score."""
    line = next((line for line in shown.lines if line.player == player.number), None)
    seats = rated_players(shown.result)
    if line is None or not shown.scored or not line.boards or line.disconnects or player.number not in seats:
        return None
    result, seat = shown.result, seats.index(player.number)
    return OwnBoard(
        result.board,
        result.sequence,
        shown.week,
        shown.number,
        people[seats[(seat + 2) % 4]],
        _role("NESW"[seat], None if result.outcome.declarer is None else result.outcome.declarer.value),
        line.points,
    )


def _role(seat: str, declarer: str | None) -> str | None:
    if declarer is None:
        return None
    if seat == declarer:
        return DECLARER
    return DUMMY if {seat, declarer} in ({"N", "S"}, {"E", "W"}) else DEFENDER


def _as(boards: Iterable[OwnBoard], role: str) -> list[OwnBoard]:
    return [board for board in boards if board.role == role]


def _partners(boards: Iterable[OwnBoard]) -> tuple[tuple[Player, Share], ...]:
    """With whom he played most first; those who are hidden are taken together."""
    together: dict[int | None, list[OwnBoard]] = {}
    for board in boards:
        together.setdefault(None if board.partner.hidden else board.partner.number, []).append(board)
    found = [(boards[0].partner, _share(boards)) for boards in together.values()]
    return tuple(sorted(found, key=lambda each: (-each[1].boards, each[0].hidden, each[0].number)))


def _share(boards: Sequence[OwnBoard]) -> Share:
    mean = average(sum(board.points for board in boards), len(boards))
    return Share(len(boards), Fraction(0) if mean is None else mean)
