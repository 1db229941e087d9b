"""Looking for players, boards and events: a plain form, and what was found."""

from aiohttp import web

from server.services import search
from server.storage.ids import event_id
from server.web import queries, rendering
from server.web.pages.travellers import named
from server.web.pages.visits import Visit


async def get(visit: Visit) -> web.Response:
    """What is found for ``?q=``. Raises InvalidBody."""
    services, words = visit.services, queries.words(visit.request.query.get("q"))
    found = await search.find(services.database, words, services.pools, visit.now, services.zone)
    return visit.page(
        "search.html",
        sought=words,
        found=bool(found),
        people=[named(player) for player in found.players],
        more=found.more_players,
        boards=[rendering.board_view(board, False) for board in found.boards],
        events=[(event_id(event.id), event.name, event.course.state.value) for event in found.events],
        week=found.week,
    )
