"""Answers in JSON."""

import hashlib

import msgspec
from aiohttp import web

from server.services.idempotency import Answered

JSON = "application/json"
_encode = msgspec.json.Encoder().encode


def json_answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """``value`` as JSON."""
    return web.Response(body=_encode(value), status=status, content_type=JSON, headers=headers)


def answered(answer: Answered) -> web.Response:
    """A first answer, or the same again."""
    headers = {"Idempotency-Replayed": "true"} if answer.replayed else None
    return web.Response(body=answer.body.encode(), status=answer.status, content_type=JSON, headers=headers)


def with_etag(request: web.Request, response: web.Response, private: bool) -> web.Response:
    """The answer to a GET with its strong ETag; 304 when the client has it already."""
    body = response.body
    if response.status != 200 or not isinstance(body, bytes):
        return response
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    if private:
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["Vary"] = "Authorization"
    response.headers["ETag"] = tag
    known = request.headers.get("If-None-Match", "")
    if known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(",")):
        keep = ("ETag", "Cache-Control", "Vary", "Link")
        return web.Response(
            status=304, headers={name: response.headers[name] for name in keep if name in response.headers}
        )
    return response
