"""Events: the list of all, and what the first page says of them."""

from dataclasses import dataclass

from aiohttp import web

from server.bridge.event_rules import Kind
from server.bridge.swiss_clock import State
from server.services import event_lists
from server.services.bulletins import positions
from server.services.event_lists import Listed
from server.services.event_snapshot import ALL
from server.web import queries, rendering_events
from server.web.pages import sheets
from server.web.pages.event_heads import Deadline, deadline
from server.web.pages.files import CSV, file
from server.web.pages.follows import Follows
from server.web.pages.travellers import Named, named
from server.web.pages.visits import Visit
from server.web.schemas_events import EventBrief

OF_A_PAGE = 50
OF_A_FILE = 1000


@dataclass(frozen=True, slots=True)
class Line:
    """An event in a list."""

    told: EventBrief  # as the API gives it
    pairs: int
    boards: int  # of a round
    winners: tuple[Named, ...]
    winning: int | None  # the number of their pair
    deadline: Deadline | None


@dataclass(frozen=True, slots=True)
class Programme:
    """What the first page says of events."""

    played: tuple[Line, ...]
    coming: tuple[Line, ...]
    over: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of a list asks for."""

    kind: Kind | None
    state: State | None
    before: int  # the last event of the page before

    async def read(self, visit: Visit, limit: int) -> tuple[Listed, ...]:
        """So many events of the list."""
        return await event_lists.page(visit.services.database, self.kind, self.state, self.before, limit)

    @property
    def query(self) -> dict[str, str]:
        """The filters, as in an address of the page as of the API."""
        given = {"kind": self.kind, "state": self.state}
        return {name: value.value for name, value in given.items() if value is not None}


async def get_list(visit: Visit) -> web.Response:
    """All events, newest first, or those of a kind and in a state. Raises InvalidBody."""
    services, asked = visit.services, _asked(visit)
    follows = Follows(await positions(services.database, [ALL]))
    found = await asked.read(visit, OF_A_PAGE + 1)
    rows, more = found[:OF_A_PAGE], len(found) > OF_A_PAGE
    return visit.page(
        "events.html",
        follows=follows,
        events=lines(rows),
        asked=asked.query,
        here=asked.query | ({"cursor": visit.request.query["cursor"]} if asked.before else {}),
        kind=asked.query.get("kind"),
        state=asked.query.get("state"),
        first=not asked.before,
        cursor=queries.cursor(rows[-1].event.id, services.secret) if more else None,
        kinds=[each.value for each in Kind],
        states=[each.value for each in State],
    )


async def get_csv(visit: Visit) -> web.Response:
    """The events of the list from the page that is asked for on. Raises InvalidBody."""
    found = await _asked(visit).read(visit, OF_A_FILE)
    return file("events.csv", sheets.events(found), CSV)


def _asked(visit: Visit) -> Asked:
    query = visit.request.query
    kind, state = query.get("kind") or None, query.get("state") or None
    return Asked(
        None if kind is None else queries.choice(kind, "kind", Kind, Kind.PAIRS),
        None if state is None else queries.choice(state, "state", State, State.RUNNING),
        queries.read_cursor(query.get("cursor") or None, visit.services.secret),
    )


async def programme(visit: Visit, limit: int, kind: Kind | None = None) -> Programme:
    """What is played, to come and over, at most so many events of each."""
    found = await event_lists.programme(visit.services.database, limit, kind)
    return Programme(lines(found.played), lines(found.coming), lines(found.over))


def lines(found: tuple[Listed, ...]) -> tuple[Line, ...]:
    """Events as they stand in a list."""
    return tuple(
        Line(
            rendering_events.brief(each.event),
            each.pairs,
            each.event.rules.boards,
            tuple(named(player) for player in each.winners),
            each.winning,
            deadline(each.event),
        )
        for each in found
    )
