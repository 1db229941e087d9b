"""Events: announced, listed, read, called off, published."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from aiohttp import web
from sqlalchemy import Connection

from server.bridge.errors import BridgeError, Impossible
from server.bridge.event_rules import EventRules, Kind
from server.bridge.swiss_clock import State
from server.services import errors, event_errors, event_finals, event_reading, events
from server.services.event_errors import EventNotFound, InvalidEvent, RoundNotFound
from server.services.events import Announced, EventView
from server.services.idempotency import once
from server.services.tokens import Scope
from server.storage.events import Carried, seconds
from server.storage.ids import event_number
from server.web import bodies, queries, rendering, requests_events, schemas_events, schemas_rounds
from server.web import rendering_events as shown
from server.web.answers import answered, json_answer
from server.web.keys import Call
from server.web.requests_events import EventBody
from server.web.routes import BASE, KEY, PAGE, VIEWER, Parameter, Route

T = TypeVar("T")

_PLAIN = (
    set(EventBody.__struct_fields__)
    - {"name", "open_at", "start_at", "kind", "seeded", "protected"}
    - {"carry_over_from"}
)


async def post(call: Call) -> web.Response:
    """Announce an event."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, EventBody)
    wanted = _announced(body, call)
    create = call.services.settings.players_auto_create

    def verb(connection: Connection) -> EventView:
        carried: tuple[Carried, ...] = ()
        if body.carry_over_from is not None:
            number = event_number(body.carry_over_from)
            carried = event_finals.carried_from(connection, number, body.scoring)
        made = events.create(connection, call.client, wanted, create, call.now, carried)
        return events.view(connection, made.id)

    return await doing(call, value, verb, lambda view: rendering.text(shown.event(view)))


async def get_list(call: Call) -> web.Response:
    """A page of events, newest first."""
    query = call.request.query
    kind = queries.choice(query["kind"], "kind", Kind, Kind.PAIRS) if "kind" in query else None
    state = queries.choice(query["state"], "state", State, State.RUNNING) if "state" in query else None
    limit = queries.limit(query.get("limit"))
    before = queries.read_cursor(query.get("cursor"), call.services.secret)
    found = await events.page(call.services.database, kind, state, before, limit + 1)
    rows, more = found[:limit], len(found) > limit
    cursor = queries.cursor(rows[-1].id, call.services.secret) if more else None
    answer = schemas_events.EventList([shown.brief(each) for each in rows], cursor)
    return json_answer(answer, headers=queries.next_link(call.request, cursor))


async def get(call: Call) -> web.Response:
    """One event as it stands."""
    return json_answer(shown.event(await events.get(call.services.database, named(call))))


async def post_cancel(call: Call) -> web.Response:
    """Call an event off."""
    return await _moved(call, events.cancel)


async def post_publish(call: Call) -> web.Response:
    """Publish the results of a pairs event."""
    return await _moved(call, events.publish)


async def get_entries(call: Call) -> web.Response:
    """The pairs of an event."""
    found = await event_reading.field(call.services.database, named(call), call.caller)
    return json_answer(shown.entry_list(found))


async def get_card(call: Call) -> web.Response:
    """What a pair has from each round and board."""
    number = part(call, "entry", event_errors.EntryNotFound)
    found = await event_reading.card(call.services.database, named(call), number, call.caller)
    return json_answer(shown.scorecard(found))


async def get_standings(call: Call) -> web.Response:
    """The standings after the rounds that are scored."""
    found = await event_reading.field(call.services.database, named(call), call.caller)
    return json_answer(shown.standings(found))


async def get_round(call: Call) -> web.Response:
    """Pairings, seats and boards of a round."""
    number = part(call, "round", RoundNotFound)
    found = await event_reading.round_of(call.services.database, named(call), number, call.caller)
    return json_answer(shown.round_view(found))


async def get_board(call: Call) -> web.Response:
    """A board and what every table did on it."""
    number, services = part(call, "number", errors.BoardNotFound), call.services
    found = await event_reading.board(
        services.database, named(call), number, call.reader, services.secrecy, call.now
    )
    return json_answer(shown.comparison(found))


async def doing(
    call: Call, value: Any, verb: Callable[[Connection], T], render: Callable[[T], str], status: int = 201
) -> web.Response:
    """Do something once, however often it is asked for, and answer with what came of it."""
    request = call.once({"path": call.request.path, "body": value})  # the address says what is done
    answer = await call.services.database.write(
        lambda connection: once(connection, request, call.now, lambda: verb(connection), render, status)
    )
    return answered(answer)


def named(call: Call) -> int:
    """The event in the address; raises EventNotFound when it is none of ours."""
    text = call.request.match_info["id"]
    number = event_number(text)
    if number is None:
        raise EventNotFound(text)
    return number


