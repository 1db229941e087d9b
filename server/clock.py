"""The one place that reads the computer's clock. Everything else is told what time it is."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """This instant, aware, in UTC."""
        ...


class SystemClock:
    """The computer's own clock."""

    def now(self) -> datetime:
        """This instant, aware, in UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class SimulatedClock:
    """A clock for demonstrations and whole-event tests: it starts anywhere and may run fast.

    All processes and restarts that know the three values agree on the time.
    """

    start: datetime  # what it showed when it was created
    speed: float  # simulated seconds per real second
    created_at: datetime  # the real instant at which it was created

    def now(self) -> datetime:
        """The simulated instant, aware, in UTC."""
        elapsed = (datetime.now(UTC) - self.created_at).total_seconds()
        return self.start + timedelta(seconds=elapsed * self.speed)


def speed_of(clock: Clock) -> float:
    """Seconds of this clock in a real one."""
    return clock.speed if isinstance(clock, SimulatedClock) else 1.0
