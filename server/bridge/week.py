"""Weeks as values: ISO weeks, Monday 00:00 to Monday 00:00 in the zone of the installation."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
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

    def due_at(self, zone: ZoneInfo, grace: timedelta) -> datetime:
        """When the week is closed by itself, in UTC: ``grace`` after its end by the clock on the wall there.

        Monday 04:00 is Monday 04:00 also when the hour before it was left out or came twice.
        """
        monday = self.plus(1)._monday()
        # Adding to a time of a zone adds by the clock on its wall.
        return (datetime(monday.year, monday.month, monday.day, tzinfo=zone) + grace).astimezone(UTC)

    def plus(self, weeks: int) -> "Week":
        """The week so many weeks later, or earlier when negative."""
        year, number, _ = (self._monday() + timedelta(weeks=weeks)).isocalendar()
        return Week(year, number)

    @property
    def place(self) -> int:
        """How many weeks there were before it since the first Monday of the calendar."""
        return self._monday().toordinal() // 7

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


class WeekState(StrEnum):
    """Where a week stands, by the clock and by what was made of it."""

    FUTURE = "future"
    OPEN = "open"  # opens_at <= now < closes_at; nothing else opens or closes it
    ENDED = "ended"  # not rated yet
    CLOSING = "closing"  # being rated
    CLOSED = "closed"  # rated, and nothing changed since
    DIRTY = "dirty"  # rated, and something changed since: to be rated again


@dataclass(frozen=True, slots=True)
class Closure:
    """What is stored of the rating of a week."""

    closing: bool = False  # somebody began to rate it
    published: bool = False  # it has a snapshot
    dirty: bool = False  # something came or changed since, in this week or one before it


NOT_CLOSED = Closure()


def week_state(week: Week, now: datetime, zone: ZoneInfo, closure: Closure = NOT_CLOSED) -> WeekState:
    """Where ``week`` stands at this instant: one that is not over is open or to come, whatever is stored."""
    if now < week.opens_at(zone):
        return WeekState.FUTURE
    if now < week.closes_at(zone):
        return WeekState.OPEN
    if closure.closing:
        return WeekState.CLOSING
    if not closure.published:
        return WeekState.ENDED
    return WeekState.DIRTY if closure.dirty else WeekState.CLOSED


def weeks_to_rate(
    first: Week, last: Week, published: Collection[Week], dirty: Collection[Week]
) -> tuple[Week, ...]:
    """Weeks to be rated, oldest first: from the first without snapshot or dirty one, all up to ``last``.

    ``first``: the first week of the pool; ``last``: the last that is to be rated, such as ``last_due``. None
    is left out, since each week builds on the one before; empty ones let the past fade.
    """
    week = first
    while week <= last and week in published and week not in dirty:
        week = week.plus(1)
    found = []
    while week <= last:
        found.append(week)
        week = week.plus(1)
    return tuple(found)


def last_due(now: datetime, zone: ZoneInfo, grace: timedelta) -> Week:
    """The last week whose grace is over."""
    week = week_of(now, zone).plus(-1)
    while now < week.due_at(zone, grace):
        week = week.plus(-1)
    return week
