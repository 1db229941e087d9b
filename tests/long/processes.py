"""Several server processes over one PostgreSQL: one address or two, one killed, followers elsewhere.

`crossruff serve --workers 2`: the main job holds, the figures of both processes add up, a process that is
killed is started again while clients go on. Two servers at two addresses: the main job holds through both in
turn, and who follows at the one hears within a second of what is posted at the other. On SQLite several
processes are refused, with the reason.
"""

import asyncio
import os
import re
import signal
import statistics
from dataclasses import dataclass
from pathlib import Path

from tests.long import checker
from tests.long.loads import Load, finish
from tests.long.main_job import main_job
from tests.long.places import Place
from tests.long.program import Run, main, until
from tests.long.servers import Server, command
from tests.long.streams import Stream
from tests.long.traffic import Board, Ledger, Traffic, deal, post, result
from tests.long.wire import Connection

WORKERS = 2
AGAIN = 15.0  # seconds in which a killed process has been started again
LAG = 1.0  # seconds from an answer at one address to the message at the other


@dataclass(frozen=True)
class Profile:
    """How much."""

    boards: int  # of the main job
    kills: int
    told: int  # results posted at one address, followed at the other
    lag: float = LAG


SHORT = Profile(boards=1, kills=1, told=20, lag=5)
DEFAULT = Profile(boards=6, kills=5, told=300)
LONG = Profile(boards=60, kills=50, told=3000)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """One address, two addresses; or the refusal."""
    if place.kind == "sqlite":
        await _is_refused(run, place)
        return
    ledger = Ledger(run)
    await _one_address(run, place, ledger, profile)
    await _two_addresses(run, place, ledger, profile)
    stored = await checker.check(run, place, ledger)
    await checker.check_shared(run, place)
    run.check(stored == len(ledger.acknowledged), stored, "results for", len(ledger.acknowledged))
    run.figures["results acknowledged"] = stored


async def _is_refused(run: Run, place: Place) -> None:
    ended = await command(place, "serve", "--workers", "2", "--port", "0")
    run.check(ended.returncode in (1, 2), "two processes on SQLite: exit code", ended.returncode)
    reason = ended.stderr.strip().splitlines()[-1]
    run.check("PostgreSQL" in reason and "Traceback" not in ended.stderr, "no reason is given:", ended.stderr)
    run.figures["on SQLite"] = reason


async def _one_address(run: Run, place: Place, ledger: Ledger, profile: Profile) -> None:
    async with Server(place, "--workers", str(WORKERS)) as server:
        try:
            await all_there(server)
            async with Connection(server.url, place.tokens["platform"]) as connection:
                boards = await deal(connection, profile.boards)
            # Several connections: the kernel gives each to one of the processes.
            await main_job(run, place, [server.url] * 8, ledger, boards, f"s{run.seed}-one")
            await _adds_up(run, server, len(ledger.acknowledged))
            traffic = Traffic(run)
            async with Load(run, [server.url], place.tokens["platform"], ledger, traffic, 16) as load:
                for number in range(profile.kills):
                    await load.takes(5, 50)
                    await kill_one(run, server)
                    await load.takes(5, 50)
                    run.step(f"processes: {number + 1} killed, {load.taken} acknowledged")
            await finish(server.url, place.tokens["platform"], ledger)
            run.figures["requests without answer"] = load.broken
            run.figures["ended after"] = f"{await server.stop():.1f} s"
        finally:
            end_workers(server)
        run.check(not server.complaints(), "the log says", server.complaints()[:1])


def workers_of(server: Server) -> list[int]:
    """Processes that the server has started and that still run."""
    parent = server.process.pid
    try:
        text = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
    except FileNotFoundError:
        return []
    return [int(word) for word in text.split()]


async def all_there(server: Server) -> None:
    """Return when every process takes requests: of so many connections some reach each of them."""
    async with asyncio.timeout(AGAIN):
        while True:
            if len(await _processes_that_answer(server)) == WORKERS:
                return
            await asyncio.sleep(0.05)


