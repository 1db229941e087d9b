"""A clock that the tests set."""

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
"""A Wednesday in the week 2026-W48, which is the same week everywhere."""


class StandingClock:
    """A ``server.clock.Clock`` that stands still until it is told otherwise."""

    def __init__(self, instant: datetime = NOON) -> None:
        self._instant = instant

    def now(self) -> datetime:
        """The instant to which it is set."""
        return self._instant

    def set(self, instant: datetime) -> None:
        """Show this instant from now on, earlier or later; it needs its zone."""
        if instant.tzinfo is None:
            raise ValueError("a clock needs the zone of the instant")
        self._instant = instant.astimezone(UTC)

    def advance(self, step: timedelta) -> None:
        """Go on by ``step``."""
        self._instant += step
