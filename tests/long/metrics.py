"""What /metrics says under load, held against what the clients themselves have counted.

Results, answers and refusals by kind must be right to the last one, after the load and in the middle of it;
commits and their sizes must be those that the database shows. While the database is held the queue is as long
as there are results without answer, and as old as the first of them. Followers are counted while they follow.
On PostgreSQL all that once more by two processes on one address, one of which is killed: whichever of them is
asked, it answers for both.
"""

import asyncio
import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from tests.long import checker, processes
from tests.long.crowded import held
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.refusals import REFUSALS, Refusal
from tests.long.servers import Server
from tests.long.streams import Stream
from tests.long.traffic import RESULTS, Board, Ledger, Post, Traffic, deal, post, replay, result
from tests.long.wire import Answer, Connection

CLIENTS = 16
REPLAYS = 20
QUEUED = 30  # results posted while the database is held
HELD = 2.0  # seconds; more than 5 would be refused
LATE = 1.0  # seconds by which a process may know less of another
SOON = 10.0  # seconds in which a figure is as it must be, on a busy machine too
LONGEST = 256  # reports in a commit


@dataclass(frozen=True)
class Profile:
    """How much."""

    results: int  # posted by each load
    followers: int


SHORT = Profile(results=400, followers=20)
DEFAULT = Profile(results=10_000, followers=300)
LONG = Profile(results=200_000, followers=2000)

Figures = Counter[str]
"""What /metrics says, by the name of each figure with its labels; 0 for those that it does not name."""


async def figures(url: str) -> Figures:
    """What /metrics says now."""
    async with Connection(url) as connection:
        text = (await connection.get("/metrics")).body.decode()
    lines = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return Counter({name: float(value) for name, value in lines})


async def play(run: Run, place: Place, profile: Profile) -> None:
    """One process; where there may be two, two."""
    ledger = Ledger(run)
    for workers in (1, 2) if place.kind == "postgresql" else (1,):
        arguments = ("--workers", str(workers)) if workers > 1 else ()
        async with Server(place, *arguments) as server:
            try:
                watched = Watched(run, server, ledger, workers)
                if workers > 1:
                    await processes.all_there(server)
                await watched.load(profile.results)
                await watched.hold()
                await watched.follow(profile.followers)
            finally:
                processes.end_workers(server)
            run.check(not server.complaints(), "the log says", server.complaints()[:1])
    stored = await checker.check(run, place, ledger)
    run.check(stored == len(ledger.acknowledged), stored, "results for", len(ledger.acknowledged))


