"""The rounds of an event: who meets whom at which table, and how far each has come."""

from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web

from server.services import event_reading
from server.services.event_errors import RoundNotFound
from server.services.event_reading import RoundView
from server.services.tokens import NOBODY
from server.storage.ids import board_id
from server.web import rendering_events
from server.web.pages.event_heads import Head, Pair, head, pair, part
from server.web.pages.visits import Visit
from server.web.schemas_events import LiveTable
from server.web.schemas_rounds import RoundTable


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round."""

    told: RoundTable  # as the API gives it
    ns: Pair
    ew: Pair
    live: LiveTable | None  # None: the round is not played now


async def get(visit: Visit) -> web.Response:
    """A round; one that has not begun, with when it will. Raises EventNotFound, RoundNotFound."""
    found, number = await head(visit), part(visit, "round", RoundNotFound)
    if found.started < number <= found.rules.rounds:
        return visit.page("event_round.html", head=found, follows=found.follows, number=number, round=None)
    database = visit.services.database
    view = await event_reading.round_of(database, found.event.id, number, NOBODY)
    people = {each.number: pair(each, view.view.people) for each in view.view.field.entries}
    return await visit.large_page(
        "event_round.html",
        head=found,
        follows=found.follows,
        number=number,
        round=rendering_events.round_view(view),
        tables=_tables(found, view, people),
        sit_outs=[people[each] for each in view.round.sit_outs],
        boards=[(each.number, each.state.value, board_id(each.id)) for each in view.boards],
        open=view.view.open,
    )


def _tables(found: Head, view: RoundView, people: Mapping[int, Pair]) -> list[Table]:
    live = {}
    if found.round == view.round.number and view.round.scored_at is None:
        live = rendering_events.event(found.view).tables or {}
    return [
        Table(each, people[each.ns], people[each.ew], live.get(str(each.table)))
        for each in rendering_events.round_view(view).tables
    ]
