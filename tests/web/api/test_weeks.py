"""The week that is open."""

from datetime import UTC, datetime, timedelta

import pytest

from tests import factories

WEEK = timedelta(days=7)


async def test_the_open_week_and_its_ends(api):
    answer = await api.get("weeks/current")
    assert answer.body == {
        "week": "2026-W48",
        "opens_at": "2026-11-22T16:00:00Z",
        "closes_at": "2026-11-29T16:00:00Z",
        "state": "open",
        "revision": 0,
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


async def test_a_week_is_open_then_ended_then_closed_then_dirty(api, clock):
    board = await factories.board(api)
    await factories.results(api, board, 6)
    states = [(await api.get(f"weeks/{factories.WEEK}")).body]
    clock.advance(timedelta(days=5))  # Monday
    states.append((await api.get(f"weeks/{factories.WEEK}")).body)
    rated = await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")
    assert rated.status == 200
    states.append((await api.get(f"weeks/{factories.WEEK}")).body)
    await factories.results(api, board, 1)
    states.append((await api.get(f"weeks/{factories.WEEK}")).body)
    await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")
    states.append((await api.get(f"weeks/{factories.WEEK}")).body)
    assert [(each["state"], each["revision"]) for each in states] == [
        ("open", 0),
        ("ended", 0),
        ("closed", 1),
        ("dirty", 1),
        ("closed", 2),
    ]
    assert (await api.get("weeks/2027-W20")).body["state"] == "future"


async def test_rating_a_week_again_changes_nothing(api, clock):
    await factories.results(api, await factories.board(api), 6)
    clock.advance(WEEK)
    first = (await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")).body
    again = (await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")).body
    ((one,), (other,)) = (first["weeks"], again["weeks"])
    assert (one["changed"], other["changed"]) == (True, False)
    assert {**one, "changed": None} == {**other, "changed": None}
    assert (one["week"], one["pool"], one["revision"], one["players"]) == (factories.WEEK, "imps", 1, 24)


async def test_what_cannot_be_rated_is_refused(api, clock):
    await factories.results(api, await factories.board(api), 1)
    for week, status, slug in (
        (factories.WEEK, 409, "week-not-over"),
        ("2027-W20", 409, "week-not-over"),
        ("2026-W40", 404, "not-found"),
        ("2026-W54", 422, "invalid-body"),
        ("nonsense", 422, "invalid-body"),
    ):
        refused = await api.post(f"weeks/{week}/rate", None, token="admin")
        assert (refused.status, refused.body["type"]) == (status, f"/problems/{slug}"), refused
    assert (await api.post(f"weeks/{factories.WEEK}/rate", None, token="director")).status == 403
    assert (await api.get("weeks/2026-W48?pool=other")).status == 422


async def test_weeks_before_the_first_board_are_not_there(api, clock):
    nothing = await api.get("weeks/2026-W47")
    assert (nothing.status, nothing.slug) == (404, "not-found")
    await factories.results(api, await factories.board(api), 1)
    clock.advance(timedelta(days=14))
    for address in ("weeks/2026-W47", "weeks/1999-W01", "weeks/2026-W47/leaderboard"):
        unknown = await api.get(address)
        assert (unknown.status, unknown.slug) == (404, "not-found"), address
        assert unknown.body["detail"].endswith("The first week with results is 2026-W48.")
    refused = await api.post("weeks/2026-W47/rate", None, token="admin")
    assert refused.body["detail"] == "There is no 2026-W47 here. The first week with results is 2026-W48."
    states = [(await api.get(f"weeks/2026-W{n}")).body["state"] for n in (48, 49, 50, 51)]
    assert states == ["ended", "ended", "open", "future"]


async def test_a_body_that_rating_does_not_take_is_refused(api, clock):
    await factories.results(api, await factories.board(api), 1)
    clock.advance(timedelta(days=7))
    refused = await api.post("weeks/2026-W48/rate", {"x": 1}, token="admin")
    assert (refused.status, refused.slug) == (422, "invalid-body")
    assert (await api.get("weeks/2026-W48")).body["revision"] == 0
    assert (await api.post("weeks/2026-W48/rate", {}, token="admin")).status == 200


@pytest.mark.parametrize("week", ["2025-W53", "2026-W00", "week", "2026-W4", "9999-W01"])
async def test_what_is_no_week_is_refused_by_its_place(api, week):
    for address in (f"weeks/{week}", f"weeks/{week}/leaderboard"):
        refused = await api.get(address)
        assert (refused.status, refused.slug) == (422, "invalid-body")
        assert refused.body["errors"][0]["pointer"] == "week"
        assert "an ISO week such as 2026-W48" in refused.body["errors"][0]["detail"]
