"""Stopping the clock of an event of which a step failed."""

from datetime import datetime

from sqlalchemy import Connection

from server.bridge.swiss_clock import State
from server.bridge.swiss_event import halted
from server.services.event_snapshot import telling
from server.storage import audit, events
from server.storage.events import seconds
from server.storage.ids import event_id

_FAILED = {
    State.ANNOUNCED: "registration could not be opened",
    State.REGISTRATION: "a pair could not be entered, or round 1 not be paired",
    State.RUNNING: "round {round} could not be closed",
    State.CLOSING: "round {round} could not be scored, or the next one paired",
}


def halt(number: int, now: datetime, connection: Connection) -> None:
    """Stop the clock of an event, unless it stands or is over; say why on it and in the audit."""
    event = events.lock(connection, number)
    if event is None or event.course.state not in _FAILED:
        return
    why = _FAILED[event.course.state].format(round=event.course.round)
    with telling(connection, number, now):
        step = halted(event.course, seconds(now))
        events.note(connection, number, step, now)
        events.keep_course(connection, event, step.after, now)
        events.say_why(connection, number, why)
    audit.add(connection, [audit.Entry(audit.ITSELF, "event paused", event_id(number), why)], now)
