"""The course of events: every transition that is due, each done once, by whichever process comes first.

A transition is one transaction, in which its event is locked. It is kept under its key, so that the database
refuses it a second time; after a restart what is due follows from what is stored.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

import structlog
from sqlalchemy import Connection

from server.bridge.event_rules import Kind
from server.bridge.grades import GradeScale
from server.bridge.registration import Doors
from server.bridge.swiss_clock import State
from server.bridge.swiss_event import (
    OUTAGE_S,
    Action,
    Transition,
    lengthened,
    next_transition,
    playable_until,
    warnings,
)
from server.services import (
    event_facts,
    event_field,
    event_halts,
    event_points,
    event_room,
    event_rounds,
    event_scoring,
)
from server.services.event_errors import EventNotFound
from server.services.event_field import Field
from server.services.event_rounds import Dealing, fresh
from server.services.event_snapshot import WARNING, tell, telling
from server.storage import audit, events
from server.storage import event_rounds as stored_rounds
from server.storage.database import Database
from server.storage.errors import ConstraintViolated, StorageError
from server.storage.events import Event, moment, seconds
from server.storage.ids import event_id

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Keeper:
    """Keeps the clocks of events by the rules of this installation."""

    patience_s: float = OUTAGE_S  # nobody kept the clock for longer: the round gets the time back
    scale: GradeScale = field(default_factory=GradeScale)
    deal: Dealing = fresh

    def open(self, connection: Connection, number: int, now: datetime) -> Event:
        """The event, locked, with everything done that is due. Raises EventNotFound."""
        event = events.lock(connection, number)
        if event is None:
            raise EventNotFound(event_id(number))
        if self.due(connection, event, now):
            with telling(connection, number, now):
                late = self._catch_up(connection, event, now)
            _warn(connection, number, late, now)
            found = events.get(connection, number)
            return event if found is None else found
        return event

    def due(self, connection: Connection, event: Event, now: datetime) -> bool:
        """Whether there is something to do for an event."""
        course, at = event.course, seconds(now)
        if course.state in events.OVER:
            return False
        if course.state in event_room.IN_PLAY and at - seconds(event.seen_at) > self.patience_s:
            return True  # it gets the time back
        if course.doing in (State.REGISTRATION, *event_room.IN_PLAY):
            completes = event_room.next_completion(connection, event)
            if completes is not None and completes <= at:
                return True
        return self._next(connection, event, now) is not None or bool(
            warnings(course, seconds(event.seen_at), at)
        )

    def unseen(self, event: Event, now: datetime) -> bool:
        """Whether it is to be noted again that somebody keeps its clock: every second while it runs.

        An outage is as long as nobody did. Where nothing ran, there is nothing to give back.
        """
        since = seconds(now) - seconds(event.seen_at)
        return event.course.state in event_room.IN_PLAY and since >= self.patience_s / 60

    def _catch_up(self, connection: Connection, event: Event, now: datetime) -> list[tuple[int, int]]:
        """Do all that is due, one after another. Warnings that were due since rounds began by it, which are
        told when their rounds are: round, seconds left.
        """
        seen, at = seconds(event.seen_at), seconds(now)
        longer = lengthened(event.course, seen, at, self.patience_s)
        if longer != event.course:
            event = events.keep_course(connection, event, longer, event.seen_at)
            said = f"nobody kept the clock for {at - seen:.0f} s"
            audit.add(
                connection, [audit.Entry(audit.ITSELF, "event lengthened", event_id(event.id), said)], now
            )
            seen = at  # of the time that it got back nothing has passed
        _warn(connection, event.id, [(longer.round or 0, left) for left in warnings(longer, seen, at)], now)
        late: list[tuple[int, int]] = []
        while True:
            event_room.settle(connection, event, _horizon(event, now))
            current = events.get(connection, event.id) or event
            step = self._next(connection, current, now)
            if step is None:
                events.keep_course(connection, current, current.course, now)
                return late
            event = self.do(connection, current, step, now)
            if step.after.state is State.RUNNING:  # at step.at, which may be a moment ago
                late += [(step.after.round or 0, left) for left in warnings(step.after, step.at, at)]

    def _next(self, connection: Connection, event: Event, now: datetime) -> Transition | None:
        if event.course.state is State.PAUSED:
            return None
        facts = event_facts.facts(connection, event, now)
        return next_transition(event.rules.timing, event.course, facts, seconds(now))

    def do(self, connection: Connection, event: Event, step: Transition, now: datetime) -> Event:
        """Do one transition: what it asks for, in its order, and keep it."""
        after = _scored(connection, event, step, now)
        events.note(connection, event.id, step, now)
        for action in step.actions:
            if action is Action.STAND_UP:
                event_room.stand_up(connection, event, moment(step.at))
        event = events.keep_course(connection, after, step.after, now)
        for action in step.actions:
            self._act(connection, event, action, step, now)
        _log.info("event.moved", id=event_id(event.id), to=step.after.state.value, round=step.after.round)
        return event

    def _act(
        self, connection: Connection, event: Event, action: Action, step: Transition, now: datetime
    ) -> None:
        """What an action of a transition asks for; STANDINGS and TELL follow from what is stored."""
        number = step.after.round or 0
        match action:
            case Action.CUT_OFF:
                last = moment(playable_until(event.rules.timing, step.before))
                appear_by = moment(step.after.appear_by or step.at)
                stored_rounds.end(connection, event.id, number, appear_by, last, moment(step.at))
            case Action.PAIR:  # and create tables, seat, deal: one thing here
                if event_room.doors(event) is Doors.CLOSED:
                    event_room.stand_up(connection, event, moment(step.at))
                found = event_field.load(connection, event)
                event_rounds.start(connection, found, number, moment(step.at), now, self.deal)
            case Action.MASTERPOINTS if event.kind is Kind.SWISS_PAIRS:
                self.award(connection, event_field.load(connection, event), now)
            case Action.PUBLISH if event.kind is Kind.SWISS_PAIRS:
                events.publish(connection, event.id, now)

    def award(self, connection: Connection, found: Field, now: datetime) -> None:
        """Give master points for the final standings, in place of those given before; and grades."""
        event_points.award(connection, found, self.scale, now)


def _warn(connection: Connection, event: int, due: Iterable[tuple[int, int]], now: datetime) -> None:
    """Tell who plays in a round how many seconds are left of it."""
    for number, left in due:
        tell(connection, event, WARNING, {"seconds": left, "round": number}, now)


def _scored(connection: Connection, event: Event, step: Transition, now: datetime) -> Event:
    """Score the round that is closed by a transition, before anything else."""
    if step.before.state is State.CLOSING and step.before.round is not None:
        event_scoring.score_round(connection, event, step.before.round, now)
    return event


def _horizon(event: Event, now: datetime) -> datetime:
    """Until when the registration room is looked at: no further than the next transition."""
    course = event.course
    if course.state is State.REGISTRATION:
        return min(now, moment(event.rules.start_at))
    if course.state is State.CLOSING and course.ends_at is not None:
        return min(now, moment(course.ends_at))
    return now


async def advance(database: Database, keeper: Keeper, now: Callable[[], datetime]) -> int:
    """Do what is due in every event that is not over; how many were touched.

    Any number of processes may do this at once. A round that cannot be paired or stored is paused. Raises
    what went wrong otherwise, the first there was, once all had their turn: the next look does the rest.
    """
    moved, at = 0, now()
    due, kept = await database.read(lambda connection: _looked_at(connection, keeper, at))
    failed = await _note_seen(database, kept, at) if kept else None
    for number in due:
        try:
            await _moved_on(database, keeper, number, now)
            moved += 1
        except Exception as error:
            failed = failed or error
    if failed is not None:
        raise failed
    return moved


async def _note_seen(database: Database, kept: Mapping[int, datetime], now: datetime) -> Exception | None:
    """Note that the clocks of these events are kept, each by itself where that fails for all at once: whose
    clock is not noted gets the time back, again and again. What went wrong, the first there was.
    """
    try:
        await database.write(partial(_seen, kept, now))
    except Exception as error:
        for number, at in kept.items():
            with suppress(Exception):  # the first is told
                await database.write(partial(_seen, {number: at}, now))
        return error
    return None


def _seen(before: Mapping[int, datetime], now: datetime, connection: Connection) -> None:
    events.seen(connection, before, now)


async def _moved_on(database: Database, keeper: Keeper, number: int, now: Callable[[], datetime]) -> None:
    """Do what is due in one event; pause it where that cannot be done. Raises what neither could be."""
    try:
        await _unless_lost(database, partial(_open, keeper, number), now)
    except StorageError as error:
        if not isinstance(error, ConstraintViolated):
            raise
        await _stop(database, keeper, number, error, now)
    except Exception as error:
        await _stop(database, keeper, number, error, now)


async def _unless_lost(
    database: Database, verb: Callable[[datetime, Connection], None], now: Callable[[], datetime]
) -> None:
    """Do it; once more when the database refuses a row, as it does where another process was first."""
    try:
        await database.write(partial(verb, now()))
    except ConstraintViolated:
        await database.write(partial(verb, now()))


async def _stop(
    database: Database, keeper: Keeper, number: int, error: Exception, now: Callable[[], datetime]
) -> None:
    _log.error("event.stuck", id=event_id(number), exc_info=error)
    await database.write(partial(event_halts.halt, number, keeper.patience_s, now()))


def _open(keeper: Keeper, number: int, now: datetime, connection: Connection) -> None:
    keeper.open(connection, number, now)


def _looked_at(
    connection: Connection, keeper: Keeper, now: datetime
) -> tuple[list[int], dict[int, datetime]]:
    """Events in which something is due; and of others of which it is to be noted, when their clocks were
    kept last.
    """
    due, kept = [], {}
    for event in events.live(connection):
        if _due(connection, keeper, event, now):
            due.append(event.id)
        elif keeper.unseen(event, now):
            kept[event.id] = event.seen_at
    return due, kept


def _due(connection: Connection, keeper: Keeper, event: Event, now: datetime) -> bool:
    """Whether an event is to be opened; also one of which that cannot be told, as it will be paused then."""
    try:
        return keeper.due(connection, event, now)
    except Exception:
        _log.exception("event.unclear", id=event_id(event.id))
        return True
