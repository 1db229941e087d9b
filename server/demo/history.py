"""Weeks played through the services of the server, in this process, at moments that are set here."""

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from jobs.bulletins import Tell
from jobs.sweep import Sweep
from jobs.tallies import Count
from server.app import Installed, closing_of, make_ingest, secrecy_of
from server.bridge.week import Week, week_of
from server.demo.dealing import Dealer
from server.demo.plan import Plan
from server.demo.platform_token import Login
from server.demo.reporting import arriving, disconnect_body, leaving, result_body, table_key
from server.services import assignments, disconnects, players
from server.services.assignments import Seating
from server.services.closing import Closed
from server.services.disconnects import Leaving, Reporting
from server.services.errors import NoBoardAvailable, PlayerNotFound
from server.services.ingest import BATCH
from server.services.players import PlayerChange
from server.services.reports import Report
from server.settings import Settings
from server.storage import activity
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.ids import board_id
from server.web.rendering import WORDING
from server.world.people import World
from server.world.sittings import BOARDS, SPELL, SPELLS, Sitting, sittings
from server.world.tables import Abandoned, report


class TurnedClock:
    """A clock that shows what it is turned to."""

    def __init__(self, instant: datetime) -> None:
        self.instant = instant

    def now(self) -> datetime:
        """The instant to which it is turned."""
        return self.instant


@dataclass(frozen=True, slots=True)
class Spell:
    """Some hours that were played."""

    week: Week
    boards: int  # that ended, without result too


@dataclass(frozen=True, slots=True)
class _Turn:
    """A table's turn to play one board."""

    sitting: Sitting
    number: int
    board: Board


class History:
    """Plays what a world has played up to a moment and nobody has reported yet."""

    def __init__(self, settings: Settings, database: Database, login: Login, plan: Plan) -> None:
        self._clock = TurnedClock(plan.first.opens_at(settings.zone))
        installed = Installed(database, self._clock, None)
        self._settings, self._database, self._client, self._plan = settings, database, login.client, plan
        self._pools = settings.all_pools()
        self._world: World = plan.world()
        self._dealer = Dealer(settings, installed, login.caller, plan)
        self._ingest = make_ingest(settings, installed, _unwatched)
        self._closing = closing_of(settings, installed)
        zone = settings.zone
        self._chores = (
            Count(database, self._clock, zone),
            Tell(database, self._clock, secrecy_of(settings), WORDING),
            Sweep(database, self._clock, zone, self._pools, 0),
        )

    async def play(self, first: Week, until: datetime) -> AsyncGenerator[Spell | Closed, None]:
        """Play from a week on, spell by spell, what has ended by ``until``; close weeks in their time."""
        self._ingest.start()
        try:
            week = first
            while week <= week_of(until, self._settings.zone):
                async for step in self._play_week(week, until):
                    yield step
                week = week.plus(1)
            await self._tidy()
        finally:
            await self._ingest.stop()

    async def _play_week(self, week: Week, until: datetime) -> AsyncGenerator[Spell | Closed, None]:
        opens, number = week.opens_at(self._settings.zone), self._plan.number(week)
        self._clock.instant = opens
        await self._welcome(number)
        await self._dealer.deal(week)
        played = sittings(self._world, number)
        reported = await self._database.read(partial(activity.reported, week=str(week)))
        for spell in range(SPELLS):
            starts = opens + spell * SPELL
            if starts > until:
                return
            due = list(_due(played, reported, spell, until - opens))
            self._clock.instant = starts
            turns = await self._database.write(partial(self._assign, due)) if due else []
            self._clock.instant = min(starts + SPELL, until)
            await self._report(week, number, turns)
            yield Spell(week, len(turns))
            if spell == 0:  # Monday morning: the week before is due
                await self._tidy()
                for pool in self._pools:
                    for ended in await self._closing.due(pool, taken=True):
                        yield await self._closing.close(pool, ended)

    async def _welcome(self, number: int) -> None:
        """Name those who come in this week."""
        for person in self._world.people:
            if person.joined != number:
                continue
            try:
                await players.get(self._database, person.id, hidden_too=True)
            except PlayerNotFound:
                named = PlayerChange(name=person.name)
                await players.change(
                    self._database, self._client, person.id, named, True, self._clock.instant
                )

    def _assign(self, due: Sequence[tuple[Sitting, int]], connection: Connection) -> list[_Turn]:
        """Deal boards to the tables of a spell, in one transaction; who finds none goes home."""
        turns: list[_Turn] = []
        gone: set[str] = set()
        lifetime = timedelta(minutes=self._settings.assignment_minutes)
        for sitting, number in due:
            if sitting.table in gone:
                continue
            north, east, south, west = (person.id for person in sitting.people.values())
            seating = Seating(sitting.table, self._pools[sitting.pool], (north, east, south, west))
            try:
                dealt = assignments.deal_to(
                    connection,
                    self._client,
                    seating,
                    True,
                    self._settings.zone,
                    lifetime,
                    self._clock.instant,
                )
            except NoBoardAvailable:
                gone.add(sitting.table)
            else:
                turns.append(_Turn(sitting, number, dealt.board))
        return turns

    async def _report(self, week: Week, number: int, turns: Sequence[_Turn]) -> None:
        """Report what the tables made of their boards. Raises what the server refuses."""
        opens = week.opens_at(self._settings.zone)
        finished: list[Report] = []
        left: list[Leaving] = []
        for turn in turns:
            sitting, board = turn.sitting, turn.board
            if board.deal is None:
                raise RuntimeError("every board of a demonstration has its cards")
            made = report(self._world, number, sitting, turn.number, board.deal, board.vulnerability)
            named, ended = board_id(board.id), opens + sitting.ends_at(turn.number)
            if isinstance(made, Abandoned):
                left.append(leaving(disconnect_body(named, sitting, made, ended)))
            else:
                key = table_key(week, sitting, turn.number)
                finished.append(arriving(self._client, key, result_body(named, sitting, made, ended)))
        for start in range(0, len(finished), BATCH):
            for verdict in await self._ingest.submit(finished[start : start + BATCH]):
                if isinstance(verdict, Exception):
                    raise verdict
        for each in left:
            await self._database.write(partial(self._leave, each))

    def _leave(self, left: Leaving, connection: Connection) -> None:
        now, zone = self._clock.instant, self._settings.zone
        reporting = Reporting(self._client, now, zone, self._pools, True, WORDING)
        disconnects.report(connection, reporting, left)

    async def _tidy(self) -> None:
        """Do what the timetable would have done by now."""
        for chore in self._chores:
            await chore()


def _due(
    played: Sequence[Sitting], reported: Mapping[tuple[str, str], int], spell: int, until: timedelta
) -> Iterator[tuple[Sitting, int]]:
    """Boards of the sittings of a spell that have ended by a time of the week and were not reported yet."""
    for sitting in played:
        if spell * SPELL <= sitting.begins < (spell + 1) * SPELL:
            for number in range(reported.get((sitting.pool, sitting.table), 0), BOARDS):
                if sitting.ends_at(number) <= until:
                    yield sitting, number


def _unwatched(reports: int, taken: int, seconds: float) -> None:
    """Nobody measures this."""
