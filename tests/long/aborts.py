"""Clients that break off at every byte: what was sent completely is there once or not at all, never half.

For every position of a request, a client sends it up to there and disconnects, in good order or by a reset;
for whole requests it breaks off at once, a moment later, or after some bytes of the answer. Nothing that was
cut short may be taken. Then everything is posted again with the same key: there must be one row, one answer.
"""

import asyncio
import json
from dataclasses import dataclass

from tests.long import checker
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import Server
from tests.long.traffic import BATCH, FULL, Board, Ledger, Post, deal, post, result
from tests.long.wire import Connection

AT_ONCE = 24  # connections
LATEST = 0.01  # seconds after which a client that waits for its answer breaks off


@dataclass(frozen=True)
class Profile:
    """How much."""

    rounds: int  # through all positions
    waiting: int  # whole requests whose client breaks off while it waits
    batch_step: int  # positions of a batch that are passed over


SHORT = Profile(rounds=1, waiting=150, batch_step=101)
DEFAULT = Profile(rounds=5, waiting=2000, batch_step=7)
LONG = Profile(rounds=50, waiting=50_000, batch_step=1)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Break off everywhere, then post everything again."""
    ledger, cut = Ledger(run), set()
    async with Server(place) as server, asyncio.TaskGroup() as group:
        async with Connection(server.url, place.tokens["platform"]) as connection:
            length = len(_example(run).request(connection))
            posts = profile.rounds * length + profile.waiting
            boards = await deal(connection, posts // FULL + 2)
            tables = (result(run.rng, boards[i // FULL], f"s{run.seed}-{i}") for i in range(posts))
            await _cut_batches(run, connection, profile.batch_step, boards[-1])
        room = asyncio.Semaphore(AT_ONCE)
        for _ in range(profile.rounds):
            for position in range(length):
                await room.acquire()
                given = next(tables)
                ledger.post(given)
                cut.add(given.key)
                group.create_task(_cut(run, server, given, position, room))
        for given in tables:
            await room.acquire()
            ledger.post(given)
            group.create_task(_leave(run, server, given, room))
        for _ in range(AT_ONCE):
            await room.acquire()
        await _settle(run, server, ledger, cut)
    stored = await checker.check(run, place, ledger)
    run.check(stored == posts, stored, "results for", posts, "posts")
    run.figures |= {
        "positions of a request": length,
        "cut short": len(cut),
        "broken off while waiting": profile.waiting,
        "of these kept all the same": ledger.replays,
    }


def _example(run: Run) -> Post:
    # As long as the shortest that there may be: no other is cut behind its end.
    return result(run.rng, Board("b_000000", 1), f"s{run.seed}-0")


async def _cut(run: Run, server: Server, given: Post, position: int, room: asyncio.Semaphore) -> None:
    """Send the request up to a position, then go away."""
    connection = Connection(server.url, server.place.tokens["platform"])
    request = given.request(connection)
    await connection.send(request[: min(position, len(request) - 1)])
    await _go(run, connection)
    room.release()


async def _leave(run: Run, server: Server, given: Post, room: asyncio.Semaphore) -> None:
    """Send all of it and go away: at once, while it is worked on, or in the middle of the answer."""
    connection = Connection(server.url, server.place.tokens["platform"])
    request = given.request(connection)
    await connection.send(request)
    how = run.rng.random()
    if how < 0.6:
        await asyncio.sleep(run.rng.random() * LATEST)
    elif how < 0.9:
        await connection.some(run.rng.randint(1, 300))
    await _go(run, connection)
    room.release()


async def _go(run: Run, connection: Connection) -> None:
    if run.rng.random() < 0.5:
        connection.abort()
    else:
        await connection.close()


async def _cut_batches(run: Run, connection: Connection, step: int, board: Board) -> None:
    """A batch that is cut short is not taken, not even the rows that came whole."""
    rows = [result(run.rng, board, f"s{run.seed}-batch-{i}").row for i in range(3)]
    request = connection.request("POST", BATCH, json.dumps(rows).encode())
    for position in range(run.rng.randrange(step), len(request), step):
        async with Connection(connection.url, connection.token) as other:
            await other.send(request[:position])
            await _go(run, other)


async def _settle(run: Run, server: Server, ledger: Ledger, cut: set[str]) -> None:
    """Hold the database against what was sent, then post everything again."""
    found = await server.place.rows("SELECT key FROM idempotency WHERE status = 201")
    taken = {key for (key,) in found}
    run.check(not taken & cut, len(taken & cut), "taken though cut short:", sorted(taken & cut)[:3])
    run.check(not [key for key in taken if "batch" in key], "rows of a batch that was cut short are taken")
    async with asyncio.TaskGroup() as group:
        for part in range(8):
            group.create_task(_again(server, ledger, list(ledger.posted.values())[part::8]))
    run.check(not server.complaints(), "the log says", server.complaints()[:1])


async def _again(server: Server, ledger: Ledger, given: list[Post]) -> None:
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        for each in given:
            await post(connection, ledger, each)


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