@dataclass
class Watched:
    """One server, and what its clients count."""

    run: Run
    server: Server
    ledger: Ledger
    workers: int
    answers: Counter[int] = field(default_factory=Counter)  # to results posted one by one
    refused: Counter[str] = field(default_factory=Counter)  # by kind

    async def load(self, count: int) -> None:
        """So many results, refusals of every kind among them; every figure must move by what was counted."""
        before, known = await figures(self.server.url), len(self.ledger.acknowledged)
        commits = await self._commits()
        traffic = Traffic(self.run)
        traffic.name += f"-{self.workers}"
        async with Connection(self.server.url, self.server.place.tokens["platform"]) as connection:
            await traffic.deal(connection, -(-count // traffic.tables))
            spare = (await deal(connection, 1))[0]
        loop = asyncio.get_running_loop()
        started = loop.time()
        posts = list(traffic.posts(count))
        clients = asyncio.gather(*(self._client(posts) for _ in range(CLIENTS)), self._refusals(spare))
        while not clients.done():
            await self._look(before, known)
            await asyncio.wait([clients], timeout=0.2)
        await clients
        await self._replay(known)
        seconds = loop.time() - started
        after = await figures(self.server.url)
        after.subtract(before)
        self._compare(after, len(self.ledger.acknowledged) - known)
        self._compare_commits(after, (await self._commits()) - commits, seconds)

    async def _client(self, posts: list[Post]) -> None:
        async with Connection(self.server.url, self.server.place.tokens["platform"]) as connection:
            while posts:
                self._note(await post(connection, self.ledger, posts.pop()))

    def _note(self, answer: Answer) -> None:
        self.answers[answer.status] += 1
        if answer.slug is not None:
            self.refused[answer.slug] += 1

    async def _refusals(self, spare: Board) -> None:
        """Everything that is refused, some of it several times."""
        async with Connection(self.server.url, self.server.place.tokens["platform"]) as connection:
            good = result(self.run.rng, spare, f"s{self.run.seed}-{self.workers}-good")
            self._note(await post(connection, self.ledger, good))
            for number, refusal in enumerate(REFUSALS):
                for _ in range(1 + number % 3):
                    await self._refuse(connection, refusal, good)

    async def _refuse(self, connection: Connection, refusal: Refusal, good: Post) -> None:
        token = refusal.token
        connection.token = self.server.place.tokens.get(token, token)
        answer = await connection.ask(refusal.request(connection, good))
        found = [answer.slug] if answer.slug else _slugs(answer)
        expected = [refusal.slug] * refusal.times
        self.run.check(found == expected, "expected", expected, "found", found, answer.body)
        self.refused[refusal.slug] += refusal.times
        if refusal.path == RESULTS and refusal.method == "POST":
            self.answers[answer.status] += 1

    async def _replay(self, known: int) -> None:
        keys = list(self.ledger.acknowledged)[known:][:REPLAYS]
        async with Connection(self.server.url, self.server.place.tokens["platform"]) as connection:
            await replay(connection, self.ledger, keys)
        self.answers[201] += len(keys)

    async def _look(self, before: Figures, known: int) -> None:
        """In the middle of the load the results are those answered by now, and some that soon will be."""
        name = "crossruff_results_total"
        least = len(self.ledger.acknowledged) - known
        counted = (await figures(self.server.url))[name] - before[name]
        most = len(self.ledger.acknowledged) - known + CLIENTS + 1
        self.run.check(least <= counted <= most, least, "to", most, "results, counted are", counted)

    def _compare(self, moved: Figures, results: int) -> None:
        """What moved must be what the clients have counted, and nothing else."""
        self._must(moved, "crossruff_results_total", results)
        for status, count in self.answers.items():
            self._must(moved, f'crossruff_requests_total{{route="{RESULTS}",status="{status}"}}', count)
        self._must(moved, f'crossruff_request_seconds_count{{route="{RESULTS}"}}', sum(self.answers.values()))
        expected = {f'crossruff_refused_total{{problem="{slug}"}}': n for slug, n in self.refused.items()}
        found = {name: n for name, n in moved.items() if name.startswith("crossruff_refused_total{") and n}
        self.run.check(found == expected, "refused by kind:", found, "expected", expected)
        self.run.figures[f"kinds of refusals, {self.workers} at work"] = len(found)
        self.answers.clear()
        self.refused.clear()

    def _compare_commits(self, moved: Figures, commits: Counter[str], seconds: float) -> None:
        """As many commits as moments at which results were stored, and some that stored none."""
        sizes, times = "crossruff_ingest_batch_size", "crossruff_ingest_commit_seconds"
        count, reports, took = moved[f"{sizes}_count"], moved[f"{sizes}_sum"], moved[f"{times}_sum"]
        self._must(moved, f"{times}_count", count)
        self._must(moved, f'{sizes}_bucket{{le="{float(LONGEST)}"}}', count)
        without = reports - commits.total()
        stored = len(commits)
        self.run.check(stored <= count <= stored + without, count, "commits,", stored, "in the database")
        # Those of one process come one after another.
        self.run.check(0 < took <= seconds * self.workers, f"commits took {took:.2f} of {seconds:.2f} s")
        rate = moved["crossruff_results_total"] / seconds
        self.run.figures[f"under load, {self.workers} at work"] = (
            f"{rate:.0f} results a second, {reports / count:.1f} reports a commit, "
            f"{1000 * took / count:.1f} ms a commit"
        )

    def _must(self, moved: Figures, name: str, expected: float) -> None:
        self.run.check(moved[name] == expected, name, "moved by", moved[name], "expected", expected)

    async def _commits(self) -> Counter[str]:
        """How many results each commit has stored, by its moment."""
        rows = await self.server.place.rows("SELECT received_at, count(*) FROM results GROUP BY received_at")
        return Counter({str(moment): number for moment, number in rows})

    async def hold(self) -> None:
        """While nobody can write, results wait: how many, and since when, is known."""
        loop, url = asyncio.get_running_loop(), self.server.url
        async with Connection(url, self.server.place.tokens["platform"]) as connection:
            (board,) = await deal(connection, 1)
        tables = [result(self.run.rng, board, f"s{self.run.seed}-{self.workers}-w{i}") for i in range(QUEUED)]
        before = await figures(url)
        async with held(self.server.place):
            started = loop.time()
            posting = []
            for given in tables:
                posting.append(asyncio.create_task(self._post_alone(given)))
                await asyncio.sleep(0.02)  # the first of each process is soon under way, by itself
            # Each process works on one result, or on a few that have come together.
            await self._until("crossruff_ingest_queue", QUEUED - 3 * self.workers, QUEUED - self.workers)
            await asyncio.sleep(max(0.0, started + HELD - loop.time()))
            asked = loop.time() - started
            age = (await figures(url))["crossruff_ingest_queue_seconds"]
            heard = loop.time() - started
            told = f"age {age:.2f} s after {heard:.2f} s"
            self.run.check(asked - LATE - 0.5 <= age <= heard, "while the database is held:", told)
        await asyncio.gather(*posting)
        for name in ("crossruff_ingest_queue", "crossruff_ingest_queue_seconds"):
            await self._until(name, 0, 0)
        after = await figures(url)
        after.subtract(before)
        self._must(after, "crossruff_results_total", QUEUED)
        took = after["crossruff_ingest_commit_seconds_sum"]
        self.run.check(took >= HELD - 0.5, f"commits took {took:.2f} s though the database was held")
        self.run.figures[f"while held, {self.workers} at work"] = told

    async def _post_alone(self, given: Post) -> None:
        async with Connection(self.server.url, self.server.place.tokens["platform"]) as connection:
            answer = await post(connection, self.ledger, given)
            self.run.check(answer.status == 201, "after the database was held:", answer.status, answer.body)

    async def follow(self, count: int) -> None:
        """As many followers as follow; none is left of a process that was killed."""
        async with Connection(self.server.url, self.server.place.tokens["platform"]) as connection:
            (board,) = await deal(connection, 1)
        streams = [Stream(self.server.url, f"board:{board.id}") for _ in range(count)]
        try:
            for stream in streams:
                self.run.check(await stream.open() == 200, "who follows is refused")
            await self._until("crossruff_followers", count, count)
            for stream in streams[: count // 2]:
                await stream.close()
            left = count - count // 2
            await self._until("crossruff_followers", left, left)
            if self.workers > 1:
                await self._lose_one(streams[count // 2 :])
        finally:
            for stream in streams:
                await stream.close()
        await self._until("crossruff_followers", 0, 0)

    async def _lose_one(self, streams: list[Stream]) -> None:
        """One process is killed: its followers are counted no longer, its results still are."""
        following = [asyncio.create_task(_follow(stream)) for stream in streams]
        results = (await figures(self.server.url))["crossruff_results_total"]
        await processes.kill_one(self.run, self.server)
        left = sum(not task.done() for task in following)
        await self._until("crossruff_followers", left, left)
        await self._until("crossruff_results_total", results, results)
        self.run.figures["followers when one was killed"] = f"{left} of {len(streams)}"
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)

    async def _until(self, name: str, least: float, most: float) -> None:
        """A figure is soon within these bounds, whichever process is asked."""
        loop = asyncio.get_running_loop()
        started, right = loop.time(), 0
        while right < 2 * self.workers:
            found = (await figures(self.server.url))[name]
            right = right + 1 if least <= found <= most else 0
            if loop.time() - started > SOON:
                self.run.fault(name, "is", found, "expected", least, "to", most)
                return
            if not right:
                await asyncio.sleep(0.05)


async def _follow(stream: Stream) -> None:
    """Follow until the stream ends."""
    with suppress(ConnectionError):
        async for _ in stream.messages():
            pass


def _slugs(answer: Answer) -> list[str]:
    """Kinds of the problems of a batch's rows."""
    rows = json.loads(answer.body)["results"]
    return [row["body"]["type"].removeprefix("/problems/") for row in rows]


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
