"""Outages: what happened within the window is taken back in one step, and nothing else."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func, select, text

from server.services import outages, tallies
from server.storage import tables
from tests import factories
from tests.clock import NOON
from tests.web.api.test_disconnects import left, states
from tests.web.verified import check_clean

WINDOW = {"since": "2026-11-25T19:00:00+08:00", "until": "2026-11-25T19:30:00+08:00", "reason": "no power"}


def at(minute):
    """A moment of the hour in which it all happens, as a platform reports it."""
    return f"2026-11-25T11:{minute:02}:00Z"


async def declare(api, **changes):
    """Declare an outage; the answer."""
    options = {name: changes.pop(name) for name in ("params", "token", "key") if name in changes}
    return await api.post("outages", WINDOW | changes, **{"token": "director"} | options)


async def points(server, player):
    """Week points and boards of a player."""
    while await tallies.refresh(server.database, ""):
        pass
    figures = (await server.api.get(f"players/{player}")).body["figures"]
    return figures["week_points"], figures["week_boards"]


async def test_everything_within_the_window_is_taken_back_in_one_step(server, api):
    first, second = await factories.boards(api, 2)
    made = [
        await left(api, board, at=at(minute))
        for board, minute in ((second, 0), (first, 10), (first, 29), (first, 30), (second, 59))
    ]
    answer = await declare(api)
    assert answer.status == 200, answer
    within = [{"id": body["id"], "board": body["board"]} for _, body in made[:3]]
    assert answer.body == {
        "since": "2026-11-25T11:00:00Z",
        "until": "2026-11-25T11:30:00Z",
        "reason": "no power",
        "disconnects": within,
        "dry_run": False,
    }
    found = [(await api.get(f"disconnects/{body['id']}", token="director")).body for _, body in made]
    assert [each["state"] for each in found] == ["void"] * 3 + ["standing"] * 2
    assert found[0]["void"] == {"reason": "no power", "at": "2026-11-25T12:00:00Z"}
    assert [await points(server, posted["player"]) for posted, _ in made] == [(0, 0)] * 3 + [(-16, 1)] * 2
    rows = (await api.get("audit", token="director")).body["rows"]
    (row,) = [each for each in rows if each["verb"] == "outage"]
    assert row["subject"] == "2026-11-25T11:00:00Z/2026-11-25T11:30:00Z"
    assert row["detail"] == f"no power: {', '.join(each['id'] for each in within)}"
    assert [each["verb"] for each in rows].count("disconnect-void") == 0
    await check_clean(server)


async def test_again_there_is_nothing_left_to_take_back(server, api):
    board = await factories.board(api)
    await left(api, board, at=at(5))
    assert len((await declare(api)).body["disconnects"]) == 1
    assert (await declare(api)).body["disconnects"] == []
    _, later = await left(api, board, at=at(6))  # reported when the line was there again
    assert [each["id"] for each in (await declare(api)).body["disconnects"]] == [later["id"]]
    await check_clean(server)


async def test_with_a_key_it_is_answered_once(api):
    board = await factories.board(api)
    await left(api, board, at=at(5))
    first = await declare(api, key="the outage")
    assert (await declare(api, key="the outage")).raw == first.raw
    assert (await declare(api, key="the outage", reason="another")).slug == "idempotency-key-reused"


async def test_a_dry_run_changes_nothing(server, api):
    board = await factories.board(api)
    _, body = await left(api, board, at=at(5))
    shown = await declare(api, params={"dry_run": "true"})
    assert (shown.body["dry_run"], [each["id"] for each in shown.body["disconnects"]]) == (True, [body["id"]])
    assert (await api.get(f"disconnects/{body['id']}", token="director")).body["state"] == "standing"
    assert (await declare(api)).body == shown.body | {"dry_run": False}


async def test_where_nobody_told_when_it_happened_it_is_when_it_was_reported(server, api, clock):
    first, second = await factories.boards(api, 2)
    clock.set(NOON - timedelta(minutes=31))  # 11:29
    _, within = await left(api, first, at=None)
    clock.advance(timedelta(minutes=1))
    await left(api, second, at=None)
    assert [each["id"] for each in (await declare(api)).body["disconnects"]] == [within["id"]]


async def test_disconnects_that_came_with_results_are_taken_back_too(server, api, clock):
    clock.set(NOON - timedelta(minutes=40))
    posted = factories.result(await factories.board(api))
    result = (await api.post("results", posted | {"disconnects": [posted["players"]["E"]]})).body
    assert await states(api, result) == {posted["players"]["E"]: "standing"}
    clock.set(NOON)
    assert len((await declare(api)).body["disconnects"]) == 1
    assert await states(api, result) == {posted["players"]["E"]: "void"}
    await check_clean(server)


@pytest.mark.parametrize(
    ("changes", "slug", "pointer"),
    [
        ({"until": WINDOW["since"]}, "outage-refused", "/until"),
        ({"until": "2026-11-25T18:00:00+08:00"}, "outage-refused", "/until"),
        ({"until": "2026-11-25T12:00:00.000001Z"}, "outage-refused", "/until"),
        ({"since": "2026-11-25T19:00:00"}, "invalid-body", "/since"),
        ({"since": "soon"}, "invalid-body", "/since"),
        ({"until": None}, "invalid-body", "/until"),
        ({"reason": ""}, "invalid-body", "/reason"),
        ({"board": "b_1"}, "invalid-body", "/board"),
    ],
)
async def test_what_is_no_window_is_refused(api, changes, slug, pointer):
    refused = await declare(api, **changes)
    assert (refused.status, refused.slug) == (422, slug)
    assert refused.body["errors"][0]["pointer"] == pointer


async def test_more_than_one_step_may_take_back_is_refused(server, api, monkeypatch):
    monkeypatch.setattr(outages, "MOST", 1)
    first, second = await factories.boards(api, 2)
    await left(api, first, at=at(5))
    await left(api, second, at=at(6))
    refused = await declare(api)
    assert refused.slug == "outage-refused"
    standing = select(func.count()).select_from(tables.disconnects).where(tables.disconnects.c.live)
    assert await server.database.read(lambda c: c.execute(standing).scalar_one()) == 2


async def test_who_plays_declares_nothing_about_boards_that_are_his(server, api):
    first, second = await factories.boards(api, 2)
    posted, _ = await left(api, first, at=at(5))
    await left(api, second, at=at(6))
    himself = await server.token("himself", "director", player=posted["players"]["S"])
    for params in ({}, {"dry_run": "true"}):
        assert (await declare(api, token=himself, params=params)).slug == "own-board"
    standing = select(func.count()).select_from(tables.disconnects).where(tables.disconnects.c.live)
    assert await server.database.read(lambda c: c.execute(standing).scalar_one()) == 2


async def test_two_at_once_take_back_everything_once(server, api):
    for board in await factories.boards(api, 5):
        await left(api, board, at=at(5))
        await left(api, board, at=at(6))
    answers = await asyncio.gather(*(declare(api) for _ in range(3)))
    assert sorted(len(each.body["disconnects"]) for each in answers) == [0, 0, 10]
    kept = await server.database.read(
        lambda c: c.execute(text("SELECT count(*), count(DISTINCT disconnect) FROM revisions")).one()
    )
    assert tuple(kept) == (10, 10)
    await check_clean(server)
