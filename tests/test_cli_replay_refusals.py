"""``crossruff replay`` before a wrong address, a wrong file, and servers that fail it."""

from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from tests.commands import run_beside
from tests.formats.pbn_files import game
from tests.processes import crossruff

ROWS = [f"{pair} {pair + 100} 4S N {pair}" for pair in range(1, 11)]
WEEK = {"week": "2026-W48"}


@pytest.fixture
def file(tmp_path):
    """Two boards of ten tables."""
    columns = '[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]'
    games = [game(columns, *ROWS, Board=str(n), Dealer="N", Vulnerable="None") for n in (1, 2)]
    path = tmp_path / "two.pbn"
    path.write_text("\n".join(games))
    return path


@asynccontextmanager
async def serving(handler, **others):
    """A server that is none of ours: ``handler`` answers every result, ``others`` the path of their name."""

    async def answer(request):
        path = request.path.rpartition("/")[2]
        if path == "results":
            return await handler(request)
        return others.get(path) or web.json_response(
            {
                "current": WEEK,
                "boards": {"boards": [], "cursor": None},
                "board-sets": {"boards": [{"id": f"b_{n}", "number": n, "state": "open"} for n in (1, 2)]},
            }[path]
        )

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def accepted(_request):
    """A result that was taken."""
    return web.json_response({"board": {"id": "b_1", "number": 1, "state": "pending"}}, status=201)


def said(ended) -> str:
    """The message of a command that was refused."""
    assert (ended.exit_code, ended.stdout, ended.stderr.count("\n")) == (1, "", 1), ended
    return ended.stderr.removeprefix("Error: ").rstrip()


@pytest.mark.parametrize(
    "address", ["nonsense", "127.0.0.1:8080", "ftp://host", "http://", "http://host:port"]
)
async def test_an_address_that_is_none(file, address):
    ended = await run_beside("replay", str(file), "--to", address)
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert f"{address!r} is no address such as http://127.0.0.1:8080" in ended.stderr


async def test_a_file_that_is_no_result_file(tmp_path):
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(bytes(range(256)))
    ended = await run_beside("replay", str(photo), "--to", "http://127.0.0.1:1")
    assert said(ended).startswith("photo.jpg: neither PBN nor USEBIO")


async def test_no_server(file):
    ended = await crossruff("replay", str(file), "--to", "http://127.0.0.1:1", afresh=True)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1), ended
    where = "http://127.0.0.1:1/api/v1/weeks/current"
    assert ended.err.startswith(f"Error: GET {where}: Cannot connect to host")


@pytest.mark.parametrize("body", [b"<html>Welcome</html>", b"[]", b"", b"\xff", b"{}", b'{"week": 48}'])
async def test_a_server_that_is_no_crossruff(file, body):
    answer = web.Response(body=body, status=200 if body.startswith(b"{") else 404)
    async with serving(accepted, current=answer) as address:
        ended = await run_beside("replay", str(file), "--to", f"{address}/static/")
    where = f"{address}/static/api/v1/weeks/current"
    assert said(ended) == f"{where}: no Crossruff server answers like this; is the address right?"


async def test_a_server_that_is_killed_meanwhile(file):
    asked = []

    async def die(request):
        asked.append(request)
        if len(asked) > 3:
            request.transport.abort()
        return accepted(request)

    async with serving(die) as address:
        ended = await run_beside("replay", str(file), "--to", address)
    assert said(ended).startswith(f"POST {address}/api/v1/results: ")


async def test_a_server_that_stays_busy(file):
    waits = iter(["Wed, 25 Nov 2026 12:00:00 GMT"])  # which is allowed, and counts as a second

    async def busy(_request):
        return web.json_response({}, status=503, headers={"Retry-After": next(waits, "0")})

    async with serving(busy) as address:
        ended = await run_beside("replay", str(file), "--to", address)
    assert said(ended) == f"POST {address}/api/v1/results: the server stayed busy"


async def test_a_server_that_is_busy_for_a_while_gets_everything(file):
    asked = []

    async def busy_at_first(request):
        asked.append((request.headers["Idempotency-Key"], await request.text()))
        if len(asked) < 10:
            return web.json_response({}, status=429, headers={"Retry-After": "0"})
        return accepted(request)

    async with serving(busy_at_first) as address:
        ended = await run_beside("replay", str(file), "--to", address)
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert ended.stdout.startswith("20 tables of 2 boards posted: 20 accepted\n")
    assert (len(asked), len(set(asked))) == (29, 20)
