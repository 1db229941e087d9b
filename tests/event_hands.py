"""Two ways to act in an event and to read it: through the services, and over HTTP.

Both take what the API takes, by the paths of the API, and give what it gives.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection

from server.bridge.event_rules import EventRules, Kind
from server.bridge.registration import Cancel, Hand, Refused, Sit, Stand
from server.bridge.seats import Seat
from server.services import (
    event_course,
    event_direction,
    event_pairings,
    event_penalties,
    event_play,
    event_reading,
    events,
)
from server.services.arrivals import Taken
from server.services.errors import ServiceError
from server.services.event_course import Keeper
from server.services.event_direction import Chair
from server.services.event_pairings import Pairing
from server.services.event_play import Desk
from server.services.idempotency import Once
from server.services.reports import Sitting
from server.services.results import Intake
from server.services.secrecy import Reader, Secrecy
from server.services.tokens import Caller, Scope
from server.storage import tokens
from server.storage.database import Database
from server.storage.event_penalties import Penalty
from server.storage.event_rounds import ByHand
from server.storage.events import seconds
from server.web import rendering, requests_events
from server.web import rendering_events as shown
from server.web.reports import event_report
from tests.clock import StandingClock
from tests.running import Served

ZONE = ZoneInfo("Asia/Shanghai")


class Hands(Protocol):
    """Who acts in an event."""

    clock: StandingClock

    async def announce(self, body: dict[str, Any]) -> str:
        """Announce it; its id."""
        ...

    async def do(self, event: str, path: str, body: dict[str, Any]) -> bool:
        """Do something below the event; whether it was taken."""
        ...

    async def read(self, event: str, path: str) -> Any:
        """What everybody may read below the event."""
        ...

    async def tick(self) -> None:
        """What the timetable does."""
        ...


@dataclass
class Remote:
    """Acts over HTTP."""

    served: Served
    keeper: Keeper = field(default_factory=Keeper)

    @property
    def clock(self) -> StandingClock:
        """The server's."""
        return self.served.clock

    async def announce(self, body: dict[str, Any]) -> str:
        """As ``Hands`` says."""
        answer = await self.served.api.post("events", body)
        assert answer.status == 201, answer
        return str(answer.body["id"])

    async def do(self, event: str, path: str, body: dict[str, Any]) -> bool:
        """As ``Hands`` says."""
        answer = await self.served.api.post(f"events/{event}/{path}", body)
        assert answer.status < 500, answer
        return answer.status < 300

    async def read(self, event: str, path: str) -> Any:
        """As ``Hands`` says."""
        answer = await self.served.api.get(f"events/{event}/{path}".rstrip("/"), token="public")
        assert answer.status == 200, (path, answer)
        return answer.body

    async def tick(self) -> None:
        """As ``Hands`` says."""
        await event_course.advance(self.served.database, self.keeper, self.clock.now)


_MOVES: dict[str, Callable[[Any], Any]] = {
    "room/sit": lambda body: Sit(body["player"], body["table"], Seat(body["seat"])),
    "room/stand": lambda body: Stand(body["player"]),
    "room/raise": lambda body: Hand(body["player"], True),
    "room/lower": lambda body: Hand(body["player"], False),
    "room/cancel": lambda body: Cancel(body["player"]),
}
_keys = count(1)


