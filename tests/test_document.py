"""The tests' own client lets no answer pass that the API document does not know."""

import json

import pytest
from aiohttp import ClientSession, web

from tests.api import Api
from tests.document import ApiDocument, NotAsDocumented

JSON = "application/json"
PROBLEM = "application/problem+json"
SCHEMAS = {
    "Thing": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "at": {"type": "string", "format": "date-time"}},
        "required": ["id"],
    },
    "Things": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}},
    "Problem": {
        "type": "object",
        "properties": {"type": {"type": "string"}, "status": {"type": "integer"}},
        "required": ["type", "status"],
    },
}


def answers(name: str, media: str = JSON):
    return {"description": "", "content": {media: {"schema": {"$ref": f"#/components/schemas/{name}"}}}}


DOCUMENT = ApiDocument(
    json.dumps(
        {
            "openapi": "3.1.0",
            "paths": {
                "/api/v1/things": {
                    "get": {"responses": {"200": answers("Things"), "304": {"description": ""}}},
                    "post": {"x-scope": "boards:write", "responses": {"201": answers("Thing")}},
                },
                "/api/v1/things/{id}": {
                    "get": {"responses": {"200": answers("Thing"), "404": answers("Problem", PROBLEM)}}
                },
                "/api/v1/things/all": {"get": {"responses": {"200": answers("Things")}}},
            },
            "components": {"schemas": SCHEMAS},
        }
    ).encode()
)
GOOD_PROBLEM = b'{"type": "/problems/x", "status": 404}'


@pytest.mark.parametrize(
    ("method", "path", "status", "media", "raw"),
    [
        ("GET", "/api/v1/things", 200, JSON, b'[{"id": "a", "at": "2026-11-25T12:00:00Z"}, {"id": "b"}]'),
        ("GET", "/api/v1/things", 304, "application/octet-stream", b""),
        ("HEAD", "/api/v1/things", 200, JSON, b""),
        ("POST", "/api/v1/things", 201, JSON, b'{"id": "a"}'),
        ("GET", "/api/v1/things/a%2Fb", 200, JSON, b'{"id": "a/b"}'),
        ("GET", "/api/v1/things/all", 200, JSON, b"[]"),
        ("GET", "/api/v1/things/x", 404, PROBLEM, GOOD_PROBLEM),
        ("GET", "/api/v1/elsewhere", 404, PROBLEM, GOOD_PROBLEM),
        ("DELETE", "/api/v1/things", 405, PROBLEM, b'{"type": "/problems/x", "status": 405}'),
        ("GET", "/a/page", 200, "text/html", b"<p>"),
        ("GET", "/api/docs", 200, "text/html", b"<p>"),
    ],
)
def test_what_is_documented_passes(method, path, status, media, raw):
    DOCUMENT.check(method, path, status, media, raw)


@pytest.mark.parametrize(
    ("method", "path", "status", "media", "raw", "complaint"),
    [
        ("GET", "/api/v1/things", 500, PROBLEM, GOOD_PROBLEM, "undocumented status"),
        ("GET", "/api/v1/things", 201, JSON, b"[]", "undocumented status"),
        ("GET", "/api/v1/things", 304, JSON, b"[]", "undocumented body"),
        ("HEAD", "/api/v1/things", 200, JSON, b"[]", "undocumented body"),
        ("GET", "/api/v1/things", 200, "text/plain", b"[]", "undocumented content type"),
        ("GET", "/api/v1/things", 200, JSON, b'[{"id": "a"}, {}]', r'\[1\].*"id" is a required property'),
        ("GET", "/api/v1/things", 200, JSON, b'[{"id": 7}]', r"\[0\]\.id.*not of type"),
        ("GET", "/api/v1/things", 200, JSON, b'[{"id": "a", "at": "noon"}]', 'not a "date-time"'),
        ("GET", "/api/v1/things/all", 200, JSON, b'{"id": "all"}', 'not of type "array"'),
        ("GET", "/api/v1/things/x", 404, PROBLEM, b'{"type": "/problems/x"}', '"status" is a required'),
        ("GET", "/api/v1/elsewhere", 200, JSON, b"{}", "expected a problem with the status 404"),
        ("GET", "/api/v1/elsewhere", 404, JSON, GOOD_PROBLEM, "expected a problem"),
        ("GET", "/api/v1/elsewhere", 404, PROBLEM, b"{}", "is a required property"),
        ("PUT", "/api/v1/things", 200, JSON, b"{}", "expected a problem with the status 405"),
    ],
)
def test_what_is_not_documented_fails(method, path, status, media, raw, complaint):
    with pytest.raises(NotAsDocumented, match=complaint):
        DOCUMENT.check(method, path, status, media, raw)


def test_an_operation_names_the_token_that_it_needs():
    assert DOCUMENT.token("POST", "/api/v1/things") == "boards"
    assert DOCUMENT.token("GET", "/api/v1/things") == "public"
    assert DOCUMENT.token("GET", "/api/v1/elsewhere") == "public"


async def test_the_client_holds_every_answer_of_a_server_against_it():
    async def answer(request):
        return web.json_response([{"id": request.query["id"]}] if "id" in request.query else [{}])

    app = web.Application()
    app.router.add_get("/api/v1/things", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0]
    async with ClientSession() as session:
        api = Api(session, f"http://{host}:{port}", {}, DOCUMENT)
        good = await api.get("things", params={"id": "a"})
        assert (good.status, good.body, good.raw) == (200, [{"id": "a"}], b'[{"id": "a"}]')
        with pytest.raises(NotAsDocumented, match="required property"):
            await api.get("things")
    await runner.cleanup()
