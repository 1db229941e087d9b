"""What a director does in an event: pauses, withdrawals."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.swiss_clock import State
from server.bridge.swiss_event import Transition, WrongState, paused, resumed
from server.services.event_course import Keeper
from server.services.event_errors import EntryNotFound, EventState
from server.services.event_snapshot import KIND, instant, tell, telling
from server.services.events import EventView, check_no_part, directed, existing, noted, view
from server.services.tokens import Caller
from server.storage import event_entries, events
from server.storage.events import Event, seconds


@dataclass(frozen=True, slots=True)
class Chair:
    """Where a director sits: who he is, when, by what rules."""

    keeper: Keeper
    caller: Caller
    now: datetime

    def open(self, connection: Connection, number: int) -> Event:
        """The event, locked. Raises EventNotFound, DirectorPlays."""
        return directed(connection, self.keeper, number, self.caller, self.now)

    def look(self, connection: Connection, number: int) -> Event:
        """The event as it is, not locked. Raises EventNotFound, DirectorPlays."""
        event = existing(connection, number)
        check_no_part(connection, number, self.caller.player)
        return event

    @property
    def client(self) -> int:
        """Whose token the director has."""
        if self.caller.client is None:
            raise RuntimeError("nobody directs without a token")
        return self.caller.client


def pause(connection: Connection, chair: Chair, number: int, reason: str) -> EventView:
    """Stop the clock. Raises EventState unless a round is running or closing."""
    event = chair.open(connection, number)
    try:
        step = paused(event.course, seconds(chair.now))
    except WrongState as error:
        raise EventState(event.course.state.value) from error
    return _step(connection, chair, event, step, reason)


def resume(connection: Connection, chair: Chair, number: int, reason: str) -> EventView:
    """Let the clock go on; what lay ahead moves by the pause, the start of the first round too.

    Raises EventState unless it is paused.
    """
    event = chair.open(connection, number)
    try:
        step = resumed(event.course, seconds(chair.now))
    except WrongState as error:
        raise EventState(event.course.state.value) from error
    told = _step(connection, chair, event, step, reason)
    if step.after.state in (State.ANNOUNCED, State.REGISTRATION):
        _postpone(connection, chair, event, step)
        return view(connection, number)
    return told


def _postpone(connection: Connection, chair: Chair, event: Event, step: Transition) -> None:
    """The first round starts later by the pause; registration opens later if it was not open."""
    pause = step.at - (step.before.paused_at or step.at)
    later = event.rules.postponed(pause, step.after.state is State.REGISTRATION)
    with telling(connection, event.id, chair.now):
        events.keep_rules(connection, event, later)
    instants = {"open_at": instant(later.open_at), "start_at": instant(later.start_at)}
    tell(connection, event.id, KIND, {"rules": instants}, chair.now)


def withdraw(connection: Connection, chair: Chair, number: int, entry: int, reason: str) -> EventView:
    """Take a pair out from the next round on; its results stay. Again: nothing changes.

    Raises EventState when the event is over, EntryNotFound.
    """
    event = chair.open(connection, number)
    check_going_on(event)
    check_entered(connection, event, entry)
    with telling(connection, number, chair.now):
        event_entries.withdraw(connection, number, entry, chair.now)
    noted(connection, chair.caller, "withdraw", number, f"{entry}: {reason}", chair.now)
    return view(connection, number)


def _step(connection: Connection, chair: Chair, event: Event, step: Transition, reason: str) -> EventView:
    with telling(connection, event.id, chair.now):
        events.note(connection, event.id, step, chair.now)
        events.keep_course(connection, event, step.after, chair.now)
        events.say_why(connection, event.id, reason if step.after.state is State.PAUSED else None)
        if step.after.state is not State.PAUSED:
            events.hold_room(connection, event.id, waits=False)  # whoever could not be entered is tried again
    noted(connection, chair.caller, f"event {step.after.state}", event.id, reason, chair.now)
    return view(connection, event.id)


def check_going_on(event: Event) -> None:
    """Raises EventState when the event is over."""
    if event.course.state in events.OVER:
        raise EventState(event.course.state.value)


def check_entered(connection: Connection, event: Event, number: int) -> None:
    """Raises EntryNotFound when no pair has this number."""
    if all(each.number != number for each in event_entries.of_event(connection, event.id)):
        raise EntryNotFound(str(number))
