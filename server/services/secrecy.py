"""What may be shown of a board, and to whom, while somebody may still be playing it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.week import Week
from server.services.errors import ScopeMissing
from server.services.tokens import Caller, Scope
from server.storage import players, results
from server.storage.boards import Board


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

        A director who plays is a player: of his open boards he sees those that he has played.
        Raises ScopeMissing when the caller names a viewer without being entitled to act for players.
        """
        if reader.viewer is not None and not reader.caller.may(Scope.RESULTS):
            raise ScopeMissing(Scope.RESULTS)
        if self.revealed(board, now):
            return True
        director = reader.caller.may(Scope.DIRECTOR)
        if director and reader.caller.player is None:
            return True
        names = [reader.viewer, reader.caller.player if director else None]
        return any(name is not None and has_played(connection, board.id, name) for name in names)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: a caller, perhaps in the name of a player."""

    caller: Caller
    viewer: str | None = None


def has_played(connection: Connection, board: int, name: str) -> bool:
    """Whether the player or an account linked to him has a live result on the board."""
    player = players.find(connection, [name]).get(name)
    if player is None:
        return False
    accounts = players.accounts(connection, [player.person])
    return bool(results.plays_of(connection, [(board, account) for account in {player.number, *accounts}]))
