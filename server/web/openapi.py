"""The API document (OpenAPI 3.1), made from the table of routes and the types of the bodies."""

import re
import sys
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from typing import Any

import msgspec

from server.web import problems, schemas
from server.web.answers import JSON
from server.web.api.results import NDJSON
from server.web.routes import PAGE, Parameter, Route
from server.web.table import ROUTES

_OPEN = {"Problem"}  # kinds of problems have members of their own
_HEADERS = {
    "ETag": "Strong; send it as If-None-Match to be answered 304.",
    "Link": '`rel="next"`: the next page.',
    "Idempotency-Replayed": "`true`: this is the first answer again.",
    "RateLimit": "What is left of the token's rows, and when all of them are back.",
    "Retry-After": "Seconds after which to try again.",
}
_REF = "#/components/schemas/{name}"


@cache
def document() -> dict[str, Any]:
    """The whole document. Nobody may change what is returned."""
    kinds = list(dict.fromkeys(kind for route in ROUTES for kind in (route.body, route.answer) if kind))
    refs, components = msgspec.json.schema_components([*kinds, schemas.Problem], ref_template=_REF)
    schema_of = dict(zip([*map(_name, kinds), "Problem"], refs, strict=True))
    for name, schema in components.items():
        if name not in _OPEN and schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)  # nothing is given that is not written here
    paths: dict[str, Any] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Crossruff",
            "version": metadata.version("crossruff"),
            "summary": "Duplicate bridge: results in, scores and ratings out.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in dict.fromkeys(route.tag for route in ROUTES)],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def encoded() -> bytes:
    """The document as it is served and committed."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=1) + b"\n"


def main() -> None:
    """Print the document: `make document` keeps it in the repository."""
    sys.stdout.write(encoded().decode())


def _name(kind: Any) -> str:
    return str(kind)


def _operation(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.operation,
        "tags": [route.tag],
        "summary": route.summary,
        "responses": _responses(route, schema_of),
    }
    if route.description:
        operation["description"] = route.description
    parameters = [*_path_parameters(route), *map(_parameter, route.parameters)]
    if parameters:
        operation["parameters"] = parameters
    if route.scope is not None:
        operation["security"] = [{"token": []}]
        operation["x-scope"] = route.scope.value
    elif route.private:
        operation["security"] = [{}, {"token": []}]
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": _body(route, schema_of)}
    return operation


def _body(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = {JSON: {"schema": schema_of[_name(route.body)]}}
    if route.ndjson:
        content[NDJSON] = {"schema": {"type": "string", "description": "One row on each line."}}
    return content


def _responses(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    media = route.media
    good: dict[str, Any] = {
        "description": route.summary,
        "content": {media: {"schema": schema_of[_name(route.answer)]}},
    }
    if route.ndjson:
        good["content"][NDJSON] = {"schema": {"type": "string", "description": "One answer on each line."}}
    for other in route.tables:
        good["content"][other] = {"schema": {"type": "string", "description": "A row on each line."}}
    names = ["Idempotency-Replayed"] if route.idempotent else []
    names += ["RateLimit"] if route.scope is not None else []
    names += ["ETag"] if route.method == "GET" and route.media == JSON else []
    names += ["Link"] if route.parameters[-len(PAGE) :] == PAGE else []
    if names:
        good["headers"] = _headers(*names)
    responses = {str(route.status): good}
    if route.method == "GET":
        responses["304"] = {"description": "The client has it already."}
    by_status: dict[int, list[type[Exception]]] = {}
    for kind in route.all_problems:
        by_status.setdefault(problems.STATUS[kind], []).append(kind)
    for status in sorted(by_status):
        responses[str(status)] = _problem(by_status[status], schema_of)
    return responses


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"description": _HEADERS[name], "schema": {"type": "string"}} for name in names}


def _problem(kinds: Sequence[type[Exception]], schema_of: dict[str, Any]) -> dict[str, Any]:
    slugs = {problems.slug(kind): problems.title(kind) for kind in reversed(list(kinds))}
    return {
        "description": "; ".join(f"`{slug}`: {title}" for slug, title in reversed(slugs.items())),
        "content": {problems.CONTENT_TYPE: {"schema": schema_of["Problem"]}},
        **({"headers": _headers("Retry-After")} if problems.STATUS[next(iter(kinds))] in (429, 503) else {}),
    }


def _path_parameters(route: Route) -> list[dict[str, Any]]:
    schema = {"type": "string", "minLength": 1}
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name in re.findall(r"{(\w+)}", route.path)
    ]


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.required,
        "description": parameter.description,
        "schema": parameter.schema,
    }


if __name__ == "__main__":
    main()
