"""Artificial adjusted scores (Law 12C2) of boards that a table of an event could not play to a result."""

from dataclasses import dataclass

from sqlalchemy import Connection

from server.bridge.adjustments import Artificial
from server.bridge.swiss_clock import State
from server.services import event_field, event_moves, event_scoring
from server.services.errors import AdjustmentWithoutDamage, BoardNotFound, StaleVersion
from server.services.event_direction import Chair
from server.services.event_errors import EventState, ResultStands, TableNotInRound
from server.services.event_moves import PairMove
from server.services.event_rulings import RoundOfBoard, follow
from server.services.event_scoring import Supposed
from server.services.event_snapshot import telling
from server.services.events import noted
from server.storage import event_adjustments, event_rounds
from server.storage.event_adjustments import Adjustment
from server.storage.event_rounds import Match
from server.storage.events import Event
from server.storage.ids import event_id
from server.storage.rulings import Basis


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a director decides about a board at a table."""

    round: int
    table: int
    board: int  # by its number in the event
    version: int  # of what stood before; 0: nothing
    score: Artificial | None  # None: takes back what stood
    basis: Basis | None
    infraction: str | None
    damage: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Adjusted:
    """An adjustment and what it moves."""

    event: str
    round: int
    made: Adjustment
    moves: tuple[PairMove, ...]  # none before the round is scored


def check_basis(basis: Basis) -> None:
    """Whether this is a ground for an artificial score; raises AdjustmentWithoutDamage."""
    if basis is Basis.SCORE_ERROR:
        raise AdjustmentWithoutDamage("/basis", "what was reported wrongly is assigned, not awarded")


def adjust(connection: Connection, chair: Chair, number: int, wanted: Wanted) -> Adjusted:
    """Award a score for a board without result, in place of what was awarded before, or take it back.

    Raises EventNotFound, DirectorPlays, EventState, TableNotInRound, BoardNotFound, ResultStands,
    StaleVersion.
    """
    event = chair.open(connection, number)
    adjusted = _adjusted(connection, chair, event, wanted)
    with telling(connection, number, chair.now):
        event_adjustments.add(connection, number, adjusted.made)
        follow(connection, chair.keeper, RoundOfBoard(number, wanted.round), chair.now)
    said = "taken back" if wanted.score is None else f"{wanted.score.ns} {wanted.score.ew}"
    where = f"round {wanted.round} table {wanted.table} board {wanted.board}"
    noted(
        connection, chair.caller, "artificial score", number, f"{where}: {said}; {wanted.reason}", chair.now
    )
    return adjusted


def preview(connection: Connection, chair: Chair, number: int, wanted: Wanted) -> Adjusted:
    """What ``adjust`` would do; changes nothing."""
    return _adjusted(connection, chair, chair.look(connection, number), wanted)


def _adjusted(connection: Connection, chair: Chair, event: Event, wanted: Wanted) -> Adjusted:
    match = _match(connection, event, wanted)
    if any(
        (board, table) == (wanted.board, match.name)
        for board, table, *_ in event_rounds.results(connection, event.id, wanted.round)
    ):
        raise ResultStands(match.name)
    before = event_adjustments.latest(connection, event.id, wanted.round).get((wanted.board, wanted.table))
    version = 0 if before is None else before.version
    if version != wanted.version:
        raise StaleVersion(version)
    if wanted.score is None and (before is None or before.score is None):
        raise EventState(event.course.state.value, "No artificial score stands on this board at this table.")
    made = Adjustment(
        wanted.board,
        wanted.table,
        version + 1,
        wanted.score,
        wanted.basis,
        wanted.infraction,
        wanted.damage,
        wanted.reason,
        chair.client,
        chair.now,
    )
    moves = _moves(connection, event, wanted.round, Supposed(wanted.board, match.name, wanted.score))
    return Adjusted(event_id(event.id), wanted.round, made, moves)


def _match(connection: Connection, event: Event, wanted: Wanted) -> Match:
    if event.course.state is State.CANCELLED:
        raise EventState(event.course.state.value)
    matches = event_rounds.matches(connection, event.id, wanted.round)
    match = next((each for each in matches if each.table == wanted.table), None)
    if match is None:
        raise TableNotInRound(wanted.round, wanted.table)
    if wanted.board not in event_rounds.board_numbers(connection, event.id, wanted.round):
        raise BoardNotFound(str(wanted.board))
    return match


def _moves(connection: Connection, event: Event, number: int, supposed: Supposed) -> tuple[PairMove, ...]:
    """Pairs that stand elsewhere then, when the round is scored."""
    found = event_field.load(connection, event)
    if not any(each.number == number and each.scored_at is not None for each in found.rounds):
        return ()
    ruled = event_scoring.supposed_scores(connection, event, number, supposed)
    return event_moves.moves(found, number, ruled)
