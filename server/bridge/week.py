"""Weeks as values: ISO weeks, Monday 00:00 to Monday 00:00 in the zone of the installation."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from server.bridge.errors import NotUnderstood

_WEEK = re.compile(r"([0-9]{4})-W([0-9]{2})")


@dataclass(frozen=True, slots=True, order=True)
class Week:
    """An ISO week. Which instants it holds depends on the zone."""

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.year:04}-W{self.number:02}"

    def opens_at(self, zone: ZoneInfo) -> datetime:
        """The first instant of the week, in UTC."""
        return _opens_at(self, zone)

    def closes_at(self, zone: ZoneInfo) -> datetime:
        """The first instant that belongs to the next week, in UTC."""
        return self.plus(1).opens_at(zone)

    def plus(self, weeks: int) -> "Week":
        """The week so many weeks later, or earlier when negative."""
        year, number, _ = (self._monday() + timedelta(weeks=weeks)).isocalendar()
        return Week(year, number)

    def _monday(self) -> date:
        return date.fromisocalendar(self.year, self.number, 1)


@lru_cache(1024)
def _opens_at(week: Week, zone: ZoneInfo) -> datetime:
    monday = date.fromisocalendar(week.year, week.number, 1)
    return datetime(monday.year, monday.month, monday.day, tzinfo=zone).astimezone(UTC)


def parse_week(text: str) -> Week:
    """A week written ``2026-W48``; raises NotUnderstood otherwise, also for week 53 of a short year."""
    match = _WEEK.fullmatch(text)
    if match:
        year, number = int(match[1]), int(match[2])
        try:
            date.fromisocalendar(year, number, 1)
        except ValueError:
            match = None
    # Both ends leave room for the weeks around: datetime has no year 0 and none after 9999.
    if not match or not 1900 <= year <= 9000:
        raise NotUnderstood(text, 0, "an ISO week such as 2026-W48")
    return Week(year, number)


def week_of(instant: datetime, zone: ZoneInfo) -> Week:
    """The one week that holds ``instant`` (aware)."""
    year, number, _ = instant.astimezone(zone).isocalendar()
    return Week(year, number)
