"""Events for the browser tests: one in every state, of both kinds, with players of every kind."""

from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

from server.bridge.deal import parse_deal
from server.bridge.seats import Seat
from server.services import event_course
from server.services.event_course import Keeper
from tests.running import Served
from tests.web.scoring import random_outcome

KEEPER = Keeper(patience_s=1_000_000)  # nobody looks in between
ROUND_S, CLOSING_S = 600, 60
FINISHED, PLAYED = 13, 20  # pairs
LEADERS = {"N": Seat.E, "E": Seat.S, "S": Seat.W, "W": Seat.N}  # by declarer
NAMES = (
    "张伟",
    "李娜",
    "王芳",
    "Ann Marie Featherstonehaugh",
    "Bo",
    "Nguyễn Thị Minh Khai",
    "José Núñez",
    "周杰",
)


@dataclass(frozen=True)
class Tournaments:
    """Ids of events."""

    finished: str  # in VPs, with ties, a penalty, a withdrawal, somebody hidden and hostile names
    played: str  # by matchpoints, in its second round
    registration: str
    announced: str
    unpublished: str  # of pairs, over
    cancelled: str

    @property
    def all(self) -> tuple[str, ...]:
        """Every event."""
        return (
            self.finished,
            self.played,
            self.registration,
            self.announced,
            self.unpublished,
            self.cancelled,
        )


async def hold(server: Served, hostile: tuple[str, ...]) -> Tournaments:
    """Announce and hold them."""
    rng = Random(7)
    finished = await _finished(server, hostile, rng)
    unpublished = await _unpublished(server, rng)
    played = await _played(server, rng)
    return Tournaments(
        finished=finished,
        played=played,
        registration=await _registration(server),
        announced=await announce(server, "Winter cup", minutes=3 * 24 * 60, open_minutes=24 * 60),
        unpublished=unpublished,
        cancelled=await _cancelled(server),
    )


async def announce(server: Served, name: str, minutes: float = 1, **changes: Any) -> str:
    """An event that begins so many minutes from now; its id."""
    now = server.clock.now()
    body: dict[str, Any] = {
        "kind": "swiss_pairs",
        "name": name,
        "start_at": (now + timedelta(minutes=minutes)).isoformat(),
        "rounds": 3,
        "boards": 4,
        "round_s": ROUND_S,
        "closing_s": CLOSING_S,
        "min_pairs": 2,
    }
    if "open_minutes" in changes:
        body["open_at"] = (now + timedelta(minutes=changes.pop("open_minutes"))).isoformat()
    answer = await server.api.post("events", body | changes)
    assert answer.status == 201, answer
    await tick(server)
    return str(answer.body["id"])


async def tick(server: Served, seconds: float = 0) -> None:
    """Time passes; then what the timetable does."""
    server.clock.advance(timedelta(seconds=seconds))
    await event_course.advance(server.database, KEEPER, server.clock.now)


async def enter(server: Served, event: str, pairs: list[tuple[str, str]]) -> None:
    """Have these pairs register in the room, in this order."""
    for table, both in enumerate(pairs, 1):
        for player, seat in zip(both, "NS", strict=True):
            await post(server, event, "room/sit", {"player": player, "table": table, "seat": seat})
            await post(server, event, "room/raise", {"player": player})
        server.clock.advance(timedelta(milliseconds=1))
    await tick(server, 21)


async def post(server: Served, event: str, path: str, body: Any) -> Any:
    """POST below an event; the answer must be good."""
    answer = await server.api.post(f"events/{event}/{path}", body)
    assert answer.status < 300, (path, answer)
    return answer.body


async def play(server: Served, event: str, number: int, rng: Random, boards: int = 4) -> None:
    """Every table of a round reports its first boards."""
    found = (await server.api.get(f"events/{event}/rounds/{number}")).body
    for board in found["boards"][:boards]:
        told = await server.api.get(f"events/{event}/boards/{board['number']}", token="director")
        deal = parse_deal(told.body["deal"])
        for table in found["tables"]:
            outcome, _ = random_outcome(rng, board["number"])
            if outcome["declarer"]:
                outcome["lead"] = rng.choice(sorted(deal.hand(LEADERS[outcome["declarer"]])))
            body = {"round": number, "table": table["table"], "board": board["number"]} | outcome
            await post(server, event, "results", body)


async def through(server: Served, event: str, rounds: int, rng: Random) -> None:
    """So many rounds are played and closed."""
    for number in range(1, rounds + 1):
        await play(server, event, number, rng)
        await tick(server, ROUND_S)
        await tick(server, CLOSING_S)


async def _finished(server: Served, hostile: tuple[str, ...], rng: Random) -> str:
    event = await announce(server, f"{hostile[0]} Open", scoring="vp", places=4, rounds=4)
    ids = [words.replace("/", "")[:40] for words in hostile]
    names = [f"{name}-{i}" for i in (1, 2) for name in ids] + [f"open-{i:02}" for i in range(2 * FINISHED)]
    pairs = list(zip(names[: 2 * FINISHED : 2], names[1 : 2 * FINISHED : 2], strict=True))
    await enter(server, event, pairs)
    for name, player in zip(NAMES, names[16:], strict=False):
        await server.api.put(f"players/{player}", {"name": name}, token="results")
    await server.api.put(f"players/{names[25]}", {"hidden": True}, token="results")
    await tick(server, 60)
    await play(server, event, 1, rng)
    await tick(server, ROUND_S)
    await tick(server, CLOSING_S)
    await post(server, event, "penalties", {"entry": 3, "kind": "deduction", "amount": 1.5, "reason": "late"})
    await post(server, event, "penalties", {"entry": 5, "kind": "warning", "reason": "a mistake"})
    await post(server, event, "penalties/2/lift", {"reason": "it was not them"})
    await post(server, event, "withdraw", {"entry": 12, "reason": "ill"})
    for number in (2, 3, 4):
        await play(server, event, number, rng, 3 if number == 3 else 4)
        await tick(server, ROUND_S)
        await tick(server, CLOSING_S)
    return event


async def _played(server: Served, rng: Random) -> str:
    event = await announce(server, "周三晚间双人赛", scoring="matchpoints", rounds=10)
    await enter(server, event, [(f"mon-{i:02}a", f"mon-{i:02}b") for i in range(PLAYED)])
    await tick(server, 60)
    await through(server, event, 1, rng)
    await play(server, event, 2, rng, 2)
    await tick(server, ROUND_S / 2)
    return event


async def _registration(server: Served) -> str:
    event = await announce(server, "Friday Swiss", minutes=90)
    await enter(server, event, [("fri-1", "fri-2"), ("fri-3", "fri-4")])
    for player, table, seat in (("fri-5", 2, "N"), ("fri-6", 2, "S"), ("fri-7", 5, "S")):
        await post(server, event, "room/sit", {"player": player, "table": table, "seat": seat})
    for player in ("fri-5", "fri-6"):
        await post(server, event, "room/raise", {"player": player})
    return event


async def _unpublished(server: Served, rng: Random) -> str:
    event = await announce(server, "Club pairs", kind="pairs", rounds=2)
    for number in range(6):
        await post(server, event, "entries", {"players": [f"club-{number}a", f"club-{number}b"]})
    await tick(server, 60)
    await through(server, event, 2, rng)
    return event


async def _cancelled(server: Served) -> str:
    event = await announce(server, "Rained off", minutes=600)
    await post(server, event, "cancel", {})
    return event
