"""What a director does in an event."""

from collections.abc import Callable
from typing import Any, TypeVar

from aiohttp import web
from sqlalchemy import Connection

from server.services import event_direction, event_errors
from server.services.event_direction import Chair, Pairing
from server.services.events import EventView
from server.services.tokens import Scope
from server.storage.event_entries import Penalty
from server.storage.event_rounds import ByHand
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
    value, body = await _body(call, requests_events.WithdrawBody)
    chair, number = _chair(call), named(call)

    def verb(connection: Connection) -> EventView:
        return event_direction.withdraw(connection, chair, number, body.entry, body.reason)

    return await doing(call, value, verb, _text, 200)


async def post_penalty(call: Call) -> web.Response:
    """Impose a penalty for discipline."""
    value, body = await _body(call, requests_events.PenaltyBody)
    chair, number, amount = _chair(call), named(call), round(body.amount * 100)
    until = None if body.until_at is None else bodies.in_utc(body.until_at, "/until_at")
    event_direction.check_penalty(body.kind, amount, body.until_round, until)
    wanted = Penalty(
        body.entry, body.kind, amount, body.until_round, until, body.reason, call.client, call.now
    )

    def verb(connection: Connection) -> Penalty:
        return event_direction.penalise(connection, chair, number, wanted)

    def text(made: Penalty) -> str:
        return rendering.text(schemas_events.MadePenalty(id=made.id, entry=made.entry, kind=body.kind))

    return await doing(call, value, verb, text)


async def post_pairing(call: Call) -> web.Response:
    """Pair a round by hand."""
    value, body = await _body(call, requests_events.PairingBody)
    matches = tuple((a, b) for a, b in body.matches)
    wanted = ByHand(matches, tuple(body.sit_outs))
    chair, number = _chair(call), named(call)
    pairing = Pairing(body.round, wanted, body.force, body.reason)
    return await doing(
        call,
        value,
        lambda connection: event_direction.pair_by_hand(connection, chair, number, pairing),
        lambda against: rendering.text(shown.pairing(against)),
    )


async def _clock(call: Call, verb: Callable[[Connection, Chair, int, str], EventView]) -> web.Response:
    value, body = await _body(call, requests_events.ReasonBody)
    chair, number = _chair(call), named(call)
    return await doing(
        call, value, lambda connection: verb(connection, chair, number, body.reason), _text, 200
    )


async def _body(call: Call, kind: type[T]) -> tuple[Any, T]:
    value = bodies.parse(await bodies.read(call.request))
    return value, bodies.convert(value, kind)


def _chair(call: Call) -> Chair:
    return Chair(call.services.keeper, call.caller, call.now)


def _text(view: EventView) -> str:
    return rendering.text(shown.event(view))


_ADDRESS = f"{BASE}/events/{{id}}"
_MINE = (event_errors.EventNotFound, event_errors.DirectorPlays, event_errors.EventState)


def _route(  # what all these have in common
    path: str,
    handler: Any,
    body: Any,
    summary: str,
    *more: type[Exception],
    answer: Any = schemas_events.Event,
    status: int = 200,
) -> Route:
    return Route(
        "POST",
        f"{_ADDRESS}/{path}",
        handler,
        "Events",
        answer,
        summary,
        status=status,
        scope=Scope.DIRECTOR,
        body=body,
        idempotent=True,
        parameters=(KEY,),
        problems=(*_MINE, *more),
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
    _route(
        "penalties",
        post_penalty,
        requests_events.PenaltyBody,
        "Impose a penalty for discipline",
        event_errors.EntryNotFound,
        event_errors.InvalidEvent,
        answer=schemas_events.MadePenalty,
        status=201,
    ),
    _route(
        "pairings",
        post_pairing,
        requests_events.PairingBody,
        "Pair a round by hand",
        event_errors.RoundNotFound,
        event_errors.RoundUnderWay,
        event_errors.PairingRefused,
        answer=schemas_events.Pairing,
        status=201,
    ),
)
