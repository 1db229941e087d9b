"""Weeks."""

from aiohttp import web

from server.services import weeks
from server.web import schemas
from server.web.answers import json_answer
from server.web.keys import Call
from server.web.routes import BASE, Route


async def get_current(call: Call) -> web.Response:
    """The week that is open."""
    found = weeks.current(call.now, call.services.zone)
    return json_answer(schemas.Week(str(found.week), found.opens_at, found.closes_at, found.state.value))


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
