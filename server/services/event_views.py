"""What is shown of an event beyond what its standings, rounds and boards say: room, results of a pair."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.seats import Seat
from server.services import event_reading
from server.services.event_reading import CardView
from server.services.events import existing
from server.services.secrecy import Reader, Secrecy
from server.storage import boards, event_entries, event_results, event_rounds, events, players
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.events import moment
from server.storage.players import Player
from server.storage.results import Result


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody in the registration room."""

    table: int
    seat: Seat
    player: Player
    hand_up_since: datetime | None


@dataclass(frozen=True, slots=True)
class CardResults:
    """A pair's scorecard with what its tables did on boards that everybody may see."""

    card: CardView
    results: Mapping[int, Result]  # by the board's number in the event
    boards: Mapping[int, Board]  # of these results, likewise


@dataclass(frozen=True, slots=True)
class Place:
    """Where a board of an event belongs."""

    event: int
    name: str
    round: int


async def room(database: Database, number: int) -> tuple[Sitting, ...]:
    """Who sits in the registration room, by table and seat. Raises EventNotFound."""

    def query(connection: Connection) -> tuple[Sitting, ...]:
        seats = event_entries.seats(connection, existing(connection, number).id)
        people = players.by_number(connection, (player for player, _ in seats.values()))
        return tuple(
            Sitting(table, seat, people[player], None if since is None else moment(since))
            for (table, seat), (player, since) in sorted(seats.items())
        )

    return await database.read(query)


async def card(
    database: Database, named: tuple[int, int], reader: Reader, secrecy: Secrecy, now: datetime
) -> CardResults:
    """The scorecard of a pair (event, number). Raises EventNotFound, EntryNotFound, ScopeMissing.

    Of boards that the reader may not see yet there is nothing.
    """

    number, entry = named
    found = await event_reading.card(database, number, entry, reader.caller)
    tables = [each.name for each in found.view.field.matches if entry in (each.ns, each.ew)]

    def query(connection: Connection) -> CardResults:
        rows = event_rounds.board_numbers(connection, number)
        made = boards.several(connection, rows.values())
        seen = {
            made[row].id: name
            for name, row in rows.items()
            if secrecy.open_to(connection, made[row], reader, now)
        }
        played = event_results.of_tables(connection, seen, tables)
        results = {seen[each.board]: each for each in played}
        return CardResults(found, results, {name: made[rows[name]] for name in results})

    return await database.read(query)


async def place(database: Database, board: int) -> Place | None:
    """The event and round that a board belongs to; None where it belongs to none."""

    def query(connection: Connection) -> Place | None:
        found = events.of_board(connection, board)
        event = None if found is None else events.get(connection, found[0])
        return None if found is None or event is None else Place(event.id, event.name, found[1])

    return await database.read(query)
