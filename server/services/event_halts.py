"""Stopping the clock of an event of which a step failed, and its registration where that did."""

from datetime import datetime

from sqlalchemy import Connection

from server.bridge.swiss_clock import State
from server.bridge.swiss_event import halted, lengthened
from server.services import event_room
from server.services.event_snapshot import telling
from server.storage import audit, events
from server.storage.events import Event, seconds
from server.storage.ids import event_id

_FAILED = {
    State.ANNOUNCED: "registration could not be opened",
    State.REGISTRATION: "a pair could not be entered, or round 1 not be paired",
    State.RUNNING: "round {round} could not be closed",
    State.CLOSING: "round {round} could not be scored, or the next one paired",
}
_ROOM = "a pair could not be entered"


def halt(number: int, patience_s: float, now: datetime, connection: Connection) -> None:
    """Stop the clock of an event, unless it is over; say why on it and in the audit.

    When nobody has kept it for longer than ``patience_s`` it stops as it stood when somebody last did: the
    step that would have given the time back has failed.

    Where it stands already, or a pair was to be entered just now, nobody is entered any more: it is tried
    again when a director lets the event go on, as is every step that failed.
    """
    event = events.lock(connection, number)
    if event is None or event.course.state in events.OVER:
        return
    due = event_room.next_completion(connection, event)
    entering = due is not None and due <= seconds(now)
    if event.course.state in _FAILED:
        why = _why(event, entering)
        _stop(connection, event, why, patience_s, now)
    elif entering:
        why = _ROOM
        _keep_out(connection, event, now)
    else:
        return
    if entering:
        events.hold_room(connection, number, waits=True)
    audit.add(connection, [audit.Entry(audit.ITSELF, "event paused", event_id(number), why)], now)


def _why(event: Event, entering: bool) -> str:
    why = _FAILED[event.course.state].format(round=event.course.round)
    return f"{_ROOM}, or {why}" if entering and event.course.state in event_room.IN_PLAY else why


def _stop(connection: Connection, event: Event, why: str, patience_s: float, now: datetime) -> None:
    course = lengthened(event.course, seconds(event.seen_at), seconds(now), patience_s)
    with telling(connection, event.id, now):
        step = halted(course, seconds(now))
        events.note(connection, event.id, step, now)
        events.keep_course(connection, event, step.after, now)
        events.say_why(connection, event.id, why)


def _keep_out(connection: Connection, event: Event, now: datetime) -> None:
    """Nothing but registration goes on while the clock stands: it is what failed."""
    with telling(connection, event.id, now):
        said = [event.pause_reason] if event.pause_reason else []
        events.say_why(connection, event.id, "; ".join([*said, _ROOM]))
