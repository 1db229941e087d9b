"""From a qualification to its final: who goes on, and what each pair takes along."""

from aiohttp import web
from sqlalchemy import Connection

from server.services import event_errors, event_finals
from server.services.event_play import Desk
from server.services.tokens import Scope
from server.web import bodies, schemas_events, schemas_rounds
from server.web import rendering_finals as shown
from server.web.answers import json_answer
from server.web.api.events import MINE, doing, named, part
from server.web.keys import Call
from server.web.requests_events import RanksBody
from server.web.routes import BASE, KEY, Route


async def get(call: Call) -> web.Response:
    """Who goes on."""
    found = await event_finals.qualifiers(call.services.database, named(call), call.caller)
    return json_answer(shown.qualifiers(found))


async def post_ranks(call: Call) -> web.Response:
    """Note where a pair has come in earlier qualifications."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, RanksBody)
    services, number = call.services, named(call)
    entry = part(call, "entry", event_errors.EntryNotFound)
    desk = Desk(services.keeper, call.caller, services.settings.players_auto_create, call.now)

    def verb(connection: Connection) -> None:
        event_finals.set_earlier_ranks(connection, desk, number, entry, body.ranks)

    return await doing(call, value, verb, lambda _: '{"done":true}', 200)


_ADDRESS = f"{BASE}/events/{{id}}"

ROUTES = (
    Route(
        "GET",
        f"{_ADDRESS}/qualifiers",
        get,
        "Events",
        schemas_rounds.Qualifiers,
        "Read who goes on from a qualification",
        "Everybody who ties with the last place goes on too: by VPs who is less than 0.05, or the `band`, "
        "below it, else who has the same score. Then the best of those who are protected until their places "
        "are filled. Who has left the event goes nowhere; the next one does in his place. Carried over are "
        "20 VPs by the best, none by the last that is not protected, linear between, and 24 divided by the "
        "rank for each earlier qualification; 20 at most.",
        problems=(event_errors.EventNotFound,),
        private=True,
    ),
    Route(
        "POST",
        f"{_ADDRESS}/entries/{{entry}}/earlier-ranks",
        post_ranks,
        "Events",
        schemas_events.Done,
        "Say where a pair has come in earlier qualifications",
        "In place of what was said before.",
        scope=Scope.EVENTS,
        body=RanksBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(*MINE, event_errors.EntryNotFound),
    ),
)
