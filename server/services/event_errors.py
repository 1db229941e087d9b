"""What is refused in events. The docstring of each class is its title for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.services.errors import NotFound, ServiceError, Unprocessable


class EventNotFound(NotFound):
    """There is no such event"""


class EntryNotFound(NotFound):
    """No pair has this number in the event"""


class RoundNotFound(NotFound):
    """The event has no such round"""


class PenaltyNotFound(NotFound):
    """The event has no such penalty"""


class InvalidEvent(Unprocessable):
    """An event that cannot be held like this"""


class NotYourEvent(ServiceError):
    """The event belongs to another client"""


class DirectorPlays(ServiceError):
    """Nobody rules in an event that he plays in"""


@dataclass(eq=False)
class EventState(ServiceError):
    """The event is in no state for this"""

    state: str

    def __str__(self) -> str:
        return f"The event is {self.state}."


@dataclass(eq=False)
class RoomRefused(ServiceError):
    """Not done in the registration room"""

    reason: str

    def __str__(self) -> str:
        return self.reason.replace("_", " ")


@dataclass(eq=False)
class TableNotInRound(ServiceError):
    """The round has no such table"""

    round: int
    table: int

    def __str__(self) -> str:
        return f"There is no table {self.table} in round {self.round}."


@dataclass(eq=False)
class RoundOver(ServiceError):
    """The round is over"""

    ended_at: str

    def __str__(self) -> str:
        return f"Play was over at {self.ended_at}; boards that are not in are cut off."


@dataclass(eq=False)
class ResultStands(ServiceError):
    """The table has a result on this board: adjust it, or make it void first"""

    table: str

    def __str__(self) -> str:
        return f"A result of table {self.table!r} stands on this board."


class BoardOfEvent(ServiceError):
    """The board belongs to an event: report it there"""


@dataclass(eq=False)
class NotAtTable(ServiceError):
    """The player has no place at this table"""

    player: str

    def __str__(self) -> str:
        return f"{self.player!r} does not play at this table."


@dataclass(eq=False)
class NoBoardToDeal(ServiceError):
    """The table is dealt no further board"""

    reason: str  # too_late | all_dealt | not_everybody_there

    def __str__(self) -> str:
        return self.reason.replace("_", " ")


@dataclass(eq=False)
class SubstituteRefused(ServiceError):
    """He may not sit in for the player"""

    reason: str  # no_table | in_another_pair | partner_replaced | too_many_boards

    def __str__(self) -> str:
        return self.reason.replace("_", " ")


@dataclass(eq=False)
class PenaltyLifted(ServiceError):
    """The penalty was lifted before"""

    lifted_at: str

    def __str__(self) -> str:
        return f"It counts no more since {self.lifted_at}."


class PairLeft(ServiceError):
    """The pair has left the event"""


@dataclass(eq=False)
class PairingRefused(ServiceError):
    """Something speaks against this pairing"""

    forced: bool  # whether it would be taken with `force`
    objections: tuple[Mapping[str, Any], ...]

    def __str__(self) -> str:
        return "1 objection." if len(self.objections) == 1 else f"{len(self.objections)} objections."


class RoundUnderWay(ServiceError):
    """The round can be paired no more: it is over, or has a result"""


class RoundStarted(ServiceError):
    """The round has started"""
