"""Holds answers against the API document that the server serves: status, content type, body."""

import json
import re
from functools import cache
from typing import Any
from urllib.parse import quote

from jsonschema_rs import Draft202012, Draft202012Validator, Registry

_HOME = "urn:crossruff:api"
_PAGES = ("/api/docs", "/api/openapi.json")
_PROBLEM = "application/problem+json"
_TOKENS = {
    "admin": "admin",
    "results:write": "results",
    "boards:write": "boards",
    "events:write": "events",
    "director": "director",
}


class NotAsDocumented(AssertionError):
    """An answer that the API document does not know"""


class ApiDocument:
    """The OpenAPI 3.1 document of a server."""

    def __init__(self, raw: bytes) -> None:
        self.content: dict[str, Any] = json.loads(raw)
        self._registry = Registry([(_HOME, self.content)], Draft202012)
        self._paths = {path: _pattern(path) for path in self.content["paths"]}
        self._validators: dict[str, Draft202012Validator] = {}

    def token(self, method: str, path: str) -> str:
        """Name of the token with the scope that the operation asks for; ``public`` where it asks for none."""
        named = self._template(path)
        operation = {} if named is None else self.content["paths"][named].get(method.lower(), {})
        return _TOKENS[operation["x-scope"]] if "x-scope" in operation else "public"

    def check(self, method: str, path: str, status: int, media: str, raw: bytes) -> None:
        """Raises NotAsDocumented unless the operation may answer like this."""
        said = f"{method} {path}: {status} {media} {raw[:500]!r}"
        named = self._template(path)
        if named is None:
            if path.startswith("/api/") and not path.startswith(_PAGES):
                self._check_refusal(404, status, media, raw, said)
            return
        operation = self.content["paths"][named].get("get" if method == "HEAD" else method.lower())
        if operation is None:
            self._check_refusal(405, status, media, raw, said)
            return
        if str(status) not in operation["responses"]:
            raise NotAsDocumented(f"undocumented status: {said}")
        content = operation["responses"][str(status)].get("content", {})
        if method == "HEAD" or not content:
            if raw:
                raise NotAsDocumented(f"undocumented body: {said}")
            return
        if media not in content:
            raise NotAsDocumented(f"undocumented content type: {said}")
        verb = "get" if method == "HEAD" else method.lower()
        self._check_body(("paths", named, verb, "responses", str(status), "content", media), media, raw, said)

    def _check_refusal(self, expected: int, status: int, media: str, raw: bytes, said: str) -> None:
        if (status, media) != (expected, _PROBLEM):
            raise NotAsDocumented(f"expected a problem with the status {expected}: {said}")
        self._check(f"{_HOME}#/components/schemas/Problem", json.loads(raw), said)

    def _check_body(self, at: tuple[str, ...], media: str, raw: bytes, said: str) -> None:
        steps = "/".join(quote(step.replace("~", "~0").replace("/", "~1")) for step in (*at, "schema"))
        body = json.loads(raw) if media in ("application/json", _PROBLEM) else raw.decode()
        self._check(f"{_HOME}#/{steps}", body, said)

    def _check(self, reference: str, body: Any, said: str) -> None:
        if reference not in self._validators:
            self._validators[reference] = Draft202012Validator(
                {"$ref": reference}, registry=self._registry, validate_formats=True
            )
        for error in self._validators[reference].iter_errors(body):
            place = "".join(
                f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path
            )
            raise NotAsDocumented(f"${place}: {error.message}: {said}")

    def _template(self, path: str) -> str | None:
        found = (template for template, pattern in self._paths.items() if pattern.fullmatch(path))
        # A path without variables wins: /results/batch is no result.
        return min(found, key=lambda template: template.count("{"), default=None)


@cache
def read_document(raw: bytes) -> ApiDocument:
    """The document with these bytes; every server of a test run serves the same one."""
    return ApiDocument(raw)


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^}]*\}", template)
    return re.compile("[^/]+".join(map(re.escape, parts)))
