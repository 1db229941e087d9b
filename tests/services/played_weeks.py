"""Weeks of play to be closed: boards and results as a platform brings them, over the test's database.

Everything goes the way that it always goes: results through `services.results.Intake`, disconnects and
rulings through their services.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text

from server.bridge.contract import PASSED_OUT, Outcome, parse_result
from server.bridge.deal import Deal
from server.bridge.dealing import deal_at_random
from server.bridge.pool import Pool, ScoringMethod, Terms
from server.bridge.rating import Rules
from server.bridge.seats import Seat, dealer_of, vulnerability_of
from server.bridge.week import Week, parse_week
from server.services import disconnect_rulings, disconnects, rulings
from server.services.arrivals import Report, Taken, Verdict
from server.services.closing import Closing
from server.services.disconnects import Leaving, Reporting
from server.services.event_course import Keeper
from server.services.idempotency import Once
from server.services.results import Intake
from server.services.rulings import Director, Ruling
from server.services.secrecy import Secrecy
from server.storage import boards, tokens
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.rulings import Basis
from server.web import rendering
from tests.clock import StandingClock
from tests.web.scoring import random_outcome

ZONE = ZoneInfo("Asia/Shanghai")
GRACE, LATE = timedelta(hours=4), timedelta(hours=48)
FIRST = parse_week("2026-W48")  # of the tests' clock
POOLS = {
    "imps": Pool("imps", Terms(ScoringMethod.DATUM, 3, 8)),
    "cross": Pool("cross", Terms(ScoringMethod.CROSS_IMPS, 2, 8)),
    "mp": Pool("mp", Terms(ScoringMethod.MATCHPOINTS, 3, 8)),
    "guests": Pool("guests", Terms(ScoringMethod.HCP_COMPENSATION, 1, None), members_only=False),
}
ONE_POOL = {"imps": POOLS["imps"]}

_fresh = count(1)


@dataclass
class Played:
    """An installation whose weeks are played, and closed."""

    database: Database
    clock: StandingClock
    pools: dict[str, Pool] = field(default_factory=lambda: dict(POOLS))
    zone: ZoneInfo = ZONE

    def closing(self, database: Database | None = None, **changes: Any) -> Closing:
        """Closes its weeks; over another open database when that is given."""
        rules = Rules(shield_boards=0)
        found = Closing(database or self.database, self.clock.now, self.zone, self.pools, rules, GRACE, LATE)
        return replace(found, **changes)

    async def boards(self, week: Week, pool: str = "imps", count: int = 1, seed: int = 1) -> list[int]:
        """Fresh boards of a week; their numbers of row."""
        rng = Random(f"{week} {pool} {seed}")
        deals = [deal_at_random(rng.randrange) for _ in range(count)]

        def add(connection: Connection) -> list[int]:
            now = self.clock.now()
            boards.lock_set(connection, str(week), pool, now)
            first = max(boards.numbers_of_set(connection, str(week), pool), default=0) + 1
            made = [_board(week, self.pools[pool], first + i, deal) for i, deal in enumerate(deals)]
            return [each.id for each in boards.add(connection, week, pool, made, now)]

        return await self.database.write(add)

    async def post(self, *reports: Report) -> list[Verdict]:
        """Post results at the time of the clock."""
        intake = Intake(self.clock.now, self.zone, self.pools, True, rendering.accepted, rendering.WORDING)
        client = await self.client()
        own = [replace(each, once=replace(each.once, client=client)) for each in reports]
        return await self.database.write(intake(own))

    async def client(self) -> int:
        """The platform in whose name everything is reported."""
        now = self.clock.now()
        return await self.database.write(lambda c: tokens.client_number(c, "platform", now))

    async def played(self, *reports: Report) -> None:
        """Post results that must be taken."""
        verdicts = await self.post(*reports)
        assert all(isinstance(verdict, Taken) for verdict in verdicts), verdicts

    async def run(self, statement: str, **values: Any) -> None:
        """Change something by plain SQL."""
        await self.database.write(lambda connection: connection.execute(text(statement), values))

    async def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """What plain SQL finds."""

        def ask(connection: Connection) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in connection.execute(text(statement), values)]

        return await self.database.read(ask)

    async def rule(self, board: int, sequence: int, outcome: Outcome | None = None) -> None:
        """A director rules that a result is another one, or none."""
        ((version,),) = await self.rows(
            "SELECT version FROM results WHERE board = :board AND sequence = :sequence",
            board=board,
            sequence=sequence,
        )
        ruling = Ruling("a slip", outcome, None if outcome is None else Basis.SCORE_ERROR)
        director = await self._director()
        await self.database.write(lambda c: rulings.rule(c, director, (board, sequence), version, ruling))

    async def withdraw(self, board: int) -> None:
        """As a director does; nothing else writes it yet."""
        changed = "UPDATE boards SET withdrawn_at = created_at, change = change + 1 WHERE id = :board"
        await self.run(changed, board=board)

    async def left(self, board: int, player: str, four: Sequence[str], table: str = "") -> None:
        """A player left the table, and nobody has finished; the others may still do."""
        north, east, south, west = four
        name = table or f"T-{next(_fresh)}"
        leaving = Leaving(player, board, name, (north, east, south, west))
        now, client = self.clock.now(), await self.client()
        reporting = Reporting(client, now, self.zone, self.pools, True, rendering.WORDING)
        await self.database.write(lambda c: disconnects.report(c, reporting, leaving))

    async def take_back(self, number: int) -> None:
        """A director takes a disconnect back."""
        director = await self._director()
        why = "the platform was down"
        await self.database.write(lambda c: disconnect_rulings.void(c, director, number, why))

    async def lift(self, number: int) -> None:
        """A director takes from a leaver's partner what the board costs him."""
        director = await self._director()
        await self.database.write(lambda c: disconnect_rulings.lift(c, director, number, "he waited"))

    async def _director(self) -> Director:
        secrecy = Secrecy(self.zone, timedelta(minutes=30))
        return Director(await self.client(), None, self.clock.now(), secrecy, rendering.WORDING, Keeper())


