"""What pairs do in an event: the registration room, entries, tables, boards."""

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web
from sqlalchemy import Connection

from server.bridge.registration import Cancel, Hand, Move, Outcome, Refused, Sit, Stand
from server.bridge.seats import Seat
from server.services import errors, event_errors, event_play, event_substitutes
from server.services.event_errors import InvalidEvent
from server.services.event_play import Desk
from server.services.tokens import Scope
from server.storage.boards import Board
from server.web import bodies, rendering, requests_events, schemas_events
from server.web import rendering_events as shown
from server.web.answers import json_answer
from server.web.api.events import MINE, doing, named, part
from server.web.keys import Call
from server.web.requests_events import PlayerOnly
from server.web.routes import BASE, KEY, Route

_DONE = '{"done":true}'


def _in_room(
    kind: type[Any], name: str, move_of: Callable[[Any], Move]
) -> Callable[[Call], Awaitable[web.Response]]:
    """The handler of something done in the registration room."""

    async def post(call: Call) -> web.Response:
        body = bodies.convert(bodies.parse(await bodies.read(call.request)), kind)
        desk, number, wanted = _desk(call), named(call), move_of(body)
        # A refusal undoes nothing: who was entered by then is, and is told of.
        outcomes = await call.services.database.write(
            lambda connection: event_play.in_room(connection, desk, number, wanted)
        )
        _refuse(outcomes)
        return json_answer(shown.outcomes(outcomes))

    post.__name__ = f"post_{name}"
    post.__module__ = __name__
    return post


def _refuse(outcomes: tuple[Outcome, ...]) -> None:
    for outcome in outcomes:
        if isinstance(outcome, Refused):
            raise event_errors.RoomRefused(outcome.reason.value)


async def post_entry(call: Call) -> web.Response:
    """Enter a pair of a pairs event."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, requests_events.PairBody)
    first, second = body.players
    if first == second:
        raise InvalidEvent("/players/1", "a pair is two players")
    desk, number = _desk(call), named(call)

    def verb(connection: Connection) -> int:
        return event_play.enter(connection, desk, number, (first, second))

    return await doing(call, value, verb, lambda made: rendering.text(schemas_events.MadeEntry(made)))


async def post_ready(call: Call) -> web.Response:
    """A pair that was absent wants to play on."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, PlayerOnly)
    desk, number = _desk(call), named(call)
    return await _done(call, value, lambda c: event_play.ready(c, desk, number, body.player))


async def post_leave(call: Call) -> web.Response:
    """A pair does not play on."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, PlayerOnly)
    desk, number = _desk(call), named(call)
    return await _done(call, value, lambda c: event_play.leave(c, desk, number, body.player))


async def post_arrive(call: Call) -> web.Response:
    """A player comes to his table."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, PlayerOnly)
    desk, number, table = _desk(call), named(call), _table(call)
    return await _done(call, value, lambda c: event_play.arrive(c, desk, number, table, body.player))


