"""Speaks HTTP with a server, and holds every answer against its API document."""

import asyncio
import json as json_module
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import ClientSession
from multidict import CIMultiDictProxy

from tests.document import ApiDocument

BASE = "/api/v1/"
FRESH = "fresh"
"""Stands for an Idempotency-Key that nobody has used."""
_LARGE = 10_000  # bytes from which an answer is checked in a thread


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server answered."""

    status: int
    headers: CIMultiDictProxy[str]
    body: Any  # of JSON its value, of NDJSON the list of its lines, else text; None when there is none
    raw: bytes

    @property
    def slug(self) -> str | None:
        """The kind of problem; None when it is none."""
        named = self.body.get("type") if isinstance(self.body, dict) else None
        return named.removeprefix("/problems/") if isinstance(named, str) else None


class Api:
    """A client that knows a token of each scope, by the names admin, results, boards, events and director.

    Paths are below /api/v1/ unless they begin with a slash. Without ``token`` a request carries the one whose
    scope its operation asks for; ``token="public"`` carries none; any other word is sent as it is. POSTs
    carry a fresh Idempotency-Key unless ``key`` is another or None.
    """

    def __init__(
        self, session: ClientSession, url: str, tokens: Mapping[str, str], document: ApiDocument
    ) -> None:
        self._session = session
        self.url = url
        self.tokens = dict(tokens)
        self.document = document

    async def get(self, path: str, **options: Any) -> Answer:
        """GET; see ``request``."""
        return await self.request("GET", path, **options)

    async def post(self, path: str, json: Any = None, **options: Any) -> Answer:
        """POST ``json``; see ``request``."""
        return await self.request("POST", path, json=json, **({"key": FRESH} | options))

    async def put(self, path: str, json: Any = None, **options: Any) -> Answer:
        """PUT ``json``; see ``request``."""
        return await self.request("PUT", path, json=json, **options)

    async def delete(self, path: str, **options: Any) -> Answer:
        """DELETE; see ``request``."""
        return await self.request("DELETE", path, **options)

    async def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        data: bytes | None = None,  # instead of json: exactly these bytes
        token: str | None = None,
        key: str | None = None,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Any request. Raises NotAsDocumented for an answer that the API document does not know."""
        path = path if path.startswith("/") else BASE + path
        sent = self._headers(token or self.document.token(method, path.partition("?")[0]), key)
        if json is not None:
            data = json_module.dumps(json).encode()
        if data is not None:
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        async with self._session.request(
            method, self.url + path, data=data, params=params, headers=sent, allow_redirects=False
        ) as response:
            raw = await response.read()
            checked = (method, response.url.raw_path, response.status, response.content_type, raw)
            if len(raw) > _LARGE:  # the server shares our loop
                await asyncio.to_thread(self.document.check, *checked)
            else:
                self.document.check(*checked)
            return Answer(response.status, response.headers, _body(response.content_type, raw), raw)

    def _headers(self, token: str, key: str | None) -> dict[str, str]:
        headers = {}
        if token != "public":
            headers["Authorization"] = f"Bearer {self.tokens.get(token, token)}"
        if key is not None:
            headers["Idempotency-Key"] = uuid.uuid4().hex if key is FRESH else key
        return headers


def _body(media: str, raw: bytes) -> Any:
    if not raw:
        return None
    if media in ("application/json", "application/problem+json"):
        return json_module.loads(raw)
    if media == "application/x-ndjson":
        return [json_module.loads(line) for line in raw.splitlines()]
    return raw.decode()