async def _processes_that_answer(server: Server) -> set[int]:
    """Which processes have answered over one of twenty connections."""
    connections = [Connection(server.url) for _ in range(20)]
    answered = set()
    try:
        for connection in connections:
            try:
                if (await connection.get("/readyz")).status == 200:
                    answered.add(connection.local_port)
            except ConnectionError:
                continue
        ends = _other_ends(connections[0].port, answered)
        return {pid for pid in workers_of(server) if ends & _sockets_of(pid)}
    finally:
        for connection in connections:
            await connection.close()


def _other_ends(port: int, ports: set[int]) -> set[str]:
    """Sockets at ``port`` whose connection leads to one of ``ports``."""
    found = set()
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        _, local, remote, *_, inode = line.split()[:10]
        if int(local.split(":")[1], 16) == port and int(remote.split(":")[1], 16) in ports:
            found.add(f"socket:[{inode}]")
    return found


def _sockets_of(process: int) -> set[str]:
    try:
        return {os.readlink(link) for link in Path(f"/proc/{process}/fd").iterdir()}
    except OSError:
        return set()


async def _adds_up(run: Run, server: Server, expected: int) -> None:
    """Whichever process is asked: the figures are those of all."""
    for _ in range(10):
        async with Connection(server.url) as connection:
            text = (await connection.get("/metrics")).body.decode()
        found = re.search(r"^crossruff_results_total (\S+)$", text, re.MULTILINE)
        counted = None if found is None else float(found[1])
        run.check(counted == expected, "results by /metrics:", counted, "of", expected)


async def kill_one(run: Run, server: Server) -> None:
    """Kill a process; return when another has been started in its place."""
    before = workers_of(server)
    victim = run.rng.choice(before)
    os.kill(victim, signal.SIGKILL)
    started = asyncio.get_running_loop().time()
    await until(lambda: len(set(workers_of(server)) - {victim}) == WORKERS, AGAIN, "another process")
    await until(lambda: any(f"{victim} ended" in line for line in server.said), AGAIN, "a word about it")
    await all_there(server)
    run.figures["killed and answering again"] = f"{asyncio.get_running_loop().time() - started:.1f} s"


def end_workers(server: Server) -> None:
    """Nobody is left behind, should the server itself have been killed."""
    for pid in workers_of(server):
        os.kill(pid, signal.SIGKILL)


async def _two_addresses(run: Run, place: Place, ledger: Ledger, profile: Profile) -> None:
    async with Server(place) as first, Server(place, "--no-jobs") as second:
        async with Connection(first.url, place.tokens["platform"]) as connection:
            boards = await deal(connection, profile.boards)
            followed = await deal(connection, -(-profile.told // 30))
        await main_job(run, place, [first.url, second.url], ledger, boards, f"s{run.seed}-two")
        lags: list[float] = []
        for board in followed:
            lags += await _hear_elsewhere(run, first, second, ledger, board)
        for server in (first, second):
            run.check(not server.complaints(), "the log says", server.complaints()[:1])
    p95 = statistics.quantiles(lags, n=20)[-1]
    run.check(p95 <= profile.lag, f"lag p95 {p95:.2f} s from one address to the other")
    run.figures["lag from one address to the other, p95, longest"] = f"{p95:.3f} s, {max(lags):.3f} s"


async def _hear_elsewhere(
    run: Run, first: Server, second: Server, ledger: Ledger, board: Board
) -> list[float]:
    """Thirty results at the one address, heard of at the other; how long each took from its answer."""
    loop, lags = asyncio.get_running_loop(), []
    stream = Stream(first.url, f"board:{board.id}")
    try:
        await stream.open()
        messages = stream.messages()
        async with Connection(second.url, first.place.tokens["platform"]) as connection:
            for number in range(30):
                answer = await post(connection, ledger, result(run.rng, board, f"s{run.seed}-t{number}"))
                answered = loop.time()
                message = await anext(messages)
                told = message.body["results"][-1]["id"]
                run.check(told == answer.json["id"], board.id, "told of", told, "after", answer.json["id"])
                lags.append(max(0.0, message.at - answered))
    finally:
        await stream.close()
    return lags


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
