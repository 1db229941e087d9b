"""Reading an event: its rounds, pairs, standings, boards and scorecards."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.event_rules import Kind
from server.services import event_field, event_people, travellers
from server.services.errors import BoardNotFound
from server.services.event_errors import EntryNotFound, RoundNotFound, RoundNotStarted
from server.services.event_field import Field
from server.services.event_rounds import belongs
from server.services.events import existing
from server.services.secrecy import Reader, Secrecy, organises
from server.services.tokens import Caller, Scope
from server.services.travellers import TravellerView
from server.storage import boards, event_adjustments, event_entries, event_rounds, events, players
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.event_adjustments import Adjustment
from server.storage.event_entries import Entry
from server.storage.event_rounds import Match, Round
from server.storage.events import Event
from server.storage.players import Player


@dataclass(frozen=True, slots=True)
class FieldView:
    """An event's field with its people, as far as the reader may see it."""

    field: Field
    people: Mapping[int, Player]  # by number
    open: bool  # whether scores may be shown
    masterpoints: Mapping[int, int]  # by player


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round that has started."""

    view: FieldView
    round: Round
    matches: tuple[Match, ...]
    boards: tuple[Board, ...]


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board of an event, as far as the reader may see it."""

    round: int
    board: Board
    traveller: TravellerView
    matches: Mapping[str, Match]  # by the tables of results
    adjustments: tuple[Adjustment, ...] = ()  # the last at each table, where there was any


@dataclass(frozen=True, slots=True)
class CardView:
    """A pair of an event, and what it has done."""

    view: FieldView
    entry: Entry


def may_see(connection: Connection, event: Event, caller: Caller) -> bool:
    """Whether scores of rounds that are closed may be shown: of a pairs event when they are published.

    Before that to its organiser, who is to know what he publishes, and to directors; to none who plays in it.
    """
    if event.kind is Kind.SWISS_PAIRS or event.published_at is not None:
        return True
    entitled = organises(event, caller) or caller.may(Scope.DIRECTOR)
    return entitled and not event_people.has_part(connection, event.id, caller.player)


async def field(database: Database, number: int, caller: Caller) -> FieldView:
    """The field of an event. Raises EventNotFound."""
    return await database.read(lambda connection: field_in(connection, number, caller))


async def round_of(database: Database, number: int, wanted: int, caller: Caller) -> RoundView:
    """A round that has started. Raises EventNotFound, RoundNotFound, RoundNotStarted."""

    def query(connection: Connection) -> RoundView:
        view = field_in(connection, number, caller)
        found = next((each for each in view.field.rounds if each.number == wanted), None)
        if not belongs(view.field.event, wanted):
            raise RoundNotFound(str(wanted))
        if found is None or found.started_at is None:
            raise RoundNotStarted(str(wanted))
        matches = tuple(each for each in view.field.matches if each.round == wanted)
        rows = event_rounds.board_numbers(connection, number, wanted).values()
        made = [boards.get(connection, row) for row in rows]
        return RoundView(view, found, matches, tuple(board for board in made if board is not None))

    return await database.read(query)


async def board(
    database: Database, number: int, wanted: int, reader: Reader, secrecy: Secrecy, now: datetime
) -> BoardView:
    """A board of an event by its number. Raises EventNotFound, BoardNotFound, ScopeMissing."""

    def query(connection: Connection) -> BoardView:
        event = existing(connection, number)
        row = event_rounds.board_numbers(connection, number).get(wanted)
        found = None if row is None else boards.get(connection, row)
        if found is None:
            raise BoardNotFound(str(wanted))
        return _board(connection, event, found, reader, secrecy, now)

    return await database.read(query)


def boards_in(
    connection: Connection, event: Event, reader: Reader, secrecy: Secrecy, now: datetime
) -> list[BoardView]:
    """All boards of an event by number, within a transaction. Raises ScopeMissing."""
    rows = event_rounds.board_numbers(connection, event.id)
    made = boards.several(connection, rows.values())
    return [_board(connection, event, made[rows[each]], reader, secrecy, now) for each in sorted(rows)]


def _board(
    connection: Connection, event: Event, found: Board, reader: Reader, secrecy: Secrecy, now: datetime
) -> BoardView:
    place = events.of_board(connection, found.id)
    view = travellers.view(connection, found, reader, secrecy, now)
    round_number = 0 if place is None else place[1]
    tables = event_rounds.matches(connection, event.id, round_number)
    ruled = event_adjustments.latest(connection, event.id, round_number)
    adjusted = tuple(each for (board, _), each in sorted(ruled.items()) if board == found.number)
    return BoardView(round_number, found, view, {each.name: each for each in tables}, adjusted)


async def card(database: Database, number: int, entry: int, caller: Caller) -> CardView:
    """The scorecard of a pair. Raises EventNotFound, EntryNotFound."""

    def query(connection: Connection) -> CardView:
        view = field_in(connection, number, caller)
        found = next((each for each in view.field.entries if each.number == entry), None)
        if found is None:
            raise EntryNotFound(str(entry))
        return CardView(view, found)

    return await database.read(query)


def field_in(connection: Connection, number: int, caller: Caller) -> FieldView:
    """The field of an event, within a transaction. Raises EventNotFound."""
    event = existing(connection, number)
    found = event_field.load(connection, event)
    numbers = {player for each in found.entries for player in each.players}
    return FieldView(
        found,
        players.by_number(connection, numbers),
        may_see(connection, event, caller),
        event_entries.awarded(connection, number),
    )
