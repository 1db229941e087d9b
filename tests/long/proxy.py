"""nginx before two servers, by ``config/nginx.conf``: boards are kept apart, and nothing is lost on the way.

The example is used as it is, with other addresses and without TLS. Results that name their board in a header
land on one process each; the main job holds through the proxy; live streams come through it at once; a server
that is killed is passed by; what the proxy itself refuses is a problem like any other.
"""

import asyncio
import re
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.long import checker
from tests.long.loads import Load, finish
from tests.long.main_job import main_job
from tests.long.places import Place
from tests.long.program import Run, Skipped, main
from tests.long.servers import ROOT, Server, free_port
from tests.long.streams import Stream
from tests.long.traffic import BASE, FULL, RESULTS, Board, Ledger, Traffic, deal, post, result
from tests.long.wire import Connection

DATABASES = ("postgresql",)
EXAMPLE = ROOT / "config" / "nginx.conf"
LAG = 1.0  # seconds in which a message comes through the proxy
STARTS = 10.0  # seconds
LARGE = 70 * 1024  # bytes, more than a result may have


@dataclass(frozen=True)
class Profile:
    """How much."""

    boards: int  # whose results are counted where they land
    job: int  # boards of the main job


SHORT = Profile(boards=4, job=1)
DEFAULT = Profile(boards=30, job=6)
LONG = Profile(boards=500, job=50)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Everything through the proxy."""
    nginx = program()
    ledger = Ledger(run)
    async with Server(place) as first, Server(place, "--no-jobs") as second:
        async with _nginx(nginx, first, second) as url:
            async with Connection(url, place.tokens["platform"]) as connection:
                boards = await deal(connection, profile.boards)
                job = await deal(connection, profile.job)
                (followed,) = await deal(connection, 1)
            await _boards_are_kept_apart(run, url, [first, second], ledger, boards)
            await main_job(run, place, [url], ledger, job, f"s{run.seed}-job")
            await _streams_come_through(run, url, place, ledger, followed)
            await _refusals_are_problems(run, url, place)
            await _one_is_killed(run, url, place, ledger, second)
            await first.kill()
            await _nobody_is_there(run, url)
        run.check(not first.complaints() + second.complaints(), "the log says", first.complaints()[:1])
    stored = await checker.check(run, place, ledger)
    run.check(stored == len(ledger.acknowledged), stored, "results for", len(ledger.acknowledged))


def program() -> str:
    """Path of nginx. Raises Skipped."""
    found = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/sbin:/bin")
    if found is None:
        raise Skipped("nginx is not installed (Debian's package nginx-light)")
    return found


def configuration(folder: Path, port: int, ports: tuple[int, int]) -> str:
    """The example with these ports and without TLS, within what nginx needs around it."""
    text = EXAMPLE.read_text(encoding="utf-8")
    for pattern, instead in (
        (r"listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        (r"ssl_certificate(_key)?\s+[^;]*;", ""),
        (r"127\.0\.0\.1:8081", f"127.0.0.1:{ports[0]}"),
        (r"127\.0\.0\.1:8082", f"127.0.0.1:{ports[1]}"),
    ):
        text, found = re.subn(pattern, instead, text)
        assert found, f"the example has no {pattern}"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    return (
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{ access_log off; {paths}\n{text}\n}}\n"
    )


@asynccontextmanager
async def _nginx(program: str, first: Server, second: Server) -> AsyncIterator[str]:
    """nginx before two servers, at an address of its own."""
    port = free_port()
    ports = tuple(int(server.url.rsplit(":", 1)[1]) for server in (first, second))
    with tempfile.TemporaryDirectory(prefix="crossruff-nginx-") as name:
        process = await asyncio.to_thread(_launch, program, Path(name), port, ports)
        try:
            await _answers(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            await asyncio.to_thread(process.wait)


def _launch(program: str, folder: Path, port: int, ports: tuple[int, int]) -> "subprocess.Popen[bytes]":
    folder.chmod(0o755)  # its workers are of another user
    file = folder / "nginx.conf"
    file.write_text(configuration(folder, port, ports), encoding="utf-8")
    command = [program, "-e", f"{folder}/error.log", "-c", str(file)]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)


async def _answers(url: str, process: "subprocess.Popen[bytes]") -> None:
    async with asyncio.timeout(STARTS):
        while True:
            try:
                async with Connection(url) as connection:
                    await connection.get("/healthz")
                    return
            except ConnectionError:
                assert process.poll() is None, "nginx has ended"
                await asyncio.sleep(0.02)


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


async def _refusals_are_problems(run: Run, url: str, place: Place) -> None:
    """Too large bodies are refused by the server, whose words come through."""
    for path, size in ((RESULTS, LARGE), (f"{BASE}results/batch", 4 * 1024 * 1024 + 1)):
        async with Connection(url, place.tokens["platform"]) as connection:
            request = connection.request("POST", path, b" " * size, Idempotency_Key="large")
            answer = await connection.ask(request)
        run.check((answer.status, answer.slug) == (413, "body-too-large"), path, answer.status, answer.body)


async def _one_is_killed(run: Run, url: str, place: Place, ledger: Ledger, server: Server) -> None:
    """Its boards go to the other one."""
    async with Load(run, [url], place.tokens["platform"], ledger, Traffic(run, 12)) as load:
        await load.takes(5, 50)
        await server.kill()
        await load.takes(5, 200)
    await finish(url, place.tokens["platform"], ledger)
    run.figures["503 or no answer when one was killed"] = load.busy + load.broken


async def _nobody_is_there(run: Run, url: str) -> None:
    async with Connection(url) as connection:
        answer = await connection.get(f"{BASE}weeks/current")
    found = (answer.status, answer.slug, answer.headers.get("retry-after"))
    run.check(found == (503, "busy", "1"), "without any server:", answer.status, answer.headers, answer.body)


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG, DATABASES)
