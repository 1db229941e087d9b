"""What a director does in an event: pairings by hand, penalties, pauses, withdrawals."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from server.bridge.swiss_by_hand import Objection, may_be_replaced, too_early
from server.bridge.swiss_clock import State
from server.bridge.swiss_event import Transition, WrongState, paused, resumed
from server.services import event_field, event_reseating, event_rounds
from server.services.event_course import Keeper
from server.services.event_errors import (
    EntryNotFound,
    EventState,
    InvalidEvent,
    PairingRefused,
    RoundNotFound,
    RoundUnderWay,
)
from server.services.event_field import SUSPENSION
from server.services.event_snapshot import KIND, instant, tell, telling
from server.services.events import EventView, check_no_part, directed, existing, noted, view
from server.services.tokens import Caller
from server.storage import event_adjustments, event_entries, events
from server.storage import event_rounds as stored_rounds
from server.storage.event_entries import Penalty
from server.storage.event_rounds import ByHand
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
    _going_on(event)
    _entry(connection, event, entry)
    with telling(connection, number, chair.now):
        event_entries.withdraw(connection, number, entry, chair.now)
    noted(connection, chair.caller, "withdraw", number, f"{entry}: {reason}", chair.now)
    return view(connection, number)


def penalise(connection: Connection, chair: Chair, number: int, wanted: Penalty) -> Penalty:
    """Impose a penalty for discipline: it moves the total, never a board.

    Raises EntryNotFound; EventState for a suspension when the event is over, and when it was cancelled.
    """
    event = chair.open(connection, number)
    if event.course.state is State.CANCELLED or (
        wanted.kind == SUSPENSION and event.course.state is State.FINISHED
    ):
        raise EventState(event.course.state.value)
    _entry(connection, event, wanted.entry)
    with telling(connection, number, chair.now):
        made = event_entries.penalise(connection, number, wanted)
        if event.published_at is not None:
            chair.keeper.award(connection, event_field.load(connection, event), chair.now)
    noted(connection, chair.caller, "penalty", number, f"{wanted.entry} {wanted.kind}", chair.now)
    return replace(wanted, id=made)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round as a director wants it."""

    round: int
    wanted: ByHand
    force: bool  # despite objections that do not make it impossible
    reason: str


def pair_by_hand(
    connection: Connection, chair: Chair, number: int, pairing: Pairing
) -> tuple[Objection[int], ...]:
    """Pair a round by hand: the next one, or the one that is played as long as no table has a result.

    The next one is kept until it starts, and dropped then if something speaks against it that does not now.
    What speaks against it although it was forced. Raises RoundNotFound, EventState, RoundUnderWay,
    PairingRefused with all objections.
    """
    event = chair.open(connection, number)
    if not event_rounds.belongs(event, pairing.round):
        raise RoundNotFound(str(pairing.round))
    _going_on(event)
    found = event_field.load(connection, event)
    playing = pairing.round == found.started
    closed = event.course.state is State.CLOSING or event.course.paused_in is State.CLOSING
    result = _has_result(connection, number, pairing.round)
    if (playing and closed) or not may_be_replaced(pairing.round, found.started, result):
        raise RoundUnderWay
    if early := too_early(pairing.round, found.started):
        raise PairingRefused(False, tuple(told(each) for each in early))
    against = event_rounds.against(found, pairing.round, pairing.wanted, chair.now)
    forbidden = any(each.fault.forbids for each in against)
    if playing and not forbidden:
        against += event_reseating.against(found, pairing.round, pairing.wanted, chair.now)
    if forbidden or (against and not pairing.force):
        raise PairingRefused(not forbidden, tuple(told(each) for each in against))
    with telling(connection, number, chair.now):
        stored_rounds.keep_by_hand(connection, number, pairing.round, _taken(pairing, against))
        if playing:
            event_reseating.reseat(connection, found, pairing.round, pairing.wanted, chair.now)
    noted(connection, chair.caller, "pairing", number, f"{pairing.round}: {pairing.reason}", chair.now)
    return against


def _taken(pairing: Pairing, against: tuple[Objection[int], ...]) -> ByHand:
    return ByHand(pairing.wanted.matches, pairing.wanted.sit_outs, against)


def _has_result(connection: Connection, number: int, wanted: int) -> bool:
    """Whether a table of a round has told anything, whatever was ruled about it, or was awarded something."""
    awarded = event_adjustments.standing(connection, number, wanted)
    return bool(stored_rounds.appeared(connection, number, wanted) or awarded)


def told(objection: Objection[int]) -> Mapping[str, Any]:
    """An objection as it is shown."""
    shown = {"fault": objection.fault.value, "pairs": list(objection.pairs)}
    return shown | ({"rounds": list(objection.rounds)} if objection.rounds else {})


def _step(connection: Connection, chair: Chair, event: Event, step: Transition, reason: str) -> EventView:
    with telling(connection, event.id, chair.now):
        events.note(connection, event.id, step, chair.now)
        events.keep_course(connection, event, step.after, chair.now)
        events.say_why(connection, event.id, reason if step.after.state is State.PAUSED else None)
    noted(connection, chair.caller, f"event {step.after.state}", event.id, reason, chair.now)
    return view(connection, event.id)


def _going_on(event: Event) -> None:
    if event.course.state in events.OVER:
        raise EventState(event.course.state.value)


def _entry(connection: Connection, event: Event, number: int) -> None:
    if all(each.number != number for each in event_entries.of_event(connection, event.id)):
        raise EntryNotFound(str(number))


def check_penalty(kind: str, amount: int, until_round: int | None, until_at: datetime | None) -> None:
    """Raises InvalidEvent for a penalty whose members contradict each other."""
    if (kind == "deduction") != (amount > 0):
        raise InvalidEvent("/amount", "a deduction takes points off, nothing else does")
    if (kind == SUSPENSION) != (until_round is not None or until_at is not None):
        raise InvalidEvent(
            "/until_round", "a suspension lasts until a round or an instant, nothing else does"
        )
