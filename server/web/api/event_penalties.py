"""Penalties for discipline in an event: imposed, read, lifted."""

from aiohttp import web
from sqlalchemy import Connection

from server.services import event_errors, event_penalties
from server.services.tokens import Scope
from server.storage.event_penalties import Penalty
from server.web import bodies, rendering, requests_events, schemas_events, schemas_penalties
from server.web.answers import json_answer
from server.web.api.event_direction import DIRECTED, body_of, chair_of
from server.web.api.events import doing, named, part
from server.web.keys import Call
from server.web.routes import BASE, KEY, Route
from server.web.schemas_rulings import RuledBy


async def post(call: Call) -> web.Response:
    """Impose a penalty for discipline."""
    value, body = await body_of(call, requests_events.PenaltyBody)
    chair, number, amount = chair_of(call), named(call), round(body.amount * 100)
    until = None if body.until_at is None else bodies.in_utc(body.until_at, "/until_at")
    event_penalties.check(body.kind, amount, body.until_round, until)
    wanted = Penalty(
        body.entry, body.kind, amount, body.until_round, until, body.reason, call.client, call.now
    )

    def verb(connection: Connection) -> Penalty:
        return event_penalties.impose(connection, chair, number, wanted)

    def text(made: Penalty) -> str:
        return rendering.text(schemas_events.MadePenalty(id=made.number, entry=made.entry, kind=body.kind))

    return await doing(call, value, verb, text)


async def post_lift(call: Call) -> web.Response:
    """Let a penalty count no more."""
    value, body = await body_of(call, requests_events.ReasonBody)
    chair, number = chair_of(call), named(call)
    penalty = part(call, "penalty", event_errors.PenaltyNotFound)

    def verb(connection: Connection) -> Penalty:
        return event_penalties.lift(connection, chair, number, penalty, body.reason)

    return await doing(call, value, verb, lambda found: rendering.text(_shown(found)), 200)


async def get_list(call: Call) -> web.Response:
    """Every penalty of an event, with its reason."""
    chair, number = chair_of(call), named(call)
    found = await call.services.database.read(
        lambda connection: event_penalties.listed(connection, chair, number)
    )
    return json_answer(schemas_penalties.PenaltyList([_shown(each) for each in found]))


def _shown(penalty: Penalty) -> schemas_penalties.ImposedPenalty:
    lifted = penalty.lifted
    return schemas_penalties.ImposedPenalty(
        id=penalty.number,
        entry=penalty.entry,
        kind=penalty.kind,
        amount=rendering.figure(penalty.amount),
        until_round=penalty.until_round,
        until_at=penalty.until_at,
        reason=penalty.reason,
        at=penalty.at,
        lifted=None if lifted is None else RuledBy(lifted.reason, lifted.at),
    )


_ADDRESS = f"{BASE}/events/{{id}}/penalties"

ROUTES = (
    Route(
        "GET",
        _ADDRESS,
        get_list,
        "Events",
        schemas_penalties.PenaltyList,
        "Read the penalties of an event and their reasons",
        "In the order in which they were imposed, those that were lifted too. Everybody reads in the event "
        "who was penalised, and how; why, directors alone.",
        scope=Scope.DIRECTOR,
        problems=(event_errors.EventNotFound, event_errors.DirectorPlays),
        private=True,
    ),
    Route(
        "POST",
        _ADDRESS,
        post,
        "Events",
        schemas_events.MadePenalty,
        "Impose a penalty for discipline",
        "A suspension keeps a pair out of rounds that are paired until then: it lasts until a round that is "
        "not over, or until an instant to come.",
        status=201,
        scope=Scope.DIRECTOR,
        body=requests_events.PenaltyBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(*DIRECTED, event_errors.EntryNotFound, event_errors.InvalidEvent),
    ),
    Route(
        "POST",
        f"{_ADDRESS}/{{penalty}}/lift",
        post_lift,
        "Events",
        schemas_penalties.ImposedPenalty,
        "Lift a penalty",
        "It counts no more and is shown as lifted: the pair's total, ranks and master points follow, and who "
        "was suspended is paired again from the next round on. Also when the event is over.",
        scope=Scope.DIRECTOR,
        body=requests_events.ReasonBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(
            event_errors.EventNotFound,
            event_errors.DirectorPlays,
            event_errors.PenaltyNotFound,
            event_errors.PenaltyLifted,
        ),
    ),
)
