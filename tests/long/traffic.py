"""Results to post, and a ledger of what was posted and what was acknowledged."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.long.program import Run
from tests.long.wire import Answer, Connection
from tests.web.scoring import random_outcome

BASE = "/api/v1/"
RESULTS = f"{BASE}results"
BATCH = f"{BASE}results/batch"
FULL = 40  # results that retire a board


@dataclass(frozen=True, slots=True)
class Board:
    """A board to be played."""

    id: str
    number: int


@dataclass(frozen=True, slots=True)
class Post:
    """A result as it is posted: every time with the same key and body."""

    key: str
    board: Board
    body: dict[str, Any]
    score: int  # total points for NS, computed here

    def request(self, connection: Connection) -> bytes:
        """Its bytes on this connection."""
        headers = {"Idempotency-Key": self.key, "Crossruff-Board": self.board.id}
        return connection.request("POST", RESULTS, json.dumps(self.body).encode(), **headers)

    @property
    def row(self) -> dict[str, Any]:
        """As a row of a batch."""
        return self.body | {"idempotency_key": self.key}


@dataclass
class Ledger:
    """What was posted, by key, and the one answer that each key got: everybody must always get the same."""

    run: Run
    posted: dict[str, Post] = field(default_factory=dict)
    acknowledged: dict[str, bytes] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)  # by a state that may change, not remembered
    replays: int = 0

    @property
    def unknown(self) -> list[Post]:
        """What nobody has answered yet."""
        return [
            post
            for key, post in self.posted.items()
            if key not in self.acknowledged and key not in self.refused
        ]

    def post(self, post: Post) -> None:
        """It is about to be posted."""
        self.posted[post.key] = post

    def take(self, post: Post, answer: Answer, busy: bool = False) -> None:
        """An answer to it; ``busy``: it may be refused for lack of room."""
        slug = answer.slug if answer.status >= 400 else None
        self.note(post, answer.status, answer.body, answer.replayed, slug)
        if answer.status == 503:
            seconds = answer.headers.get("retry-after", "")
            self.run.check(busy and seconds.isdecimal(), "503 with Retry-After", repr(seconds), answer.body)

    def take_item(self, post: Post, item: dict[str, Any], body: bytes) -> None:
        """The answer to it as a row of a batch; ``body`` are the bytes of ``item["body"]``."""
        slug = str(item["body"]["type"]).removeprefix("/problems/") if item["status"] >= 400 else None
        self.note(post, item["status"], body, item.get("replayed", False), slug)

    def note(self, post: Post, status: int, body: bytes, replayed: bool, slug: str | None) -> None:
        """Hold an answer against all earlier ones."""
        known = self.acknowledged.get(post.key)
        if status == 201:
            self.replays += replayed
            self.run.check(known is None or replayed, post.key, "acknowledged twice as if it were new")
            self.run.check(known in (None, body), post.key, "answered", known, "then", body)
            self.acknowledged.setdefault(post.key, body)
            self.refused.pop(post.key, None)
            return
        self.run.check(known is None, post.key, "acknowledged, then answered", status, body)
        if status == 409 and slug == "board-retired":
            self.refused[post.key] = slug
        elif status != 503:
            self.run.fault(post.key, "answered", status, body)


class Traffic:
    """Tables that play boards: as many boards in play at once as are asked for, each by some tables too many.

    Four new players sit down at every table and play there until the boards in play are through.
    """

    def __init__(self, run: Run, in_play: int = 6, tables: int = FULL + 2) -> None:
        self.run = run
        self.in_play = in_play
        self.tables = tables
        self.name = f"s{run.seed}"
        self.boards: list[Board] = []
        self._given = 0  # boards taken from the list so far
        self._round = 0
        self._left: list[tuple[Board, int]] = []

    async def deal(self, connection: Connection, count: int) -> list[Board]:
        """Make further boards of the open week."""
        made = await deal(connection, count)
        self.boards += made
        return made

    def fits(self, posts: int) -> bool:
        """Whether the boards that were made suffice for so many posts."""
        return len(self._left) + (len(self.boards) - self._given) * self.tables >= posts

    def next(self) -> Post:
        """The next result; deal more boards before there is none."""
        if not self._left:
            chosen = self.boards[self._given : self._given + self.in_play]
            assert chosen, "deal more boards"
            self._given += len(chosen)
            self._round += 1
            self._left = [(board, table) for board in chosen for table in range(self.tables)]
            self.run.rng.shuffle(self._left)
        board, table = self._left.pop()
        return result(self.run.rng, board, f"{self.name}-{self._round}-{table}")

    def posts(self, count: int) -> Iterator[Post]:
        """So many."""
        return (self.next() for _ in range(count))


def result(rng: random.Random, board: Board, table: str) -> Post:
    """A random result of this table on this board; table and board together name it."""
    members, score = random_outcome(rng, board.number)
    body = {
        "board": board.id,
        "table": table,
        "players": {seat: f"{table}{seat}" for seat in "NESW"},
        **{name: value for name, value in members.items() if value is not None},
    }
    return Post(f"{table}@{board.id}", board, body, score)


class Refused(Exception):
    """No boards are made now"""


async def deal(connection: Connection, count: int) -> list[Board]:
    """Fresh boards of the open week. Raises Refused, ConnectionError."""
    week = _good(await connection.get(f"{BASE}weeks/current"), 200).json["week"]
    made: list[Board] = []
    while len(made) < count:
        body = {"week": week, "count": min(1000, count - len(made))}
        answer = _good(await connection.post(f"{BASE}board-sets", body), 201)
        made += [Board(each["id"], each["number"]) for each in answer.json["boards"]]
    return made


def _good(answer: Answer, status: int) -> Answer:
    if answer.status != status:
        raise Refused(answer)
    return answer


def items(answer: Answer) -> list[tuple[dict[str, Any], bytes]]:
    """Rows of an answered batch, each with the very bytes of its body."""
    text, found, at = answer.body.decode(), [], 0
    reader = json.JSONDecoder()
    for item in answer.json["results"]:
        start = text.index('"body":', at) + len('"body":')
        at = reader.raw_decode(text, start)[1]
        found.append((item, text[start:at].encode()))
    return found


async def post(connection: Connection, ledger: Ledger, given: Post, busy: bool = False) -> Answer:
    """Post one result and take its answer. Raises ConnectionError when there is none."""
    ledger.post(given)
    answer = await connection.ask(given.request(connection))
    ledger.take(given, answer, busy)
    return answer


async def post_batch(connection: Connection, ledger: Ledger, given: list[Post]) -> None:
    """Post some results as a batch and take the answers. Raises ConnectionError when there are none."""
    for each in given:
        ledger.post(each)
    answer = await connection.post(BATCH, [each.row for each in given])
    if not ledger.run.check(answer.status == 200, "batch answered", answer.status, answer.body):
        return
    for each, (item, body) in zip(given, items(answer), strict=True):
        ledger.take_item(each, item, body)


async def replay(connection: Connection, ledger: Ledger, keys: list[str]) -> None:
    """Post again what was acknowledged: the same answer must come, as a replay."""
    for key in keys:
        answer = await connection.ask(ledger.posted[key].request(connection))
        ledger.take(ledger.posted[key], answer)
        ledger.run.check(answer.replayed, key, "acknowledged before, answered as new")
