"""Connections that send byte by byte, too many followers, more results than the queue takes."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.long import disks
from tests.long.places import Place
from tests.long.program import Run
from tests.long.servers import Server
from tests.long.streams import Stream
from tests.long.traffic import BASE, BATCH, FULL, RESULTS, Ledger, Post, deal, items, post, result
from tests.long.wire import Answer, Connection

BYTE = 0.25  # seconds from one byte to the next
PROMPT = 2.0  # seconds in which others are answered meanwhile, on a busy machine too


async def send_slowly(run: Run, server: Server, count: int, cut_off: float) -> None:
    """Slow requests hold up nobody; if they are waited for, they are cut off after so many seconds."""
    loop = asyncio.get_running_loop()
    slow = [asyncio.create_task(_send_slowly(server, body=bool(i % 2))) for i in range(count)]
    try:
        longest = 0.0
        async with Connection(server.url, server.place.tokens["other"]) as connection:
            for _ in range(20):
                started = loop.time()
                answer = await connection.get(f"{BASE}weeks/current")
                longest = max(longest, loop.time() - started)
                run.check(answer.status == 200, "beside slow clients:", answer.status)
                await asyncio.sleep(0.02)
        run.check(longest <= PROMPT, f"answered after {longest:.1f} s beside {count} slow clients")
        run.figures[f"longest answer beside {count} slow clients"] = f"{1000 * longest:.0f} ms"
        if cut_off:
            run.step(f"floods: waiting until {count} slow clients are cut off")
            await asyncio.wait(slow, timeout=cut_off)
            left = [i % 2 for i, task in enumerate(slow) if not task.done()]
            run.check(
                not left, len(left), f"slow clients (bodies: {sum(left)}) still there after {cut_off} s"
            )
            took = [task.result() for task in slow if task.done()]
            first, last = min(took, default=0), max(took, default=0)
            run.figures["slow clients were cut off after"] = f"{first:.0f} to {last:.0f} s"
    finally:
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)


async def _send_slowly(server: Server, body: bool) -> float:
    """Send a request, or only its body, byte by byte until the server has enough; seconds that it took."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    connection = Connection(server.url, server.place.tokens["platform"])
    request = connection.request("POST", RESULTS, b" " * 4000, Idempotency_Key="slow", Padding="x" * 4000)
    at = request.index(b"\r\n\r\n") + 4 if body else 0
    await connection.send(request[:at])
    answered = asyncio.create_task(connection.some(1))
    try:
        for position in range(at, len(request)):
            await connection.send(request[position : position + 1])
            if (await asyncio.wait([answered], timeout=BYTE))[0]:
                break
    except ConnectionError:
        pass
    finally:
        answered.cancel()
        await asyncio.gather(answered, return_exceptions=True)
        connection.abort()
    return loop.time() - started


async def follow_too_many(run: Run, server: Server, ledger: Ledger, count: int) -> None:
    """More streams than connections may be open: some are refused with a problem, results are still taken."""
    answers = Counter[int]()
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        (board,) = await deal(connection, 1)
    streams = [Stream(server.url, f"board:{board.id}") for _ in range(count)]
    try:
        for stream in streams:
            answers[await stream.open()] += 1
        async with Connection(server.url, server.place.tokens["platform"]) as connection:
            answer = await post(connection, ledger, result(run.rng, board, f"s{run.seed}-followed"))
            run.check(answer.status == 201, "beside too many followers:", answer.status, answer.body)
        taken = sum([await _is_told(stream) for stream in streams])
    finally:
        for stream in streams:
            await stream.close()
    run.check(answers.keys() == {200, 503}, f"{count} who follow are answered", dict(answers))
    run.check(taken == answers[200], taken, "were told of a result, of", answers[200])
    run.figures[f"answers to {count} followers where few files may be open"] = dict(answers)


async def _is_told(stream: Stream) -> bool:
    """Whether the stream brings a message; one that was refused does not."""
    try:
        return (await stream.first()).number == 1
    except ConnectionError:
        return False


async def fill_the_queue(run: Run, server: Server, ledger: Ledger, rows: int, places: int) -> None:
    """Batches while the database is held, three more than fit: these are refused, the others kept."""
    fit = places // rows
    token = server.place.tokens["platform"]
    async with Connection(server.url, token) as connection:
        count = (fit + 3) * rows
        boards = await deal(connection, -(-count // FULL))
        tables = [result(run.rng, boards[i // FULL], f"s{run.seed}-queue-{i}") for i in range(count)]
        batches = [tables[start : start + rows] for start in range(0, count, rows)]
        async with held(server.place):
            posting = [asyncio.create_task(_post(server, batch)) for batch in batches]
            # Whoever is answered now did not fit.
            await asyncio.wait(posting, timeout=30, return_when=asyncio.FIRST_COMPLETED)
            health = await connection.get("/healthz")
            run.check(health.status == 200, "meanwhile the process says", health.status)
        answers = await asyncio.gather(*posting)
        taken = sum(_take(run, ledger, *each) for each in zip(batches, answers, strict=True))
        run.check(fit * rows <= taken < count, taken, "of", count, "were taken into", places, "places")
        for batch, answer in zip(batches, answers, strict=True):
            if answer.status == 503:  # nothing is in their way any more
                again = await _post(server, batch)
                run.check(_take(run, ledger, batch, again) == rows, "a batch is refused again", again.status)
    run.figures["results while the database was held"] = f"{taken} taken, {count - taken} refused"


async def _post(server: Server, batch: list[Post]) -> Answer:
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        return await connection.post(BATCH, [each.row for each in batch])


def _take(run: Run, ledger: Ledger, batch: list[Post], answer: Answer) -> int:
    """Note what a batch was answered; how many of its rows were taken."""
    if answer.status != 200:
        named = answer.headers.get("retry-after", "")
        found = (answer.status, answer.slug, named.isdecimal())
        run.check(found == (503, "busy", True), "a batch is answered", answer.status, answer.body)
        return 0
    for given, (item, body) in zip(batch, items(answer), strict=True):
        ledger.post(given)
        ledger.take_item(given, item, body)
    return sum(item["status"] == 201 for item, _ in items(answer))


@asynccontextmanager
async def held(place: Place) -> AsyncIterator[None]:
    """Nobody can write until the block ends."""
    if place.kind == "sqlite":
        async with disks.write_lock(place.file):
            yield
        return
    connection = await place.connect()
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE boards IN SHARE MODE")
            yield
    finally:
        await connection.close()
