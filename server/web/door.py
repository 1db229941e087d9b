"""The door of the API: who asks, whether he may, how often; and what every answer has in common."""

from collections.abc import Awaitable, Callable

from aiohttp import HttpVersion11, web

from server.services.errors import ScopeMissing, TokenInvalid
from server.web.answers import with_etag
from server.web.keys import HEADERS, SERVICES, Call
from server.web.routes import Route


def through(route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """The handler of aiohttp for a route of the table."""

    async def handle(request: web.Request) -> web.StreamResponse:
        services = request.app[SERVICES]
        now = services.clock.now()
        caller = await services.tokens.caller(request, now)
        call = Call(request, services, caller, now, request.setdefault(HEADERS, {}))
        if route.scope is not None and not caller.may(route.scope):
            raise _missing(call, route)
        if route.scope is not None:
            call.pay(1)
        response = await route.handler(call)
        if route.method == "GET" and isinstance(response, web.Response):
            return with_etag(request, response, route.private)
        return response

    return handle


async def expected(request: web.Request) -> None:
    """Answer `Expect: 100-continue`, and pass over other expectations, as RFC 9110 allows."""
    if request.headers.get("Expect", "").lower() == "100-continue" and request.version >= HttpVersion11:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0  # it is no part of the answer


def _missing(call: Call, route: Route) -> Exception:
    """Without any token the caller is asked for one; with one that does not do he is refused."""
    if call.caller.client is None:
        return TokenInvalid("Send Authorization: Bearer <token>.")
    return ScopeMissing(str(route.scope))
