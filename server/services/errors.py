"""What the director refuses. The docstring of each class is its title for people; values never change.

ServiceError
├── TokenInvalid, ScopeMissing
├── NotFound: BoardNotFound, ResultNotFound, DisconnectNotFound, PlayerNotFound, ChannelNotFound,
│   WeekNotFound
├── BoardNotOpen, BoardWithdrawn, TableAlreadyReported, AlreadyPlayed, BoardRetired
├── DisconnectAlreadyReported, NoBoardAvailable, BoardNumberTaken, AccountLinkedElsewhere
├── WeekNotOver, OwnBoard, StaleVersion, AlreadyVoid, AdjustmentNotSupported
├── NotRevealed, MembersOnly, IdempotencyKeyReused
├── Unprocessable: InvalidResult, UnknownPlayer, UnknownPool, InvalidBoard, AdjustmentWithoutDamage
└── QueueFull, StreamsFull
"""

from dataclasses import dataclass


class ServiceError(Exception):
    """Refused"""


class TokenInvalid(ServiceError):
    """No valid token"""


@dataclass(eq=False)
class ScopeMissing(ServiceError):
    """The token does not allow this"""

    scope: str

    def __str__(self) -> str:
        return f"This needs a token with the scope {self.scope}."


@dataclass(eq=False)
class NotFound(ServiceError):
    """There is nothing here"""

    id: str

    def __str__(self) -> str:
        return f"Nothing is called {self.id!r} here."


class BoardNotFound(NotFound):
    """There is no such board"""


class ResultNotFound(NotFound):
    """There is no such result"""


class DisconnectNotFound(NotFound):
    """There is no such disconnect"""


class ChannelNotFound(NotFound):
    """There is no such channel"""


@dataclass(eq=False)
class WeekNotFound(NotFound):
    """Nothing was played in such a week"""

    first: str | None = None  # the first week in which anything was

    def __str__(self) -> str:
        since = "" if self.first is None else f" The first week with results is {self.first}."
        return f"There is no {self.id} here.{since}"


class PlayerNotFound(NotFound):
    """There is no such player"""


@dataclass(eq=False)
class BoardNotOpen(ServiceError):
    """The week of the board has not begun"""

    opens_at: str

    def __str__(self) -> str:
        return f"Results are taken from {self.opens_at} on."


@dataclass(eq=False)
class WeekNotOver(ServiceError):
    """The week is not over"""

    closes_at: str

    def __str__(self) -> str:
        return f"It can be rated from {self.closes_at} on."


class BoardWithdrawn(ServiceError):
    """A director has withdrawn the board"""


@dataclass(eq=False)
class TableAlreadyReported(ServiceError):
    """The table has reported its result on this board already"""

    table: str

    def __str__(self) -> str:
        return f"A result of table {self.table!r} on this board is there; a table is one sitting."


@dataclass(eq=False)
class AlreadyPlayed(ServiceError):
    """One of the four has played the board already"""

    player: str  # as named in the request
    result: str  # id of the result he or a linked account has

    def __str__(self) -> str:
        return f"Player {self.player!r} or a linked account has result {self.result} on this board."


@dataclass(eq=False)
class BoardRetired(ServiceError):
    """The board is retired"""

    retire_at: int | None

    def __str__(self) -> str:
        its = "its one result" if self.retire_at == 1 else f"all its {self.retire_at} results"
        return f"It has {its} and takes no more."


@dataclass(eq=False)
class DisconnectAlreadyReported(ServiceError):
    """A disconnect of this player on this board was reported already"""

    player: str  # as named in the request
    disconnect: str  # id of the one he or a linked account has

    def __str__(self) -> str:
        return f"Player {self.player!r} or a linked account has disconnect {self.disconnect} on this board."


class OwnBoard(ServiceError):
    """A director rules on no board that he has played or may still play"""


@dataclass(eq=False)
class StaleVersion(ServiceError):
    """Somebody has ruled meanwhile"""

    version: int

    def __str__(self) -> str:
        return f"It has version {self.version} now; read it again, and rule on that."


@dataclass(eq=False)
class AlreadyVoid(ServiceError):
    """It is void already"""

    id: str

    def __str__(self) -> str:
        return f"{self.id} is void; there is nothing left to rule on."


@dataclass(eq=False)
class NothingToLift(ServiceError):
    """The disconnect costs the leaver's partner nothing"""

    id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.id}: {self.reason}."


@dataclass(eq=False)
class AdjustmentNotSupported(ServiceError):
    """Adjustments of this kind are not made yet"""

    kind: str
    supported: tuple[str, ...]

    def __str__(self) -> str:
        return f"The kind {self.kind!r} is none of those supported: {', '.join(self.supported)}."


class NoBoardAvailable(ServiceError):
    """No board is left that none of the four has played or seen"""


@dataclass(eq=False)
class BoardNumberTaken(ServiceError):
    """The board number is taken in this week and pool"""

    number: int

    def __str__(self) -> str:
        return f"There is a board {self.number} already."


@dataclass(eq=False)
class AccountLinkedElsewhere(ServiceError):
    """An account is linked to somebody who is not in the list"""

    player: str
    linked_to: str

    def __str__(self) -> str:
        return f"{self.player!r} is linked to {self.linked_to!r}; name all accounts of the person."


class NotRevealed(ServiceError):
    """Somebody may still be playing this board"""


@dataclass(eq=False)
class MembersOnly(ServiceError):
    """This is for members"""

    player: str

    def __str__(self) -> str:
        return (
            f"{self.player!r} is no member: the guests' pool is open to him, other pools and events are not."
        )


@dataclass(eq=False)
class Unprocessable(ServiceError):
    """The body says something that cannot be"""

    pointer: str  # JSON pointer to the member
    reason: str

    def __str__(self) -> str:
        return self.reason


class InvalidResult(Unprocessable):
    """A result that cannot have happened at the table"""


class UnknownPlayer(Unprocessable):
    """A player whom nobody has entered"""


class UnknownPool(Unprocessable):
    """There is no such pool"""


class InvalidBoard(Unprocessable):
    """A board that cannot be made like this"""


class AdjustmentWithoutDamage(Unprocessable):
    """A score is adjusted for damage, an unplayable board or a score error alone"""


class OutageRefused(Unprocessable):
    """A window that cannot be declared an outage"""


class IdempotencyKeyReused(ServiceError):
    """The idempotency key was used for another body"""


class StreamsFull(ServiceError):
    """No more live streams are taken here; try again later"""


class QueueFull(ServiceError):
    """More results are waiting than can be taken in; try again"""
