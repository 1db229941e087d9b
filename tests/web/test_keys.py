"""Idempotency keys: the same again gives the first answer again, byte for byte."""

import asyncio
import json
from collections import Counter
from datetime import timedelta

import pytest

from server.services.idempotency import forget_old_answers
from tests import factories
from tests.web.wire import request, send

OTHER_CLIENT = "another platform"


def replayed(answer):
    """Whether the answer says that it was given before."""
    return answer.headers.get("Idempotency-Replayed") == "true"


def asking(**changes):
    """A body for POST /assignments."""
    return {"table": factories.table(), "players": factories.four()} | changes


async def bodies(api):
    """A good body for each route that takes a key, by path."""
    board = await factories.board(api)
    return {
        "results": factories.result(board),
        "assignments": asking(),
        "board-sets": {"week": factories.WEEK, "count": 3},
    }


@pytest.mark.parametrize("path", ["results", "assignments", "board-sets"])
async def test_the_same_again_is_answered_the_same_byte_for_byte(api, serve, path):
    body = (await bodies(api))[path]
    first = await api.post(path, body, key="K")
    assert (first.status, replayed(first)) == (201, False), first
    backwards = dict(reversed(body.items()))
    after_restart = (await serve()).api
    for client, again in ((api, body), (api, backwards), (after_restart, body)):
        answer = await client.post(path, again, key="K")
        assert (answer.status, answer.raw, replayed(answer)) == (201, first.raw, True)
        assert answer.headers["Content-Type"] == first.headers["Content-Type"]
    other = body | ({"table": "other"} if "table" in body else {"count": 4})
    refused = await api.post(path, other, key="K")
    assert (refused.status, refused.slug) == (422, "idempotency-key-reused")
    if "board" in body:  # also where its board is none of ours
        nowhere = await api.post(path, body | {"board": "nowhere"}, key="K")
        assert (nowhere.status, nowhere.slug) == (422, "idempotency-key-reused")


async def test_what_a_key_did_is_done_once(api):
    made = await bodies(api)
    for _ in range(3):
        await api.post("board-sets", made["board-sets"], key="K")
        await api.post("results", made["results"], key="K")
    assert len((await api.get("boards")).body["boards"]) == 1 + 3
    board = await api.get(f"boards/{made['results']['board']}")
    assert board.body["results"] == 1


async def test_the_first_answer_comes_again_whatever_has_happened_since(api, clock):
    board = await factories.board(api)
    body = factories.result(board)
    first = await api.post("results", body, key="K")
    assert first.body["state"] == "pending"
    await factories.results(api, board, 39)
    clock.advance(timedelta(days=6))
    again = await api.post("results", body, key="K")
    assert (again.status, again.raw, replayed(again)) == (201, first.raw, True)
    changed = await api.post("results", body | {"tricks": 9}, key="K")
    assert changed.slug == "idempotency-key-reused"  # looked up before the state: not board-retired


async def test_after_seven_days_a_key_is_free_again(server, clock):
    board = await factories.board(server.api)
    body = factories.result(board)
    await server.api.post("results", body, key="K")
    clock.advance(timedelta(days=7))
    assert await forget_old_answers(server.database, clock.now()) == 0
    clock.advance(timedelta(microseconds=1))
    assert await forget_old_answers(server.database, clock.now()) == 2
    again = await server.api.post("results", body, key="K")
    assert again.slug == "table-already-reported"


async def test_refusals_are_not_remembered(api):
    board = await factories.board(api)
    good = factories.result(board)
    impossible = await api.post("results", good | {"tricks": 14}, key="K")
    assert impossible.status == 422
    too_early = await api.post("results", good | {"board": "b_00zzzz"}, key="K")
    assert too_early.slug == "board-not-found"
    assert (await api.post("results", good, key="K")).status == 201
    nothing = asking(pool="mp")
    assert (await api.post("assignments", nothing, key="A")).slug == "no-board-available"
    await factories.board(api, pool="mp")
    dealt = await api.post("assignments", nothing, key="A")
    assert (dealt.status, replayed(dealt)) == (201, False)


