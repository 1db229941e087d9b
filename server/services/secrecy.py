"""What may be shown of a board, and to whom, while somebody may still be playing it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.week import Week
from server.services import event_people
from server.services.errors import ScopeMissing
from server.services.tokens import Caller, Scope
from server.storage import event_rounds, events, players, results
from server.storage.boards import Board
from server.storage.events import Event


@dataclass(frozen=True, slots=True)
class Secrecy:
    """When boards of this installation are revealed."""

    zone: ZoneInfo
    after_close: timedelta  # an assignment made just before the week closed may run so long

    def revealed(self, board: Board, now: datetime) -> bool:
        """Whether nobody can still be playing ``board``."""
        if board.retired_at is not None or board.withdrawn_at is not None:
            return True
        return board.week is not None and now >= self.revealed_at(board.week)

    def revealed_at(self, week: Week) -> datetime:
        """When nobody can be playing the boards of a week any more, whatever becomes of each before."""
        return week.closes_at(self.zone) + self.after_close

    def open_to(  # the one decision about secrecy
        self, connection: Connection, board: Board, reader: "Reader", now: datetime
    ) -> bool:
        """Whether ``reader`` may see what happened on ``board``.

        A director who plays is a player: of his open boards he sees those that he has played. The organiser
        of an event sees its boards, unless he plays in it, when their round is scored.
        Raises ScopeMissing when the caller names a viewer without being entitled to act for players.
        """
        if reader.viewer is not None and not reader.caller.may(Scope.RESULTS):
            raise ScopeMissing(Scope.RESULTS)
        if self.revealed(board, now):
            return True
        director = reader.caller.may(Scope.DIRECTOR)
        if director and reader.caller.player is None:
            return True
        if _closed_for_organiser(connection, board, reader.caller):
            return True
        names = [reader.viewer, reader.caller.player if director else None]
        return any(name is not None and has_played(connection, board.id, name) for name in names)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: a caller, perhaps in the name of a player."""

    caller: Caller
    viewer: str | None = None


def organises(event: Event, caller: Caller) -> bool:
    """Whether an event is the caller's to hold, or any is."""
    return caller.may(Scope.ADMIN) or (event.client == caller.client and caller.may(Scope.EVENTS))


def _closed_for_organiser(connection: Connection, board: Board, caller: Caller) -> bool:
    """Whether the caller organises the event of a board whose round is scored: nobody plays it any more."""
    if not caller.may(Scope.EVENTS) or (place := events.of_board(connection, board.id)) is None:
        return False
    event = events.get(connection, place[0])
    if event is None or not organises(event, caller):
        return False
    rounds = event_rounds.rounds(connection, event.id)
    scored = any(each.number == place[1] and each.scored_at is not None for each in rounds)
    return scored and not event_people.has_part(connection, event.id, caller.player)


def has_played(connection: Connection, board: int, name: str) -> bool:
    """Whether the player or an account linked to him has a live result on the board."""
    player = players.find(connection, [name]).get(name)
    if player is None:
        return False
    accounts = players.accounts(connection, [player.person])
    return bool(results.plays_of(connection, [(board, account) for account in {player.number, *accounts}]))