@dataclass
class AtTheDesk:
    """Acts through the services, in this process."""

    database: Database
    clock: StandingClock
    client: int
    keeper: Keeper = field(default_factory=Keeper)

    @classmethod
    async def open(cls, database: Database, clock: StandingClock) -> "AtTheDesk":
        """For a client of its own."""
        client = await database.write(lambda c: tokens.client_number(c, "organiser", clock.now()))
        return cls(database, clock, client)

    async def announce(self, body: dict[str, Any]) -> str:
        """As ``Hands`` says."""
        now = self.clock.now()
        wanted = msgspec.convert(body, requests_events.EventBody)
        apart = {"name", "open_at", "start_at", "kind", "seeded", "protected", "carry_over_from"}
        plain = {name: getattr(wanted, name) for name in wanted.__struct_fields__ if name not in apart}
        times = {"open_at": seconds(now), "start_at": seconds(wanted.start_at)}
        announced = events.Announced(
            wanted.name, EventRules(kind=Kind(wanted.kind), **times, **plain), wanted.seeded
        )
        made = await self.database.write(lambda c: events.create(c, self.client, announced, True, now))
        return str(made.id)

    async def do(self, event: str, path: str, body: dict[str, Any]) -> bool:
        """As ``Hands`` says."""
        number = int(event)
        verb = self._result if path == "results" else self._verb
        try:
            return bool(await self.database.write(lambda c: verb(c, number, path, body)))
        except ServiceError:
            return False

    def _verb(self, connection: Connection, number: int, path: str, body: Any) -> bool:
        if path.startswith("room/"):
            outcomes = event_play.in_room(connection, self._desk(), number, _MOVES[path](body))
            return not any(isinstance(each, Refused) for each in outcomes)
        of_player = path in ("ready", "leave") or path.startswith("tables/")
        (self._for_player if of_player else self._directing)(connection, number, path, body)
        return True

    def _desk(self) -> Desk:
        caller = Caller(self.client, 1, frozenset({Scope.EVENTS}))
        return Desk(self.keeper, caller, True, self.clock.now())

    def _for_player(self, connection: Connection, number: int, path: str, body: Any) -> None:
        desk = self._desk()
        match path.split("/"):
            case ["ready"]:
                event_play.ready(connection, desk, number, body["player"])
            case ["leave"]:
                event_play.leave(connection, desk, number, body["player"])
            case ["tables", table, "arrive"]:
                event_play.arrive(connection, desk, number, int(table), body["player"])
            case ["tables", table, "next-board"]:
                event_play.next_board(connection, desk, number, int(table))

    def _directing(self, connection: Connection, number: int, path: str, body: Any) -> None:
        now = self.clock.now()
        chair = Chair(self.keeper, Caller(self.client, 1, frozenset({Scope.DIRECTOR})), now)
        match path:
            case "withdraw":
                event_direction.withdraw(connection, chair, number, body["entry"], body["reason"])
            case "penalties":
                amount = round(100 * body["amount"])
                wanted = Penalty(body["entry"], body["kind"], amount, None, None, "x", self.client, now)
                event_penalties.impose(connection, chair, number, wanted)
            case "pairings":
                by_hand = ByHand(tuple((a, b) for a, b in body["matches"]), tuple(body["sit_outs"]))
                pairing = Pairing(body["round"], by_hand, body["force"], body["reason"])
                event_pairings.pair_by_hand(connection, chair, number, pairing)
            case "pause":
                event_direction.pause(connection, chair, number, body["reason"])
            case "resume":
                event_direction.resume(connection, chair, number, body["reason"])
            case _:
                raise LookupError(path)

    def _result(self, connection: Connection, number: int, _path: str, body: Any) -> bool:
        wanted = msgspec.convert(body, requests_events.EventResultBody)
        once = Once(self.client, f"k{next(_keys)}", "")
        sitting = Sitting(number, wanted.round, wanted.table, int(wanted.board))
        report = event_report(wanted, once, sitting, 0, self.clock.now())
        intake = Intake(self.clock.now, ZONE, {}, True, rendering.accepted, rendering.WORDING)
        (verdict,) = intake([report])(connection)
        return isinstance(verdict, Taken)

    async def read(self, event: str, path: str) -> Any:
        """As ``Hands`` says."""
        number, nobody = int(event), Caller()
        match path.split("/"):
            case [""]:
                found: Any = shown.event(await events.get(self.database, number))
            case ["entries"]:
                found = shown.entry_list(await event_reading.field(self.database, number, nobody))
            case ["entries", pair]:
                found = shown.scorecard(await event_reading.card(self.database, number, int(pair), nobody))
            case ["standings"]:
                found = shown.standings(await event_reading.field(self.database, number, nobody))
            case ["rounds", round_]:
                view = await event_reading.round_of(self.database, number, int(round_), nobody)
                found = shown.round_view(view)
            case ["boards", board]:
                found = shown.comparison(await self._board(number, int(board)))
            case _:
                raise LookupError(path)
        return json.loads(rendering.text(found))

    async def _board(self, number: int, board: int) -> event_reading.BoardView:
        secrecy, nobody = Secrecy(ZONE, timedelta(minutes=30)), Reader(Caller())
        return await event_reading.board(self.database, number, board, nobody, secrecy, self.clock.now())

    async def tick(self) -> None:
        """As ``Hands`` says."""
        await event_course.advance(self.database, self.keeper, self.clock.now)
