"""Outages."""

from functools import partial

from aiohttp import web
from sqlalchemy import Connection

from server.services import errors, event_errors, outages
from server.services.idempotency import Answered, once
from server.services.outages import Declared, Outage
from server.services.tokens import Scope
from server.storage.ids import board_id, disconnect_id
from server.web import bodies, queries, rendering, requests, schemas_rulings
from server.web.answers import answered
from server.web.api.rulings import DRY_RUN
from server.web.keys import Call
from server.web.routes import BASE, KEY, Route


async def post(call: Call) -> web.Response:
    """Take back every disconnect within a window."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, requests.OutageBody)
    begins, ends = bodies.in_utc(body.since, "/since"), bodies.in_utc(body.until, "/until")
    outage, director = Outage(begins, ends, body.reason), call.director
    database = call.services.database
    if queries.flag("dry_run", call.request.query.get("dry_run")):
        found = await database.read(lambda connection: outages.preview(connection, director, outage))
        return answered(Answered(200, _text(True, found)))
    request = call.once({"address": call.request.path, "body": value})

    def verb(connection: Connection) -> Answered:
        declared = partial(outages.declare, connection, director, outage)
        return once(connection, request, call.now, declared, partial(_text, False), 200)

    return answered(await database.write(verb))


def _text(dry_run: bool, found: Declared) -> str:
    return rendering.text(
        schemas_rulings.Outage(
            since=found.outage.begins,
            until=found.outage.ends,
            reason=found.outage.reason,
            disconnects=[
                schemas_rulings.TakenBack(disconnect_id(each.number), board_id(each.board))
                for each in found.disconnects
            ],
            dry_run=dry_run,
        )
    )


ROUTES = (
    Route(
        "POST",
        f"{BASE}/outages",
        post,
        "Rulings",
        schemas_rulings.Outage,
        "Declare an outage",
        "Every disconnect that stands and happened from `since` until before `until` is void, in one step "
        "and for one reason: nobody was to blame. When it happened is the `at` that was reported, or else "
        "when the report came. Reports that come later stand until the window is declared again.",
        scope=Scope.DIRECTOR,
        body=requests.OutageBody,
        idempotent=True,
        parameters=(DRY_RUN, KEY),
        problems=(errors.OutageRefused, errors.OwnBoard, event_errors.DirectorPlays),
    ),
)
