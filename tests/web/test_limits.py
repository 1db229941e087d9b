"""How many rows a token may send."""

import asyncio
import json
import re

import pytest

from server.web.limits import BURST, RateLimit
from server.web.problems import RateLimited
from tests import factories

BAD = [5]  # a row that costs as much as a good one


class Seconds:
    """A clock for the bucket."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def left(headers):
    """What the headers say is left, and in how many seconds the bucket is full."""
    return tuple(map(int, re.fullmatch(r'"rows";r=(\d+);t=(\d+)', headers["RateLimit"]).groups()))


def take(limit, token, rows):
    """Take rows; the headers."""
    headers = {}
    limit.take(token, rows, headers)
    return headers


def test_a_bucket_holds_a_burst_and_fills_again():
    seconds = Seconds()
    limit = RateLimit(200, seconds)
    headers = take(limit, 1, 1)
    assert headers["RateLimit-Policy"] == '"rows";q=1000;w=5'
    assert left(headers) == (999, 1)
    assert left(take(limit, 1, 999)) == (0, 5)
    seconds.now += 0.5
    assert left(take(limit, 1, 100)) == (0, 5)
    seconds.now += 1000
    assert left(take(limit, 1, 1)) == (999, 1)


def test_what_is_refused_costs_nothing_and_says_when():
    seconds = Seconds()
    limit = RateLimit(200, seconds)
    take(limit, 1, 900)
    headers = {}
    with pytest.raises(RateLimited) as refused:
        limit.take(1, 501, headers)
    assert refused.value.retry_after == 3  # 401 rows are missing
    assert left(headers) == (100, 5)
    seconds.now += 3
    assert left(take(limit, 1, 501)) == (199, 5)


def test_each_token_has_a_bucket_of_its_own():
    limit = RateLimit(1, Seconds())
    take(limit, 1, BURST)
    assert left(take(limit, 2, 1))[0] == BURST - 1
    with pytest.raises(RateLimited):
        take(limit, 1, 1)


def test_without_a_limit_nothing_is_counted():
    limit = RateLimit(0, Seconds())
    assert [take(limit, 1, 10**6) for _ in range(3)] == [{}, {}, {}]


@pytest.fixture
async def slow(serve):
    """A server that takes a burst and then one row a second."""
    return (await serve(rate_limit=1)).api


async def test_a_batch_counts_its_rows(slow):
    first = await slow.post("results/batch", BAD * 600, key=None)
    assert first.status == 200
    assert left(first.headers) == (400, 600)
    refused = await slow.post("results/batch", BAD * 600, key=None)
    assert (refused.status, refused.slug) == (429, "rate-limited")
    assert 150 <= int(refused.headers["Retry-After"]) <= 200
    assert refused.body["retry_after"] == int(refused.headers["Retry-After"])
    assert 399 <= left(refused.headers)[0] <= 450  # the first row of a batch is paid at the door
    ndjson = {"Content-Type": "application/x-ndjson"}
    lines = b"\n".join([json.dumps(5).encode()] * 600)
    assert (await slow.post("results/batch", data=lines, key=None, headers=ndjson)).status == 429


async def test_an_empty_bucket_refuses_everything_of_that_token_alone(slow):
    board = await factories.board(slow)
    assert (await slow.post("results/batch", BAD * 999, key=None)).status == 200
    single = await slow.post("results", factories.result(board))
    assert single.status == 201
    # A row a second comes back: of so many requests of each kind at once only some can be taken.
    kinds = [("POST", "results"), ("POST", "assignments"), ("PUT", "players/ann")]
    asked = [slow.request(method, path, json={}, key="K") for _ in range(40) for method, path in kinds]
    answers = await asyncio.gather(*asked)
    for kind in range(3):
        refused = [answer for answer in answers[kind::3] if answer.status == 429]
        assert {answer.slug for answer in refused} == {"rate-limited"}
        assert all(int(answer.headers["Retry-After"]) >= 1 for answer in refused)
    assert (await slow.post("board-sets", {"week": factories.WEEK, "count": 1})).status == 201
    read = await slow.get(f"boards/{board['id']}", token="results")  # reading is free
    assert (read.status, "RateLimit" in read.headers) == (200, False)


async def test_refusals_say_what_is_left_too(slow):
    answer = await slow.post("results", {})
    assert answer.status == 422
    assert left(answer.headers) == (999, 1)
    missing = await slow.post("results", {}, token="boards")
    assert (missing.status, "RateLimit" in missing.headers) == (403, False)


async def test_no_limit_no_headers(api):
    answer = await api.post("results/batch", BAD, key=None)
    assert "RateLimit" not in answer.headers
