"""Instants as people read them, in the zone of the installation; script shows the reader's own beside it."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton

from server.web.languages import Language


def written(moment: datetime, zone: ZoneInfo, language: Language) -> str:
    """Day and time in ``zone``, such as `Mon, Nov 30, 2026 00:00`; the caller names the zone."""
    local = moment.astimezone(zone)
    day = format_skeleton("yMMMEd", local, tzinfo=zone, locale=language.locale)
    return f"{day} {local:%H:%M}"


def parts(span: timedelta) -> tuple[int, int, int]:
    """Whole days, hours and minutes that are left; none of them negative."""
    minutes = max(0, int(span.total_seconds()) // 60)
    return minutes // 1440, minutes // 60 % 24, minutes % 60


def clock_parts(span: timedelta) -> tuple[int, int, int, int]:
    """Whole days, hours, minutes and seconds that are left; none of them negative."""
    days, hours, minutes = parts(span)
    return days, hours, minutes, max(0, int(span.total_seconds())) % 60
