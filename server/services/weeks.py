"""The week that is open, from the clock alone."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from server.bridge.week import Week, week_of


class WeekState(StrEnum):
    """Where a week stands by the clock."""

    FUTURE = "future"
    OPEN = "open"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class WeekStatus:
    """A week and where it stands."""

    week: Week
    opens_at: datetime
    closes_at: datetime
    state: WeekState


def current(now: datetime, zone: ZoneInfo) -> WeekStatus:
    """The week that holds this instant."""
    return status(week_of(now, zone), now, zone)


def status(week: Week, now: datetime, zone: ZoneInfo) -> WeekStatus:
    """Where ``week`` stands at this instant."""
    opens, closes = week.opens_at(zone), week.closes_at(zone)
    state = WeekState.FUTURE if now < opens else WeekState.OPEN if now < closes else WeekState.ENDED
    return WeekStatus(week, opens, closes, state)
