"""Penalties for discipline in an event: a director imposes them, and lifts them again."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.swiss_clock import State
from server.bridge.swiss_event import rounds_over
from server.services import event_field
from server.services.event_direction import Chair, check_entered
from server.services.event_errors import EventState, InvalidEvent, PenaltyLifted, PenaltyNotFound
from server.services.event_field import SUSPENSION
from server.services.event_snapshot import telling
from server.services.events import noted
from server.storage import event_penalties
from server.storage.event_penalties import Lifted, Penalty
from server.storage.events import Event


def check(kind: str, amount: int, until_round: int | None, until_at: datetime | None) -> None:
    """Raises InvalidEvent for a penalty whose members contradict each other."""
    if (kind == "deduction") != (amount > 0):
        raise InvalidEvent("/amount", "a deduction takes points off, nothing else does")
    if (kind == SUSPENSION) != (until_round is not None or until_at is not None):
        raise InvalidEvent(
            "/until_round", "a suspension lasts until a round or an instant, nothing else does"
        )


def impose(connection: Connection, chair: Chair, number: int, wanted: Penalty) -> Penalty:
    """Impose a penalty: it moves the total, never a board.

    Raises EntryNotFound; InvalidEvent for a suspension that is over already; EventState for any when the
    event is over, and for whatever penalty when it was cancelled.
    """
    event = chair.open(connection, number)
    if event.course.state is State.CANCELLED or (
        wanted.kind == SUSPENSION and event.course.state is State.FINISHED
    ):
        raise EventState(event.course.state.value)
    check_entered(connection, event, wanted.entry)
    _check_ahead(event, wanted, chair.now)
    with telling(connection, number, chair.now):
        made = event_penalties.impose(connection, number, wanted)
        _follow(connection, chair, event)
    noted(connection, chair.caller, "penalty", number, f"{wanted.entry} {wanted.kind}", chair.now)
    return replace(wanted, number=made)


def lift(connection: Connection, chair: Chair, number: int, penalty: int, reason: str) -> Penalty:
    """Let a penalty count no more: totals, ranks and master points follow, and who was kept out is paired
    again from the next round on. It is kept, and shown as lifted; also of an event that is over.

    Raises PenaltyNotFound, PenaltyLifted.
    """
    event = chair.open(connection, number)
    found = next(
        (each for each in event_penalties.of_event(connection, number) if each.number == penalty), None
    )
    if found is None:
        raise PenaltyNotFound(str(penalty))
    if found.lifted is not None:
        raise PenaltyLifted(found.lifted.at.isoformat().replace("+00:00", "Z"))
    lifted = Lifted(reason, chair.client, chair.now)
    with telling(connection, number, chair.now):
        event_penalties.lift(connection, found, lifted)
        _follow(connection, chair, event)
    said = f"{penalty}, {found.entry} {found.kind}: {reason}"
    noted(connection, chair.caller, "penalty lift", number, said, chair.now)
    return replace(found, lifted=lifted)


def listed(connection: Connection, chair: Chair, number: int) -> Sequence[Penalty]:
    """Every penalty of an event with its reason, in order. Raises EventNotFound, DirectorPlays."""
    return event_penalties.of_event(connection, chair.look(connection, number).id)


def _follow(connection: Connection, chair: Chair, event: Event) -> None:
    """Master points are given again where they were given; totals and ranks follow when they are read."""
    if event.published_at is not None:
        chair.keeper.award(connection, event_field.load(connection, event), chair.now)


def _check_ahead(event: Event, wanted: Penalty, now: datetime) -> None:
    """Raises InvalidEvent for a suspension that keeps nobody out any more: until a round that is over, or
    an instant that has passed. The round that is played may still be paired anew without the pair.
    """
    if wanted.until_round is not None and wanted.until_round <= rounds_over(event.course):
        raise InvalidEvent("/until_round", f"round {wanted.until_round} is over")
    if wanted.until_at is not None and wanted.until_at <= now:
        raise InvalidEvent("/until_at", "this instant has passed")
