"""Recognising the caller by his token, without asking the database for every request."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from aiohttp import web

from server.services import tokens
from server.services.errors import TokenInvalid
from server.services.tokens import NOBODY, Caller
from server.storage.database import Database

FRESH = 1.0  # seconds for which a token is believed; a revoked one works so long at most
KEPT = 10_000


@dataclass(frozen=True, slots=True)
class _Known:
    """A token that was looked up."""

    at: float  # by the monotonic clock
    caller: Caller
    expires_at: datetime | None


class TokenCache:
    """Tokens seen in the last second."""

    def __init__(self, database: Database, seconds: Callable[[], float]) -> None:
        self._database = database
        self._seconds = seconds  # monotonic
        self._known: OrderedDict[str, _Known] = OrderedDict()

    async def caller(self, request: web.Request, now: datetime) -> Caller:
        """Who asks: nobody without Authorization. Raises TokenInvalid."""
        header = request.headers.get("Authorization")
        if header is None:
            return NOBODY
        scheme, _, word = header.partition(" ")
        if scheme.lower() != "bearer":
            raise TokenInvalid("Expected Authorization: Bearer <token>.")
        known = self._known.get(word)
        if known is None or self._seconds() - known.at >= FRESH:
            known = await self._look_up(word.strip(), now)
            self._known[word] = known
            self._known.move_to_end(word)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        if known.expires_at is not None and known.expires_at <= now:
            raise TokenInvalid
        return known.caller

    async def _look_up(self, word: str, now: datetime) -> _Known:
        found = await tokens.recognise(self._database, word)
        return _Known(self._seconds(), tokens.caller(found, now), found.expires_at)
