"""For operators: whether it lives, whether it can work, what it has done."""

from aiohttp import web

from server.services import installation
from server.storage.errors import DatabaseBusy
from server.web import metrics, schemas
from server.web.answers import json_answer
from server.web.keys import LIVE, STOPPING, Call
from server.web.routes import Route


async def get_health(_call: Call) -> web.Response:
    """The process answers."""
    return json_answer({"status": "ok"})


async def get_ready(call: Call) -> web.Response:
    """The database answers and has the schema of this version; 503 while it does not, or when stopping."""
    if call.request.app[STOPPING]:
        raise DatabaseBusy("the server is stopping")
    if not await installation.at_head(call.services.database):
        raise DatabaseBusy("the schema is not the one of this version; run `crossruff migrate`")
    return json_answer({"status": "ok"})


async def get_metrics(call: Call) -> web.Response:
    """Figures in Prometheus' text format."""
    call.services.metrics.look(call.services.ingest, call.request.app[LIVE])
    return web.Response(body=call.services.metrics.text(), headers={"Content-Type": metrics.CONTENT_TYPE})


ROUTES = (
    Route("GET", "/healthz", get_health, "Operations", schemas.Health, "The process answers"),
    Route(
        "GET",
        "/readyz",
        get_ready,
        "Operations",
        schemas.Health,
        "The database answers and has the schema of this version",
    ),
    Route("GET", "/metrics", get_metrics, "Operations", str, "Figures for Prometheus", media="text/plain"),
)
