"""nginx before two servers, by `config/nginx.conf`: boards are kept apart, and nothing is lost on the way.

Results that name their board in a header land on one process each; the main job holds through the proxy; live
streams come through it at once; a server that is killed, or ended in good order and started again, is passed
by meanwhile, and who follows misses nothing; what the proxy itself refuses is a problem like any other.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.long import checker, nginx
from tests.long.followers import Follower
from tests.long.loads import Load, finish
from tests.long.main_job import main_job
from tests.long.places import Place
from tests.long.program import Run, main, until
from tests.long.servers import Server, free_port
from tests.long.streams import Stream
from tests.long.traffic import BASE, FULL, RESULTS, Board, Ledger, Traffic, deal, post, result
from tests.long.wire import Connection

DATABASES = ("postgresql",)
LAG = 1.0  # seconds in which a message comes through the proxy
BACK = 10.0  # seconds in which a server that was started again is given requests
TOLD = 20.0  # seconds in which every follower has everything
FOLLOWERS = 6
LARGE = 70 * 1024  # bytes, more than a result may have
TOO_LARGE = (  # bodies: where, how large
    (RESULTS, LARGE),
    (f"{BASE}results/batch", 4 * 1024 * 1024 + 1),
    (RESULTS, 6 * 1024 * 1024),  # which the proxy itself refuses
)
ODD = f'{BASE}nothing/"a"/\\/<b>'  # a path that no JSON may hold as it is


@dataclass(frozen=True)
class Profile:
    """How much."""

    boards: int  # whose results are counted where they land
    job: int  # boards of the main job
    ends: int  # how often a server ends in good order and starts again


SHORT = Profile(boards=4, job=1, ends=1)
DEFAULT = Profile(boards=30, job=6, ends=3)
LONG = Profile(boards=500, job=50, ends=50)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Everything through the proxy."""
    nginx.program()
    ledger = Ledger(run)
    async with (
        Server(place) as first,
        Server(place, "--no-jobs", port=free_port()) as second,
        nginx.before(first, second) as url,
    ):
        async with Connection(url, place.tokens["platform"]) as connection:
            boards = await deal(connection, profile.boards)
            job = await deal(connection, profile.job)
            (followed,) = await deal(connection, 1)
        await _boards_are_kept_apart(run, url, [first, second], ledger, boards)
        await main_job(run, place, [url], ledger, job, f"s{run.seed}-job")
        await _streams_come_through(run, url, place, ledger, followed)
        await _too_large_is_a_problem(run, url, place)
        async with _followed(run, url, place, followed):
            for _ in range(profile.ends):
                await _one_ends(run, url, place, ledger, second)
            await _one_is_killed(run, url, place, ledger, second, followed)
        await first.kill()
        await _nobody_is_there(run, url)
        run.check(not first.complaints() + second.complaints(), "the log says", first.complaints()[:1])
    stored = await checker.check(run, place, ledger)
    run.check(stored == len(ledger.acknowledged), stored, "results for", len(ledger.acknowledged))


