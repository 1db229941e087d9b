"""Rounds of an event that a director pairs by hand: wanted, read, taken back."""

from collections.abc import Sequence

from aiohttp import web
from sqlalchemy import Connection

from server.bridge.swiss_by_hand import Objection
from server.services import event_errors, event_pairings
from server.services.event_pairings import Pairing
from server.services.tokens import Scope
from server.storage.event_rounds import ByHand
from server.web import rendering, requests_events, schemas_events
from server.web import rendering_events as shown
from server.web.answers import json_answer
from server.web.api.event_direction import DIRECTED, body_of, chair_of
from server.web.api.events import doing, named, part
from server.web.keys import Call
from server.web.routes import BASE, KEY, Route


async def post(call: Call) -> web.Response:
    """Pair a round by hand."""
    value, body = await body_of(call, requests_events.PairingBody)
    matches = tuple((a, b) for a, b in body.matches)
    wanted = ByHand(matches, tuple(body.sit_outs))
    chair, number = chair_of(call), named(call)
    pairing = Pairing(body.round, wanted, body.force, body.reason)

    def verb(connection: Connection) -> Sequence[Objection[int]]:
        return event_pairings.pair_by_hand(connection, chair, number, pairing)

    def text(against: Sequence[Objection[int]]) -> str:
        return rendering.text(schemas_events.Pairing(shown.objections(against)))

    return await doing(call, value, verb, text)


async def get_list(call: Call) -> web.Response:
    """Every round that is wanted by hand."""
    chair, number = chair_of(call), named(call)
    found = await call.services.database.read(
        lambda connection: event_pairings.wanted(connection, chair, number)
    )
    rows = [
        schemas_events.WantedPairing(
            round=each.round,
            matches=list(each.by_hand.matches),
            sit_outs=list(each.by_hand.sit_outs),
            started=each.started,
            objections=shown.objections(each.by_hand.despite),
            arisen=shown.objections(each.arisen),
            dropped=shown.objections(each.dropped),
        )
        for each in found
    ]
    return json_answer(schemas_events.PairingList(rows))


async def post_cancel(call: Call) -> web.Response:
    """Take a pairing by hand back."""
    value, body = await body_of(call, requests_events.ReasonBody)
    chair, number, wanted = chair_of(call), named(call), part(call, "round", event_errors.RoundNotFound)

    def verb(connection: Connection) -> None:
        event_pairings.take_back(connection, chair, number, wanted, body.reason)

    return await doing(call, value, verb, lambda _: '{"done":true}', 200)


_ADDRESS = f"{BASE}/events/{{id}}/pairings"

ROUTES = (
    Route(
        "POST",
        _ADDRESS,
        post,
        "Events",
        schemas_events.Pairing,
        "Pair a round by hand",
        "In place of what was wanted for it before. Of a round to come nobody but directors is told.",
        status=201,
        scope=Scope.DIRECTOR,
        body=requests_events.PairingBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(
            *DIRECTED,
            event_errors.RoundNotFound,
            event_errors.RoundUnderWay,
            event_errors.PairingRefused,
        ),
    ),
    Route(
        "GET",
        _ADDRESS,
        get_list,
        "Events",
        schemas_events.PairingList,
        "Read the rounds that are paired by hand",
        "One to come is known to directors alone until it starts: who meets whom is told to all at the same "
        "moment. One that was dropped when it started says what had arisen against it; so does the event, as "
        "long as the round is played.",
        scope=Scope.DIRECTOR,
        problems=(event_errors.EventNotFound, event_errors.DirectorPlays),
        private=True,
    ),
    Route(
        "POST",
        f"{_ADDRESS}/{{round}}/cancel",
        post_cancel,
        "Events",
        schemas_events.Done,
        "Take a pairing by hand back before its round starts",
        "The round is then paired as if nobody had asked.",
        scope=Scope.DIRECTOR,
        body=requests_events.ReasonBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(*DIRECTED, event_errors.RoundNotFound, event_errors.RoundStarted),
    ),
)
