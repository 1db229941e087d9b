"""Thousands of steps of dealing and reporting: nobody ever gets or plays a board twice."""

import os
from collections import Counter
from datetime import timedelta
from random import Random

import pytest

from tests import factories
from tests.web.walk import Book, Sheet

POOLS = {"imps": (3, 7), "mp": (2, 5), "guests": (1, None)}  # score_at, retire_at
METHODS = {"imps": "datum", "mp": "matchpoints", "guests": "hcp_compensation"}
PLAYERS = [f"p{number}" for number in range(40)]
LONG = os.environ.get("TEST_HYPOTHESIS") == "long"
STEPS = 1200  # which stay within a week


class Walk:
    """One walk over HTTP, held against the book at every step."""

    def __init__(self, server, seed):
        self.api, self.clock = server.api, server.clock
        self.rng = Random(seed)
        self.book = Book()
        self.open = []  # pool, board, table, players of assignments that may be reported yet
        self.answers = Counter()
        self.tables = 0

    async def run(self, steps):
        """Take so many steps."""
        await self.link(PLAYERS[:2])
        await self.link(PLAYERS[2:5])
        for pool in POOLS:
            await self.make_boards(pool, 8)
        moves = [self.ask, self.report, self.barge_in, self.advance, self.new_boards, self.new_link]
        for _ in range(steps):
            await self.rng.choices(moves, [50, 40, 12, 8, 2.5, 0.4])[0]()

    async def make_boards(self, pool, size):
        """Fresh boards for a pool."""
        for board in await factories.boards(self.api, size, pool=pool):
            self.book.boards[board["id"]] = Sheet(pool, *POOLS[pool])

    async def new_boards(self):
        """A few more boards somewhere."""
        await self.make_boards(self.rng.choice(list(POOLS)), self.rng.randint(1, 3))

    async def link(self, group):
        """Make accounts one person."""
        answer = await self.api.put(f"players/{group[0]}", {"linked": group[1:]})
        assert answer.status == 200, answer
        self.book.link(group)

    async def new_link(self):
        """Link somebody who stands alone to somebody else, with all his accounts."""
        alone = [player for player in PLAYERS if player not in self.book.person]
        if len(alone) > 20:
            other = self.rng.choice(PLAYERS)
            group = sorted(self.book.accounts([other]) | {self.rng.choice(alone)})
            if len(group) > 1:
                await self.link(group)

    async def advance(self):
        """Time passes; some assignments expire."""
        self.clock.advance(timedelta(minutes=self.rng.choice([1, 3, 10, 29, 30])))

    def four(self):
        """Anybody; now and then two accounts of one person among them."""
        return self.rng.sample(PLAYERS, 4)

    async def ask(self):
        """A table wants a board."""
        pool, players, now = self.rng.choice(list(POOLS)), self.four(), self.clock.now()
        self.tables += 1
        table = f"T{self.tables}"
        body = {"table": table, "pool": pool, "players": dict(zip("NESW", players, strict=True))}
        answer = await self.api.post("assignments", body)
        self.answers["dealt", answer.slug or answer.status] += 1
        best = self.book.best(pool, players, now)
        if self.book.twice(players):
            assert answer.slug == "invalid-result", answer
        elif not best:
            assert (answer.status, answer.slug) == (409, "no-board-available"), answer
        else:
            assert answer.status == 201, (answer, best)
            board = answer.body["board"]["id"]
            assert board in best
            self.book.deal(board, table, players, now)
            self.open.append((board, table, players))

    async def report(self):
        """A table that was dealt a board reports, perhaps late, perhaps with one other player."""
        if not self.open:
            return
        board, table, players = self.open.pop(self.rng.randrange(len(self.open)))
        if self.rng.random() < 0.1:
            players = [*players[:3], self.rng.choice([each for each in PLAYERS if each not in players])]
        await self.post(board, table, players)

    async def barge_in(self):
        """A table that nobody dealt anything reports."""
        self.tables += 1
        board, table = self.rng.choice(list(self.book.boards)), f"T{self.tables}"
        newcomers = [f"{table}-{seat}" for seat in "NESW"]
        known = sorted(self.book.boards[board].tables)
        if known and self.rng.random() < 0.1:
            table = self.rng.choice(known)
        await self.post(board, table, self.rng.choice([self.four(), newcomers]))

    async def post(self, board, table, players):
        """Report a result and hold the answer against the book."""
        expected = self.book.expected(board, table, players)
        seated = dict(zip("NESW", players, strict=True))
        answer = await self.api.post("results", factories.result(board, table=table, players=seated))
        assert (answer.slug or answer.status) == expected, answer
        self.answers["posted", expected] += 1
        if expected == 201:
            self.book.play(board, table, players, answer.body["id"])
        if expected == "already-played":
            assert answer.body["player"] in players
            account = self.book.accounts([answer.body["player"]])
            results = {self.book.boards[board].played.get(each) for each in account}
            assert answer.body["result"] in results


@pytest.mark.parametrize("seed", range(1, 21) if LONG else [1])
async def test_nobody_gets_or_plays_a_board_twice(serve, seed):
    pools = {
        name: {
            "method": METHODS[name],
            "score_at": score_at,
            "retire_at": retire_at or 0,
            "trim": "tenth",
            "members": True,
        }
        for name, (score_at, retire_at) in POOLS.items()
    }
    walk = Walk(await serve(pools=pools), seed)
    await walk.run(STEPS)
    kinds = {"invalid-result", "no-board-available", 201}
    assert {kind for what, kind in walk.answers if what == "dealt"} == kinds
    kinds = {"invalid-result", "table-already-reported", "already-played", "board-retired", 201}
    assert {kind for what, kind in walk.answers if what == "posted"} == kinds
    for name, sheet in walk.book.boards.items():
        board = (await walk.api.get(f"boards/{name}")).body
        assert board["results"] == len(sheet.tables)
        assert (board["state"] == "retired") == sheet.retired