async def _boards_are_kept_apart(
    run: Run, url: str, servers: list[Server], ledger: Ledger, boards: list[Board]
) -> None:
    """All results of a board are taken in by one process, and each process has boards."""
    where = []
    for board in boards:
        before = [await _taken(server) for server in servers]
        posts = [result(run.rng, board, f"s{run.seed}-{i}") for i in range(FULL // 2)]
        await asyncio.gather(*(_post(url, servers[0].place, ledger, posts[i::4]) for i in range(4)))
        rose = [await _taken(server) - count for server, count in zip(servers, before, strict=True)]
        run.check(sorted(rose) == [0, len(posts)], board.id, "landed", rose)
        where.append(rose.index(max(rose)))
    spread = [where.count(i) for i in range(len(servers))]
    run.check(len(boards) < 10 or min(spread), "all boards land on one process:", spread)
    run.figures["boards by process"] = spread


async def _taken(server: Server) -> int:
    """Results that this process has taken in."""
    async with Connection(server.url) as connection:
        text = (await connection.get("/metrics")).body.decode()
    found = re.search(r"^crossruff_results_total (\S+)$", text, re.MULTILINE)
    return int(float(found[1])) if found else 0


async def _post(url: str, place: Place, ledger: Ledger, posts: list) -> None:
    async with Connection(url, place.tokens["platform"]) as connection:
        for given in posts:
            await post(connection, ledger, given)


async def _streams_come_through(run: Run, url: str, place: Place, ledger: Ledger, board: Board) -> None:
    """Each message at once, not when some buffer is full; and on from a position."""
    loop, lags = asyncio.get_running_loop(), []
    stream = Stream(url, f"board:{board.id}")
    try:
        run.check(await stream.open() == 200, "a stream through the proxy is refused")
        messages = stream.messages()
        async with Connection(url, place.tokens["platform"]) as connection:
            for number in range(10):
                await post(connection, ledger, result(run.rng, board, f"s{run.seed}-stream-{number}"))
                answered = loop.time()
                lags.append((await anext(messages)).at - answered)
    finally:
        await stream.close()
    run.check(max(lags) <= LAG, f"a message came through the proxy after {max(lags):.2f} s")
    run.figures["longest lag through the proxy"] = f"{max(lags):.3f} s"
    again = Stream(url, f"board:{board.id}", 3)
    try:
        await again.open()
        run.check((await again.first()).number == 4, "a stream through the proxy does not go on")
    finally:
        await again.close()


async def _too_large_is_a_problem(run: Run, url: str, place: Place) -> None:
    """The server's own words come through; the proxy has the same."""
    for path, size in TOO_LARGE:
        async with Connection(url, place.tokens["platform"]) as connection:
            request = connection.request("POST", path, b" " * size, Idempotency_Key="large")
            answer = await connection.ask(request)
        run.check((answer.status, answer.slug) == (413, "body-too-large"), path, answer.status, answer.body)


@asynccontextmanager
async def _followed(run: Run, url: str, place: Place, board: Board) -> AsyncIterator[None]:
    """Some follow a board through the proxy while the block lasts: each sees every message once, in order."""
    followers = [Follower(f"board:{board.id}") for _ in range(FOLLOWERS)]
    tasks = [asyncio.create_task(each.follow(run, url, drop=60)) for each in followers]
    try:
        yield
        sql = f"SELECT max(number) FROM bulletins WHERE channel = 'board:{board.id}'"
        ((last,),) = await place.rows(sql)
        await until(lambda: all(each.position == last for each in followers), TOLD, "all followers")
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for each in followers:
        seen = [message.number for message in each.seen]
        run.check(seen == list(range(1, last + 1)), "through the proxy a follower saw", seen)
        run.check(not each.odd, "through the proxy a follower was sent", each.odd[:1])


async def _one_ends(run: Run, url: str, place: Place, ledger: Ledger, server: Server) -> None:
    """Its boards go to the other one until it is back; every request is answered."""
    async with Load(run, [url], place.tokens["platform"], ledger, Traffic(run, 12)) as load:
        await load.takes(5, 50)
        await server.stop()
        await load.takes(5, 200)
        await server.start()
        loop = asyncio.get_running_loop()
        started = loop.time()
        while not await _taken(server):
            if not run.check(loop.time() - started < BACK, "a server that is back gets no requests"):
                break
            await asyncio.sleep(0.05)
    run.check(not load.broken, load.broken, "requests got no answer")
    run.figures["503 when one ended"] = run.figures.get("503 when one ended", 0) + load.busy
    run.figures["back after"] = f"{loop.time() - started:.1f} s"


async def _one_is_killed(
    run: Run, url: str, place: Place, ledger: Ledger, server: Server, followed: Board
) -> None:
    """Its boards go to the other one."""
    async with Load(run, [url], place.tokens["platform"], ledger, Traffic(run, 12)) as load:
        await load.takes(5, 50)
        await server.kill()
        await load.takes(5, 200)
    tables = [result(run.rng, followed, f"s{run.seed}-killed-{number}") for number in range(10)]
    await _post(url, place, ledger, tables)
    await finish(url, place.tokens["platform"], ledger)
    run.check(not load.broken, load.broken, "requests got no answer")
    run.figures["503 when one was killed"] = load.busy


async def _nobody_is_there(run: Run, url: str) -> None:
    async with Connection(url) as connection:
        for path in (f"{BASE}weeks/current", ODD):
            answer = await connection.get(path)
            found = (answer.status, answer.slug, answer.headers.get("retry-after"))
            run.check(found == (503, "busy", "1"), "without any server:", answer.status, answer.body)


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG, DATABASES)
