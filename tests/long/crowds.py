"""Followers who only make trouble: they read nothing, ask for what is gone, come and go by the thousand."""

import asyncio

from tests.long.checker import number_of
from tests.long.places import Place
from tests.long.program import Run
from tests.long.servers import Server
from tests.long.streams import Stream
from tests.long.traffic import BATCH, Board, deal, result
from tests.long.wire import Connection

AT_ONCE = 100  # streams
GONE = 20.0  # seconds in which a server knows that somebody has gone away
WARM = 1000  # streams before memory is measured for the first time
MEGABYTE = 1024 * 1024
GROWTH = 30 * MEGABYTE  # that memory may grow by while thousands come and go
UNREAD = 0.2 * MEGABYTE  # that a follower who reads nothing may cost the server


async def fall_behind(server: Server, channel: str, count: int) -> list[Stream]:
    """Followers who read nothing, whose kernel takes next to nothing for them; to be closed."""
    streams = [Stream(server.url, channel, 0) for _ in range(count)]
    for stream in streams:
        await stream.open(receive_buffer=4096)
    return streams


async def positions_that_are_gone(run: Run, server: Server, place: Place, board: Board) -> None:
    """Who asks for what is kept no longer, or never was, is told to begin again."""
    channel = f"board:{board.id}"
    await _nobody_follows(server)  # else the server might remember what is kept no longer
    ((last,),) = await place.rows(f"SELECT bulletins FROM boards WHERE id = {number_of(board.id)}")
    await _forget(place, channel, last - 3)
    expected = [(0, True), (last - 4, True), (last - 3, False), (last - 1, False), (last + 1000, True)]
    for position, is_gone in expected:
        stream = Stream(server.url, channel, position)
        try:
            run.check(await stream.open() == 200, channel, "cannot be followed after", position)
            message = await stream.first()
        finally:
            await stream.close()
        found = (message.kind == "reset", message.number)
        run.check(found == (is_gone, last if is_gone else position + 1), "after", position, "came", message)
        run.check(not is_gone or message.body == {"position": last}, "reset says", message.body)


async def _nobody_follows(server: Server) -> None:
    """Return when the server knows that everybody has gone away."""
    async with asyncio.timeout(GONE), Connection(server.url) as connection:
        while b"\ncrossruff_followers 0.0\n" not in (await connection.get("/metrics")).body:  # noqa: ASYNC110 - nothing tells when it is so
            await asyncio.sleep(0.05)


async def _forget(place: Place, channel: str, up_to: int) -> None:
    """As time does to old messages."""
    sql = f"DELETE FROM bulletins WHERE channel = '{channel}' AND number <= {up_to}"
    await place.rows(sql)


async def come_and_go(run: Run, server: Server, channel: str, count: int, behind: int) -> None:
    """Memory does not grow while streams come and go, nor without end for those who read nothing."""
    await _visit(run, server, channel, min(WARM, count))
    before = server.memory()
    for done in range(0, count, WARM):
        await _visit(run, server, channel, min(WARM, count - done))
        run.step(f"followers: {done} of {count} came and went, {server.memory() // MEGABYTE} MB")
    grown = server.memory() - before
    run.check(grown <= GROWTH, f"memory grew by {grown / MEGABYTE:.1f} MB while {count} came and went")
    run.figures |= {
        "came and went": count,
        "memory of the server": f"{before / MEGABYTE:.1f} MB, grew by {grown / MEGABYTE:.1f} MB",
    }
    if behind:
        await _leave_unread(run, server, channel, behind)


async def _visit(run: Run, server: Server, channel: str, count: int) -> None:
    room = asyncio.Semaphore(AT_ONCE)

    async def visit() -> None:
        async with room:
            stream = Stream(server.url, channel)
            try:
                if run.check(await stream.open() == 200, "a visitor is refused"):
                    await stream.follows()
            finally:
                await stream.close()

    await asyncio.gather(*(visit() for _ in range(count)))


async def _leave_unread(run: Run, server: Server, channel: str, count: int) -> None:
    """Many messages that some followers do not read cost a bounded amount of memory."""
    await _post_many(run, server, f"s{run.seed}-before", count)  # what so many results cost by themselves
    silent = await fall_behind(server, channel, AT_ONCE)
    before = server.memory()
    await _post_many(run, server, f"s{run.seed}-behind", count)
    grown = server.memory() - before
    run.check(grown <= AT_ONCE * UNREAD, f"{AT_ONCE} silent followers cost {grown / MEGABYTE:.1f} MB")
    run.figures[f"{AT_ONCE} silent followers, {count} messages"] = f"{grown / MEGABYTE:.1f} MB"
    for stream in silent:
        await stream.close()


async def _post_many(run: Run, server: Server, table: str, count: int) -> None:
    """One result on each of so many boards: so many messages to the week."""
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        for start in range(0, count, 1000):
            boards = await deal(connection, min(1000, count - start))
            rows = [result(run.rng, board, table).row for board in boards]
            answer = await connection.post(BATCH, rows)
            run.check(answer.status == 200, "batch answered", answer.status)
            run.step(f"followers: {start} messages, {server.memory() // MEGABYTE} MB")
