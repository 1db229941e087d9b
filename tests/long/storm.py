"""The same results three times at once, by clients that break off: each is there once, answered alike.

Every result is sent over three connections at the same time; some break off at a random moment. Whoever got
no answer asks again. All answers to one key must be equal byte by byte, at most one of them new; the same
key with another body is refused. In the end there are exactly as many rows as results.
"""

import asyncio
import json
from dataclasses import dataclass
from itertools import count

from tests.long import checker
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import Server
from tests.long.traffic import FULL, RESULTS, Ledger, Post, deal, post, result
from tests.long.wire import Connection

AT_ONCE = 20  # results under way, each over COPIES connections
COPIES = 3
ABORTED = 0.3  # share of the copies whose client breaks off
LATEST = 0.02  # seconds after which it does


@dataclass(frozen=True)
class Profile:
    """How much."""

    results: int
    others: int  # keys that are used again with another body


SHORT = Profile(results=300, others=30)
DEFAULT = Profile(results=10_000, others=1000)
LONG = Profile(results=100_000, others=10_000)


@dataclass
class Storm:
    """One storm: its work, and what became of it."""

    run: Run
    server: Server
    ledger: Ledger
    left: list[Post]
    aborted: int = 0
    fresh: int = 0  # answers that were no replay

    async def work(self) -> None:
        """Take results, one after another, until none is left."""
        connections = [self.connect() for _ in range(COPIES)]
        while self.left:
            given = self.left.pop()
            self.ledger.post(given)
            await asyncio.gather(*(self.copy(connection, given) for connection in connections))
            await post(connections[0], self.ledger, given)
        for connection in connections:
            await connection.close()

    async def copy(self, connection: Connection, given: Post) -> None:
        """One of the copies, perhaps broken off."""
        await connection.send(given.request(connection))
        if self.run.rng.random() < ABORTED:
            await asyncio.sleep(self.run.rng.random() * LATEST)
            self.aborted += 1
            connection.abort()
            return
        answer = await connection.answer()
        self.ledger.take(given, answer)
        self.fresh += not answer.replayed

    async def change(self, given: Post) -> None:
        """The same key with another body is refused, whatever has become of the first."""
        async with self.connect() as connection:
            other = json.dumps(given.body | {"table": "another"}).encode()
            headers = {"Idempotency-Key": given.key}
            answer = await connection.ask(connection.request("POST", RESULTS, other, **headers))
            found = (answer.status, answer.slug)
            self.run.check(found == (422, "idempotency-key-reused"), given.key, "with another body:", found)

    def connect(self) -> Connection:
        """A connection of the platform."""
        return Connection(self.server.url, self.server.place.tokens["platform"])


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Post everything three times at once, look what there is."""
    ledger = Ledger(run)
    async with Server(place) as server:
        async with Connection(server.url, place.tokens["platform"]) as connection:
            boards = await deal(connection, -(-profile.results // FULL))
        numbers = count()
        tables = [
            result(run.rng, board, f"s{run.seed}-{next(numbers)}") for board in boards for _ in range(FULL)
        ]
        storm = Storm(run, server, ledger, tables[: profile.results])
        run.rng.shuffle(storm.left)
        workers = asyncio.gather(*(storm.work() for _ in range(AT_ONCE)))
        while not workers.done():
            run.step(f"storm: {len(ledger.acknowledged)} of {profile.results}")
            await asyncio.wait([workers], timeout=0.5)
        await workers
        for given in run.rng.sample(list(ledger.posted.values()), profile.others):
            await storm.change(given)
        run.check(not server.complaints(), "the log says", server.complaints()[:1])
    stored = await checker.check(run, place, ledger)
    run.check(stored == profile.results, stored, "rows for", profile.results, "results")
    run.check(storm.fresh <= profile.results, storm.fresh, "answers as if new")
    run.figures |= {
        "results": profile.results,
        "copies broken off": storm.aborted,
        "answers given again": ledger.replays,
    }


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
