"""When the database does not answer: what waits, what is refused, and that nothing is lost."""

import asyncio
import sqlite3
from contextlib import asynccontextmanager

import asyncpg
import pytest
from sqlalchemy import make_url

from server.services.ingest import QUEUE
from tests import factories


@asynccontextmanager
async def held(database_url):
    """Nobody else can write until the block ends."""
    url = make_url(database_url)
    if url.get_backend_name() == "sqlite":
        connection = sqlite3.connect(url.database, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")
            connection.close()
        return
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE boards")
            yield
    finally:
        await connection.close()


def rows(board, count):
    """Good rows of fresh tables."""
    return [factories.result(board) | {"idempotency_key": factories.table()} for _ in range(count)]


async def waiting(api, count):
    """Until so many reports wait in the queue."""
    while f"crossruff_ingest_queue {float(count)}" not in (await api.get("/metrics")).body:
        await asyncio.sleep(0)


async def test_a_full_queue_is_busy_and_what_waits_is_kept(api, database_url):
    board = await factories.board(api)
    batch = rows(board, 1000)
    async with held(database_url):
        first = asyncio.create_task(api.post("results", factories.result(board)))
        await asyncio.sleep(0)
        posts = [
            asyncio.create_task(api.post("results/batch", batch, key=None)) for _ in range(QUEUE // 1000)
        ]
        await waiting(api, QUEUE // 1000 * 1000)
        refused = await api.post("results/batch", batch, key=None)
        assert (refused.status, refused.slug) == (503, "busy")
        assert int(refused.headers["Retry-After"]) >= 1
        assert (await api.get("/healthz")).status == 200
    answers = await asyncio.gather(first, *posts)
    assert [answer.status for answer in answers] == [201] + [200] * len(posts)
    assert (await api.get(f"boards/{board['id']}")).body["results"] == 40
    again = await api.post("results/batch", batch, key=None)
    assert again.status == 200
    assert sum(item.get("replayed", False) for item in again.body["results"]) == 39


@pytest.mark.parametrize("path", ["players/ann", "boards/{board}/traveller"])
async def test_reading_goes_on_meanwhile(api, database_url, path):
    if database_url.startswith("postgresql"):
        pytest.skip("a table that is locked as a whole cannot be read; rows that are locked can")
    board = await factories.board(api)
    await api.put("players/ann", {"name": "Ann"})
    async with held(database_url):
        assert (await api.get(path.format(board=board["id"]))).status == 200
