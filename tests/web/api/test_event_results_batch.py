"""Batches of an event's results: each row is answered as if it had come alone."""

import json

import pytest

from tests import event_days

NDJSON = {"Content-Type": "application/x-ndjson"}


@pytest.fixture
async def event(server):
    """An event of four pairs whose first round, of two boards, is played."""
    return await event_days.running(server)


def row(table, board, key, **changes):
    """A good row."""
    body = {"round": 1, "table": table, "board": board, "contract": "4S", "declarer": "N", "tricks": 10}
    return body | {"idempotency_key": key} | changes


def kinds(items):
    """Status or kind of problem of each row."""
    return [item["body"].get("type", "").removeprefix("/problems/") or item["status"] for item in items]


@pytest.mark.parametrize("lines", [False, True], ids=["array", "NDJSON"])
async def test_a_batch_is_taken_row_by_row(server, event, lines):
    given = [
        row(1, 1, "a"),
        row(1, 1, "b"),
        row(3, 1, "c"),
        row(2, 1, "d", tricks=14),
        row(2, 9, "e"),
        row(2, 1, None),
        {name: value for name, value in row(2, 1, "f").items() if name != "idempotency_key"},
        row(2, 1, "g", extra=1),
        row(2, 1, "h"),
        row(2, 2, "h"),
        row(1, 1, "a"),
        row(2, 2, "i"),
    ]
    path = f"events/{event}/results/batch"
    if lines:
        data = b"\n".join(json.dumps(each).encode() for each in given)
        items = (await server.api.post(path, data=data, key=None, headers=NDJSON)).body
    else:
        items = (await server.api.post(path, given, key=None)).body["results"]
    assert kinds(items) == [
        *(201, "table-already-reported", "table-not-in-round", "invalid-result", "board-not-found"),
        *("invalid-body", "idempotency-key-missing", "invalid-body", 201, "idempotency-key-reused", 201, 201),
    ]
    assert items[10]["replayed"] is True
    assert items[10]["body"] == items[0]["body"]
    shown = (await server.api.get(f"events/{event}")).body["tables"]
    assert {table: sorted(shown[table]["results"]) for table in shown} == {"1": ["1"], "2": ["1", "2"]}


async def test_keys_are_those_of_single_results(server, event):
    path = f"events/{event}/results"
    alone = await server.api.post(
        path, {k: v for k, v in row(1, 1, "").items() if k != "idempotency_key"}, key="k"
    )
    (item,) = (await server.api.post(f"{path}/batch", [row(1, 1, "k")], key=None)).body["results"]
    assert (item["status"], item["replayed"], item["body"]) == (201, True, alone.body)
    other = await event_days.running(server)
    path = f"events/{other}/results/batch"
    (elsewhere,) = (await server.api.post(path, [row(1, 1, "k")], key=None)).body["results"]
    assert kinds([elsewhere]) == ["idempotency-key-reused"]


async def test_after_the_cut_off_each_row_is_told_when_it_was(server, event, clock):
    ends = (await server.api.get(f"events/{event}")).body["ends_at"]
    clock.advance(event_days.STEP + event_days.STEP / 50)
    played = {"played_at": ends}
    given = [row(1, 1, "a"), row(1, 2, "b", **played)]
    late, counted = (await server.api.post(f"events/{event}/results/batch", given, key=None)).body["results"]
    assert (late["status"], late["body"]["ended_at"]) == (409, ends)
    assert counted["status"] == 201


async def test_an_event_that_is_none(server):
    (item,) = (await server.api.post("events/e_zzzzzz/results/batch", [row(1, 1, "a")], key=None)).body[
        "results"
    ]
    assert kinds([item]) == ["not-found"]
    (item,) = (await server.api.post("events/none/results/batch", [row(1, 1, "b")], key=None)).body["results"]
    assert kinds([item]) == ["not-found"]
