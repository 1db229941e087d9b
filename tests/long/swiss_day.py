"""A Swiss pairs that goes by its clock, held over the wire while the server may be killed now and then."""

import asyncio
import hashlib
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.event_story import Diary
from tests.long.program import Run
from tests.long.servers import Server
from tests.long.wire import Answer, Connection

CLIENTS = 8
STARTS_IN = 0.8  # real seconds: no server is there sooner
PATIENCE = 600.0  # real seconds for a state to come
API = "/api/v1/events"
# Contract, declarer, tricks.
OUTCOMES = (
    *(("4S", "N", 10), ("3NT", "E", 9), ("3NT", "S", 8), ("2H", "W", 8)),
    *(("5DX", "N", 9), ("6C", "E", 12), ("1NT", "S", 9)),
)
AWAY, LEAVES = 3, 2  # the pairs that stay away for a round, and leave


@dataclass(frozen=True)
class Profile:
    """How much. A round is played for longer than the server takes to be there again, and it is closed so."""

    pairs: int  # one of them comes late
    rounds: int
    boards: int
    entering: float  # real seconds in which all pairs enter
    play: float  # real seconds that a round is played
    closing: float = 8.0  # and closed: longer than the server takes to be there again
    asking: int = 2  # one in so many tables tells of its players and asks for its boards
    kill_in_play: bool = True
    speed: int = 8  # simulated seconds in a real one; what takes eight real ones is no outage yet
    ranked_within: float = 1.0  # real seconds from the end by the clock to the final ranking


@dataclass(frozen=True)
class Kills:
    """In which rounds the server is killed; 0: in none."""

    play: int = 0  # while results come in
    closing: int = 0  # shortly before the next round
    end: int = 0  # shortly before the end, which passes while it is down

    def __bool__(self) -> bool:
        return any((self.play, self.closing, self.end))


@dataclass
class Held:
    """What came of an event."""

    diary: Diary = field(default_factory=Diary)
    standings: list[dict[str, Any]] = field(default_factory=list)
    late: int = 0  # results that came while a round was closed
    cut: int = 0  # boards that nobody reported
    killed: int = 0
    passed: int = 0  # ends of a round and of a closing that came while the server was down
    slowest: float = 0.0  # real seconds until it was there again
    requests: int = 0
    busiest: float = 0.0  # real seconds that it took to report a round
    ranked_after: float = 0.0  # real seconds from the end by the clock to the final ranking

    def rounds(self) -> list[tuple[list[tuple[int, int]], list[int]]]:
        """Pairs by tables, NS first, and who sits out, round by round."""
        return [
            ([(table["ns"], table["ew"]) for table in each["tables"]], each["sit_outs"])
            for each in self.diary.rounds
        ]

    def ranking(self) -> list[tuple[int, int, float, int]]:
        """Rank, pair, score, boards."""
        return [(row["rank"], row["entry"], row["score"], row["boards"]) for row in self.standings]


