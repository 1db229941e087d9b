"""Events: their rules, and where each stands in its course."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, bindparam, insert, select, text, update

from server.bridge.event_rules import EventRules, Kind
from server.bridge.swiss_clock import State
from server.bridge.swiss_event import Course, Transition
from server.storage import sets
from server.storage.event_tables import event_boards, event_transitions, events

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
OVER = (State.FINISHED, State.CANCELLED)


class Carried(msgspec.Struct, frozen=True):
    """What a pair brings from an earlier event."""

    players: tuple[int, int]
    points: int  # hundredths of a VP


@dataclass(frozen=True, slots=True)
class Named:
    """People whom an organiser names when he announces an event, by their numbers."""

    seeded: Iterable[int] = ()
    protected: Iterable[int] = ()
    carried: tuple[Carried, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """An event."""

    id: int
    client: int  # to whom it belongs
    name: str
    rules: EventRules
    seeded: tuple[int, ...]  # players' numbers
    protected: tuple[int, ...]  # players' numbers
    course: Course
    seen_at: datetime  # somebody kept its clock then
    issued: int  # the highest number of a pair ever given
    published_at: datetime | None
    created_at: datetime
    pause_reason: str | None = None  # while it is paused
    carried: tuple[Carried, ...] = ()  # from an earlier event into this one
    room_waits: bool = False  # nobody is entered until it goes on, as somebody could not be

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self.rules.kind


def seconds(instant: datetime) -> float:
    """Since 1970, in UTC."""
    return (instant - EPOCH).total_seconds()


def moment(instant: float) -> datetime:
    """An instant in seconds since 1970; to the microsecond, as it is stored."""
    return EPOCH + timedelta(seconds=instant)


def add(
    connection: Connection,
    client: int,
    name: str,
    rules: EventRules,
    named: Named,
    now: datetime,
) -> Event:
    """A new event, announced."""
    values = {
        "client": client,
        "kind": rules.kind.value,
        "name": name,
        "rules": msgspec.json.encode(rules).decode(),
        "seeded": tuple(sorted(named.seeded)),
        "protected": tuple(sorted(named.protected)),
        "carried": msgspec.json.encode(named.carried).decode() if named.carried else None,
        "state": State.ANNOUNCED.value,
        "seen_at": now,
        "created_at": now,
    }
    number = connection.execute(insert(events).values(**values).returning(events.c.id)).scalar_one()
    found = get(connection, number)
    if found is None:
        raise RuntimeError("an event that was just made")
    return found


def get(connection: Connection, number: int) -> Event | None:
    """The event with this number."""
    row = connection.execute(select(events).where(events.c.id == number)).first()
    return None if row is None else _event(row)


def lock(connection: Connection, number: int) -> Event | None:
    """The event with this number, held until the transaction ends: nobody changes it, no result comes in."""
    row = connection.execute(select(events).where(events.c.id == number).with_for_update()).first()
    return None if row is None else _event(row)


def share(connection: Connection, numbers: Iterable[int]) -> dict[int, Event]:
    """These events, as far as they exist, kept as they are until the transaction ends, by others too."""
    wanted = text(f"events.id IN {sets.elements(connection, 'numbers')}")
    statement = select(events).where(wanted).order_by(events.c.id).with_for_update(read=True)
    rows = connection.execute(statement, {"numbers": sets.as_json(sorted(set(numbers)))})
    return {row.id: _event(row) for row in rows.all()}


def live(connection: Connection) -> list[Event]:
    """Every event that is not over."""
    over = text("state NOT IN ('finished', 'cancelled')")
    return [_event(row) for row in connection.execute(select(events).where(over).order_by(events.c.id))]


def page(
    connection: Connection, kind: Kind | None, state: State | None, before: int, limit: int | None
) -> list[Event]:
    """Events of a kind and in a state, newest first, older than ``before`` (0: all)."""
    statement = select(events)
    if kind is not None:
        statement = statement.where(events.c.kind == kind.value)
    if state is not None:
        statement = statement.where(events.c.state == state.value)
    if before:
        statement = statement.where(events.c.id < before)
    return [_event(row) for row in connection.execute(statement.order_by(events.c.id.desc()).limit(limit))]


def keep_course(connection: Connection, event: Event, course: Course, now: datetime) -> Event:
    """Store where the event stands, and that its clock is kept."""
    values = {
        "state": course.state.value,
        "round": course.round,
        "ends_at": _moment(course.ends_at),
        "appear_by": _moment(course.appear_by),
        "paused_at": _moment(course.paused_at),
        "paused_in": None if course.paused_in is None else course.paused_in.value,
        "pauses": course.pauses,
        "playable_until": _moment(course.playable_until),
        "seen_at": max(now, event.seen_at),
    }
    connection.execute(update(events).where(events.c.id == event.id).values(**values))
    return replace(event, course=course, seen_at=max(now, event.seen_at))


def seen(connection: Connection, before: Mapping[int, datetime], now: datetime) -> None:
    """Note that somebody keeps the clocks of these events, unless it was noted since, as ``before`` says."""
    mine = (events.c.id == bindparam("event")) & (events.c.seen_at == bindparam("before"))
    rows = [{"event": event, "before": at} for event, at in sorted(before.items())]
    connection.execute(update(events).where(mine).values(seen_at=now), rows)


def keep_rules(connection: Connection, event: Event, rules: EventRules) -> Event:
    """Store other rules of an event."""
    values = {"rules": msgspec.json.encode(rules).decode()}
    connection.execute(update(events).where(events.c.id == event.id).values(**values))
    return replace(event, rules=rules)


def hold_room(connection: Connection, event: int, waits: bool) -> None:
    """Note that nobody is entered any more until it goes on; or again."""
    connection.execute(update(events).where(events.c.id == event).values(room_waits=waits))


def say_why(connection: Connection, event: int, reason: str | None) -> None:
    """Note why an event is paused; None: it goes on."""
    connection.execute(update(events).where(events.c.id == event).values(pause_reason=reason))


def issue(connection: Connection, event: int, number: int) -> None:
    """Note the highest number of a pair ever given."""
    connection.execute(update(events).where(events.c.id == event).values(issued=number))


def publish(connection: Connection, event: int, now: datetime) -> None:
    """Note that its results are there for everybody."""
    statement = update(events).where(events.c.id == event, events.c.published_at.is_(None))
    connection.execute(statement.values(published_at=now))


def note(connection: Connection, event: int, step: Transition, now: datetime) -> None:
    """Keep a transition; the database refuses it a second time."""
    before, after, number, pauses = step.key
    values = {
        "event": event,
        "before": before.value,
        "after": after.value,
        "round": number or 0,
        "pauses": pauses,
        "due_at": moment(step.at),
        "done_at": now,
    }
    connection.execute(insert(event_transitions).values(**values))


def transitions(connection: Connection, event: int) -> list[tuple[str, str, int, datetime]]:
    """What an event has been through, in order: from, to, round, the instant it counts from."""
    statement = select(event_transitions).where(event_transitions.c.event == event)
    ordered = statement.order_by(event_transitions.c.due_at, event_transitions.c.done_at)
    return [(row.before, row.after, row.round, row.due_at) for row in connection.execute(ordered)]


def of_board(connection: Connection, board: int) -> tuple[int, int] | None:
    """The event and round that a board belongs to."""
    statement = select(event_boards.c.event, event_boards.c.round).where(event_boards.c.board == board)
    row = connection.execute(statement).first()
    return None if row is None else (row.event, row.round)


def _moment(instant: float | None) -> datetime | None:
    return None if instant is None else moment(instant)


def _seconds(instant: datetime | None) -> float | None:
    return None if instant is None else seconds(instant)


def _event(row: Row[Any]) -> Event:
    return Event(
        id=row.id,
        client=row.client,
        name=row.name,
        rules=msgspec.json.decode(row.rules, type=EventRules),
        seeded=row.seeded,
        protected=row.protected,
        course=Course(
            State(row.state),
            row.round,
            _seconds(row.ends_at),
            _seconds(row.appear_by),
            _seconds(row.paused_at),
            None if row.paused_in is None else State(row.paused_in),
            row.pauses,
            _seconds(row.playable_until),
        ),
        seen_at=row.seen_at,
        issued=row.issued,
        published_at=row.published_at,
        created_at=row.created_at,
        pause_reason=row.pause_reason,
        carried=() if row.carried is None else msgspec.json.decode(row.carried, type=tuple[Carried, ...]),
        room_waits=bool(row.room_waits),
    )
