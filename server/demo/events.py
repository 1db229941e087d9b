"""Swiss events that are held one after another while the server runs, over HTTP, as a platform holds them.

Everything follows from the seed but the instants: who enters, who meets whom, what each table makes of its
boards. Whatever is asked for carries a key of its own, so that a demonstration that was ended in the middle
of an event goes on with it when it is started again.
"""

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import msgspec

from server.bridge.deal import Deal, parse_deal
from server.bridge.dealing import deal_at_random
from server.bridge.seats import Seat, Vulnerability
from server.demo.line import Line
from server.demo.plan import Plan
from server.demo.programme import Programme
from server.world.chance import stream
from server.world.events import pace, result
from server.world.people import Person

_OVER = ("finished", "cancelled")
_LOOK = 0.25  # real seconds between two looks at an event
_LATER = 5.0  # real seconds until it is tried again to announce one


class _Listed(msgspec.Struct):
    id: str
    name: str


class _List(msgspec.Struct):
    events: list[_Listed]


class _Rules(msgspec.Struct):
    open_at: datetime
    start_at: datetime


class _Event(msgspec.Struct):
    id: str
    name: str
    state: str
    rules: _Rules
    round: int = 0


class _Table(msgspec.Struct):
    table: int
    players: dict[Seat, str]


class _Round(msgspec.Struct):
    started_at: datetime
    tables: list[_Table]


class _Board(msgspec.Struct):
    number: int
    vulnerability: Vulnerability


class _Dealt(msgspec.Struct):
    board: _Board
    deal: str


class _Anything(msgspec.Struct):
    """An answer of which nothing matters but that it is a good one."""


def seeded_deal(plan: Plan) -> Callable[[int, int], Deal]:
    """What the boards of events are dealt from: the seed, the number of the event, that of the board."""
    return lambda event, board: deal_at_random(stream(plan.seed, "event", event, "board", board).randrange)


class Events:
    """Holds one event after another."""

    def __init__(self, line: Line, programme: Programme) -> None:
        self._line, self._programme = line, programme
        self._world = programme.plan.world()
        self._people = {person.id: person for person in self._world.people}

    async def hold(self) -> None:
        """Without end: the event that is held now, or the next one; then a rest."""
        while True:
            event = await self._current()
            if event is None:
                await asyncio.sleep(_LATER)
                continue
            await self._play(event)
            await self._line.wait(self._line.now() + self._programme.rest)

    async def _current(self) -> _Event | None:
        """The event that is held; when the last one is over, the next, announced now."""
        listed = await self._line.get(_List, "events?kind=swiss_pairs&limit=200")
        if listed is None:
            return None
        numbers = {each.id: self._programme.number(each.name) for each in listed.events}
        last = next((each.id for each in listed.events if numbers[each.id] is not None), None)
        found = None if last is None else await self._line.get(_Event, f"events/{last}")
        if found is not None and found.state not in _OVER:
            return found
        number = 1 + max((each for each in numbers.values() if each is not None), default=0)
        body = self._programme.body(number, self._line.now())
        return await self._line.post(_Event, "events", body, f"event {number} {body['start_at']}")

    async def _play(self, event: _Event) -> None:
        """From wherever it stands to its end."""
        async with asyncio.TaskGroup() as tables:
            tables.create_task(self._enter(event))
            seated = 0
            while True:
                found = await self._line.get(_Event, f"events/{event.id}")
                if found is not None and found.state in _OVER:
                    return
                if found is not None and found.state == "running" and found.round > seated:
                    seated = found.round
                    await self._seat(tables, event, seated)
                await asyncio.sleep(_LOOK)

    async def _enter(self, event: _Event) -> None:
        """Pair after pair sits down in the registration room, both raise their hands."""
        pairs = self._programme.entrants(self._number(event))
        opened, between = event.rules.open_at, self._programme.sign_up / (2 * len(pairs) + 2)
        for table, pair in enumerate(pairs, 1):
            await self._line.wait(opened + table * between)
            for person, seat in zip(pair, "NS", strict=True):
                seat_body = {"player": person.id, "table": table, "seat": seat}
                await self._line.post(_Anything, f"events/{event.id}/room/sit", seat_body, None)
                await self._line.post(_Anything, f"events/{event.id}/room/raise", {"player": person.id}, None)

    async def _seat(self, tables: asyncio.TaskGroup, event: _Event, number: int) -> None:
        found = await self._line.get(_Round, f"events/{event.id}/rounds/{number}")
        if found is not None:
            for table in found.tables:
                tables.create_task(self._sit(event, number, table, found.started_at))

    async def _sit(self, event: _Event, number: int, table: _Table, started: datetime) -> None:
        """Everybody comes; board after board is asked for, played and reported."""
        at, key = f"events/{event.id}/tables/{table.table}", f"{event.id} round {number} table {table.table}"
        ours = [name for name in table.players.values() if name in self._people]
        for name in ours:
            await self._line.post(_Anything, f"{at}/arrive", {"player": name}, f"{key} {name}")
        if len(ours) < len(table.players):
            return  # a visitor has entered, and plays himself
        seated = {seat: self._people[name] for seat, name in table.players.items()}
        for turn, ended in enumerate(self._ends(event, number, seated, started)):
            dealt = await self._line.post(_Dealt, f"{at}/next-board", {}, f"{key} board {turn}")
            if dealt is None:
                return  # it is too late for another
            await self._line.wait(ended)
            board, deal = dealt.board, parse_deal(dealt.deal)
            made = result(
                self._world,
                self._number(event),
                self._programme.week,
                seated,
                board.number,
                deal,
                board.vulnerability,
            )
            body: dict[str, Any] = {"round": number, "table": table.table, "board": board.number}
            body |= {"result": str(made.outcome), "played_at": ended.isoformat()}
            body |= {} if made.lead is None else {"lead": made.lead}
            await self._line.post(_Anything, f"events/{event.id}/results", body, f"{key} result {turn}")

    def _ends(
        self, event: _Event, number: int, seated: dict[Seat, Person], started: datetime
    ) -> Iterator[datetime]:
        """When a table ends its boards of a round."""
        share = partial(pace, self._world, self._number(event), seated)
        ended = started
        for turn in range(self._programme.boards):
            ended += self._programme.board_time * share((number - 1) * self._programme.boards + turn)
            yield _whole(ended)

    def _number(self, event: _Event) -> int:
        return self._programme.number(event.name) or 0


def _whole(instant: datetime) -> datetime:
    """Whole milliseconds, as platforms report them."""
    return instant - timedelta(microseconds=instant.microsecond % 1000)
