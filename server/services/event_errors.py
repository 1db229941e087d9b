"""What is refused in events. The docstring of each class is its title for people."""

from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from typing import Any

from server.bridge.swiss_clock import State
from server.services.errors import NotFound, ServiceError, Unprocessable


class EventNotFound(NotFound):
    """There is no such event"""


class EntryNotFound(NotFound):
    """No pair has this number in the event"""


class RoundNotFound(NotFound):
    """The event has no such round"""


class RoundNotStarted(NotFound):
    """The round has not started"""

    def __str__(self) -> str:
        return f"Round {self.id} has not started."


class TableNotFound(NotFound):
    """The event has no such table"""


class PenaltyNotFound(NotFound):
    """The event has no such penalty"""


class InvalidEvent(Unprocessable):
    """An event that cannot be held like this"""


class NotYourEvent(ServiceError):
    """The event belongs to another client"""


class DirectorPlays(ServiceError):
    """Nobody rules in an event that he plays in"""


_SAID = {
    State.ANNOUNCED: "The event is announced; its registration is not open yet.",
    State.REGISTRATION: "The event has not started; its registration is open.",
    State.RUNNING: "A round of the event is being played.",
    State.CLOSING: "A round of the event is over, and the next one has not started.",
    State.PAUSED: "The clock of the event stands.",
    State.FINISHED: "The event is over.",
    State.CANCELLED: "The event was called off.",
}


@dataclass(eq=False)
class EventState(ServiceError):
    """The event is in no state for this"""

    state: str
    why: InitVar[str] = ""  # where it is not the state

    def __post_init__(self, why: str) -> None:
        self._said = why or _SAID[State(self.state)]

    def __str__(self) -> str:
        return self._said


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


@dataclass(eq=False)
class ArtificialStands(ServiceError):
    """The table has an artificial score on this board: a director takes that back first"""

    table: str

    def __str__(self) -> str:
        return f"An artificial score of table {self.table!r} stands on this board."


@dataclass(eq=False)
class NotEntered(ServiceError):
    """The player is not entered in the event"""

    player: str

    def __str__(self) -> str:
        return f"{self.player!r} is of no pair of the event."


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