@dataclass
class Day:
    """An event while it is held."""

    run: Run
    server: Server
    profile: Profile
    kills: Kills
    id: str = ""
    held: Held = field(default_factory=Held)
    _spare: list[Connection] = field(default_factory=list)  # that nobody uses just now
    _started: tuple[float, datetime] | None = None  # a real and a simulated instant that are the same

    @property
    def diary(self) -> Diary:
        """What was done, and taken."""
        return self.held.diary

    def now(self) -> datetime:
        """What the server's clock shows."""
        assert self._started is not None
        since, instant = self._started
        elapsed = asyncio.get_running_loop().time() - since
        return instant + timedelta(seconds=elapsed * self.profile.speed)

    async def sleep_until(self, instant: datetime, real: float = 0) -> None:
        """Sleep until the server's clock shows it, and so many real seconds more, or less."""
        await asyncio.sleep(max((instant - self.now()).total_seconds() / self.profile.speed + real, 0))

    async def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> Answer:
        """An answer, however often the server goes away before it is given."""
        self.held.requests += 1
        while True:
            spare = self._spare.pop() if self._spare else None
            connection = spare or Connection(self.server.url, self.server.place.tokens["organiser"])
            try:
                if method == "GET":
                    answer = await connection.get(path)
                else:
                    answer = await connection.post(path, body, key)
            except ConnectionError:
                await connection.close()
            else:
                self._spare.append(connection)
                if answer.status != 503:
                    return answer
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        """End the connections that were kept."""
        while self._spare:
            await self._spare.pop().close()

    async def read(self, event: str, path: str) -> Any:
        """What is read of the event."""
        answer = await self.ask("GET", f"{API}/{event}/{path}".rstrip("/"))
        self.run.check(answer.status == 200, path, answer.status, answer.body[:200])
        return answer.json

    async def post(self, rest: str, body: Any, key: str | None = None) -> Any:
        """What is done in the event."""
        answer = await self.ask("POST", f"{API}/{self.id}/{rest}", body, key and f"{self.id} {key}")
        self.run.check(answer.status < 300, rest, body, answer.status, answer.body[:200])
        return answer.json

    async def until(self, state: str, number: int | None = None) -> dict[str, Any]:
        """The event once it is so far."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found: dict[str, Any] = await self.read(self.id, "")
                if (found["state"], found.get("round")) == (state, number):
                    return found
                await asyncio.sleep(0.1)
        raise AssertionError(state)

    async def hold(self) -> Held:
        """All of it."""
        await self._announce()
        for pair in range(1, self.profile.pairs):
            await self._enter(pair)
        ended = self.now()
        for number in range(1, self.profile.rounds + 1):
            found = await self.until("running", number)
            expected = self.profile.pairs - (number == 1)
            self.run.check(len(found["entries"]) == expected, len(found["entries"]), "pairs are entered")
            ended = await self._round(number, found)
            self.run.step(f"round {number} of {self.profile.rounds}, {len(self.run.faults)} faults")
        await self.until("finished")
        self.held.ranked_after = max((self.now() - ended).total_seconds() / self.profile.speed, 0.0)
        self.held.standings = (await self.read(self.id, "standings"))["rows"]
        return self.held

    async def _announce(self) -> None:
        """Announce it; it starts when there was time enough for all to enter."""
        profile, speed = self.profile, self.profile.speed
        body: dict[str, Any] = {
            "kind": "pairs",
            "name": "Clock",
            "start_at": "2099-01-01T00:00:00Z",
            "rounds": 1,
        }
        # An event that is announced now opens now: that tells the server's clock.
        answer = await self.ask("POST", API, body)
        opened = datetime.fromisoformat(answer.json["rules"]["open_at"])
        self._started = (asyncio.get_running_loop().time(), opened)
        await self.ask("POST", f"{API}/{answer.json['id']}/cancel", {})
        start = opened + timedelta(seconds=profile.entering * speed)
        body = {"kind": "swiss_pairs", "name": "Long", "start_at": start.isoformat(), "scoring": "vp"}
        body |= {"rounds": profile.rounds, "boards": profile.boards, "late_until": 1, "band": 5}
        body |= {"round_s": round(profile.play * speed), "absent_s": round(profile.play * speed) - 5}
        body |= {"closing_s": round(profile.closing * speed), "last_board_s": 1, "hold_s": 5}
        answer = await self.ask("POST", API, body, f"event {self.kills}")
        assert answer.status == 201, answer
        self.id = self.diary.id = answer.json["id"]
        self.diary.rules = answer.json["rules"]

    async def _enter(self, pair: int) -> None:
        for name, seat in ((f"a{pair}", "N"), (f"b{pair}", "S")):
            await self.post("room/sit", {"player": name, "table": pair, "seat": seat})
            await self.post("room/raise", {"player": name})
        self.diary.registered.append(frozenset((f"a{pair}", f"b{pair}")))

    async def _round(self, number: int, found: dict[str, Any]) -> datetime:
        """A round to the end of its closing, which is given."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        told = await self.read(self.id, f"rounds/{number}")
        self.diary.rounds.append(told)
        ends = datetime.fromisoformat(found["ends_at"])
        late: list[dict[str, Any]] = []
        tables = [self._table(number, told, table, late) for table in told["tables"]]
        await self._by_clients([*tables, *self._others(number)], kill=number == self.kills.play)
        self.held.busiest = max(self.held.busiest, loop.time() - started)
        if number == self.kills.end:
            await self.sleep_until(ends, -STARTS_IN)
            async with asyncio.TaskGroup() as group:  # these go out while nobody hears them
                group.create_task(self._kill(ends))
                group.create_task(self._report_late(number, ends, late))
        else:
            await self._report_late(number, ends, late)
        closed = ends + timedelta(seconds=self.profile.closing * self.profile.speed)
        if number == self.kills.closing:
            await self.sleep_until(closed, -STARTS_IN)
            await self._kill(closed)
        return await self._ended(closed)

    async def _ended(self, closed: datetime) -> datetime:
        """When the closing ends: as planned, or later when the server was away for so long that it stood."""
        now = await self.read(self.id, "")
        if now["state"] == "finished" or now.get("round") != len(self.diary.rounds):
            return closed
        play = now["state"] == "running"
        more = timedelta(seconds=self.profile.closing * self.profile.speed if play else 0)
        return datetime.fromisoformat(now["ends_at"]) + more

    async def _by_clients(self, work: list[Coroutine[Any, Any, None]], kill: bool) -> None:
        """So much at once; ``kill`` the server at some moment on the way."""
        left = {self.run.rng.randrange(len(work))} if kill else set()
        waiting = list(reversed(work))

        async def client() -> None:
            while waiting:
                doing = waiting.pop()
                if len(waiting) in left:
                    left.clear()
                    await self._kill()
                await doing

        async with asyncio.TaskGroup() as group:
            for _ in range(CLIENTS):
                group.create_task(client())

    async def _kill(self, across: datetime | None = None) -> None:
        await self.server.kill()
        self.held.killed += 1
        self.held.slowest = max(self.held.slowest, await self.server.start())
        self.held.passed += across is not None and self.now() > across

    async def _table(
        self, number: int, told: dict[str, Any], table: dict[str, Any], late: list[dict[str, Any]]
    ) -> None:
        """What a table does; some tell of their players and ask for their boards, the others report alone."""
        absent = {AWAY} & {table["ns"], table["ew"]} if number == self._away_in else set()
        asks = table["table"] % self.profile.asking == 1
        if absent or asks:
            there = [pair for pair in (table["ns"], table["ew"]) if pair not in absent]
            for player in self._players(table, there):
                self.diary.arrived[number, player] = self.now()
                await self.post(f"tables/{table['table']}/arrive", {"player": player})
        rows = []
        for board in () if absent else told["boards"]:
            row, what = _outcome(number, table, board["number"])
            if asks:
                dealt = await self.post(f"tables/{table['table']}/next-board", {}, f"deal {_key(row)}")
                number_of = dealt.get("board", {}).get("number")
                self.run.check(number_of == board["number"], "another board was dealt:", number_of)
            if what == "late":
                late.append(row)
            elif what == "cut" and board["number"] % self.profile.boards != 1:
                self.held.cut += 1
            elif asks:
                await self._report(row)
            else:
                rows.append(row)
        if rows:
            await self._report_all(rows)

    async def _report_all(self, rows: list[dict[str, Any]]) -> None:
        body = [row | {"idempotency_key": f"{self.id} {_key(row)}"} for row in rows]
        answer = await self.post("results/batch", body)
        for row, each in zip(rows, answer["results"], strict=True):
            self.run.check(each["status"] == 201, row, each)
            self.diary.reported[row["round"], row["table"], row["board"]] = row

    @property
    def _away_in(self) -> int:
        """The round for which a pair stays away."""
        return max(self.profile.rounds // 2, 1)

    def _players(self, table: dict[str, Any], pairs: list[int]) -> Iterator[str]:
        for pair, seats in ((table["ns"], "NS"), (table["ew"], "EW")):
            if pair in pairs:
                yield from (table["players"][seat] for seat in seats)

    async def _report(self, row: dict[str, Any], **more: str) -> None:
        await self.post("results", row | more, _key(row))
        self.diary.reported[row["round"], row["table"], row["board"]] = row

    async def _report_late(self, number: int, ends: datetime, late: list[dict[str, Any]]) -> None:
        """What was played by the end of the round and comes while it is closed."""
        await self.sleep_until(ends, 0.1)
        for row in late:
            await self._report(row, played_at=(ends - timedelta(seconds=1)).isoformat())
        self.held.late += len(late)

    def _others(self, number: int) -> Iterator[Coroutine[Any, Any, None]]:
        """A pair comes late, one leaves, one is ready again: in the last round before the next but one."""
        if number == 1:
            yield self._enter(self.profile.pairs)
        if number == self._away_in:
            yield self._leave()
        back = self._away_in + 1 if self._away_in + 2 <= self.profile.rounds else self._away_in
        if number == back:
            yield self._ready()

    async def _leave(self) -> None:
        await self.post("leave", {"player": f"b{LEAVES}"}, "leave")
        self.diary.withdrawn[LEAVES] = self.now()

    async def _ready(self) -> None:
        await self.post("ready", {"player": f"a{AWAY}"}, "ready")
        self.diary.ready.append((AWAY, self.now()))


def _key(row: dict[str, Any]) -> str:
    return f"{row['round']} {row['table']} {row['board']}"


def _outcome(number: int, table: dict[str, Any], board: int) -> tuple[dict[str, Any], str]:
    """What two pairs make of a board, whenever they meet on it; and whether it is late or cut off."""
    said = hashlib.sha256(f"{table['ns']} {table['ew']} {board}".encode()).digest()
    row: dict[str, Any] = {"round": number, "table": table["table"], "board": board}
    row |= dict(zip(("contract", "declarer", "tricks"), OUTCOMES[said[0] % len(OUTCOMES)], strict=True))
    return row, {0: "cut", 1: "late"}.get(said[1] % 12, "in time")
