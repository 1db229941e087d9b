"""The API document, readable."""

from aiohttp import web

from server.web import openapi
from server.web.pages.visits import Visit


async def get(visit: Visit) -> web.Response:
    """Every operation with its parameters, bodies and answers; the reference itself is in English."""
    return visit.page("docs.html", api=openapi.document())
