"""What goes round every request: its id, its log line, its figures, and its problem when it is refused."""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable
from itertools import count

import structlog
from aiohttp import web

from server.services.errors import StreamsFull
from server.web import problems
from server.web.keys import HEADERS, SERVICES
from server.web.pages.problems import met, wanted

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_PROCESS = secrets.token_hex(6)
_numbers = count(1)  # of requests of this process
SLOW = 1.0  # seconds from which a good answer is worth a line
HELD = 0.2  # seconds for which whoever sends too much waits to be told so: others hardly notice his flood

_log = structlog.get_logger()


@web.middleware
async def around(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Answer every request, whatever happens in its handler."""
    loop_time = asyncio.get_running_loop().time
    started = loop_time()
    given = request.headers.get("X-Request-Id", "")
    request_id = given if given and _REQUEST_ID.fullmatch(given) else f"{_PROCESS}-{next(_numbers):x}"
    try:
        response = await handler(request)
    except Exception as error:
        response = _refusal(request, error, request_id)
        if isinstance(error, StreamsFull):
            response.force_close()  # connections are what lacks
        if response.status == 429:
            await asyncio.sleep(HELD)
    response.headers.update(request.get(HEADERS, {}))
    response.headers["X-Request-Id"] = request_id
    response.headers["X-Content-Type-Options"] = "nosniff"
    _count(request, response, loop_time() - started, request_id)
    return response


def _refusal(request: web.Request, error: Exception, request_id: str) -> web.Response:
    error = _ours(request, error)
    if isinstance(error, problems.InternalError):
        _log.error("request.failed", id=request_id, path=request.path, exc_info=error.__cause__)
    request.app[SERVICES].metrics.refused.labels(problems.slug(type(error))).inc()
    status = problems.STATUS[type(error)]
    headers = problems.headers(error)
    if wanted(request):
        return met(request, type(error), str(error), headers)
    return web.Response(
        body=problems.encoded(error, request.path),
        status=status,
        content_type=problems.CONTENT_TYPE,
        headers=headers,
    )


def _ours(request: web.Request, error: Exception) -> Exception:
    """What aiohttp or a bug raised, in our words."""
    if type(error) in problems.STATUS:
        return error
    if isinstance(error, web.HTTPMethodNotAllowed):
        return problems.MethodNotAllowed(tuple(sorted(error.allowed_methods)))
    if isinstance(error, web.HTTPNotFound):
        return problems.PathNotFound(f"Nothing is at {request.path!r}.")
    if isinstance(error, web.HTTPException):
        if error.status < 400:
            raise error
        return problems.BadRequest(error.text or error.reason)
    if isinstance(error, web.RequestPayloadError | ConnectionError):  # the client may have gone away
        return problems.MalformedJson("the body cannot be read")
    failure = problems.InternalError("The error is noted; quote the request id when you report it.")
    failure.__cause__ = error
    return failure


def _count(request: web.Request, response: web.StreamResponse, seconds: float, request_id: str) -> None:
    metrics = request.app[SERVICES].metrics
    resource = request.match_info.route.resource
    route = resource.canonical if resource is not None else "(none)"
    streamed = response.content_type == "text/event-stream"
    metrics.answered(route, response.status, None if streamed else seconds)
    if response.status >= 400 or (seconds > SLOW and not streamed):
        _log.info(
            "request",
            id=request_id,
            method=request.method,
            path=request.path,
            status=response.status,
            ms=round(1000 * seconds, 1),
        )
