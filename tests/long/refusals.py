"""Requests that are refused, by the kind of problem."""

import json
from dataclasses import dataclass
from typing import Any

from tests.long.traffic import BASE, BATCH, RESULTS, Post
from tests.long.wire import Connection

ABSENT: Any = object()


@dataclass(frozen=True)
class Refusal:
    """A request made from that of a good result, which has been taken, and what it is answered."""

    slug: str
    changes: dict[str, Any] | None = None  # of members; ABSENT: left out
    body: bytes | None = None  # instead of the members
    key: str | None = "refused"
    method: str = "POST"
    path: str = RESULTS
    token: str = "platform"  # or a text that is none
    times: int = 1  # problems of the answer: one for each row of a batch

    def request(self, connection: Connection, good: Post) -> bytes:
        """Its bytes."""
        members = {**good.body, **(self.changes or {})}
        members = {name: value for name, value in members.items() if value is not ABSENT}
        value = [members | {"idempotency_key": "row"}] * self.times if self.path == BATCH else members
        body = json.dumps(value).encode() if self.body is None else self.body
        headers = {} if self.key is None else {"Idempotency-Key": self.key}
        if self.slug == "idempotency-key-reused":
            headers["Idempotency-Key"] = good.key
        return connection.request(self.method, self.path, body if self.method == "POST" else b"", **headers)


REFUSALS = (
    Refusal("malformed-json", body=b"{"),
    Refusal("invalid-body", {"surprise": 1}),
    Refusal("idempotency-key-missing", key=None),
    Refusal("idempotency-key-reused", {"table": "another"}),
    Refusal("board-not-found", {"board": "b_zzzzzz"}),
    Refusal("invalid-result", {"tricks": 14, "contract": "1NT", "declarer": "N"}),
    Refusal("table-already-reported", {"players": {seat: f"other-{seat}" for seat in "NESW"}}),
    Refusal("already-played", {"table": "another"}),
    Refusal("body-too-large", body=b" " * 70_000),
    Refusal("token-invalid", token="nobody's"),
    Refusal("scope-missing", token="director"),
    Refusal("not-found", method="GET", path=f"{BASE}nothing"),
    Refusal("method-not-allowed", method="DELETE"),
    Refusal("board-not-found", {"board": "b_zzzzzz"}, path=BATCH, times=5),
    Refusal("invalid-body", {"surprise": 1}, path=BATCH, times=3),
)
