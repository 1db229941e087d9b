"""kill -9 while results come in: nothing acknowledged is lost, nothing is there twice, no board half-scored.

Sixteen clients post results, one by one and in batches, until the server is killed at a random instant. It is
started again and must be ready within five seconds; the database is compared with what was acknowledged; what
was acknowledged is posted again and must get the same answer byte for byte; what was not answered is posted
again and must be taken once. At the end `crossruff verify` computes everything again.
"""

import asyncio
from dataclasses import dataclass

from tests.long import checker
from tests.long.places import Place
from tests.long.program import Run, main, until
from tests.long.servers import Server, command
from tests.long.traffic import Ledger, Post, Traffic, post, post_batch, replay
from tests.long.wire import Connection

CLIENTS = 16
BEGINS = 30.0  # seconds after which the load is under way, or never will be
READY = 5.0  # seconds in which a server is ready again
OLDER = 20  # answers of earlier rounds that are asked for again after each kill
LAST = 10_000  # answers that are asked for again at the end


@dataclass(frozen=True)
class Profile:
    """How much."""

    kills: int
    longest: float = 0.4  # seconds of load before a kill
    ready: float = READY


SHORT = Profile(kills=3, longest=0.15, ready=20)  # other tests run beside it
DEFAULT = Profile(kills=50)
LONG = Profile(kills=1000)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Kill it so often."""
    server = Server(place)
    ledger, traffic = Ledger(run), Traffic(run)
    ready = []
    try:
        await server.start()
        for number in range(profile.kills):
            known = set(ledger.acknowledged)
            await _round(run, server, ledger, traffic, profile.longest)
            ready.append(await server.start())
            run.check(ready[-1] <= profile.ready, f"ready after {ready[-1]:.2f} s")
            new = [key for key in ledger.acknowledged if key not in known]
            await _settle(run, server, ledger, new, sorted(known))
            run.step(f"kill {number + 1}: {len(ledger.acknowledged)} acknowledged, {len(run.faults)} faults")
        async with Connection(server.url, place.tokens["platform"]) as connection:
            await replay(connection, ledger, list(ledger.acknowledged)[-LAST:])
        run.check(not server.complaints(), "the log says", server.complaints()[:1])
    finally:
        await server.kill()
    stored = await checker.check(run, place, ledger)
    await checker.check_shared(run, place)
    run.check(stored == len(ledger.acknowledged), stored, "results for", len(ledger.acknowledged))
    verified = await command(place, "verify")
    run.check(verified.returncode == 0, verified.stdout, verified.stderr)
    run.figures |= {
        "kills": profile.kills,
        "results acknowledged": len(ledger.acknowledged),
        "answers given again": ledger.replays,
        "ready again, longest": f"{max(ready):.2f} s",
    }


async def _round(run: Run, server: Server, ledger: Ledger, traffic: Traffic, longest: float) -> None:
    """Load until the server is killed."""
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        if not traffic.fits(5000):
            await traffic.deal(connection, 120)
    clients = [asyncio.create_task(_client(run, server, ledger, traffic)) for _ in range(CLIENTS)]
    before = len(ledger.acknowledged)
    await until(lambda: len(ledger.acknowledged) > before, BEGINS, "the load", 0.001)
    await asyncio.sleep(run.rng.random() * longest)
    await server.kill()
    await asyncio.gather(*clients)


async def _client(run: Run, server: Server, ledger: Ledger, traffic: Traffic) -> None:
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        try:
            while traffic.fits(100):
                if run.rng.random() < 0.1:
                    await post_batch(connection, ledger, list(traffic.posts(run.rng.randint(2, 20))))
                else:
                    await post(connection, ledger, traffic.next())
        except ConnectionError:
            return


async def _settle(run: Run, server: Server, ledger: Ledger, new: list[str], older: list[str]) -> None:
    """After a start: what must be there is, and everything gets its one answer."""
    unknown = ledger.unknown
    touched = {ledger.posted[key].board for key in new} | {each.board for each in unknown}
    await checker.check(run, server.place, ledger, touched)
    again = new + run.rng.sample(older, min(OLDER, len(older)))
    async with asyncio.TaskGroup() as group:
        for part in range(4):
            group.create_task(_again(server, ledger, again[part::4], unknown[part::4]))


async def _again(server: Server, ledger: Ledger, keys: list[str], unknown: list[Post]) -> None:
    async with Connection(server.url, server.place.tokens["platform"]) as connection:
        await replay(connection, ledger, keys)
        for each in unknown:
            await post(connection, ledger, each)


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
