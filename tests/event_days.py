"""Holds a whole event over HTTP on a clock that the test moves: who enters, who plays, what they report."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from server.services import event_course
from server.services.event_course import Keeper
from tests.api import Api
from tests.running import Served

CONTRACTS = (
    ("4S", "N", 10),
    ("3NT", "E", 9),
    ("3NT", "S", 8),
    ("2H", "W", 8),
    ("5DX", "N", 9),
    ("6C", "E", 12),
)
STEP = timedelta(seconds=50)  # shorter than any outage


@dataclass
class Day:
    """An event and the server that holds it."""

    served: Served
    id: str = ""
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    keeper: Keeper = field(default_factory=Keeper)

    @property
    def api(self) -> Api:
        """Speaks HTTP."""
        return self.served.api

    async def announce(self, **changes: Any) -> dict[str, Any]:
        """Announce it, to start in ten minutes."""
        start = self.served.clock.now() + timedelta(minutes=10)
        body = {
            "kind": "swiss_pairs",
            "name": "Test",
            "start_at": start.isoformat(),
            "rounds": 3,
            "boards": 2,
        }
        answer = await self.api.post("events", body | changes)
        assert answer.status == 201, answer
        self.id = answer.body["id"]
        await self.tick()
        return answer.body

    async def tick(self) -> None:
        """What the timetable does."""
        await event_course.advance(self.served.database, self.keeper, self.served.clock.now)

    async def wait(self, seconds: float) -> None:
        """Time passes, and the clock of the event is kept."""
        end = self.served.clock.now() + timedelta(seconds=seconds)
        while self.served.clock.now() < end:
            self.served.clock.advance(min(STEP, end - self.served.clock.now()))
            await self.tick()

    async def post(self, path: str, json: Any, **options: Any) -> Any:
        """POST below the event; the answer must be good."""
        answer = await self.api.post(f"events/{self.id}/{path}", json, **options)
        assert answer.status < 300, (path, answer)
        return answer.body

    async def get(self, path: str = "", **options: Any) -> Any:
        """GET below the event, or the event itself."""
        answer = await self.api.get(f"events/{self.id}" + (f"/{path}" if path else ""), **options)
        assert answer.status == 200, (path, answer)
        return answer.body

    async def enter(self, pairs: Iterable[int]) -> None:
        """Have pairs ``a1 b1``, ``a2 b2``, … register in the room, in this order."""
        for pair in pairs:
            for name, seat in ((f"a{pair}", "N"), (f"b{pair}", "S")):
                await self.post("room/sit", {"player": name, "table": pair, "seat": seat})
                await self.post("room/raise", {"player": name})
            self.served.clock.advance(timedelta(milliseconds=1))
        await self.wait(21)

    async def state(self) -> tuple[str, int | None]:
        """State and round."""
        found = await self.get()
        return found["state"], found.get("round")

    async def until(self, state: str, number: int | None = None, limit: int = 2000) -> None:
        """Let time pass until the event is in this state and round."""
        for _ in range(limit):
            if await self.state() == (state, number):
                return
            await self.wait(50)
        raise AssertionError((state, number, await self.state()))

    async def play(
        self, number: int, outcome: Callable[[int, int], tuple[str, str, int]] | None = None
    ) -> list[dict[str, Any]]:
        """Every table of the round reports every board; what was reported."""
        found = await self.get(f"rounds/{number}")
        reported = []
        for table in found["tables"]:
            for board in found["boards"]:
                choose = outcome or (lambda _t, _b: self.rng.choice(CONTRACTS))
                contract, declarer, tricks = choose(table["table"], board["number"])
                body = {"round": number, "table": table["table"], "board": board["number"]}
                body |= {"contract": contract, "declarer": declarer, "tricks": tricks}
                await self.post("results", body)
                reported.append(body | {"ns": table["ns"], "ew": table["ew"]})
        return reported


QUICK = {"rounds": 3, "boards": 2, "round_s": 50, "closing_s": 5, "last_board_s": 0, "absent_s": 0}


async def pairs_event(served: Served, pairs: int = 4, **changes: Any) -> str:
    """The id of a pairs event that begins in a second, with pairs ``x1 y1``, ``x2 y2``, … entered."""
    start = (served.clock.now() + timedelta(seconds=1)).isoformat()
    body = {"kind": "pairs", "name": "Quick", "start_at": start} | QUICK | changes
    made = await served.api.post("events", body)
    assert made.status == 201, made
    for number in range(1, pairs + 1):
        answer = await served.api.post(
            f"events/{made.body['id']}/entries", {"players": [f"x{number}", f"y{number}"]}
        )
        assert answer.status == 201, answer
    return str(made.body["id"])


async def running(served: Served, pairs: int = 4, **changes: Any) -> str:
    """The id of a pairs event whose first round is played."""
    event = await pairs_event(served, pairs, **changes)
    served.clock.advance(timedelta(seconds=1))
    await event_course.advance(served.database, Keeper(), served.clock.now)
    return event


async def closed(served: Served) -> None:
    """Play of the round is over, and so is its closing; the next one has begun."""
    for seconds in (50, 5):
        served.clock.advance(timedelta(seconds=seconds))
        await event_course.advance(served.database, Keeper(), served.clock.now)


async def arrive(served: Served, event: str, *players: str) -> None:
    """These players come to table 1."""
    for player in players:
        answer = await served.api.post(f"events/{event}/tables/1/arrive", {"player": player})
        assert answer.status == 200, answer


async def dealt(served: Served) -> str:
    """As ``running``, with everybody at table 1."""
    event = await running(served)
    await arrive(served, event, "x1", "y1", "x4", "y4")
    return event


async def finished(served: Served) -> str:
    """The id of a pairs event that is over."""
    event = await running(served, rounds=1)
    served.clock.advance(timedelta(seconds=56))
    await event_course.advance(served.database, Keeper(), served.clock.now)
    return event


async def seated(served: Served, hands: int = 0) -> str:
    """The id of a Swiss pairs with ann and sam in the registration room, so many of their hands up."""
    start = (served.clock.now() + timedelta(minutes=10)).isoformat()
    made = await served.api.post(
        "events", {"kind": "swiss_pairs", "name": "Room", "start_at": start, "rounds": 2, "boards": 1}
    )
    assert made.status == 201, made
    event = str(made.body["id"])
    for player, seat in (("ann", "N"), ("sam", "S")):
        await served.api.post(f"events/{event}/room/sit", {"player": player, "table": 1, "seat": seat})
    for player in ("ann", "sam")[:hands]:
        await served.api.post(f"events/{event}/room/raise", {"player": player})
    return event


async def entered(served: Served) -> str:
    """The id of a Swiss pairs that ann and sam are entered in."""
    event = await seated(served, hands=2)
    served.clock.advance(timedelta(seconds=20))
    return event


def passed(number: int, table: int, board: int) -> dict[str, Any]:
    """A result of a table of a round: passed out."""
    return {"round": number, "table": table, "board": board, "contract": "PASS"}


async def report_all(served: Served, event: str, number: int) -> None:
    """Every table of the round passes out every board that it has not reported."""
    found = (await served.api.get(f"events/{event}/rounds/{number}")).body
    for table in found["tables"]:
        for board in found["boards"]:
            body = {"round": number, "table": table["table"], "board": board["number"], "contract": "PASS"}
            answer = await served.api.post(f"events/{event}/results", body)
            assert answer.status == 201 or answer.slug == "table-already-reported", answer
