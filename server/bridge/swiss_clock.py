"""The timetable of a Swiss pairs, and which boards the end of a round cuts off.

Instants are seconds since 1970 in UTC.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from server.bridge.errors import Impossible

B = TypeVar("B", bound=Hashable)

SECONDS_A_BOARD = 450  # seven and a half minutes


class State(StrEnum):
    """What an event is doing."""

    ANNOUNCED = "announced"
    REGISTRATION = "registration"
    RUNNING = "running"  # a round is played
    CLOSING = "closing"  # a round is over; results of boards finished in time may still come in
    PAUSED = "paused"  # the clock stands
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Timing:
    """When an event happens."""

    open_at: float  # registration
    start_at: float  # of the first round
    rounds: int
    round_s: float = 8 * SECONDS_A_BOARD
    closing_s: float = 120
    min_pairs: int = 4  # with fewer it is cancelled
    early_close: bool = False  # a round ends when all boards are finished, else by the clock alone
    last_board_s: float = 120  # no board is dealt when less than this remains
    absent_s: float = 300  # after the start of a round: who is not there is marked absent

    def __post_init__(self) -> None:
        if self.open_at > self.start_at:
            raise Impossible("open_at", "registration would open after the event has started")
        if self.rounds < 1 or self.min_pairs < 2:
            raise Impossible("rounds", "an event has at least one round and two pairs")
        if self.round_s <= 0 or min(self.closing_s, self.last_board_s, self.absent_s) < 0:
            raise Impossible("round_s", "a round lasts some time, and no time is negative")


@dataclass(frozen=True, slots=True)
class Phase:
    """What an event is doing, in which round, and how long still."""

    state: State
    round: int | None = None
    seconds: float | None = None  # to the next change; None: there is none


@dataclass(frozen=True, slots=True)
class Span:
    """A round on the timetable."""

    round: int
    starts_at: float
    ends_at: float  # of play
    closed_at: float


def timetable(timing: Timing, first: int = 1, starts_at: float | None = None) -> tuple[Span, ...]:
    """The rounds from ``first`` on when that one starts at ``starts_at``; else all as they are planned."""
    start = timing.start_at if starts_at is None else starts_at
    whole = timing.round_s + timing.closing_s
    return tuple(
        Span(number, begin, begin + timing.round_s, begin + whole)
        for number in range(first, timing.rounds + 1)
        for begin in (start + (number - first) * whole,)
    )


def phase_at(timing: Timing, entries: int, now: float) -> Phase:
    """What an event that goes by the timetable does; ``entries``: pairs registered when it starts."""
    if now < timing.open_at:
        return Phase(State.ANNOUNCED, None, timing.open_at - now)
    if now < timing.start_at:
        return Phase(State.REGISTRATION, None, timing.start_at - now)
    if entries < timing.min_pairs:
        return Phase(State.CANCELLED)
    for span in timetable(timing):
        if now < span.ends_at:
            return Phase(State.RUNNING, span.round, span.ends_at - now)
        if now < span.closed_at:
            return Phase(State.CLOSING, span.round, span.closed_at - now)
    return Phase(State.FINISHED)


@dataclass(frozen=True, slots=True)
class Arrived:
    """When the result of a board came in."""

    received_at: float
    played_at: float | None = None  # as whoever sent it says


@dataclass(frozen=True, slots=True)
class CutOff(Generic[B]):
    """The boards of a table at the end of a round."""

    counted: tuple[B, ...]
    cut: tuple[B, ...]  # nobody scores on them


def in_time(result: Arrived, round_end: float, closing_end: float) -> bool:
    """Whether a result counts: it came in by the end of the round, or later and was played by then."""
    if result.received_at <= round_end:
        return True
    played = result.played_at is not None and result.played_at <= round_end
    return played and result.received_at <= closing_end


def cut_off(boards: Mapping[B, Arrived | None], round_end: float, closing_end: float) -> CutOff[B]:
    """Which boards of a round count; None: nothing came in."""
    counted = [
        board for board, result in boards.items() if result and in_time(result, round_end, closing_end)
    ]
    return CutOff(tuple(counted), tuple(board for board in boards if board not in counted))
