"""SIGTERM under load: the server ends within ten seconds, and what it has acknowledged is kept.

Clients post, others follow channels, one asks for readiness all the time. Whoever follows is told that the
server closes; readiness is refused with 503, or the connection is, from then on; the process ends with code
0. After a new start everything acknowledged is posted again and gets the same answer; what got no answer is
taken.
"""

import asyncio
from dataclasses import dataclass, field

from tests.long import checker
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import Server
from tests.long.streams import Stream
from tests.long.traffic import BASE, Ledger, Traffic, post, post_batch, replay
from tests.long.wire import Connection

CLIENTS = 32
FOLLOWERS = 10
ENDS = 10.0  # seconds in which it ends
LOAD = (0.2, 1.0)  # seconds before it is told to end


@dataclass(frozen=True)
class Profile:
    """How much."""

    rounds: int


SHORT = Profile(rounds=1)
DEFAULT = Profile(rounds=20)
LONG = Profile(rounds=200)


@dataclass
class Watched:
    """What those saw who only look."""

    refused: list[str] = field(default_factory=list)  # readiness, after it was 200
    closed: list[str] = field(default_factory=list)  # last message of each stream

    async def ask(self, url: str) -> None:
        """Whether it is ready, until nobody answers."""
        try:
            while True:
                async with Connection(url) as connection:
                    answer = await connection.get("/readyz")
                if answer.status != 200 or self.refused:
                    self.refused.append(f"{answer.status}")
                await asyncio.sleep(0.005)
        except ConnectionError:
            self.refused.append("no connection")

    async def follow(self, url: str, channel: str) -> None:
        """A channel until the stream ends."""
        stream, last = Stream(url, channel), "nothing"
        try:
            await stream.open()
            async for message in stream.messages():
                last = message.kind
        except ConnectionError:
            self.closed.append(last)
        finally:
            await stream.close()


async def play(run: Run, place: Place, profile: Profile) -> None:
    """End it so often."""
    server, ledger, traffic = Server(place), Ledger(run), Traffic(run)
    took, seen = [], set()
    try:
        await server.start()
        for number in range(profile.rounds):
            known = len(ledger.acknowledged)
            watched = Watched()
            took.append(await _round(run, server, ledger, traffic, watched))
            _check(run, server, took[-1], watched)
            seen |= set(watched.refused)
            await server.start()
            await _settle(server, ledger, list(ledger.acknowledged)[known:])
            run.step(f"ended {number + 1} times, {len(ledger.acknowledged)} acknowledged")
        await server.stop()
    finally:
        await server.kill()
    stored = await checker.check(run, place, ledger)
    await checker.check_shared(run, place)
    run.check(stored == len(ledger.acknowledged), stored, "results for", len(ledger.acknowledged))
    run.figures |= {
        "ended under load": profile.rounds,
        "longest": f"{max(took):.2f} s",
        "results acknowledged": len(ledger.acknowledged),
        "readiness afterwards": ", ".join(sorted(seen)),
    }


async def _round(run: Run, server: Server, ledger: Ledger, traffic: Traffic, watched: Watched) -> float:
    """Load until the server has ended; seconds that it took."""
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        if not traffic.fits(5000):
            await traffic.deal(connection, 120)
        week = (await connection.get(f"{BASE}weeks/current")).json["week"]
    channels = [f"week:{week}", f"board:{traffic.boards[-1].id}"]
    async with asyncio.TaskGroup() as group:
        for i in range(FOLLOWERS):
            group.create_task(watched.follow(server.url, channels[i % 2]))
        for _ in range(CLIENTS):
            group.create_task(_client(run, server, ledger, traffic))
        group.create_task(watched.ask(server.url))
        await asyncio.sleep(run.rng.uniform(*LOAD))
        return await server.stop(ENDS + 5)


async def _client(run: Run, server: Server, ledger: Ledger, traffic: Traffic) -> None:
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        try:
            while traffic.fits(100):
                if run.rng.random() < 0.1:
                    await post_batch(connection, ledger, list(traffic.posts(10)))
                else:
                    await post(connection, ledger, traffic.next(), busy=True)
        except ConnectionError:
            return


def _check(run: Run, server: Server, took: float, watched: Watched) -> None:
    run.check(took <= ENDS, f"it ended after {took:.1f} s")
    run.check(server.process.returncode == 0, "it ended with", server.process.returncode)
    run.check(not server.complaints(), "the log says", server.complaints()[:1])
    run.check(watched.closed == ["closing"] * FOLLOWERS, "streams ended with", watched.closed)
    run.check(set(watched.refused) <= {"503", "no connection"}, "readiness was", watched.refused)
    run.check(watched.refused[-1:] == ["no connection"], "somebody answered to the end")


async def _settle(server: Server, ledger: Ledger, new: list[str]) -> None:
    """Everything gets its one answer."""
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        unknown = ledger.unknown
        await replay(connection, ledger, new)
        for each in unknown:
            await post(connection, ledger, each)


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
