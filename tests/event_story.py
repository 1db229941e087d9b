"""A whole random Swiss pairs, as a seed has it, held through `tests.event_hands` on a clock that stands.

Pairs register, take their entries back, come late, leave, stay away and are ready again; tables come in time,
too late or not at all, ask for boards and report them, some only while the round is closed; a director pairs
rounds by hand, takes points off and stops the clock. What was taken is noted with its instant, for
`tests.event_judge`. What the product itself draws by lot, a seeded first round, is not of the seed.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.event_hands import Hands
from tests.web.scoring import random_outcome

ROUND_S, CLOSING_S, LAST_S, ABSENT_S, HOLD_S = 80, 20, 10, 30, 5
TIMES = {"round_s": ROUND_S, "closing_s": CLOSING_S, "last_board_s": LAST_S}
TIMES |= {"absent_s": ABSENT_S, "hold_s": HOLD_S}
SCORINGS = ("cross_imps", "datum", "total_imp", "matchpoints", "vp", "vp")
REASON = {"reason": "as the test has it"}

Act = tuple[float, Callable[[], Awaitable[None]]]  # seconds from the start of the round, and what is done


@dataclass
class Diary:
    """What was done in an event, and taken, with its instants."""

    id: str = ""
    rules: dict[str, Any] = field(default_factory=dict)
    seeds: list[str] = field(default_factory=list)
    cancelled: int = 0  # entries that were taken back before the start
    registered: list[frozenset[str]] = field(default_factory=list)  # before the start, in this order
    rounds: list[dict[str, Any]] = field(default_factory=list)  # as they are told when they have begun
    arrived: dict[tuple[int, str], datetime] = field(default_factory=dict)  # by round and player
    reported: dict[tuple[int, int, int], dict[str, Any]] = field(default_factory=dict)  # round, table, board
    ready: list[tuple[int, datetime]] = field(default_factory=list)
    withdrawn: dict[int, datetime] = field(default_factory=dict)
    deducted: list[tuple[int, int, datetime]] = field(default_factory=list)
    by_hand: dict[int, dict[str, Any]] = field(default_factory=dict)  # the last that was taken, by round
    pauses: list[tuple[datetime, datetime]] = field(default_factory=list)


class Story:
    """One event, as its seed has it."""

    def __init__(self, hands: Hands, seed: int, largest: int = 20) -> None:
        self.hands, self.seed = hands, seed
        self.rng = rng = Random(f"event {seed}")
        self.size = rng.choice([rng.randint(2, 5), rng.randint(4, 9), rng.randint(6, largest)])
        self.leaving, self.staying_away = (rng.choice([0, 0, 0.05, 0.2]) for _ in range(2))
        self.by_hand, self.pausing = rng.choice([0, 0, 0.4]), rng.choice([0, 0.3])
        self.names = 0  # pairs that have come to the room
        self.diary = Diary()

    def chance(self, probability: float) -> bool:
        """Whether it happens this time."""
        return self.rng.random() < probability

    async def tell(self) -> Diary:
        """All of it, to the end."""
        await self._announce()
        await self._register()
        while (now := await self.hands.read(self.diary.id, ""))["state"] not in ("finished", "cancelled"):
            await self._round(now)
        return self.diary

    async def _announce(self) -> None:
        rng, rounds = self.rng, self.rng.randint(1, 5)
        scoring = rng.choice(SCORINGS)
        self.diary.seeds = [f"s{self.seed}a{i}" for i in range(1, self.size + 1) if self.chance(0.3)]
        rules: dict[str, Any] = {
            "rounds": rounds,
            "boards": rng.choice([1, 2, 2, 3]),
            "scoring": scoring,
            "min_pairs": 2,
            "late_until": rng.choice([0, rounds // 2]),
            "first_round": rng.choice(["registration", "registration", "seeded_draw"]),
            "seating": rng.choice(["table_rule", "balanced"]),
            "early_close": self.chance(0.3),
        } | TIMES
        if scoring == "vp":
            rules |= {"vp_from": rng.choice(["cross_imps", "datum"]), "band": rng.choice([0, 5])}
            rules |= {"vp_scale": rng.choice(["bethe2003", "wbf_formula"])}
        start = self.hands.clock.now() + timedelta(seconds=50)
        body = {"kind": "swiss_pairs", "name": f"Event {self.seed}", "start_at": start.isoformat()}
        if rules["first_round"] != "seeded_draw":
            self.diary.seeds = []
        self.diary.id = await self.hands.announce(body | rules | {"seeded": self.diary.seeds})
        await self.hands.tick()
        self.diary.rules = (await self.hands.read(self.diary.id, ""))["rules"]

    async def _register(self) -> None:
        for _ in range(self.size):
            await self._enter()
        await self._pass(HOLD_S)
        for pair in range(1, self.size + 1):
            if self.chance(0.05) and await self._do("room/cancel", {"player": f"s{self.seed}b{pair}"}):
                self.diary.cancelled += 1
                self.diary.registered.remove(self._pair(pair))
        await self._pass(45)

    async def _enter(self) -> None:
        """The next pair sits down, hands up; a moment before the one after it."""
        self.names += 1
        sits = await self._do("room/sit", self._at(self.names, "a", "N"))
        sits &= await self._do("room/sit", self._at(self.names, "b", "S"))
        for player in self.rng.sample(sorted(self._pair(self.names)), 2):
            await self._do("room/raise", {"player": player})
        if sits:
            self.diary.registered.append(self._pair(self.names))
        self.hands.clock.advance(timedelta(milliseconds=1))

    def _pair(self, number: int) -> frozenset[str]:
        return frozenset((f"s{self.seed}a{number}", f"s{self.seed}b{number}"))

    def _at(self, number: int, letter: str, seat: str) -> dict[str, Any]:
        return {"player": f"s{self.seed}{letter}{number}", "table": number, "seat": seat}

    async def _round(self, now: dict[str, Any]) -> None:
        """All that happens from the start of a round to that of the next."""
        number = now["round"]
        told = await self.hands.read(self.diary.id, f"rounds/{number}")
        self.diary.rounds.append(told)
        acts = [act for table in told["tables"] for act in self._table(number, told, table)]
        acts += self._others(number, now, told)
        started = self.hands.clock.now()
        for seconds, act in sorted(acts, key=lambda each: each[0]):
            due = started + timedelta(seconds=seconds)
            if due > self.hands.clock.now():
                await self._pass((due - self.hands.clock.now()).total_seconds())
            before = self.hands.clock.now()
            await act()
            started += self.hands.clock.now() - before  # the clock of the event stood meanwhile
        while (await self._state()) not in (("running", number + 1), ("finished", None)):
            await self._pass(20)

    async def _state(self) -> tuple[str, int | None]:
        found = await self.hands.read(self.diary.id, "")
        return found["state"], found.get("round")

    async def _pass(self, seconds: float) -> None:
        self.hands.clock.advance(timedelta(seconds=seconds))
        await self.hands.tick()

    async def _do(self, path: str, body: dict[str, Any]) -> bool:
        return await self.hands.do(self.diary.id, path, body)

    def _table(self, number: int, told: dict[str, Any], table: dict[str, Any]) -> list[Act]:
        """What a table does; where a pair is late, boards are played from then on, if there is time."""
        comes: dict[str, float] = {}
        last = 0.0
        for seats in ("NS", "EW"):
            when = self.rng.uniform(0, ABSENT_S - 1)
            if self.chance(self.staying_away):
                when = self.rng.choice([1000, self.rng.uniform(ABSENT_S + 1, ROUND_S + 5)])
            last = max(last, when)
            comes[table["players"][seats[0]]] = when
            comes[table["players"][seats[1]]] = self.rng.uniform(0, min(when, ABSENT_S - 1))
        acts = [(when, self._arrive(number, table["table"], player)) for player, when in comes.items()]
        if last >= ROUND_S - LAST_S:
            return [act for act in acts if act[0] < ROUND_S]
        share = 0.93 if last < ABSENT_S else 0.5  # who has come late gets through fewer of them
        boards = [each["number"] for each in told["boards"] if self.chance(share)]
        if boards and last < ABSENT_S and self.chance(0.6):
            acts = []  # their results say that they have come
        else:
            acts += [(last, self._deal(table["table"])) for _ in boards]
        for board in boards:
            late = self.chance(0.05)
            when = self.rng.uniform(ROUND_S + 1, ROUND_S + CLOSING_S + 2) if late else self._between(last)
            acts.append((when, self._report(number, table["table"], board, late)))
        return acts

    def _between(self, earliest: float) -> float:
        return self.rng.uniform(max(earliest, 0.5) + 0.1, ROUND_S - 0.1)

    def _arrive(self, number: int, table: int, player: str) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            if await self._do(f"tables/{table}/arrive", {"player": player}):
                self.diary.arrived[number, player] = self.hands.clock.now()

        return act

    def _deal(self, table: int) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            await self._do(f"tables/{table}/next-board", {})

        return act

    def _report(self, number: int, table: int, board: int, late: bool) -> Callable[[], Awaitable[None]]:
        members, _ = random_outcome(self.rng, board)
        body: dict[str, Any] = {"round": number, "table": table, "board": board}
        body |= {name: value for name, value in members.items() if value is not None}
        said = self.chance(0.8)

        async def act() -> None:
            more = {}
            if late and said:
                found = await self.hands.read(self.diary.id, f"rounds/{number}")
                more = {"played_at": found["ended_at"] or self.hands.clock.now().isoformat()}
            if await self._do("results", body | more):
                self.diary.reported[number, table, board] = body

        return act

    def _others(self, number: int, now: dict[str, Any], told: dict[str, Any]) -> list[Act]:
        """What pairs and directors do beside the tables."""
        acts: list[Act] = []
        whole = ROUND_S + CLOSING_S - 1

        def at(act: Callable[[], Awaitable[None]]) -> None:
            acts.append((self.rng.uniform(0, whole), act))

        for pair in map(int, now["entries"]):
            if self.chance(self.leaving):
                at(self._withdraw(pair, now["entries"][str(pair)]["players"]))
            silent = "absent_in" in now["entries"][str(pair)]
            if self.chance(0.6 if silent else self.staying_away / 2):
                at(self._ready(pair, now["entries"][str(pair)]["players"]))
            if self.chance(0.04) and now["entries"][str(pair)]["first_round"] == 1:
                at(self._deduct(pair))
        if number <= self.diary.rules["late_until"]:
            acts += [(self.rng.uniform(0, 50), self._enter) for _ in range(self.rng.choice([0, 1, 2]))]
        if self.chance(self.by_hand):
            at(self._pair_by_hand(number + 1))
        if self.chance(self.pausing):
            acts.append((self.rng.uniform(0, ROUND_S + CLOSING_S - LAST_S), self._pause))
        return acts

    def _withdraw(self, pair: int, players: list[str]) -> Callable[[], Awaitable[None]]:
        """By a director, or by one of the two."""
        by_itself = ("leave", {"player": self.rng.choice(players)})
        path, body = self.rng.choice([by_itself, ("withdraw", REASON | {"entry": pair})])

        async def act() -> None:
            if await self._do(path, body):
                self.diary.withdrawn.setdefault(pair, self.hands.clock.now())

        return act

    def _ready(self, pair: int, players: list[str]) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            if await self._do("ready", {"player": self.rng.choice(players)}):
                self.diary.ready.append((pair, self.hands.clock.now()))

        return act

    def _deduct(self, pair: int) -> Callable[[], Awaitable[None]]:
        amount = self.rng.randint(1, 200)

        async def act() -> None:
            body = REASON | {"entry": pair, "kind": "deduction", "amount": amount / 100}
            if await self._do("penalties", body):
                self.diary.deducted.append((pair, amount, self.hands.clock.now()))

        return act

    def _pair_by_hand(self, number: int) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            now = await self.hands.read(self.diary.id, "")
            if now.get("round") != number - 1:
                return  # it has begun meanwhile
            field = [
                int(pair)
                for pair, told in now["entries"].items()
                if told["first_round"] <= number
                and not told.get("withdrawn")
                and ("absent_in" not in told or told["ready"])
            ]
            self.rng.shuffle(field)
            sit_outs = [field.pop()] if len(field) % 2 else []
            matches = [field[i : i + 2] for i in range(0, len(field), 2)]
            body = REASON | {"round": number, "matches": matches, "sit_outs": sit_outs, "force": True}
            if await self._do("pairings", body):
                self.diary.by_hand[number] = body

        return act

    async def _pause(self) -> None:
        since = self.hands.clock.now()
        if await self._do("pause", REASON):
            await self._pass(self.rng.uniform(1, 200))
            if await self._do("resume", REASON):
                self.diary.pauses.append((since, self.hands.clock.now()))
