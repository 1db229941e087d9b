"""The week that is open."""

from datetime import UTC, datetime, timedelta

import pytest

WEEK = timedelta(days=7)


async def test_the_open_week_and_its_ends(api):
    answer = await api.get("weeks/current")
    assert answer.body == {
        "week": "2026-W48",
        "opens_at": "2026-11-22T16:00:00Z",
        "closes_at": "2026-11-29T16:00:00Z",
        "state": "open",
    }


async def test_a_week_changes_at_midnight_of_the_zone(api, clock):
    clock.set(datetime(2026, 11, 29, 15, 59, 59, 999999, UTC))
    assert (await api.get("weeks/current")).body["week"] == "2026-W48"
    clock.advance(timedelta(microseconds=1))
    assert (await api.get("weeks/current")).body["week"] == "2026-W49"


@pytest.mark.parametrize(
    ("zone", "instant", "week", "hours"),
    [
        ("Europe/Berlin", datetime(2026, 3, 28, 12, tzinfo=UTC), "2026-W13", 167),
        ("Europe/Berlin", datetime(2026, 10, 25, 12, tzinfo=UTC), "2026-W43", 169),
        ("America/New_York", datetime(2027, 1, 4, 4, 59, tzinfo=UTC), "2026-W53", 168),
        ("America/New_York", datetime(2027, 1, 4, 5, tzinfo=UTC), "2027-W01", 168),
        ("UTC", datetime(2026, 1, 1, tzinfo=UTC), "2026-W01", 168),
    ],
)
async def test_weeks_follow_the_zone(serve, clock, zone, instant, week, hours):
    clock.set(instant)
    body = (await (await serve(week_zone=zone)).api.get("weeks/current")).body
    assert body["week"] == week
    opens, closes = (datetime.fromisoformat(body[name]) for name in ("opens_at", "closes_at"))
    assert opens <= instant < closes
    assert closes - opens == timedelta(hours=hours)


async def test_one_week_follows_another_for_years(api, clock):
    closes = None
    for _ in range(120):
        body = (await api.get("weeks/current")).body
        assert closes in (None, body["opens_at"])
        closes = body["closes_at"]
        clock.advance(WEEK)
