"""The registration room over HTTP: every golden case, act by act."""

from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests.bridge import golden

CASES = golden.vectors("swiss/registration.json")["cases"]
VERBS = {"stand": "stand", "disconnect": "disconnect", "cancel": "cancel"}


async def act(api, event, what, player, *rest):
    """One act of a golden case."""
    body = {"player": player}
    if what == "sit":
        return await api.post(
            f"events/{event}/room/sit", body | {"table": rest[0], "seat": rest[1]}, key=None
        )
    verb = ("raise" if rest[0] else "lower") if what == "hand" else VERBS[what]
    return await api.post(f"events/{event}/room/{verb}", body, key=None)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_every_golden_case(server, clock, case):
    opened = clock.now()
    start = (opened + timedelta(seconds=case["end"] + 1)).isoformat()
    body = {"kind": "swiss_pairs", "name": case["name"], "start_at": start, "rounds": 2}
    event = (await server.api.post("events", body | {"hold_s": case["hold"]})).body["id"]
    refused, cancelled = [], []
    for at, *action in case["actions"]:
        clock.set(opened + timedelta(seconds=at))
        answer = await act(server.api, event, *action)
        if answer.status != 200:
            assert answer.slug == "room-refused"
            refused.append([at, "refused", action[1], answer.body["reason"]])
            continue
        cancelled += [
            [at, "cancelled", each["entry"], *each["players"]]
            for each in answer.body["outcomes"]
            if each["what"] == "cancelled"
        ]
    clock.set(opened + timedelta(seconds=case["end"]))
    await event_course.advance(server.database, Keeper(1_000_000), clock.now)
    assert refused == [line for line in case["expected_log"] if line[1] == "refused"]
    assert cancelled == [line for line in case["expected_log"] if line[1] == "cancelled"]
    rows = (await server.api.get(f"events/{event}/entries")).body["entries"]
    assert [row["players"] for row in rows] == case["expected_entries"]
    told = {line[2]: line for line in case["expected_log"] if line[1] == "registered"}
    for row in rows:
        at = (opened + timedelta(seconds=told[row["entry"]][0])).isoformat().replace("+00:00", "Z")
        assert row["registered_at"] == at


async def test_a_move_that_is_refused_undoes_nobodys_registration(server, clock):
    start = (clock.now() + timedelta(minutes=10)).isoformat()
    body = {"kind": "swiss_pairs", "name": "E", "start_at": start, "rounds": 2}
    event = (await server.api.post("events", body)).body["id"]
    for action in (
        ("sit", "ann", 1, "N"),
        ("sit", "sam", 1, "S"),
        ("hand", "ann", True),
        ("hand", "sam", True),
    ):
        assert (await act(server.api, event, *action)).status == 200
    clock.advance(timedelta(seconds=20))
    refused = await act(server.api, event, "sit", "ann", 2, "N")
    assert refused.body["reason"] == "already_registered"
    assert list((await server.api.get(f"events/{event}")).body["entries"]) == ["1"]
