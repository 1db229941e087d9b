"""The pairs of an event, its registration room, and how to take part."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from aiohttp import web

from server.bridge.event_rules import Kind
from server.bridge.registration import Doors
from server.bridge.seats import Seat
from server.bridge.swiss_clock import State
from server.services import event_reading, event_views
from server.services.event_views import Sitting
from server.services.tokens import NOBODY
from server.web import rendering_events
from server.web.pages.event_heads import Pair, head, pair
from server.web.pages.paging import Paging, wanted
from server.web.pages.travellers import Named, named
from server.web.pages.visits import Visit
from server.web.schemas_events import EventEntry
from server.web.schemas_rounds import EntryRow

OF_A_PAGE = 200  # pairs


@dataclass(frozen=True, slots=True)
class Entered:
    """A pair that is entered."""

    told: EntryRow  # as the API gives it
    pair: Pair
    state: EventEntry | None


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody at a table of the room."""

    player: Named
    hand_up: bool


@dataclass(frozen=True, slots=True)
class RoomTable:
    """A table of the registration room at which somebody sits."""

    number: int
    north: Sitter | None
    south: Sitter | None
    entered_at: datetime | None  # when both are, if both hands stay up


async def get(visit: Visit) -> web.Response:
    """Who has entered, who sits in the room, and how to take part. Raises EventNotFound."""
    found = await head(visit)
    database, number = visit.services.database, found.event.id
    sittings = await event_views.room(database, number)
    view = await event_reading.field(database, number, NOBODY)
    told, people = rendering_events.event(found.view), {each.number: each for each in view.field.entries}
    rows = rendering_events.entry_list(view).entries
    shown = Paging(wanted(visit), OF_A_PAGE, len(rows))
    return await visit.large_page(
        "event_entries.html",
        head=found,
        follows=found.follows,
        rules=told.rules,
        has_room=found.event.kind is Kind.SWISS_PAIRS,
        closed=told.room.doors is Doors.CLOSED,
        may_enter=told.room.doors is not Doors.CLOSED or found.event.course.doing is State.ANNOUNCED,
        late=told.room.doors is Doors.LATE,
        tables=room_tables(sittings, timedelta(seconds=found.rules.hold_s)),
        entries=[
            Entered(each, pair(people[each.entry], view.people), told.entries.get(str(each.entry)))
            for each in shown.of(rows)
        ],
        paging=shown,
    )


def room_tables(sittings: Iterable[Sitting], hold: timedelta) -> list[RoomTable]:
    """The tables of the room at which somebody sits, by number; ``hold``: how long hands must be up."""
    tables: dict[int, dict[Seat, Sitting]] = {}
    for each in sittings:
        tables.setdefault(each.table, {})[each.seat] = each
    shown = []
    for number, seats in sorted(tables.items()):
        since = [each.hand_up_since for each in seats.values() if each.hand_up_since is not None]
        complete = max(since) + hold if len(since) == 2 else None
        shown.append(RoomTable(number, _sitter(seats.get(Seat.N)), _sitter(seats.get(Seat.S)), complete))
    return shown


def _sitter(sitting: Sitting | None) -> Sitter | None:
    return None if sitting is None else Sitter(named(sitting.player), sitting.hand_up_since is not None)
