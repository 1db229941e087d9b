"""The API document: it is the committed one, it is valid, and it says what is served."""

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest
from aiohttp import web
from openapi_spec_validator import OpenAPIV31SpecValidator

import server.web.openapi as document_module
from server.app import Installed, make_app
from server.settings import load_settings
from server.storage.database import open_database
from server.web import problems
from server.web.languages import LANGUAGES
from server.web.openapi import document, encoded
from server.web.pages.table import FILES, FIXED, PAGES
from server.web.table import ROUTES
from tests.clock import StandingClock

COMMITTED = Path(document_module.__file__).with_name("openapi.json")
FOR_PEOPLE = {"/api/openapi.json", "/static/{name}", *(page.path for page in (*PAGES, *FIXED, *FILES))}
FOR_PEOPLE |= {f"/{each.code}{path}" for each in LANGUAGES for path in ("", "/display")}
FOR_PEOPLE |= {f"/{each.code}{page.path}" for each in LANGUAGES for page in PAGES}


def operations():
    """Method, path and operation of everything documented."""
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def test_the_committed_document_is_the_generated_one():
    """When this fails: `make document`."""
    assert COMMITTED.read_bytes() == encoded()


async def test_the_served_document_is_the_committed_one(api):
    answer = await api.get("/api/openapi.json")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    assert answer.raw == COMMITTED.read_bytes()


def test_the_document_is_valid_openapi_3_1():
    found = json.loads(COMMITTED.read_bytes())
    assert found["openapi"] == "3.1.0"
    assert [error.message for error in OpenAPIV31SpecValidator(found).iter_errors()] == []


def test_every_route_is_documented_and_nothing_else_is():
    documented = Counter((method, path) for method, path, _ in operations())
    assert documented == Counter((route.method, route.path) for route in ROUTES)


def test_every_documented_operation_is_served_and_nothing_else_is(tmp_path):
    settings = load_settings(data_dir=tmp_path, database_url=f"sqlite:///{tmp_path}/x.sqlite3")
    database = open_database(settings.database)
    app = make_app(settings, Installed(database, StandingClock(), None))
    asyncio.run(database.close())
    served = {
        (route.method, resource.canonical)
        for resource in app.router.resources()
        for route in resource
        if isinstance(route, web.AbstractRoute) and resource.canonical not in FOR_PEOPLE
    }
    documented = {(method, path) for method, path, _ in operations()}
    assert served == documented | {("HEAD", path) for method, path in documented if method == "GET"}


def test_operations_have_names_of_their_own():
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_an_operation_says_all_that_its_route_says(route):
    operation = document()["paths"][route.path][route.method.lower()]
    assert operation.get("x-scope") == (None if route.scope is None else route.scope.value)
    assert ("security" in operation) == (route.scope is not None or route.private)
    for kind in route.all_problems:
        response = operation["responses"][str(problems.STATUS[kind])]
        assert f"`{problems.slug(kind)}`" in response["description"]
        schema = response["content"]["application/problem+json"]["schema"]
        assert schema == {"$ref": "#/components/schemas/Problem"}
    assert str(route.status) in operation["responses"]
    named = {parameter["name"] for parameter in operation.get("parameters", ())}
    assert named >= {parameter.name for parameter in route.parameters}
    for variable in ("id", "name"):
        assert (f"{{{variable}}}" in route.path) <= (variable in named)
    assert (route.body is not None) == ("requestBody" in operation)
    assert not route.idempotent or "Idempotency-Key" in named


def test_everything_that_is_refused_is_a_problem_with_a_page():
    named = {
        slug
        for _, _, operation in operations()
        for response in operation["responses"].values()
        for slug in response["description"].split("`")[1::2]
    }
    general = {"not-found", "method-not-allowed", "bad-request", "internal-error", "cross-site"}
    assert problems.by_slug().keys() - named <= general


def test_bodies_that_are_taken_are_closed():
    schemas = document()["components"]["schemas"]
    taken = {route.body.__name__ for route in ROUTES if isinstance(route.body, type)}
    assert taken >= {"ResultBody", "BoardSetBody", "AssignmentBody", "PlayerBody"}
    for name in taken:
        assert schemas[name]["additionalProperties"] is False
