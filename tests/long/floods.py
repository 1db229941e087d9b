"""Clients who want too much: others hardly notice, nothing acknowledged is lost, and nobody waits for ever.

One token posts as fast as it can, far above its limit: it gets 429 with Retry-After, and another token's
answers come as fast as beside one that keeps to its limit (in the long profile at most a fifth later). Many
read as fast as they can, whom nothing limits: results are taken all the same.
Hundreds of connections send their request byte by byte: others are answered meanwhile, and in the end the
slow ones are cut off. More followers than connections may be open are refused, while results are taken. More
results than the queue takes get 503 with Retry-After, and all that was acknowledged is kept.
"""

import asyncio
import json
import statistics
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from server.services.ingest import QUEUE
from tests.long import checker, crowded
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import ROOT, Server
from tests.long.traffic import BASE, RESULTS, Board, Ledger, deal, post, result
from tests.long.wire import Connection

LIMIT = 200  # rows a second of one token, as the server's default
GENTLE = 0.02  # seconds between the results of the other token
REFILLED = 10.0  # seconds in which a token may post again
WORSE = 1.2  # how much slower another token may be answered beside a flood than beside what is allowed
ALLOWED = 0.9  # share of its limit that a token uses when it does not flood
ROUNDS = 3
PATIENCE = 5.0  # seconds in which a result is taken, however many read, on a busy machine too
FOLLOWERS = 250  # where 200 files may be open


@dataclass(frozen=True)
class Profile:
    """How much."""

    seconds: float  # of measuring each time, without the flood and with it
    flooders: int  # connections of the token that wants too much
    readers: int  # connections that read as fast as they can
    slow: int  # connections that send byte by byte
    cut_off: float  # seconds after which these must be cut off; 0: not waited for
    rows: int  # of each batch that comes while the database is held
    places: int  # in the queue; 0: as many as there usually are
    measure: bool  # whether the other token's delay is judged, which takes a quiet machine


SHORT = Profile(0.15, flooders=8, readers=20, slow=40, cut_off=0, rows=50, places=120, measure=False)
DEFAULT = Profile(2, flooders=8, readers=100, slow=200, cut_off=100, rows=1000, places=0, measure=False)
LONG = Profile(20, flooders=16, readers=200, slow=1000, cut_off=100, rows=1000, places=0, measure=True)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """One kind of flood after another."""
    ledger = Ledger(run)
    async with Server(place, CROSSRUFF_RATE_LIMIT=str(LIMIT)) as server:
        async with Connection(server.url, place.tokens["platform"]) as connection:
            boards = await deal(connection, int(4 * ROUNDS * profile.seconds / GENTLE) // 30 + 6)
        await _one_token_floods(run, server, ledger, boards, profile)
        await _many_read(run, server, ledger, boards, profile)
        await crowded.send_slowly(run, server, profile.slow, profile.cut_off)
        run.check(not server.complaints(), "the log says", server.complaints()[:1])
    async with Server(place, module="tests.long.few_files 200 200") as server:
        await crowded.follow_too_many(run, server, ledger, FOLLOWERS)
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
    """One token posts at its limit, then without any limit; how long another one waits each time."""
    took: dict[str, list[float]] = {"alone": [], "beside all that is allowed": [], "beside a flood": []}
    given = result(run.rng, boards[0], f"s{run.seed}-flood")
    order = {"token": server.place.tokens["other"], "connections": profile.flooders, "pause": 0}
    order |= {"path": RESULTS, "key": given.key, "body": given.body}
    await _gently(run, server, ledger, boards, 0.3)  # until it is warm
    for _ in range(ROUNDS):
        took["alone"] += await _gently(run, server, ledger, boards, profile.seconds)
        pause = profile.flooders / (ALLOWED * LIMIT)
        async with _flood(run, server, order | {"pause": pause}):
            took["beside all that is allowed"] += await _gently(run, server, ledger, boards, profile.seconds)
        async with _flood(run, server, order):
            took["beside a flood"] += await _gently(run, server, ledger, boards, profile.seconds)
    p95 = {what: 1000 * statistics.quantiles(each, n=20)[-1] for what, each in took.items()}
    worse = p95["beside a flood"] / p95["beside all that is allowed"]
    run.check(not profile.measure or worse <= WORSE, f"p95 is {worse:.2f} times as long beside a flood")
    run.figures["p95 of another token"] = ", ".join(f"{each:.1f} ms {what}" for what, each in p95.items())
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


async def _many_read(run: Run, server: Server, ledger: Ledger, boards: list[Board], profile: Profile) -> None:
    """The public reads travellers as fast as it can."""
    order = {"token": None, "connections": profile.readers, "pause": 0, "body": None}
    order["path"] = f"{BASE}boards/{boards[0].id}/traveller"
    async with _flood(run, server, order):
        took = await _gently(run, server, ledger, boards, 3 * profile.seconds)
    run.check(max(took) <= PATIENCE, f"a result waited {max(took):.1f} s beside many who read")
    p95 = 1000 * statistics.quantiles([*took, max(took)], n=20)[-1]
    run.figures[f"p95 beside {profile.readers} who read"] = f"{p95:.1f} ms"


@asynccontextmanager
async def _flood(run: Run, server: Server, order: dict[str, Any]) -> AsyncIterator[None]:
    """A process that sends what it is told to; without a pause the block begins with the first 429."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.long.flooder"), cwd=ROOT, stdin=PIPE, stdout=PIPE
    )
    try:
        process.stdin.write(json.dumps(order | {"url": server.url}).encode() + b"\n")
        assert await process.stdout.readline() == b"begun\n", "the flood has ended"
        yield
        process.stdin.close()
        told = json.loads((await process.communicate())[0])
    except BaseException:
        process.kill()
        await process.communicate()
        raise
    posts = order["body"] is not None
    expected = {"201", "429"} if posts else {"200", "503"}
    run.check(told["answers"].keys() <= expected, "the flood is answered", told["answers"])
    run.check(not posts or order["pause"] or "429" in told["answers"], "nobody is limited", told["answers"])
    run.check(not told["odd"], "429 without saying when to come again:", told["odd"])
    if not order["pause"]:
        run.figures["answers to the flood" if posts else "answers to who reads"] = told["answers"]


async def _gently(
    run: Run, server: Server, ledger: Ledger, boards: list[Board], seconds: float
) -> list[float]:
    """Results at an easy pace, each of which must be taken; how long each took."""
    took: list[float] = []
    ends = time.perf_counter() + seconds
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        while time.perf_counter() < ends:
            number = len(ledger.posted)
            given = result(run.rng, boards[number // 30 % len(boards)], f"s{run.seed}-gentle-{number}")
            started = time.perf_counter()
            answer = await post(connection, ledger, given)
            took.append(time.perf_counter() - started)
            run.check(answer.status == 201, "beside a flood:", answer.status, answer.body)
            await asyncio.sleep(GENTLE)
    return took


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
