"""Weeks as values."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import NotUnderstood
from server.bridge.week import (
    NOT_CLOSED,
    Closure,
    Week,
    WeekState,
    last_due,
    parse_week,
    week_of,
    week_state,
    weeks_to_rate,
)
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


ALL_WEEKS = [parse_week("2020-W01").plus(number) for number in range(52 * 16 + 3)]
ALL_ZONES = [
    ZoneInfo(name)
    for name in ("UTC", "Asia/Shanghai", "Europe/Tallinn", "America/New_York", "Australia/Lord_Howe")
]
GRACE = timedelta(hours=4)


@pytest.mark.parametrize("zone", ALL_ZONES, ids=str)
def test_every_week_from_2020_to_2035_follows_the_one_before(zone):
    assert str(ALL_WEEKS[0]) == "2020-W01"
    assert str(ALL_WEEKS[-1]) >= "2035-W52"
    for week in ALL_WEEKS:
        opens, closes = week.opens_at(zone), week.closes_at(zone)
        local = opens.astimezone(zone)
        assert (local.weekday(), local.hour, local.minute, local.second) == (0, 0, 0, 0)
        assert week.plus(1).opens_at(zone) == closes
        assert abs(closes - opens - timedelta(weeks=1)) <= timedelta(hours=1)
        for instant, held_by in ((opens - TICK, -1), (opens, 0), (closes - TICK, 0), (closes, 1)):
            assert week_of(instant, zone) == week.plus(held_by)


@pytest.mark.parametrize("zone", ALL_ZONES, ids=str)
def test_every_week_from_2020_to_2035_is_due_on_monday_at_four(zone):
    for week in ALL_WEEKS:
        due = week.due_at(zone, GRACE)
        local = due.astimezone(zone)
        assert (local.weekday(), local.hour, local.minute) == (0, 4, 0)
        assert week_of(due, zone) == week.plus(1)
        assert last_due(due, zone, GRACE) == week
        assert last_due(due - TICK, zone, GRACE) == week.plus(-1)


def test_a_grace_of_days_and_none():
    week = parse_week("2026-W13")  # Berlin's summer time begins on its Sunday
    assert week.due_at(BERLIN, timedelta(0)) == week.closes_at(BERLIN)
    assert week.due_at(BERLIN, timedelta(days=9, hours=4)) == datetime(2026, 4, 8, 2, tzinfo=UTC)
    autumn = parse_week("2026-W42").due_at(BERLIN, timedelta(days=6, hours=4))
    assert autumn == datetime(2026, 10, 25, 3, tzinfo=UTC)  # the Sunday on which it ends


@given(instants, zones, st.timedeltas(timedelta(0), timedelta(days=20)))
def test_the_last_week_due_is_the_last_one_whose_grace_is_over(instant, zone, grace):
    week = last_due(instant, zone, grace)
    assert week.due_at(zone, grace) <= instant < week.plus(1).due_at(zone, grace)


@pytest.mark.parametrize(
    ("closure", "state"),
    [
        (NOT_CLOSED, WeekState.ENDED),
        (Closure(closing=True), WeekState.CLOSING),
        (Closure(closing=True, published=True, dirty=True), WeekState.CLOSING),
        (Closure(published=True), WeekState.CLOSED),
        (Closure(published=True, dirty=True), WeekState.DIRTY),
        (Closure(dirty=True), WeekState.ENDED),
    ],
)
def test_where_a_week_stands(closure, state):
    week = parse_week("2026-W48")
    opens, closes = week.opens_at(SHANGHAI), week.closes_at(SHANGHAI)
    assert week_state(week, opens - TICK, SHANGHAI, closure) == WeekState.FUTURE
    assert week_state(week, opens, SHANGHAI, closure) == WeekState.OPEN
    assert week_state(week, closes - TICK, SHANGHAI, closure) == WeekState.OPEN
    assert week_state(week, closes, SHANGHAI, closure) == state


def test_three_weeks_of_rest_are_rated_in_order():
    first = parse_week("2026-W50")
    weeks = [first.plus(i) for i in range(6)]
    assert weeks_to_rate(first, weeks[5], weeks[:3], ()) == tuple(weeks[3:])
    assert weeks_to_rate(first, weeks[5], weeks, ()) == ()
    assert weeks_to_rate(first, weeks[2], (), ()) == tuple(weeks[:3])
    assert weeks_to_rate(weeks[3], weeks[2], (), ()) == ()


def test_a_dirty_week_is_rated_again_with_all_after_it():
    first = parse_week("2026-W50")
    weeks = [first.plus(i) for i in range(6)]
    assert weeks_to_rate(first, weeks[4], weeks[:5], [weeks[2]]) == tuple(weeks[2:5])
    assert weeks_to_rate(first, weeks[4], weeks[:5], [weeks[3], weeks[1]]) == tuple(weeks[1:5])
    assert weeks_to_rate(first, weeks[4], weeks[:5], [weeks[5]]) == ()


@given(weeks, st.integers(-3, 9), st.sets(st.integers(0, 8)), st.sets(st.integers(0, 8)))
def test_no_week_is_left_out_and_none_built_on_one_that_is_stale(first, length, published, dirty):
    last = first.plus(length)
    found = weeks_to_rate(first, last, {first.plus(i) for i in published}, {first.plus(i) for i in dirty})
    stale = [i for i in range(length + 1) if i not in published or i in dirty]
    assert found == tuple(first.plus(i) for i in range(min(stale, default=length + 1), length + 1))
