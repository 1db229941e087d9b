"""Rulings on boards of events: the round is scored again, and whatever follows from its scores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.traveller import SideScores
from server.services import event_field, event_moves, event_scoring
from server.services.event_course import Keeper
from server.services.event_moves import PairMove
from server.services.event_scoring import Supposed
from server.services.events import check_no_part
from server.storage import event_rounds, events

Fields = Mapping[str, SideScores]  # by table, by the method of the event


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a ruling on a board makes of its event: nothing before the round of the board is scored."""

    before: Fields = field(default_factory=dict)  # what the board gives, as it is
    after: Fields = field(default_factory=dict)  # and as the ruling would have it
    moves: tuple[PairMove, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundOfBoard:
    """The round of an event that a board belongs to."""

    event: int
    number: int


def round_of(connection: Connection, board: int, player: str | None) -> RoundOfBoard | None:
    """The round of a board; None where it belongs to a week. Raises DirectorPlays.

    ``player``: who the director is when he plays.
    """
    found = events.of_board(connection, board)
    if found is None:
        return None
    event, number = found
    check_no_part(connection, event, player)
    return RoundOfBoard(event, number)


def hold(connection: Connection, keeper: Keeper, found: RoundOfBoard, now: datetime) -> None:
    """Hold the event until the transaction ends, with everything done that was due before the ruling."""
    keeper.open(connection, found.event, now)


def consequences(connection: Connection, found: RoundOfBoard, board: int, supposed: Supposed) -> Consequences:
    """What follows for the event of a board when it has one result as ``supposed``. Nothing is stored."""
    event = events.get(connection, found.event)
    before = event_field.board_fields(connection, board)
    if event is None or not before:
        return Consequences()
    ruled = event_scoring.supposed_scores(connection, event, found.number, supposed)
    after = event_field.fields_of(connection, found.event, found.number, supposed.board, ruled)
    return Consequences(
        before, after, event_moves.moves(event_field.load(connection, event), found.number, ruled)
    )


def follow(connection: Connection, keeper: Keeper, found: RoundOfBoard, now: datetime) -> None:
    """Score the round again if it was scored, and give master points again where they were given.

    Pairings, seats and boards of rounds that have started stay.
    """
    event = events.get(connection, found.event)
    rounds = event_rounds.rounds(connection, found.event)
    scored = any(each.number == found.number and each.scored_at is not None for each in rounds)
    if event is None or not scored:
        return
    event_scoring.rescore(connection, event, found.number, now)
    if event.published_at is not None:
        keeper.award(connection, event_field.load(connection, event), now)