async def post_substitute(call: Call) -> web.Response:
    """Somebody sits in for a player who is missing."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, requests_events.SubstituteBody)
    desk, number = _desk(call), named(call)
    return await _done(
        call, value, lambda c: event_substitutes.substitute(c, desk, number, body.player, body.substitute)
    )


async def post_next_board(call: Call) -> web.Response:
    """The next board of a table."""
    value = bodies.parse(await bodies.read(call.request))
    bodies.convert(value, requests_events.NothingBody)
    desk, number, table = _desk(call), named(call), _table(call)

    def verb(connection: Connection) -> Board:
        return event_play.next_board(connection, desk, number, table)

    return await doing(call, value, verb, _dealt, 200)


def _table(call: Call) -> int:
    return part(call, "table", event_errors.TableNotFound)


def _desk(call: Call) -> Desk:
    services = call.services
    return Desk(services.keeper, call.caller, services.settings.players_auto_create, call.now)


async def _done(call: Call, value: Any, verb: Callable[[Connection], None]) -> web.Response:
    return await doing(call, value, verb, lambda _: _DONE, 200)


def _dealt(board: Board) -> str:
    if board.deal is None:
        raise RuntimeError("a board of an event is dealt when it is made")
    return rendering.text(schemas_events.DealtBoard(rendering.made_board(board), str(board.deal)))


_ADDRESS = f"{BASE}/events/{{id}}"
_ROOM: tuple[tuple[str, type[Any], Callable[[Any], Move], str], ...] = (
    (
        "sit",
        requests_events.SeatBody,
        lambda body: Sit(body.player, body.table, Seat(body.seat)),
        "Sit down in the registration room",
    ),
    ("stand", PlayerOnly, lambda body: Stand(body.player), "Stand up"),
    ("raise", PlayerOnly, lambda body: Hand(body.player, True), "Raise the hand"),
    ("lower", PlayerOnly, lambda body: Hand(body.player, False), "Lower the hand"),
    ("disconnect", PlayerOnly, lambda body: Stand(body.player), "The connection of a player is lost"),
    ("cancel", PlayerOnly, lambda body: Cancel(body.player), "Take the entry of one's pair back"),
)


def _room_route(name: str, kind: type[Any], move_of: Callable[[Any], Move], summary: str) -> Route:
    return Route(
        "POST",
        f"{_ADDRESS}/room/{name}",
        _in_room(kind, name, move_of),
        "Events",
        schemas_events.RoomOutcomes,
        summary,
        "A pair is entered when both sit opposite each other, North and South, with hands up long enough. "
        "Linked accounts are one person, who has one seat and is entered once.",
        scope=Scope.EVENTS,
        body=kind,
        problems=(*MINE, event_errors.RoomRefused, errors.UnknownPlayer, errors.MembersOnly),
    )


def _player_route(
    path: str,
    handler: Any,
    summary: str,
    *more: type[Exception],
    body: Any = PlayerOnly,
    description: str = "",
) -> Route:
    return Route(
        "POST",
        f"{_ADDRESS}/{path}",
        handler,
        "Events",
        schemas_events.Done,
        summary,
        description,
        scope=Scope.EVENTS,
        body=body,
        idempotent=True,
        parameters=(KEY,),
        problems=(*MINE, *more),
    )


ROUTES = (
    *(_room_route(*each) for each in _ROOM),
    Route(
        "POST",
        f"{_ADDRESS}/entries",
        post_entry,
        "Events",
        schemas_events.MadeEntry,
        "Enter a pair of a pairs event",
        "Two different persons, neither of them entered by a linked account.",
        status=201,
        scope=Scope.EVENTS,
        body=requests_events.PairBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(
            *MINE,
            event_errors.RoomRefused,
            errors.UnknownPlayer,
            errors.MembersOnly,
            event_errors.InvalidEvent,
        ),
    ),
    _player_route(
        "ready",
        post_ready,
        "A pair that was absent plays on",
        event_errors.NotEntered,
        event_errors.PairLeft,
    ),
    _player_route(
        "leave",
        post_leave,
        "A pair does not play on",
        event_errors.NotEntered,
        description="Either of the two leaves for both, for good. Before the start their entry is taken "
        "back, and they may enter again. Later the pair is paired no more from the next round on; what it "
        "has played counts, and it is ranked if it has finished enough boards. Again: nothing changes.",
    ),
    _player_route(
        "tables/{table}/arrive",
        post_arrive,
        "A player comes to his table",
        event_errors.NotAtTable,
        event_errors.TableNotInRound,
        event_errors.TableNotFound,
    ),
    _player_route(
        "substitutes",
        post_substitute,
        "Somebody sits in for a player who is missing",
        event_errors.NotEntered,
        event_errors.SubstituteRefused,
        errors.UnknownPlayer,
        errors.MembersOnly,
        body=requests_events.SubstituteBody,
        description="For what is left of the round, or until `substitute` names the player himself, by any "
        "of his accounts: then he is back. His pair has a table in the round (`no_table`), and his partner "
        "is not replaced (`partner_replaced`). A pair plays at most half of the boards of the event "
        "so: those that a substitute has played, and those that he may still play.",
    ),
    Route(
        "POST",
        f"{_ADDRESS}/tables/{{table}}/next-board",
        post_next_board,
        "Events",
        schemas_events.DealtBoard,
        "Ask for the next board of a table",
        "None is dealt while somebody is missing, nor shortly before the end of the round.",
        scope=Scope.EVENTS,
        body=requests_events.NothingBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(
            *MINE,
            event_errors.TableNotInRound,
            event_errors.TableNotFound,
            event_errors.NoBoardToDeal,
        ),
    ),
)
