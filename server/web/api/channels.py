"""Following a board, a week, an event or the list of events live, by server-sent events."""

import asyncio
from contextlib import suppress
from functools import partial

from aiohttp import web

from server.bridge.errors import BridgeError
from server.bridge.week import parse_week
from server.services import boards, errors, events
from server.services.bulletins import board_channel, week_channel
from server.services.errors import BoardNotFound, ChannelNotFound
from server.services.event_errors import EventNotFound
from server.services.event_snapshot import ALL, channel
from server.services.secrecy import Reader
from server.services.tokens import NOBODY
from server.storage.bulletins import Kept
from server.storage.errors import StorageError
from server.storage.ids import board_number, event_number
from server.web import live, problems
from server.web.keys import LIVE, Call
from server.web.live import Closing
from server.web.problems import FieldError, InvalidBody
from server.web.routes import BASE, Parameter, Route

PATIENCE = 15.0  # seconds between signs of life
SLOWEST = 60.0  # seconds for which a follower may take nothing


async def stream(call: Call) -> web.StreamResponse:
    """Follow a channel until the client goes away or the server stops."""
    hub = call.request.app[LIVE]
    name, check = _named(call)
    position = _position(call)
    if hub.full:
        raise errors.StreamsFull
    if call.request.method == "HEAD":
        await check()
        return web.Response(headers=_HEADERS)
    kept = await hub.join(name, position, check)
    try:
        response = web.StreamResponse(headers=_HEADERS)
        with suppress(ConnectionError):  # it may have gone away before the first word
            await response.prepare(call.request)
            start = await _begin(response, position, kept)
            await _follow(response, hub, name, start, partial(_gone, call.request))
        return response
    finally:
        hub.leave(name)


_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # a proxy must pass each event on at once
}


async def _begin(response: web.StreamResponse, position: int | None, kept: Kept) -> int:
    """Where to go on from; a client whose position is gone is told so."""
    if position is None:
        return kept.last
    if position > kept.last or position + 1 < kept.first:
        await _send(response, live.reset(kept.last))
        return kept.last
    return position


async def _follow(
    response: web.StreamResponse, hub: live.Hub, name: str, position: int, gone: live.Gone
) -> None:
    try:
        await _send(response, b": following\n\n")
        while True:
            found = await hub.next(name, position, PATIENCE, gone)
            if found:
                position = found[-1][0]
            text = b"".join(text for _, text in found) or b": still here\n\n"
            del found  # whoever takes nothing holds as little as can be
            await _send(response, text)
    except (Closing, StorageError):
        with suppress(ConnectionError, TimeoutError):
            await _send(response, live.closing())
    except (ConnectionError, TimeoutError):
        pass  # it went away, or takes nothing: it comes again with its position


def _gone(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


async def _send(response: web.StreamResponse, text: bytes) -> None:
    """Write, and wait while the client is slower than we are."""
    async with asyncio.timeout(SLOWEST):
        await response.write(text)


def _named(call: Call) -> tuple[str, live.Check]:
    """The channel that the address names, and what tells whether there is such; raises ChannelNotFound."""
    name = call.request.match_info["name"]
    kind, _, rest = name.partition(":")
    number = {"board": board_number, "event": event_number}.get(kind, _no_number)(rest)
    if number is not None:
        named = board_channel(number) if kind == "board" else channel(number)
        return named, partial(_check_board if kind == "board" else _check_event, call, number)
    if name == ALL:
        return ALL, _any
    try:
        if kind == "week":
            return week_channel(parse_week(rest)), _any
    except BridgeError as error:
        raise ChannelNotFound(name) from error
    raise ChannelNotFound(name)


def _no_number(_text: str) -> int | None:
    return None


async def _any() -> None:
    """Every week may be followed, and the list of events."""


async def _check_event(call: Call, number: int) -> None:
    try:
        await events.get(call.services.database, number)
    except EventNotFound as error:
        raise ChannelNotFound(call.request.match_info["name"]) from error


async def _check_board(call: Call, number: int) -> None:
    services = call.services
    try:
        await boards.get(services.database, number, Reader(NOBODY), services.secrecy, call.now)
    except BoardNotFound as error:
        raise ChannelNotFound(call.request.match_info["name"]) from error


def _position(call: Call) -> int | None:
    """Where the client is: `Last-Event-ID` after a break, else `after`; None: from now on."""
    header = call.request.headers.get("Last-Event-ID")
    text = header if header is not None else call.request.query.get("after")
    if text is None or text == "":
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise InvalidBody((FieldError("?after", "expected the number of a bulletin"),))
    return int(text)


ROUTES = (
    Route(
        "GET",
        f"{BASE}/channels/{{name}}/stream",
        stream,
        "Live",
        str,
        "Follow a board, a week, an event or all events",
        "Server-sent events of `board:<id>`, `week:<week>`, `event:<id>` or `events`: the number of a "
        "bulletin is its event id, its kind the event. `events` tells what lists show of an event when that "
        "changes, and of each new one (`event-listed`). `rated` is told to the week and to the one after "
        "it, which begins with these indexes. Read the snapshot first and follow from its `position`. "
        "`reset` says that your position is gone: read the snapshot again. `closing` says that the server "
        "stops: come again.",
        media="text/event-stream",
        parameters=(
            Parameter("after", "Bulletins after this number.", {"type": "integer", "minimum": 0}),
            Parameter("Last-Event-ID", "The same, as browsers send it.", {"type": "string"}, "header"),
        ),
        problems=(ChannelNotFound, problems.InvalidBody, errors.StreamsFull),
    ),
)