async def test_single_and_batch_share_their_keys(api):
    board = await factories.board(api)
    one, two = factories.result(board), factories.result(board)
    first = await api.post("results", one, key="K1")
    rows = [one | {"idempotency_key": "K1"}, two | {"idempotency_key": "K2"}]
    batch = (await api.post("results/batch", rows, key=None)).body["results"]
    assert [(row["status"], row.get("replayed")) for row in batch] == [(201, True), (201, None)]
    assert batch[0]["body"] == first.body
    assert first.raw in (await api.post("results/batch", rows, key=None)).raw
    single = await api.post("results", two, key="K2")
    assert (replayed(single), single.body) == (True, batch[1]["body"])
    assert (await api.post("results", two, key="K1")).slug == "idempotency-key-reused"


async def test_results_and_assignments_of_a_client_share_their_keys(api):
    board = await factories.board(api)
    await api.post("results", factories.result(board), key="K")
    assert (await api.post("assignments", asking(), key="K")).slug == "idempotency-key-reused"


async def test_the_key_of_another_client_is_another_key(server):
    api = server.api
    other = await server.token(OTHER_CLIENT, "results:write")
    second = await server.token("results client", "results:write")  # the same client as api's own token
    first, more = await factories.boards(api, 2)
    body = factories.result(first)
    answer = await api.post("results", body, key="K")
    refused = await api.post("results", body, key="K", token=other)
    assert refused.slug == "table-already-reported"
    taken = await api.post("results", factories.result(more), key="K", token=other)
    assert (taken.status, replayed(taken)) == (201, False)
    again = await api.post("results", body, key="K", token=second)
    assert (again.raw, replayed(again)) == (answer.raw, True)


@pytest.mark.parametrize("path", ["assignments", "board-sets"])
async def test_twenty_times_the_same_at_once_is_done_once(serve, path):
    servers = [await serve(), await serve()]
    await factories.boards(servers[0].api, 3)
    body = asking() if path == "assignments" else {"week": factories.WEEK, "count": 2}
    posts = [servers[i % 2].api.post(path, body, key="K") for i in range(20)]
    answers = await asyncio.gather(*posts)
    assert Counter((answer.status, replayed(answer)) for answer in answers) == {
        (201, False): 1,
        (201, True): 19,
    }
    assert len({answer.raw for answer in answers}) == 1
    made = len((await servers[0].api.get("boards")).body["boards"])
    assert made == (3 if path == "assignments" else 5)


async def test_without_a_key_everything_but_a_result_is_done_each_time(api):
    board = await factories.board(api)
    missing = await api.post("results", factories.result(board), key=None)
    assert (missing.status, missing.slug) == (400, "idempotency-key-missing")
    broken = await api.post("results", data=b"{", key=None)
    assert broken.slug == "idempotency-key-missing"
    for _ in range(2):
        assert (await api.post("board-sets", {"week": factories.WEEK, "count": 1}, key=None)).status == 201
    asked = [await api.post("assignments", asking(), key=None) for _ in range(2)]
    assert [answer.status for answer in asked] == [201, 201]
    assert len((await api.get("boards")).body["boards"]) == 3


async def test_a_key_is_plain_text_of_1_to_255_characters(api):
    board = await factories.board(api)
    for key in ("k", "k" * 255, "with blanks / and slashes"):
        assert (await api.post("results", factories.result(board), key=key)).status == 201
    for key in ("k" * 256, "", "\u202ek", "k\u0085"):
        answer = await api.post("results", factories.result(board), key=key)
        assert (answer.status, answer.slug) == (422, "invalid-body"), ascii(key)


async def test_a_key_that_is_no_utf8_is_refused(api):
    body = json.dumps(factories.result(await factories.board(api))).encode()
    token = f"Bearer {api.tokens['results']}"
    for key in (b"k\xff", b"\xed\xa0\x80"):
        sent = request(b"POST /api/v1/results", body, Authorization=token, Idempotency_Key=key)
        reply = await send(api.url, sent)
        assert (reply.status, reply.problem["type"]) == (422, "/problems/invalid-body")
