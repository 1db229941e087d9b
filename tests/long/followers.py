"""Followers of boards and weeks who drop off at random, through a restart: none misses anything.

Every follower comes again with the number of his last message and must have seen each message of his channel
exactly once, in order, as it is in the database. Messages must come soon: nineteen in twenty within a second
after the result was answered. A traveller read at any moment, with all later messages, must become the
traveller that is read at the end. Meanwhile some followers read nothing: nobody waits for them.
"""

import asyncio
import statistics
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tests.long.crowds import come_and_go, fall_behind, positions_that_are_gone
from tests.long.places import Place
from tests.long.program import Run, main, until
from tests.long.servers import Server, free_port
from tests.long.streams import Message, Stream, applied
from tests.long.traffic import BASE, FULL, Board, Ledger, Post, deal, post, result
from tests.long.wire import Connection

LAG = 1.0  # seconds within which nineteen of twenty messages come
TOLD = 20.0  # seconds after the last result in which every follower must have everything
SILENT = 20  # followers who read nothing
POSTERS = 8


@dataclass(frozen=True)
class Profile:
    """How much."""

    followers: int
    boards: int
    rate: int  # results a second
    drop: float  # seconds after which a follower drops off, on average
    connects: int  # streams that are opened and left, to look for leaks
    behind: int  # messages that silent followers leave unread
    lag: float = LAG


SHORT = Profile(followers=100, boards=3, rate=60, drop=1.0, connects=200, behind=0, lag=5)
DEFAULT = Profile(followers=1000, boards=10, rate=50, drop=4.0, connects=5000, behind=10_000)
LONG = Profile(followers=1000, boards=50, rate=50, drop=4.0, connects=100_000, behind=50_000)


@dataclass
class Follower:
    """One who follows a channel from its first message, and always comes again."""

    channel: str
    seen: list[Message] = field(default_factory=list)
    since: list[float] = field(default_factory=list)  # when he had come, for each of these
    closings: int = 0
    odd: list[Message] = field(default_factory=list)  # what nobody should have sent him

    @property
    def position(self) -> int:
        """Number of his last message."""
        return (self.seen[-1].number or 0) if self.seen else 0

    async def follow(self, run: Run, url: str, drop: float) -> None:
        """Follow until cancelled, dropping off every now and then."""
        while True:
            stream = Stream(url, self.channel, self.position)
            try:
                async with asyncio.timeout(run.rng.expovariate(1 / drop)):
                    if await stream.open() == 200:
                        await self._listen(stream)
            except (ConnectionError, TimeoutError):
                await asyncio.sleep(run.rng.random() / 10)
            finally:
                await stream.close()

    async def _listen(self, stream: Stream) -> None:
        async for message in stream.messages():
            if message.kind == "closing":
                self.closings += 1
            elif message.number is None or message.kind == "reset":
                self.odd.append(message)
            else:
                self.seen.append(message)
                self.since.append(stream.since)


@dataclass
class Audience:
    """All followers of a run, the results they are told of, and the snapshots that were read."""

    run: Run
    server: Server
    followers: list[Follower]
    answered: dict[tuple[str, int], float] = field(default_factory=dict)  # board and results: when
    snapshots: list[dict[str, Any]] = field(default_factory=list)

    async def post_all(self, ledger: Ledger, posts: list[Post], rate: int) -> None:
        """Results at a steady pace, each until it is answered; now and then a traveller is read."""
        async with Connection(self.server.url, self.server.place.tokens["platform"]) as connection:
            while posts:
                given = posts.pop()
                while True:
                    try:
                        answer = await post(connection, ledger, given, busy=True)
                    except ConnectionError:  # the server is restarted
                        await asyncio.sleep(0.1)
                        continue
                    if answer.status != 503:
                        break
                    await asyncio.sleep(0.1)
                told = answer.json["board"]
                self.answered[told["id"], told["results"]] = asyncio.get_running_loop().time()
                if self.run.rng.random() < 0.1:
                    await self._look(given.board)
                await asyncio.sleep(POSTERS / rate * self.run.rng.uniform(0.5, 1.5))

    async def _look(self, board: Board) -> None:
        with suppress(ConnectionError):  # the server is restarted
            self.snapshots.append(await snapshot(self.server.url, board))

    def lags(self) -> list[float]:
        """Seconds from the answer to the message, for everybody who was there."""
        found = []
        for follower in self.followers:
            for message, since in zip(follower.seen, follower.since, strict=True):
                told = message.body["board"]
                at = self.answered.get((told["id"], told["results"]), 0.0)
                if at > since and message.kind != "board-revealed":
                    found.append(max(0.0, message.at - at))
        return found


