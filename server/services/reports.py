"""A result as it is reported: from which table, of which board, and what happened there."""

from dataclasses import dataclass
from datetime import datetime

from server.bridge.contract import Outcome
from server.bridge.seats import Seat
from server.services.idempotency import Once


@dataclass(frozen=True, slots=True)
class BoardNumber:
    """A board named by its week, pool and number."""

    week: str
    pool: str
    number: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table of a round of an event, where the report comes from."""

    event: int
    round: int
    table: int
    board: int | None  # by its number in the event; None: the report names it by its id


_POINTERS = tuple(f"/players/{seat}" for seat in Seat)


@dataclass(frozen=True, slots=True)
class Report:
    """A result as a client reports it; possible in itself."""

    once: Once
    board: int | BoardNumber | str  # a text is an id that is none of ours
    table: str
    players: tuple[str, ...]  # ids of N, E, S, W; none: those who sit at the table of the event
    outcome: Outcome
    lead: str | None = None
    played_at: datetime | None = None
    disconnects: tuple[str, ...] = ()
    substitutes: tuple[tuple[Seat, str], ...] = ()  # who was replaced at this seat
    auction: tuple[str, ...] | None = None
    play: tuple[str, ...] | None = None
    sitting: Sitting | None = None  # of an event
    received_at: datetime | None = None  # where the instant counts: that at which the request came

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody who has seen the board at this table."""
        return (*self.players, *(player for _, player in self.substitutes))

    @property
    def leavers(self) -> tuple[str, ...]:
        """Who disconnected: those who are named, and whoever was replaced."""
        return tuple(dict.fromkeys((*self.disconnects, *(player for _, player in self.substitutes))))

    @property
    def pointers(self) -> tuple[str, ...]:
        """Where the body names each of ``people``."""
        return (*_POINTERS, *(f"/substitutes/{seat}" for seat, _ in self.substitutes))
