"""When the database does not answer: what waits, what is refused, and that nothing is lost."""

import asyncio
import re
import sqlite3
from contextlib import asynccontextmanager

import asyncpg
import pytest
from sqlalchemy import make_url

from server.services.ingest import QUEUE
from tests import factories


@asynccontextmanager
async def held(database_url):
    """Nobody else can write until the block ends; everybody can read."""
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
            await connection.execute("LOCK TABLE boards IN EXCLUSIVE MODE")
            yield
    finally:
        await connection.close()


def rows(board, count):
    """Good rows of fresh tables."""
    return [factories.result(board) | {"idempotency_key": factories.table()} for _ in range(count)]


async def fill(api, batch):
    """Post so many batches at once that no further one fits; the requests, once they wait."""
    posts = [
        asyncio.create_task(api.post("results/batch", batch, key=None)) for _ in range(QUEUE // len(batch))
    ]
    left = 0
    while left <= QUEUE - len(batch):
        metrics = (await api.get("/metrics")).body
        left = float(re.search(r"^crossruff_ingest_queue (.*)$", metrics, re.MULTILINE)[1])
    return posts


async def test_a_full_queue_is_busy_and_what_waits_is_kept(api, database_url):
    board = await factories.board(api)
    batch = rows(board, 1000)
    async with held(database_url), asyncio.timeout(30):
        posts = await fill(api, batch)
        refused = await api.post("results/batch", batch, key=None)
        assert (refused.status, refused.slug) == (503, "busy")
        assert int(refused.headers["Retry-After"]) >= 1
        assert (await api.get("/healthz")).status == 200
    answers = await asyncio.gather(*posts)
    assert [answer.status for answer in answers] == [200] * len(posts)
    assert (await api.get(f"boards/{board['id']}")).body["results"] == 40
    again = await api.post("results/batch", batch, key=None)
    assert again.status == 200
    assert sum(item.get("replayed", False) for item in again.body["results"]) == 40


@pytest.mark.parametrize("path", ["players/ann", "boards/{board}/traveller"])
async def test_reading_goes_on_meanwhile(api, database_url, path):
    board = await factories.board(api)
    await api.put("players/ann", {"name": "Ann"})
    async with held(database_url):
        assert (await api.get(path.format(board=board["id"]))).status == 200
