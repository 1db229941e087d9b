"""Sixty clients race for one board, on PostgreSQL through two server processes: exactly forty are taken.

The sequences are 1 to 40, nobody gets an error of the server's, and whoever comes sixth scores all six in one
commit: two observers, one over HTTP and one in the database, never see a board on which some results have
their award and others do not.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.long import checker
from tests.long.checker import number_of
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import Server
from tests.long.traffic import BASE, FULL, Board, Ledger, Post, deal, post, result
from tests.long.wire import Connection

CLIENTS = 60
SIXTH = 6
PAUSE = 0.002  # seconds between two looks


@dataclass(frozen=True)
class Profile:
    """How much."""

    boards: int


SHORT = Profile(boards=5)
DEFAULT = Profile(boards=60)
LONG = Profile(boards=2000)


@dataclass
class Race:
    """All races of a run, and what the observers saw."""

    run: Run
    place: Place
    seen: Counter[str] = field(default_factory=Counter)

    def note(self, who: str, board: Board, results: int, awards: int) -> None:
        """An observer saw so many results and awards on a board."""
        expected = results if results >= SIXTH else 0
        self.run.check(awards == expected, who, "saw", awards, "awards of", results, "results on", board.id)
        self.seen[f"looks, {who}"] += 1
        self.seen[f"looks at a board in between, {who}"] += 0 < results < FULL

    async def look_over_http(self, url: str, board: Board) -> None:
        """Read the traveller again and again."""
        async with Connection(url, self.place.tokens["director"]) as connection:
            while True:
                rows = (await connection.get(f"{BASE}boards/{board.id}/traveller")).json["results"]
                awards = sum(row["award"] is not None for row in rows)
                scored = sum(row["state"] == "scored" for row in rows)
                self.run.check(awards == scored, "traveller with", awards, "awards and", scored, "scored")
                self.note("over HTTP", board, len(rows), awards)
                await asyncio.sleep(PAUSE)

    async def look_into_database(self, board: Board) -> None:
        """Count again and again, in one statement each time."""
        which = f"WHERE board = {number_of(board.id)}"
        sql = f"SELECT (SELECT count(*) FROM results {which}), (SELECT count(*) FROM awards {which})"
        async with _opened(self.place) as query:
            while True:
                results, awards = await query(sql)
                self.note("in the database", board, results, awards)
                await asyncio.sleep(PAUSE)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """One race after another."""
    ledger, race = Ledger(run), Race(run, place)
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(Server(place))
            for _ in range(2 if place.kind == "postgresql" else 1)
        ]
        clients = [
            Connection(servers[i % len(servers)].url, place.tokens["platform"]) for i in range(CLIENTS)
        ]
        boards = await deal(clients[0], profile.boards)
        for number, board in enumerate(boards):
            posts = [result(run.rng, board, f"s{run.seed}-{number}-{i}") for i in range(CLIENTS)]
            await _one(race, ledger, clients, [server.url for server in servers], posts)
            run.step(f"race {number + 1} of {profile.boards}")
        for client in clients:
            await client.close()
        for server in servers:
            run.check(not server.complaints(), "the log says", server.complaints()[:1])
    await checker.check(run, place, ledger)
    run.figures |= {"races": profile.boards, **race.seen}


async def _one(
    race: Race, ledger: Ledger, clients: Sequence[Connection], urls: Sequence[str], posts: Sequence[Post]
) -> None:
    board, run = posts[0].board, race.run
    observers = [
        asyncio.create_task(race.look_into_database(board)),
        *(asyncio.create_task(race.look_over_http(url, board)) for url in urls),
    ]
    try:
        answers = await asyncio.gather(
            *(post(client, ledger, given) for client, given in zip(clients, posts, strict=True))
        )
    finally:
        for observer in observers:
            observer.cancel()
        for observer in observers:
            with suppress(asyncio.CancelledError):
                await observer
    found = Counter(answer.slug or answer.status for answer in answers)
    run.check(found == {201: FULL, "board-retired": CLIENTS - FULL}, board.id, "answers:", dict(found))
    taken = [json.loads(answer.body) for answer in answers if answer.status == 201]
    sequences = sorted(each["sequence"] for each in taken)
    run.check(sequences == list(range(1, FULL + 1)), board.id, "sequences", sequences)
    early = [each["sequence"] for each in taken if each["award"] is None]
    run.check(sorted(early) == list(range(1, SIXTH)), board.id, "answered without award:", early)


@asynccontextmanager
async def _opened(place: Place) -> AsyncIterator:
    """Asks the database for one row, again and again over one connection."""
    if place.kind == "sqlite":

        async def ask(sql: str) -> Sequence[int]:
            (row,) = await place.rows(sql)
            return row

        yield ask
        return
    connection = await place.connect()
    try:
        yield connection.fetchrow
    finally:
        await connection.close()


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
