"""Disconnects: reported without a result, read, taken back."""

from functools import partial

from aiohttp import web
from sqlalchemy import Connection

from server.services import disconnect_rulings, disconnects, errors, event_errors
from server.services.disconnects import DisconnectView, Reporting, Wanted
from server.services.errors import BoardNotFound, DisconnectNotFound
from server.services.idempotency import Answered, once
from server.services.secrecy import Reader
from server.services.tokens import Scope
from server.storage.ids import board_id, board_number, disconnect_id, disconnect_number, result_id
from server.web import bodies, fields, queries, rendering, requests, schemas, schemas_rulings
from server.web.answers import answered, json_answer
from server.web.keys import Call
from server.web.problems import InvalidBody
from server.web.reports import leaving
from server.web.routes import BASE, KEY, PAGE, Parameter, Route


async def post(call: Call) -> web.Response:
    """Take a disconnect in."""
    value = bodies.parse(await bodies.read(call.request))
    left = leaving(bodies.convert(value, requests.DisconnectBody))
    services, request = call.services, call.once(value)
    reporting = Reporting(
        call.client,
        call.now,
        services.zone,
        services.pools,
        services.settings.players_auto_create,
        services.wording,
    )

    def verb(connection: Connection) -> DisconnectView:
        return disconnects.report(connection, reporting, left)

    answer = await services.database.write(
        lambda connection: once(connection, request, call.now, partial(verb, connection), _text)
    )
    return answered(answer)


async def get(call: Call) -> web.Response:
    """One disconnect."""
    services = call.services
    view = await disconnects.get(
        services.database, _named(call), Reader(call.caller), services.secrecy, call.now
    )
    return json_answer(_shown(view))


async def get_list(call: Call) -> web.Response:
    """Disconnects, a page at a time."""
    query, services = call.request.query, call.services
    limit = queries.limit(query.get("limit"))
    after = queries.read_cursor(query.get("cursor"), services.secret)
    wanted = Wanted(_board(query.get("board")), _player(query.get("player")), after, limit + 1)
    found = await disconnects.page(services.database, wanted, Reader(call.caller), services.secrecy, call.now)
    page, more = found[:limit], len(found) > limit
    cursor = queries.cursor(page[-1].disconnect.number, services.secret) if more else None
    answer = schemas_rulings.DisconnectList([_shown(view) for view in page], cursor)
    return json_answer(answer, headers=queries.next_link(call.request, cursor))


async def delete(call: Call) -> web.Response:
    """Let a disconnect count no more."""
    number, director = _named(call), call.director
    given = call.request.query.get("reason")
    if given is None:
        raise queries.refused("reason", "this parameter is missing")
    if bodies.lone(given):
        raise queries.refused("reason", "this is no UTF-8")
    reason = bodies.convert(given, fields.Reason, "?reason")
    view = await call.services.database.write(
        lambda connection: disconnect_rulings.void(connection, director, number, reason)
    )
    return json_answer(_shown(view))


async def post_lift(call: Call) -> web.Response:
    """Take from the leaver's partner what the board costs him."""
    value = bodies.parse(await bodies.read(call.request))
    reason = bodies.convert(value, requests.LiftBody).reason
    number, director = _named(call), call.director
    request = call.once({"address": call.request.path, "body": value})

    def verb(connection: Connection) -> Answered:
        lift = partial(disconnect_rulings.lift, connection, director, number, reason)
        return once(connection, request, call.now, lift, _text, 200)

    return answered(await call.services.database.write(verb))


def _named(call: Call) -> int:
    text = call.request.match_info["id"]
    number = disconnect_number(text)
    if number is None:
        raise DisconnectNotFound(text)
    return number


def _board(text: str | None) -> int | None:
    number = None if text is None else board_number(text)
    if text is not None and number is None:
        raise BoardNotFound(text)
    return number


def _player(text: str | None) -> str | None:
    return None if text is None else bodies.convert(text, fields.Id, "?player")


def _text(view: DisconnectView) -> str:
    return rendering.text(_shown(view))


