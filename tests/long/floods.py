"""Clients who want too much: others hardly notice, nothing acknowledged is lost, and nobody waits for ever.

One token posts as fast as it can, far above its limit: it gets 429 with Retry-After, and another token's
answers come (in the long profile: within a fifth) as fast as without it. Hundreds of connections send their
request byte by byte: others are answered meanwhile, and in the end the slow ones are cut off. More results
than the queue takes get 503 with Retry-After, and all that was acknowledged is kept.
"""

import asyncio
import json
import statistics
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from server.services.ingest import QUEUE
from tests.long import checker, crowded
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import ROOT, Server
from tests.long.traffic import Board, Ledger, Post, deal, post, result
from tests.long.wire import Connection

LIMIT = 200  # rows a second of one token, as the server's default
GENTLE = 0.02  # seconds between the results of the other token
REFILLED = 10.0  # seconds in which a token may post again
WORSE = 1.2  # how much slower the other token may be answered, while the first floods


@dataclass(frozen=True)
class Profile:
    """How much."""

    seconds: float  # of measuring, without the flood and with it
    flooders: int  # connections of the token that wants too much
    slow: int  # connections that send byte by byte
    cut_off: float  # seconds after which these must be cut off; 0: not waited for
    rows: int  # of each batch that comes while the database is held
    places: int  # in the queue; 0: as many as there usually are
    measure: bool  # whether the other token's delay is judged, which takes a quiet machine


SHORT = Profile(seconds=0.5, flooders=8, slow=40, cut_off=0, rows=50, places=120, measure=False)
DEFAULT = Profile(seconds=5, flooders=8, slow=200, cut_off=100, rows=1000, places=0, measure=False)
LONG = Profile(seconds=60, flooders=16, slow=1000, cut_off=100, rows=1000, places=0, measure=True)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """One kind of flood after another."""
    ledger = Ledger(run)
    async with Server(place, CROSSRUFF_RATE_LIMIT=str(LIMIT)) as server:
        async with Connection(server.url, place.tokens["platform"]) as connection:
            boards = await deal(connection, int(2 * profile.seconds / GENTLE) // 30 + 6)
        await _one_token_floods(run, server, ledger, boards, profile)
        await crowded.send_slowly(run, server, profile.slow, profile.cut_off)
        run.check(not server.complaints(), "the log says", server.complaints()[:1])
    module = f"tests.long.narrow {profile.places}" if profile.places else "server"
    async with Server(place, module=module) as server:
        await crowded.fill_the_queue(run, server, ledger, profile.rows, profile.places or QUEUE)
        run.check(not server.complaints(), "the log says", server.complaints()[:1])
    stored = await checker.check(run, place, ledger)
    run.check(stored == len(ledger.acknowledged), stored, "results for", len(ledger.acknowledged))


async def _one_token_floods(
    run: Run, server: Server, ledger: Ledger, boards: list[Board], profile: Profile
) -> None:
    await _gently(run, server, ledger, boards, 0.3)  # until it is warm
    quiet = await _gently(run, server, ledger, boards, profile.seconds)
    given = result(run.rng, boards[0], f"s{run.seed}-flood")
    async with _flood(run, server, given, profile.flooders):
        flooded = await _gently(run, server, ledger, boards, profile.seconds)
    before, after = (statistics.quantiles(each, n=20)[-1] for each in (quiet, flooded))
    run.check(not profile.measure or after <= WORSE * before, f"p95 {1000 * after:.1f} ms beside a flood")
    run.figures["p95 of the other token, without and with the flood"] = (
        f"{1000 * before:.1f} ms, {1000 * after:.1f} ms"
    )
    # What the flood posted is there once.
    ledger.post(given)
    async with Connection(server.url, server.place.tokens["other"]) as connection:
        async with asyncio.timeout(REFILLED):
            while True:
                answer = await connection.ask(given.request(connection))
                if answer.status != 429:
                    break
                await asyncio.sleep(0.05)
        ledger.take(given, answer)


@asynccontextmanager
async def _flood(run: Run, server: Server, given: Post, connections: int) -> AsyncIterator[None]:
    """A process that posts as fast as it can, from the first 429 until the block ends."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.long.flooder"), cwd=ROOT, stdin=PIPE, stdout=PIPE
    )
    order = {"url": server.url, "token": server.place.tokens["other"], "connections": connections}
    order |= {"key": given.key, "body": given.body}
    try:
        process.stdin.write(json.dumps(order).encode() + b"\n")
        assert await process.stdout.readline() == b"limited\n", "the flood has ended"
        yield
        process.stdin.close()
        told = json.loads((await process.communicate())[0])
    except BaseException:
        process.kill()
        await process.communicate()
        raise
    run.check(told["answers"].keys() == {"201", "429"}, "the flood is answered", told["answers"])
    run.check(not told["odd"], "429 without saying when to come again:", told["odd"])
    run.figures["answers to the flood"] = told["answers"]


async def _gently(
    run: Run, server: Server, ledger: Ledger, boards: list[Board], seconds: float
) -> list[float]:
    """Results at an easy pace, each of which must be taken; how long each took."""
    loop, took = asyncio.get_running_loop(), []
    ends = loop.time() + seconds
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        while loop.time() < ends:
            number = len(ledger.posted)
            given = result(run.rng, boards[number // 30 % len(boards)], f"s{run.seed}-gentle-{number}")
            started = loop.time()
            answer = await post(connection, ledger, given)
            took.append(loop.time() - started)
            run.check(answer.status == 201, "beside a flood:", answer.status, answer.body)
            await asyncio.sleep(GENTLE)
    return took


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
