"""Weeks."""

from aiohttp import web

from server.bridge.pool import DEFAULT_POOL
from server.services import weeks
from server.web import rendering, schemas
from server.web.answers import json_answer
from server.web.keys import Call
from server.web.routes import BASE, Route


async def get_current(call: Call) -> web.Response:
    """The week that is open."""
    services = call.services
    found = await weeks.current(services.database, DEFAULT_POOL, call.now, services.zone)
    return json_answer(rendering.week(found))


ROUTES = (
    Route(
        "GET",
        f"{BASE}/weeks/current",
        get_current,
        "Weeks",
        schemas.Week,
        "The week that is open",
    ),
)
