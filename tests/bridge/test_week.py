"""Weeks as values."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import NotUnderstood
from server.bridge.week import Week, parse_week, week_of
from tests.strategies import instants, weeks, zones

SHANGHAI = ZoneInfo("Asia/Shanghai")
BERLIN = ZoneInfo("Europe/Berlin")
TICK = timedelta(microseconds=1)


def test_a_week_opens_on_monday_at_midnight_of_the_zone():
    week = parse_week("2026-W48")
    assert week.opens_at(SHANGHAI) == datetime(2026, 11, 22, 16, tzinfo=UTC)
    assert week.closes_at(SHANGHAI) == datetime(2026, 11, 29, 16, tzinfo=UTC)
    assert week.opens_at(BERLIN) == datetime(2026, 11, 22, 23, tzinfo=UTC)


def test_both_sides_of_the_boundary():
    boundary = datetime(2026, 11, 29, 16, tzinfo=UTC)
    assert str(week_of(boundary - TICK, SHANGHAI)) == "2026-W48"
    assert str(week_of(boundary, SHANGHAI)) == "2026-W49"


@pytest.mark.parametrize(("text", "hours"), [("2026-W13", 167), ("2026-W43", 169), ("2026-W14", 168)])
def test_weeks_of_summer_time(text, hours):
    week = parse_week(text)
    assert week.closes_at(BERLIN) - week.opens_at(BERLIN) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("day", "text"),
    [
        ((2026, 12, 31), "2026-W53"),
        ((2027, 1, 3), "2026-W53"),
        ((2027, 1, 4), "2027-W01"),
        ((2024, 12, 30), "2025-W01"),
        ((2023, 1, 1), "2022-W52"),
    ],
)
def test_years_end_with_iso_weeks(day, text):
    assert str(week_of(datetime(*day, 12, tzinfo=UTC), ZoneInfo("UTC"))) == text


@given(weeks)
def test_a_week_is_read_as_it_is_written(week):
    assert parse_week(str(week)) == week


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026", "2026-48", "2026-W", "2026-W8", "2026-w48", "2026-W480", "26-W48", " 2026-W48"),
        *("2026-W48 ", "2026-W48\n", "2026-W00", "2026-W54", "2025-W53", "+026-W48", "２０２６-W48"),
        *("1899-W52", "9001-W01", "0000-W01", "9999-W52"),
    ],
)
def test_other_texts_are_refused(text):
    with pytest.raises(NotUnderstood) as refused:
        parse_week(text)
    assert (refused.value.text, refused.value.position) == (text, 0)


def test_long_years_have_week_53():
    assert parse_week("2026-W53").plus(1) == parse_week("2027-W01")
    assert (str(parse_week("1900-W01")), str(parse_week("9000-W52"))) == ("1900-W01", "9000-W52")


@given(instants, zones)
def test_every_instant_belongs_to_the_week_that_holds_it(instant, zone):
    week = week_of(instant, zone)
    assert week.opens_at(zone) <= instant < week.closes_at(zone)


@given(weeks, zones)
def test_weeks_follow_one_another_without_gap_or_overlap(week, zone):
    opens, closes = week.opens_at(zone), week.closes_at(zone)
    assert week_of(opens, zone) == week == week_of(closes - TICK, zone)
    assert week_of(closes, zone) == week.plus(1)
    assert week_of(opens - TICK, zone) == week.plus(-1)
    assert opens.tzinfo is closes.tzinfo is UTC


@given(weeks, st.integers(-600, 600), st.integers(-600, 600))
def test_counting_weeks(week, one, other):
    assert week.plus(0) == week
    assert week.plus(one).plus(other) == week.plus(one + other)
    assert (week < week.plus(one)) == (one > 0)


@given(st.lists(weeks))
def test_weeks_sort_by_time(some):
    assert sorted(some) == sorted(some, key=lambda week: (week.year, week.number))
    assert sorted(map(str, some)) == [str(week) for week in sorted(some)]


def test_weeks_are_values():
    assert Week(2026, 48) == parse_week("2026-W48")
    assert len({Week(2026, 48), parse_week("2026-W48")}) == 1