def report(
    board: int,
    players: Sequence[str],
    outcome: Outcome | str = "4SN=",
    disconnects: Iterable[str] = (),
    substitutes: dict[str, str] | None = None,
    table: str = "",
) -> Report:
    """A result, of a fresh table if none is named; players N, E, S, W; who was replaced at a seat."""
    number = next(_fresh)
    north, east, south, west = players
    replaced = tuple((Seat(seat), name) for seat, name in (substitutes or {}).items())
    return Report(
        once=Once(0, f"key {number}", "fingerprint"),
        board=board,
        table=table or f"T-{number}",
        players=(north, east, south, west),
        outcome=parse_result(outcome) if isinstance(outcome, str) else outcome,
        disconnects=tuple(disconnects),
        substitutes=replaced,
    )


def chance(rng: Random, number: int) -> Outcome:
    """A random outcome of a board with this number."""
    members, _ = random_outcome(rng, number)
    if members["declarer"] is None:
        return PASSED_OUT
    made = members["tricks"]
    level = int(members["contract"][0])
    result = made - 6 - level
    written = "=" if result == 0 else f"{result:+}"
    return parse_result(f"{members['contract']}{members['declarer']}{written}")


def end(week: Week, zone: ZoneInfo = ZONE, **later: float) -> datetime:
    """The end of a week, or so much later."""
    return week.closes_at(zone) + timedelta(**later)


def _board(week: Week, pool: Pool, number: int, deal: Deal) -> Board:
    return Board(
        id=0,
        week=week,
        pool=pool.name,
        number=number,
        dealer=dealer_of(number),
        vulnerability=vulnerability_of(number),
        deal=deal,
        terms=pool.terms,
        scores=(),
        last_sequence=0,
        retired_at=None,
        withdrawn_at=None,
        version=1,
        change=0,
    )