def _shown(view: DisconnectView) -> schemas_rulings.Disconnect:
    found = view.disconnect
    shown = schemas_rulings.Disconnect(
        id=disconnect_id(found.number),
        board=board_id(found.board),
        state="standing" if found.live else "void",
    )
    if not view.open:
        return shown
    shown.player, shown.table = view.people[found.player].public_id, found.table
    shown.players = _seated(view)
    shown.result = None if found.sequence is None else result_id(found.board, found.sequence)
    shown.at, shown.received_at = found.at, found.received_at
    if view.voided is not None:
        shown.void = schemas_rulings.RuledBy(view.voided.reason, view.voided.at)
    if view.lifted is not None:
        shown.partner_lifted = schemas_rulings.RuledBy(view.lifted.reason, view.lifted.at)
    return shown


def _seated(view: DisconnectView) -> schemas.SeatedPlayers | None:
    if view.disconnect.players is None:
        return None
    north, east, south, west = (view.people[number] for number in view.disconnect.players)
    return rendering.seated((north, east, south, west))


ROUTES = (
    Route(
        "POST",
        f"{BASE}/disconnects",
        post,
        "Disconnects",
        schemas_rulings.Disconnect,
        "Report a disconnect without a result",
        "For a board that a player left; once for each player and board. All four count as having seen the "
        "board. A result of the table may still come, from a substitute or when he is back: the disconnect "
        "stands. On a board of an event, `table` is the name under which its results are kept (`R1-T2`), the "
        "four sit there, and the board was dealt to them. With a result, name him in `disconnects` "
        "there, or in `substitutes` when he was replaced.",
        status=201,
        scope=Scope.RESULTS,
        body=requests.DisconnectBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(
            errors.BoardNotFound,
            errors.InvalidResult,
            errors.UnknownPlayer,
            errors.MembersOnly,
            errors.BoardNotOpen,
            errors.BoardWithdrawn,
            errors.DisconnectAlreadyReported,
            errors.AlreadyPlayed,
        ),
    ),
    Route(
        "GET",
        f"{BASE}/disconnects",
        get_list,
        "Disconnects",
        schemas_rulings.DisconnectList,
        "List disconnects",
        "In order of arrival, void ones included.",
        scope=Scope.DIRECTOR,
        parameters=(
            Parameter("board", "Those on this board.", {"type": "string"}),
            Parameter("player", "Those of this player and his linked accounts.", {"type": "string"}),
            *PAGE,
        ),
        problems=(errors.BoardNotFound,),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/disconnects/{{id}}",
        get,
        "Disconnects",
        schemas_rulings.Disconnect,
        "Read a disconnect",
        scope=Scope.DIRECTOR,
        problems=(errors.DisconnectNotFound,),
        private=True,
    ),
    Route(
        "DELETE",
        f"{BASE}/disconnects/{{id}}",
        delete,
        "Disconnects",
        schemas_rulings.Disconnect,
        "Take a disconnect back",
        "It is void from then on: kept, readable, and not reported again.",
        scope=Scope.DIRECTOR,
        parameters=(
            Parameter(
                "reason",
                "Why.",
                {"type": "string", "minLength": 1, "maxLength": 500},
                required=True,
            ),
        ),
        problems=(
            InvalidBody,
            errors.DisconnectNotFound,
            errors.OwnBoard,
            event_errors.DirectorPlays,
            errors.AlreadyVoid,
        ),
    ),
    Route(
        "POST",
        f"{BASE}/disconnects/{{id}}/lift",
        post_lift,
        "Disconnects",
        schemas_rulings.Disconnect,
        "Lift what a disconnect costs the partner",
        "From the second board in four weeks that a pair leaves unfinished, the leaver's partner has a board "
        "Rate of 0 for it too. A director may take that from him; the leaver's own loss stays.",
        scope=Scope.DIRECTOR,
        body=requests.LiftBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(
            errors.DisconnectNotFound,
            errors.OwnBoard,
            event_errors.DirectorPlays,
            errors.AlreadyVoid,
            errors.NothingToLift,
        ),
    ),
)
