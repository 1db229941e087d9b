"""The grades that players reach by their master points."""

from aiohttp import web

from server.web import schemas_rounds
from server.web.answers import json_answer
from server.web.keys import Call
from server.web.routes import BASE, Route


async def get_list(call: Call) -> web.Response:
    """The twelve grades."""
    scale = call.services.keeper.scale
    rows = [
        schemas_rounds.GradeRow(each.number, each.english, each.chinese, points)
        for each, points in zip(scale.names, scale.thresholds, strict=True)
    ]
    return json_answer(schemas_rounds.GradeList(rows))


ROUTES = (
    Route(
        "GET",
        f"{BASE}/grades",
        get_list,
        "Players",
        schemas_rounds.GradeList,
        "The twelve grades and what they take",
    ),
)
