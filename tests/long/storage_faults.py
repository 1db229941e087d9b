"""A database that cannot write, or is away: 503 with Retry-After meanwhile, then on as if nothing had been.

SQLite: another process holds the write lock; the disk is full. PostgreSQL: it is read-only, its disk is
full, it is restarted under load, in good order and as by a crash. Clients post all the time and may get
nothing but 201 (or that a board is full) and 503; once the fault is over the service goes on by itself, live
messages too, and everything that was acknowledged is there.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.long import checker, disks
from tests.long.cluster import FAST, IMMEDIATE, Cluster
from tests.long.loads import Load, finish
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import Server
from tests.long.streams import Stream
from tests.long.traffic import BASE, Board, Ledger, Traffic, deal, post, result
from tests.long.wire import Connection

RESUMES = 5.0  # seconds after the end of a fault in which results are taken again
BUSY = 10.0  # seconds after its beginning in which somebody is refused: the database is waited for 5 s
HEARD = 4.0  # seconds in which a follower hears of a result after the fault


@dataclass(frozen=True)
class Profile:
    """How much."""

    rounds: int
    held: float  # seconds for which another process holds SQLite's write lock; beyond 5 the server is busy
    real_disks: bool  # whether disks are made that are really full; takes root


SHORT = Profile(rounds=1, held=0.5, real_disks=False)
DEFAULT = Profile(rounds=3, held=7, real_disks=True)
LONG = Profile(rounds=30, held=7, real_disks=True)


@dataclass
class Trial:
    """One server, its load, and how long things took."""

    run: Run
    place: Place
    server: Server
    load: Load
    board: Board  # on which followers are told of results

    async def resumes(self, what: str) -> None:
        """Results are taken again, and whoever follows hears of them."""
        seconds = await self.load.takes(RESUMES)
        heard = await self._hear()
        self.run.check(heard <= HEARD, what, f"a follower hears of a result after {heard:.1f} s")
        self.note(f"{what}: taken again, heard of", f"{seconds:.2f} s, {heard:.2f} s")

    def note(self, name: str, value: str) -> None:
        """Keep the figure of the last round."""
        self.run.figures[name] = value

    async def _hear(self) -> float:
        """Seconds until one who follows hears of a result."""
        loop = asyncio.get_running_loop()
        stream = Stream(self.server.url, f"board:{self.board.id}")
        try:
            await stream.open()
            await stream.follows()
            async with Connection(self.server.url, self.place.tokens["platform"]) as connection:
                given = result(self.run.rng, self.board, f"s{self.run.seed}-heard-{self.run.rng.random()}")
                answer = await post(connection, self.load.ledger, given)
            started = loop.time()
            message = await stream.first()
            told = message.body["results"][-1]["id"]
            self.run.check(told == answer.json["id"], "a follower hears of", told)
            return loop.time() - started
        finally:
            await stream.close()


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Every fault in turn, so often."""
    real_disks = profile.real_disks and disks.may_mount()
    if real_disks != profile.real_disks:
        run.skipped.append("a disk that is really full: to mount one takes root")
    if place.kind == "sqlite":
        async with _trial(run, place) as trial:
            for _ in range(profile.rounds):
                await _lock_is_held(trial, profile.held)
                await _files_cannot_grow(trial)
        if real_disks:
            await _real_disk_full(run)
        return
    async with Cluster() as cluster:
        async with _trial(run, await cluster.place("restarted")) as trial:
            for _ in range(profile.rounds):
                await _read_only(trial, cluster)
                await _restart(trial, cluster, "restarted fast", FAST)
                await _restart(trial, cluster, "crashed", IMMEDIATE)
        if real_disks:
            await _real_tablespace_full(run, cluster)


@asynccontextmanager
async def _trial(run: Run, place: Place) -> AsyncIterator[Trial]:
    """A server under load; at the end everything is compared."""
    ledger, traffic = Ledger(run), Traffic(run)
    async with Server(place) as server:
        token = place.tokens["platform"]
        async with Connection(server.url, token) as connection:
            (board,) = await deal(connection, 1)
        async with Load(run, [server.url], token, ledger, traffic) as load:
            await load.takes(RESUMES, 20)
            yield Trial(run, place, server, load, board)
            await load.takes(RESUMES, 20)
        run.check(load.broken == 0, load.broken, "requests got no answer")
        await finish(server.url, token, ledger)
        run.check(not server.complaints(), "the log says", server.complaints()[:1])
    stored = await checker.check(run, place, ledger)
    await checker.check_shared(run, place)
    run.check(stored == len(ledger.acknowledged), stored, "results for", len(ledger.acknowledged))
    run.figures["results acknowledged"] = run.figures.get("results acknowledged", 0) + stored
    run.figures["answers 503"] = run.figures.get("answers 503", 0) + load.busy


async def _reading_goes_on(trial: Trial) -> None:
    async with Connection(trial.server.url, trial.place.tokens["director"]) as connection:
        answer = await connection.get(f"{BASE}boards/{trial.board.id}/traveller")
        trial.run.check(answer.status == 200, "reading meanwhile:", answer.status, answer.body)


async def _lock_is_held(trial: Trial, seconds: float) -> None:
    async with disks.write_lock(trial.place.file):
        if seconds > 5:
            await trial.load.refuses(BUSY)
        await _reading_goes_on(trial)
        await asyncio.sleep(seconds)
    await trial.resumes("write lock held by another")


async def _files_cannot_grow(trial: Trial) -> None:
    with disks.no_growth(trial.server.process.pid):
        await trial.load.refuses(BUSY)
        await _reading_goes_on(trial)
    await trial.resumes("files cannot grow")


async def _real_disk_full(run: Run) -> None:
    with disks.small_disk("16m") as disk:
        place = await disk.place()
        async with _trial(run, place) as trial:
            disk.fill()
            await trial.load.refuses(BUSY)
            disk.make_room()
            await trial.resumes("disk full")


async def _read_only(trial: Trial, cluster: Cluster) -> None:
    await cluster.execute("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    await trial.load.refuses(BUSY)
    await _reading_goes_on(trial)
    await cluster.execute("ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()")
    await trial.resumes("read-only")


async def _restart(trial: Trial, cluster: Cluster, what: str, how: object) -> None:
    await cluster.stop(how)
    await trial.load.refuses(BUSY)
    async with Connection(trial.server.url) as connection:
        answer = await connection.get("/readyz")
        trial.run.check(answer.status == 503, "readiness without database:", answer.status)
        trial.run.check((await connection.get("/healthz")).status == 200, "the process does not answer")
    await cluster.start()
    await trial.resumes(what)


async def _real_tablespace_full(run: Run, cluster: Cluster) -> None:
    with disks.small_disk("64m", cluster.owner) as disk:
        await cluster.execute(f"CREATE TABLESPACE small LOCATION '{disk.folder / 'space'}'")
        try:
            async with _trial(run, await cluster.place("small", "TABLESPACE small")) as trial:
                disk.fill()
                await trial.load.refuses(4 * BUSY)
                disk.make_room()
                await trial.resumes("disk full")
        finally:
            await cluster.execute("DROP DATABASE IF EXISTS small WITH (FORCE)", "DROP TABLESPACE small")


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
