"""Whether everything works, for people."""

from importlib.metadata import version

from aiohttp import web

from server.bridge.week import week_of
from server.services import installation
from server.storage.errors import StorageError
from server.web.keys import LIVE, STOPPING
from server.web.pages.visits import Visit


async def get(visit: Visit) -> web.Response:
    """The state of this server; 503 when it cannot work."""
    services, app = visit.services, visit.request.app
    try:
        at_head = await installation.at_head(services.database)
        answers = True
    except StorageError:
        answers = at_head = False
    week = week_of(visit.now, services.zone)
    stopping = bool(app[STOPPING])
    works = answers and at_head and not stopping
    return visit.page(
        "status.html",
        status=200 if works else 503,
        works=works,
        answers=answers,
        at_head=at_head,
        stopping=stopping,
        waiting=services.ingest.waiting,
        oldest=services.ingest.oldest,
        followers=app[LIVE].followers,
        week=week,
        closes_at=week.closes_at(services.zone),
        simulated=bool(services.settings.clock),
        version=version("crossruff"),
        now=visit.now,
    )
