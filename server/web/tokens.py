"""Recognising the caller by his token, without asking the database for every request."""

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime

from aiohttp import web

from server.services import tokens
from server.services.errors import TokenInvalid
from server.services.tokens import NOBODY, Caller
from server.storage.database import Database
from server.storage.tokens import Token

FRESH = 1.0  # seconds for which a token is believed; a revoked one works so long at most
KEPT = 10_000


class TokenCache:
    """Tokens seen in the last second."""

    def __init__(self, database: Database, seconds: Callable[[], float]) -> None:
        self._database = database
        self._seconds = seconds  # monotonic
        self._known: OrderedDict[str, tuple[float, Token]] = OrderedDict()

    async def caller(self, request: web.Request, now: datetime) -> Caller:
        """Who asks: nobody without Authorization. Raises TokenInvalid."""
        header = request.headers.get("Authorization")
        if header is None:
            return NOBODY
        scheme, _, word = header.partition(" ")
        if scheme.lower() != "bearer":
            raise TokenInvalid("Expected Authorization: Bearer <token>.")
        return tokens.caller(await self._token(word.strip()), now)

    async def _token(self, word: str) -> Token:
        known = self._known.get(word)
        if known is not None and self._seconds() - known[0] < FRESH:
            return known[1]
        found = await tokens.recognise(self._database, word)
        self._known[word] = (self._seconds(), found)
        self._known.move_to_end(word)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found
