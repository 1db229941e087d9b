"""Who may do what: every route, asked by everybody."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from aiohttp import ClientSession

from server.services import tokens
from server.web.table import ROUTES
from tests import factories
from tests.api import BASE
from tests.web import event_cells

SCOPES = ("results:write", "boards:write", "events:write", "director", "admin")
WEEK = {"week": factories.WEEK, "count": 1}
PAST = "2026-W40"  # nothing was dealt for it before


async def _board(api, rest=""):
    return f"boards/{(await factories.board(api))['id']}{rest}", None


async def _result(api, rest=""):
    board = await factories.board(api, pool="single")
    (result,) = await factories.results(api, board, 1)
    return f"results/{result['id']}{rest}", None


async def _new_result(api):
    return "results", factories.result(await factories.board(api))


async def _batch(api):
    path, body = await _new_result(api)
    return f"{path}/batch", [body | {"idempotency_key": uuid4().hex}]


async def _ruling(api, kind, **body):
    path, _ = await _result(api, f"/{kind}")
    return path, {"reason": "x"} | body


async def _leaving(api):
    players = factories.four()
    board = await factories.board(api, pool="single")
    body = {"player": players["N"], "board": board["id"], "table": factories.table(), "players": players}
    return "disconnects", body


async def _disconnect(api, rest=""):
    path, body = await _leaving(api)
    return f"disconnects/{(await api.post(path, body)).body['id']}{rest}", None


async def _lifting(api):
    path, _ = await _disconnect(api, "/lift")
    return path, {"reason": "he waited"}


async def _seating(api):
    await factories.board(api)
    return "assignments", {"table": factories.table(), "players": factories.four()}


async def _player(api, rest=""):
    name = factories.table()
    await api.put(f"players/{name}", {"name": "Ann"})
    return f"players/{name}{rest}", None


async def _past_week(api):
    (made,) = await factories.boards(api, 1, PAST)
    await api.post("results", factories.result(made, players={seat: f"old-{seat}" for seat in "NESW"}))
    return f"weeks/{PAST}/rate", None


async def _explained_week(api):
    path, _ = await _past_week(api)
    await api.post(path, None, token="admin")
    return f"players/old-N/weeks/{PAST}/explain", None


async def _watched_week(api):
    path, _ = await _past_week(api)
    await api.post(path, None, token="admin")
    return f"weeks/{PAST}/watch", None


def held(cell):
    """A request about an event that the cell has brought so far."""

    async def made(served):
        return f"events/{await cell.before(served)}{cell.address}", cell.body

    return made


def fixed(path, body=None):
    """A request that needs nothing to be there."""

    async def made(_api):
        return path, body

    return made


@dataclass(frozen=True)
class Cell:
    """A request that succeeds, and the scope that it takes."""

    scope: str | None
    made: Callable[..., Awaitable[tuple[str, Any]]]
    event: bool = False  # ``made`` takes the server
    mine: bool = False  # the client to whom the event belongs, and nobody else


OUTAGE = {"since": "2026-11-25T11:00:00Z", "until": "2026-11-25T11:30:00Z", "reason": "no power"}
CELLS = {
    ("POST", "/api/v1/results"): Cell("results:write", _new_result),
    ("POST", "/api/v1/results/batch"): Cell("results:write", _batch),
    ("GET", "/api/v1/results/{id}"): Cell(None, _result),
    ("GET", "/api/v1/results/{id}/explain"): Cell(None, lambda api: _result(api, "/explain")),
    ("POST", "/api/v1/results/{id}/void"): Cell("director", lambda api: _ruling(api, "void")),
    ("POST", "/api/v1/results/{id}/adjust"): Cell(
        "director", lambda api: _ruling(api, "adjust", basis="score_error", result="4SN-1")
    ),
    ("POST", "/api/v1/disconnects"): Cell("results:write", _leaving),
    ("GET", "/api/v1/disconnects"): Cell("director", fixed("disconnects")),
    ("GET", "/api/v1/disconnects/{id}"): Cell("director", _disconnect),
    ("POST", "/api/v1/disconnects/{id}/lift"): Cell("director", _lifting),
    ("DELETE", "/api/v1/disconnects/{id}"): Cell("director", lambda api: _disconnect(api, "?reason=x")),
    ("POST", "/api/v1/outages"): Cell("director", fixed("outages", OUTAGE)),
    ("GET", "/api/v1/audit"): Cell("director", fixed("audit")),
    ("POST", "/api/v1/board-sets"): Cell("boards:write", fixed("board-sets", WEEK)),
    ("GET", "/api/v1/boards"): Cell(None, fixed("boards")),
    ("GET", "/api/v1/boards/{id}"): Cell(None, _board),
    ("GET", "/api/v1/boards/{id}/traveller"): Cell(None, lambda api: _board(api, "/traveller")),
    ("POST", "/api/v1/assignments"): Cell("results:write", _seating),
    ("GET", "/api/v1/players/{id}"): Cell(None, _player),
    ("PUT", "/api/v1/players/{id}"): Cell("results:write", fixed("players/ann", {"name": "Ann"})),
    ("GET", "/api/v1/players/{id}/results"): Cell(None, lambda api: _player(api, "/results")),
    ("GET", "/api/v1/players/{id}/career"): Cell(None, lambda api: _player(api, "/career")),
    ("GET", "/api/v1/players/{id}/weeks"): Cell(None, lambda api: _player(api, "/weeks")),
    ("GET", "/api/v1/players/{id}/weeks/{week}/explain"): Cell(None, _explained_week),
    ("GET", "/api/v1/weeks/current"): Cell(None, fixed("weeks/current")),
    ("GET", "/api/v1/weeks/{week}"): Cell(None, fixed(f"weeks/{factories.WEEK}")),
    ("GET", "/api/v1/weeks/{week}/leaderboard"): Cell(None, fixed(f"weeks/{factories.WEEK}/leaderboard")),
    ("POST", "/api/v1/weeks/{week}/rate"): Cell("admin", _past_week),
    ("GET", "/api/v1/weeks/{week}/watch"): Cell("director", _watched_week),
    ("GET", "/api/v1/channels/{name}/stream"): Cell(None, fixed(f"channels/week:{factories.WEEK}/stream")),
    ("POST", "/api/v1/events"): Cell("events:write", fixed("events", event_cells.EVENT)),
    ("GET", "/api/v1/events"): Cell(None, fixed("events")),
    ("GET", "/api/v1/grades"): Cell(None, fixed("grades")),
    ("GET", "/healthz"): Cell(None, fixed("/healthz")),
    ("GET", "/readyz"): Cell(None, fixed("/readyz")),
    ("GET", "/metrics"): Cell(None, fixed("/metrics")),
}


CELLS |= {
    (cell.method, f"/api/v1/events/{{id}}{cell.path}"): Cell(cell.scope, held(cell), True, cell.mine)
    for cell in event_cells.CELLS
}


@pytest.fixture
async def session():
    """Connections without any token."""
    async with ClientSession() as opened:
        yield opened


@pytest.fixture
async def served(serve):
    """A server with a pool whose boards are retired, and so revealed, with one result."""
    single = {"method": "datum", "score_at": 1, "retire_at": 1, "trim": "tenth", "members": True}
    return await serve(pools={"single": single})


async def identities(served):
    """Everybody who may ask: his token and the scope that it has, None without one, empty when worthless."""
    found = {"nobody": (None, None), "somebody unknown": ("cr_unknown", ""), "no token of ours": ("x", "")}
    soon = served.clock.now() + timedelta(seconds=1)
    for scope in SCOPES:
        found[scope] = (await served.token(f"client of {scope}", scope), scope)
        found[f"another {scope}"] = (await served.token("another client", scope), scope)
        found[f"expired {scope}"] = (await served.token("late", scope, expires_at=soon), "")
        found[f"revoked {scope}"] = (await served.token("revoked", scope), "")
    for token in await tokens.get_all(served.database):
        if token.client_name == "revoked":
            assert await tokens.revoke(served.database, token.number, served.clock.now())
    served.clock.advance(timedelta(seconds=1))
    return found


def expected(scope, has):
    """Status and kind of problem for somebody with the scope ``has``."""
    if has == "" or (has is None and scope is not None):
        return 401, "token-invalid"
    if scope is None or has in (scope, "admin"):
        return 200, None
    return 403, "scope-missing"


async def ask(session, url, method, request, token, key):
    """Status and kind of problem of an answer, and the answer."""
    path, body = request
    headers = {"Idempotency-Key": key, "If-Match": '"v1"'}
    headers |= {} if token is None else {"Authorization": f"Bearer {token}"}
    address = url + (path if path.startswith("/") else BASE + path)
    async with session.request(method, address, json=body, headers=headers) as response:
        if response.status < 400:  # a stream never ends: what it says is not read
            return (200, None), response
        problem = await response.json(content_type="application/problem+json")
        return (response.status, problem["type"].removeprefix("/problems/")), response


@pytest.fixture
def database_url(sqlite_url):
    """Who may do what is decided before a database is asked for anything but the token."""
    return sqlite_url


def test_every_route_has_cells():
    assert {(route.method, route.path) for route in ROUTES} == CELLS.keys()


@pytest.mark.parametrize(("method", "path"), CELLS)
async def test_everybody_gets_what_he_may(served, session, method, path):
    cell = CELLS[method, path]
    wrong, request = [], None
    for who, (token, has) in (await identities(served)).items():
        if method != "GET" or request is None:  # all may read the same: it stays as it is
            request = await cell.made(served if cell.event else served.api)
        key = uuid4().hex
        found, response = await ask(session, served.url, method, request, token, key)
        if found != (
            (403, "not-your-event") if cell.mine and has == cell.scope else expected(cell.scope, has)
        ):
            wrong.append((who, found))
        if found[0] == 401:
            assert response.headers["WWW-Authenticate"] == "Bearer"
        if found[0] >= 400 and method != "GET":
            # What was refused was not done, nor remembered: whoever may do it does it for the first time.
            admin = served.api.tokens["admin"]
            good, again = await ask(session, served.url, method, request, admin, key)
            assert (good, again.headers.get("Idempotency-Replayed")) == ((200, None), None), who
    assert wrong == []


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic YTpi", "Token cr_x", "cr_x", "Bearer cr_ä", "Bearer cr_x cr_y"]
)
async def test_what_is_no_bearer_token_is_no_token(api, header):
    for method, path in (("GET", "weeks/current"), ("POST", "results")):
        answer = await api.request(method, path, headers={"Authorization": header}, key="K")
        assert (answer.status, answer.slug) == (401, "token-invalid")
        assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_the_word_bearer_may_be_written_in_any_way(api):
    token = api.tokens["boards"]
    for header in (f"bearer {token}", f"BEARER {token}", f"Bearer  {token} "):
        answer = await api.post("board-sets", WEEK, headers={"Authorization": header})
        assert answer.status == 201


async def test_a_scope_that_is_missing_is_named(api):
    answer = await api.post("results", {}, token="boards")
    assert (answer.status, answer.slug, answer.body["scope"]) == (403, "scope-missing", "results:write")


async def test_a_token_may_have_several_scopes(served):
    token = await served.token("both", "results:write", "boards:write")
    board = await served.api.post("board-sets", WEEK, token=token)
    body = factories.result(board.body["boards"][0])
    assert (await served.api.post("results", body, token=token)).status == 201


async def test_a_token_works_until_it_expires(served):
    end = served.clock.now() + timedelta(hours=1)
    token = await served.token("guest", "boards:write", expires_at=end)
    served.clock.set(end - timedelta(microseconds=1))
    assert (await served.api.post("board-sets", WEEK, token=token)).status == 201
    served.clock.set(end)
    assert (await served.api.post("board-sets", WEEK, token=token)).slug == "token-invalid"


async def test_the_past_is_the_admins(api, clock):
    body = {"week": "2026-W47", "count": 1}
    refused = await api.post("board-sets", body)
    assert (refused.status, refused.slug, refused.body["scope"]) == (403, "scope-missing", "admin")
    assert (await api.post("board-sets", body, token="admin")).status == 201
    assert (await api.post("board-sets", WEEK)).status == 201
    clock.advance(timedelta(days=7))
    assert (await api.post("board-sets", WEEK)).slug == "scope-missing"


async def test_a_revoked_token_stops_working_soon(served):
    token = await served.token("platform", "boards:write")
    assert (await served.api.post("board-sets", WEEK, token=token)).status == 201
    (number,) = [
        known.number for known in await tokens.get_all(served.database) if known.client_name == "platform"
    ]
    await tokens.revoke(served.database, number, served.clock.now())
    async with asyncio.timeout(3):
        while (await served.api.get("weeks/current", token=token)).status == 200:
            pass
    assert (await served.api.post("board-sets", WEEK, token=token)).slug == "token-invalid"