def part(call: Call, name: str, missing: type[errors.NotFound]) -> int:
    """A number in the address."""
    text = call.request.match_info[name]
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise missing(text)
    return int(text)


async def _moved(call: Call, verb: Callable[..., EventView]) -> web.Response:
    value = bodies.parse(await bodies.read(call.request))
    bodies.convert(value, requests_events.NothingBody)
    number, services = named(call), call.services
    step = partial(verb, keeper=services.keeper, number=number, caller=call.caller, now=call.now)
    return await doing(call, value, step, lambda view: rendering.text(shown.event(view)), 200)


def _announced(body: EventBody, call: Call) -> Announced:
    values = {name: getattr(body, name) for name in sorted(_PLAIN)}
    opens = call.now if body.open_at is None else bodies.in_utc(body.open_at, "/open_at")
    start = bodies.in_utc(body.start_at, "/start_at")
    events.check_start(seconds(start), call.now)  # before when registration opens is held against it
    try:
        rules = EventRules(kind=Kind(body.kind), open_at=seconds(opens), start_at=seconds(start), **values)
    except Impossible as error:
        raise InvalidEvent(f"/{error.member}", error.reason) from error
    except BridgeError as error:
        raise InvalidEvent("/trim", str(error)) from error
    return Announced(body.name, rules, tuple(body.seeded), tuple(body.protected))


_ADDRESS = f"{BASE}/events/{{id}}"
MINE = (EventNotFound, event_errors.NotYourEvent, event_errors.EventState)

ROUTES = (
    Route(
        "POST",
        f"{BASE}/events",
        post,
        "Events",
        schemas_events.Event,
        "Announce an event",
        "It belongs to the client that announces it. From then on it goes by its clock: registration, "
        "rounds, scoring, seating, ranking and master points happen by themselves.",
        status=201,
        scope=Scope.EVENTS,
        body=EventBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(InvalidEvent, errors.UnknownPlayer),
    ),
    Route(
        "GET",
        f"{BASE}/events",
        get_list,
        "Events",
        schemas_events.EventList,
        "List events, newest first",
        parameters=(
            Parameter("kind", "Of this kind.", {"enum": [each.value for each in Kind]}),
            Parameter("state", "In this state.", {"enum": [each.value for each in State]}),
            *PAGE,
        ),
    ),
    Route(
        "GET",
        _ADDRESS,
        get,
        "Events",
        schemas_events.Event,
        "Read an event as it stands",
        "The snapshot of its channel: each `event` bulletin there is a JSON merge patch of it.",
        problems=(EventNotFound,),
    ),
    Route(
        "POST",
        f"{_ADDRESS}/cancel",
        post_cancel,
        "Events",
        schemas_events.Event,
        "Call an event off before it starts",
        scope=Scope.EVENTS,
        body=requests_events.NothingBody,
        idempotent=True,
        parameters=(KEY,),
        problems=MINE,
    ),
    Route(
        "POST",
        f"{_ADDRESS}/publish",
        post_publish,
        "Events",
        schemas_events.Event,
        "Publish the results of a pairs event that is over",
        scope=Scope.EVENTS,
        body=requests_events.NothingBody,
        idempotent=True,
        parameters=(KEY,),
        problems=MINE,
    ),
    Route(
        "GET",
        f"{_ADDRESS}/entries",
        get_entries,
        "Events",
        schemas_rounds.EntryList,
        "Read the pairs of an event",
        problems=(EventNotFound,),
    ),
    Route(
        "GET",
        f"{_ADDRESS}/entries/{{entry}}",
        get_card,
        "Events",
        schemas_rounds.Scorecard,
        "Read the scorecard of a pair",
        "Of rounds that are closed; of a pairs event once its results are published.",
        problems=(EventNotFound, event_errors.EntryNotFound),
        private=True,
    ),
    Route(
        "GET",
        f"{_ADDRESS}/standings",
        get_standings,
        "Events",
        schemas_rounds.Standings,
        "Read the standings",
        "After the rounds that are closed; of a pairs event once its results are published.",
        problems=(EventNotFound,),
        private=True,
    ),
    Route(
        "GET",
        f"{_ADDRESS}/rounds/{{round}}",
        get_round,
        "Events",
        schemas_rounds.Round,
        "Read a round: pairings, seats, boards",
        problems=(EventNotFound, RoundNotFound, event_errors.RoundNotStarted),
        private=True,
    ),
    Route(
        "GET",
        f"{_ADDRESS}/boards/{{number}}",
        get_board,
        "Events",
        schemas_rounds.BoardComparison,
        "Read a board and what every table did on it",
        "Its cards and results are there once the closing of its round has ended, or it is published.",
        parameters=(VIEWER,),
        problems=(EventNotFound, errors.BoardNotFound, errors.ScopeMissing),
        private=True,
    ),
)
