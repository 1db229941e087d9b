"""A whole Swiss pairs on a simulated clock, the server killed twice on the way: nothing comes out otherwise.

The same pairs enter two events, one after the other, and report the same results wherever the same pairs meet
on the same board. The first event is left alone. In the second one the server is killed twice while results
come in. Pairings, seats and the final ranking must be the same, and so must our own
reckoning of the scores.
"""

import asyncio
import hashlib
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from server.services import bulletins
from server.storage.database import open_database
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import Server, command, free_port
from tests.long.wire import Answer, Connection

CLIENTS = 8
PATIENCE = 600.0  # real seconds for a state to come
API = "/api/v1/events"
BEGINS = datetime.fromisoformat("2026-11-27T12:00:00+00:00")
STEPS = [20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000]
STEPS += [2250, 2500, 3000, 3500, 4000]
# Contract, declarer, tricks; total points for NS when the declaring side is not vulnerable, and when it is.
OUTCOMES = (
    ("4S", "N", 10, 420, 620),
    ("3NT", "E", 9, -400, -600),
    ("3NT", "S", 8, -50, -100),
    ("2H", "W", 8, -110, -110),
    ("5DX", "N", 9, -300, -500),
    ("6C", "E", 12, -920, -1370),
    ("1NT", "S", 9, 150, 150),
)


@dataclass(frozen=True)
class Profile:
    """How much."""

    pairs: int
    rounds: int
    boards: int
    speed: int = 60  # simulated seconds in a real one
    patience: float = 60.0  # real seconds in which all pairs enter
    ranked_within: float = 1.0  # real seconds from the last result to the final ranking


SHORT = Profile(pairs=6, rounds=2, boards=2, patience=10, ranked_within=30)  # where others work too
DEFAULT = Profile(pairs=40, rounds=5, boards=4, patience=120)
LONG = Profile(pairs=160, rounds=10, boards=8, patience=120)


@dataclass
class Held:
    """What came of an event."""

    rounds: list[dict[str, Any]] = field(default_factory=list)
    reported: list[dict[str, Any]] = field(default_factory=list)
    standings: list[dict[str, Any]] = field(default_factory=list)
    ranked_after: float = 0.0  # real seconds from the last result to the final ranking

    def pairings(self) -> list[list[tuple[int, int]]]:
        """Pairs by tables, NS first, round by round."""
        return [[(table["ns"], table["ew"]) for table in each["tables"]] for each in self.rounds]

    def ranking(self) -> list[tuple[int, int, float]]:
        """Rank, pair and score."""
        return [(row["rank"], row["entry"], row["score"]) for row in self.standings]