async def snapshot(url: str, board: Board) -> Any:
    """The traveller as the public sees it."""
    async with Connection(url) as connection:
        return (await connection.get(f"{BASE}boards/{board.id}/traveller")).json


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Follow, post, restart, compare."""
    async with Server(place, port=free_port()) as server:
        async with Connection(server.url, place.tokens["platform"]) as connection:
            week = (await connection.get(f"{BASE}weeks/current")).json["week"]
            boards = await deal(connection, profile.boards)
        channels = [f"week:{week}", *(f"board:{board.id}" for board in boards)]
        followers = [Follower(channels[i % len(channels)]) for i in range(profile.followers)]
        audience = Audience(run, server, followers)
        tasks = [asyncio.create_task(each.follow(run, server.url, profile.drop)) for each in followers]
        silent = await fall_behind(server, f"week:{week}", SILENT)
        try:
            await _tell(run, audience, boards, profile)
            await _everybody_knows(audience, place)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for stream in silent:
                await stream.close()
        await _compare(run, audience, place, boards)
        _check_lag(run, audience, profile.lag)
        await positions_that_are_gone(run, server, place, boards[0])
        await come_and_go(run, server, f"week:{week}", profile.connects, profile.behind)
        run.check(not server.complaints(), "the log says", server.complaints()[:1])


async def _tell(run: Run, audience: Audience, boards: list[Board], profile: Profile) -> None:
    """Post forty results on each board; in the middle of it the server ends and comes again."""
    posts = [result(run.rng, board, f"s{run.seed}-{i}") for board in boards for i in range(FULL)]
    run.rng.shuffle(posts)
    half, ledger = len(posts) // 2, Ledger(run)
    posting = asyncio.gather(*(audience.post_all(ledger, posts, profile.rate) for _ in range(POSTERS)))
    await until(lambda: len(posts) <= half or posting.done(), 600, "half of the results")
    await audience.server.stop()
    run.figures["ready again"] = f"{await audience.server.start():.2f} s"
    while not posting.done():
        run.step(f"followers: {len(posts)} results left")
        await asyncio.wait([posting], timeout=0.5)
    await posting


async def _everybody_knows(audience: Audience, place: Place) -> None:
    """Return when every follower has the last message of his channel; or after TOLD seconds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + TOLD
    while loop.time() < deadline:
        truth = await _truth(place)
        revealed = sum(messages[-1][0] == "board-revealed" for messages in truth.values() if messages)
        behind = sum(each.position < len(truth[each.channel]) for each in audience.followers)
        if revealed == len({channel for channel in truth if channel.startswith("board:")}) and not behind:
            return
        await asyncio.sleep(0.2)


async def _truth(place: Place) -> dict[str, list[tuple[str, str]]]:
    """Messages of every channel, by the database."""
    sql = (
        "SELECT channel, number, kind, body FROM bulletins WHERE number IS NOT NULL ORDER BY channel, number"
    )
    found = defaultdict(list)
    for channel, _, kind, body in await place.rows(sql):
        found[channel].append((kind, body))
    return found


async def _compare(run: Run, audience: Audience, place: Place, boards: list[Board]) -> None:
    truth, told = await _truth(place), {}
    for follower in audience.followers:
        expected = [(i, kind) for i, (kind, _) in enumerate(truth[follower.channel], 1)]
        found = [(each.number, each.kind) for each in follower.seen]
        run.check(found == expected, follower.channel, "saw", len(found), "messages of", len(expected))
        run.check(not follower.odd, follower.channel, "was sent", follower.odd[:1])
        for each in follower.seen:
            first = told.setdefault((follower.channel, each.number), each)
            run.check(
                each.text == first.text, follower.channel, each.number, "differs", each.text, first.text
            )
    for (channel, number), each in told.items():
        if each.kind != "board-revealed":  # which is completed when it is sent
            run.check(each.text == truth[channel][number - 1][1], channel, number, "is not as it is stored")
    closings = sum(each.closings for each in audience.followers)
    run.check(closings, "nobody was told that the server stops")
    for board in boards:
        seen = [each for (channel, _), each in told.items() if channel == f"board:{board.id}"]
        await _compare_snapshots(run, audience, board, sorted(seen, key=lambda each: each.number))
    run.figures |= {
        "followers": len(audience.followers),
        "messages": sum(len(each.seen) for each in audience.followers),
        "closing messages": closings,
        "snapshots": len(audience.snapshots),
    }


async def _compare_snapshots(run: Run, audience: Audience, board: Board, messages: list[Message]) -> None:
    """What was read at any moment becomes what is read now, by the messages since then."""
    last = await snapshot(audience.server.url, board)
    run.check(last["position"] == len(messages), board.id, "position", last["position"])
    for earlier in (each for each in audience.snapshots if each["board"]["id"] == board.id):
        later = [each for each in messages if each.number > earlier["position"]]
        shown = applied(earlier, later)
        run.check(shown == last, board.id, "from", earlier["position"], "becomes", shown, "not", last)


def _check_lag(run: Run, audience: Audience, most: float) -> None:
    lags = audience.lags()
    if not run.check(len(lags) > 100, "only", len(lags), "messages came live"):
        return
    found = statistics.quantiles(lags, n=20)
    run.check(found[-1] <= most, f"lag p95 {found[-1]:.3f} s")
    run.figures["lag p50, p95, longest"] = f"{found[9]:.3f} s, {found[-1]:.3f} s, {max(lags):.3f} s"


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
