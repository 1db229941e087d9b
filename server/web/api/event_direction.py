"""What a director does in an event."""

from collections.abc import Callable
from typing import Any, TypeVar

from aiohttp import web
from sqlalchemy import Connection

from server.services import event_direction, event_errors
from server.services.event_direction import Chair
from server.services.events import EventView
from server.services.tokens import Scope
from server.web import bodies, rendering, requests_events, schemas_events
from server.web import rendering_events as shown
from server.web.api.events import doing, named
from server.web.keys import Call
from server.web.routes import BASE, KEY, Route

T = TypeVar("T")


async def post_pause(call: Call) -> web.Response:
    """Stop the clock of an event."""
    return await _clock(call, event_direction.pause)


async def post_resume(call: Call) -> web.Response:
    """Let the clock go on."""
    return await _clock(call, event_direction.resume)


async def post_withdraw(call: Call) -> web.Response:
    """Take a pair out from the next round on."""
    value, body = await body_of(call, requests_events.WithdrawBody)
    chair, number = chair_of(call), named(call)

    def verb(connection: Connection) -> EventView:
        return event_direction.withdraw(connection, chair, number, body.entry, body.reason)

    return await doing(call, value, verb, _text, 200)


async def _clock(call: Call, verb: Callable[[Connection, Chair, int, str], EventView]) -> web.Response:
    value, body = await body_of(call, requests_events.ReasonBody)
    chair, number = chair_of(call), named(call)
    return await doing(
        call, value, lambda connection: verb(connection, chair, number, body.reason), _text, 200
    )


async def body_of(call: Call, kind: type[T]) -> tuple[Any, T]:
    """The body as it came, and what it says."""
    value = bodies.parse(await bodies.read(call.request))
    return value, bodies.convert(value, kind)


def chair_of(call: Call) -> Chair:
    """Where the director sits who asks."""
    return Chair(call.services.keeper, call.caller, call.now)


def _text(view: EventView) -> str:
    return rendering.text(shown.event(view))


_ADDRESS = f"{BASE}/events/{{id}}"
DIRECTED = (event_errors.EventNotFound, event_errors.DirectorPlays, event_errors.EventState)


def _route(  # what all these have in common
    path: str,
    handler: Any,
    body: Any,
    summary: str,
    *more: type[Exception],
) -> Route:
    return Route(
        "POST",
        f"{_ADDRESS}/{path}",
        handler,
        "Events",
        schemas_events.Event,
        summary,
        scope=Scope.DIRECTOR,
        body=body,
        idempotent=True,
        parameters=(KEY,),
        problems=(*DIRECTED, *more),
    )


ROUTES = (
    _route("pause", post_pause, requests_events.ReasonBody, "Stop the clock of an event"),
    _route("resume", post_resume, requests_events.ReasonBody, "Let the clock of an event go on"),
    _route(
        "withdraw",
        post_withdraw,
        requests_events.WithdrawBody,
        "Take a pair out from the next round on",
        event_errors.EntryNotFound,
    ),
)
