"""Rounds of an event that a director pairs by hand: wanted, read, taken back."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from server.bridge.swiss_by_hand import Objection, arisen, may_be_replaced, too_early
from server.bridge.swiss_clock import State
from server.services import event_field, event_reseating, event_rounds
from server.services.event_direction import Chair, check_going_on
from server.services.event_errors import (
    EventState,
    PairingRefused,
    RoundNotFound,
    RoundStarted,
    RoundUnderWay,
)
from server.services.event_snapshot import telling, told_against
from server.services.events import noted
from server.storage import event_adjustments
from server.storage import event_rounds as stored_rounds
from server.storage.event_rounds import ByHand


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
    check_going_on(event)
    found = event_field.load(connection, event)
    playing = pairing.round == found.started
    closed = event.course.state is State.CLOSING or event.course.paused_in is State.CLOSING
    result = _has_result(connection, number, pairing.round)
    if (playing and closed) or not may_be_replaced(pairing.round, found.started, result):
        raise RoundUnderWay
    if early := too_early(pairing.round, found.started):
        raise PairingRefused(False, tuple(told_against(each) for each in early))
    against = event_rounds.against(found, pairing.round, pairing.wanted, chair.now)
    forbidden = any(each.fault.forbids for each in against)
    if playing and not forbidden:
        against += event_reseating.against(connection, found, pairing.round, pairing.wanted, chair.now)
        forbidden = any(each.fault.forbids for each in against)
    if forbidden or (against and not pairing.force):
        raise PairingRefused(not forbidden, tuple(told_against(each) for each in against))
    with telling(connection, number, chair.now):
        stored_rounds.keep_by_hand(connection, number, pairing.round, _taken(pairing, against))
        if playing:
            event_reseating.reseat(connection, found, pairing.round, pairing.wanted, chair.now)
    noted(connection, chair.caller, "pairing", number, f"{pairing.round}: {pairing.reason}", chair.now)
    return against


@dataclass(frozen=True, slots=True)
class WantedRound:
    """A round that a director wants by hand."""

    round: int
    by_hand: ByHand
    started: bool  # it was paired so; otherwise nobody but directors knows of it
    arisen: tuple[Objection[int], ...]  # would have it dropped if it started now
    dropped: tuple[Objection[int], ...]  # had it dropped when it started; none: it was not


def wanted(connection: Connection, chair: Chair, number: int) -> Sequence[WantedRound]:
    """Every round that is wanted by hand, or was when it started and could not be paired so, in order.

    Raises EventNotFound, DirectorPlays.
    """
    found = event_field.load(connection, chair.look(connection, number))
    listed = []
    for each in found.rounds:
        if each.dropped is not None:
            listed.append(WantedRound(each.number, each.dropped, False, (), each.dropped.dropped))
        elif each.by_hand is not None:
            started = each.started_at is not None
            now = () if started else event_rounds.against(found, each.number, each.by_hand, chair.now)
            new = arisen(now, each.by_hand.despite)
            listed.append(WantedRound(each.number, each.by_hand, started, new, ()))
    return listed


def take_back(connection: Connection, chair: Chair, number: int, wanted_round: int, reason: str) -> None:
    """Let a round that is wanted by hand be paired as if nobody had asked. It is told to nobody, as nobody
    knew of it.

    Raises RoundNotFound, RoundStarted, EventState when the event is over or the round is not wanted by hand.
    """
    event = chair.open(connection, number)
    if not event_rounds.belongs(event, wanted_round):
        raise RoundNotFound(str(wanted_round))
    check_going_on(event)
    rounds = {each.number: each for each in stored_rounds.rounds(connection, number)}
    found = rounds.get(wanted_round)
    if found is not None and found.started_at is not None:
        raise RoundStarted
    if found is None or found.by_hand is None:
        raise EventState(event.course.state.value, f"Round {wanted_round} is not wanted by hand.")
    stored_rounds.keep_by_hand(connection, number, wanted_round, None)
    noted(connection, chair.caller, "pairing cancel", number, f"{wanted_round}: {reason}", chair.now)


def _taken(pairing: Pairing, against: tuple[Objection[int], ...]) -> ByHand:
    return ByHand(pairing.wanted.matches, pairing.wanted.sit_outs, against)


def _has_result(connection: Connection, number: int, wanted: int) -> bool:
    """Whether a table of a round has told anything, whatever was ruled about it, or was awarded something."""
    awarded = event_adjustments.standing(connection, number, wanted)
    return bool(stored_rounds.appeared(connection, number, wanted) or awarded)