@dataclass
class Event:
    """An event while it is held."""

    run: Run
    server: Server
    profile: Profile
    kills: frozenset[int]  # rounds in which the server is killed
    id: str = ""

    async def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> Answer:
        """An answer, however often the server goes away before it is given."""
        while True:
            with suppress(ConnectionError):
                async with Connection(self.server.url, self.server.place.tokens["organiser"]) as connection:
                    if method == "GET":
                        answer = await connection.get(path)
                    else:
                        answer = await connection.post(path, body, key)
                    if answer.status != 503:
                        return answer
            await asyncio.sleep(0.05)

    async def get(self, rest: str = "") -> Any:
        """What is read of the event."""
        answer = await self.ask("GET", f"{API}/{self.id}{rest}")
        self.run.check(answer.status == 200, rest, answer.status, answer.body[:200])
        return answer.json

    async def post(self, rest: str, body: Any, key: str | None = None) -> None:
        """What is done in the event."""
        answer = await self.ask("POST", f"{API}/{self.id}{rest}", body, key)
        self.run.check(answer.status < 300, rest, answer.status, answer.body[:200])

    async def until(self, holds: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        """The event once it is so far."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found: dict[str, Any] = await self.get()
                if holds(found):
                    return found
                await asyncio.sleep(0.05)
        raise AssertionError(what)


async def _number(place: Place) -> None:
    """Number what the killed server has left, as the timetable of the next one does."""
    database = open_database(place.url)
    await bulletins.number_shared(database)
    await database.close()


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Hold it twice."""
    port = free_port()
    server = Server(place, port=port, CROSSRUFF_CLOCK=f"{BEGINS.isoformat()},{profile.speed}")
    try:
        await server.start()
        alone = await _hold(Event(run, server, profile, frozenset()))
        closing = max(profile.rounds // 2, 1)
        kills = frozenset({closing, profile.rounds})
        disturbed = await _hold(Event(run, server, profile, kills))
        run.check(not server.complaints(), "the log says", server.complaints()[:1])
    finally:
        await server.kill()
    run.check(alone.pairings() == disturbed.pairings(), "other pairings")
    shown = [
        [(row["rank"], row["entry"], row["score"]) for row in each.standings] for each in (alone, disturbed)
    ]
    run.check(shown[0] == shown[1], "another ranking", shown)
    for each in (alone, disturbed):
        _reckon(run, each)
        run.check(each.ranked_after <= profile.ranked_within, "ranked only after", each.ranked_after, "s")
    await _number(place)
    verified = await command(place, "verify")
    run.check(verified.returncode == 0, verified.stdout, verified.stderr)
    run.figures |= {
        "pairs": profile.pairs,
        "results": len(alone.reported) + len(disturbed.reported),
        "kills": 2,
        "final ranking after the last result": f"{alone.ranked_after:.2f} s",
        "the same where the server was killed": f"{disturbed.ranked_after:.2f} s",
    }


async def _hold(event: Event) -> Held:
    profile, held = event.profile, Held()
    await _announce(event)
    for pair in range(1, profile.pairs + 1):
        for name, seat in ((f"a{pair}", "N"), (f"b{pair}", "S")):
            await event.post("/room/sit", {"player": name, "table": pair, "seat": seat})
            await event.post("/room/raise", {"player": name})
    for number in range(1, profile.rounds + 1):
        found = await event.until(
            lambda each, number=number: (each["state"], each.get("round")) == ("running", number),
            f"round {number}",
        )
        event.run.check(len(found["entries"]) == profile.pairs, len(found["entries"]), "pairs are entered")
        held.rounds.append(await event.get(f"/rounds/{number}"))
        held.reported += await _round(event, number, held.rounds[-1])
        event.run.step(f"round {number} of {profile.rounds}, {len(event.run.faults)} faults")
    loop = asyncio.get_running_loop()
    last = loop.time()
    await event.until(lambda each: each["state"] == "finished", "the end")
    held.ranked_after = loop.time() - last
    held.standings = (await event.get("/standings"))["rows"]
    return held


async def _announce(event: Event) -> None:
    """Announce it; it starts when there was time enough for all to enter."""
    profile = event.profile
    probe = await event.ask("GET", "/api/v1/weeks/current")
    event.run.check(probe.status == 200, "the server answers", probe.status)
    now = datetime.fromisoformat(await _simulated(event))
    start = now + timedelta(seconds=profile.patience * profile.speed)
    body = {"kind": "swiss_pairs", "name": "Long", "start_at": start.isoformat(), "rounds": profile.rounds}
    body |= {"boards": profile.boards, "early_close": True, "round_s": 1_000_000}
    answer = await event.ask("POST", API, body, f"event {len(event.kills)}")
    assert answer.status == 201, answer
    event.id = answer.json["id"]


async def _simulated(event: Event) -> str:
    """What the server's clock shows, by when it opens an event that is announced now."""
    body = {"kind": "pairs", "name": "Clock", "start_at": "2099-01-01T00:00:00Z", "rounds": 1}
    answer = await event.ask("POST", API, body, f"clock {len(event.kills)}")
    assert answer.status == 201, answer
    opened: str = answer.json["rules"]["open_at"]
    await event.ask("POST", f"{API}/{answer.json['id']}/cancel", {})
    return opened


async def _round(event: Event, number: int, found: dict[str, Any]) -> list[dict[str, Any]]:
    """Every table reports every board; in some rounds the server is killed meanwhile."""
    rows = [
        _outcome(number, table, board["number"]) for table in found["tables"] for board in found["boards"]
    ]
    waiting = list(rows)
    # So many are left when the server is killed, once; the others are under way just then.
    left = {event.run.rng.randrange(len(rows))} if number in event.kills else set()

    async def client() -> None:
        while waiting:
            row = waiting.pop()
            if len(waiting) in left:
                left.clear()
                await _kill(event)
            body = {name: row[name] for name in ("round", "table", "board", "contract", "declarer", "tricks")}
            key = f"{event.id} {number} {row['table']} {row['board']}"
            await event.post("/results", body, key)

    async with asyncio.TaskGroup() as group:
        for _ in range(CLIENTS):
            group.create_task(client())
    return rows


async def _kill(event: Event) -> None:
    await event.server.kill()
    await event.server.start()


def _outcome(number: int, table: dict[str, Any], board: int) -> dict[str, Any]:
    """What two pairs make of a board, whenever they meet on it."""
    said = f"{table['ns']} {table['ew']} {board}".encode()
    chosen = OUTCOMES[hashlib.sha256(said).digest()[0] % len(OUTCOMES)]
    row = {"round": number, "table": table["table"], "board": board, "ns": table["ns"], "ew": table["ew"]}
    return (
        row | dict(zip(("contract", "declarer", "tricks"), chosen[:3], strict=True)) | {"points": chosen[3:]}
    )


def _reckon(run: Run, held: Held) -> None:
    """Totals from what was reported: IMPs against every other table, divided by their number."""
    totals: dict[int, int] = {row["entry"]: 0 for row in held.standings}
    for number, each in enumerate(held.rounds, 1):
        vulnerable = {board["number"]: board["vulnerability"] for board in each["boards"]}
        own: dict[int, Fraction] = {}
        for board, which in vulnerable.items():
            rows = [row for row in held.reported if (row["round"], row["board"]) == (number, board)]
            scores = [(row, _points(row, which)) for row in rows]
            for row, score in scores:
                won = sum(_imps(score - other) for another, other in scores if another is not row)
                share = Fraction(won, max(len(rows) - 1, 1))
                own[row["ns"]] = own.get(row["ns"], Fraction(0)) + share
                own[row["ew"]] = own.get(row["ew"], Fraction(0)) - share
        for pair, value in own.items():
            totals[pair] += _nearest(value)
    shown = {row["entry"]: round(100 * row["score"]) for row in held.standings}
    run.check(shown == totals, "other totals", shown, totals)
    ranks = [row["entry"] for row in held.standings]
    run.check(ranks == sorted(totals, key=lambda pair: (-totals[pair], pair)), "another order", ranks)


def _points(row: dict[str, Any], which: str) -> int:
    line = "NS" if row["declarer"] in "NS" else "EW"
    plain, vulnerable = row["points"]
    found: int = vulnerable if which in (line, "both") else plain
    return found


def _imps(difference: int) -> int:
    won = bisect_right(STEPS, abs(difference))
    return won if difference > 0 else -won


def _nearest(value: Fraction) -> int:
    size = int(abs(value) * 100 + Fraction(1, 2))
    return size if value >= 0 else -size


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
