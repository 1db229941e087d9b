"""What a page follows when it is left open, and copies of it for those who read it again at the same moment.

A bulletin has every follower of a page read it again within two seconds. He says how far he is in each
channel; whoever asks for the same page meanwhile is given the copy that was made for the first of them,
unless it was made before what he has been told of.
"""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from aiohttp import web
from multidict import CIMultiDict

from server.bridge.week import Week
from server.services.bulletins import positions, week_channel
from server.storage.database import Database

HEADER = "Crossruff-Seen"
"""How far a page that is read again has come in its channels: `week:2026-W48=12 events=3`."""

AGE = 1.0  # seconds for which a copy is given to others
MOST = 64  # pages of which there are copies
SETTLE = 3500  # milliseconds until what was told is in the totals, which are counted, and in each copy
SELDOM = 15_000  # milliseconds between two readings of a page that only its followers' own week concerns
_LONGEST = 500  # characters of the header

Response = web.StreamResponse
Make = Callable[[], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Follows:
    """Channels with the position from which on a page is to follow each, and how it is to be done."""

    channels: Mapping[str, int]
    settle: int = 0  # milliseconds until what was told is in everything that the page shows
    every: int = 0  # milliseconds between two readings at least; 0: as few as there must be
    pool: str | None = None  # boards of other pools do not concern the page

    @property
    def told(self) -> str:
        """As the page and whoever reads it again name it."""
        return " ".join(f"{name}={position}" for name, position in self.channels.items())


async def of_week(
    database: Database, week: Week, *more: str, every: int = 0, pool: str | None = None
) -> Follows:
    """The channel of a week, and others with it; asked for before anything that the page shows."""
    channels = await positions(database, [week_channel(week), *more])
    return Follows(channels, SETTLE, every, pool)


def asked(request: web.Request) -> dict[str, int] | None:
    """How far whoever reads a page again has come; None: he reads it for the first time."""
    text = request.headers.get(HEADER, "")
    found = {}
    for word in text.split() if len(text) <= _LONGEST else ():
        name, _, position = word.rpartition("=")
        if not name or not position.isascii() or not position.isdecimal():
            return None
        found[name] = int(position)
    return found or None


@dataclass(frozen=True, slots=True)
class _Copy:
    """A page as it was made."""

    begun: float  # seconds of the monotonic clock
    follows: Follows
    body: bytes
    packed: bytes
    headers: CIMultiDict[str]

    def covers(self, seen: Mapping[str, int]) -> bool:
        """Whether everything that was told up to these positions is in it."""
        return all(self.follows.channels.get(name, place) >= place for name, place in seen.items())

    def response(self, request: web.Request) -> web.Response:
        """The answer to one of those who ask."""
        packs = "gzip" in request.headers.get("Accept-Encoding", "")
        response = web.Response(body=self.packed if packs else self.body, headers=self.headers)
        if packs:
            response.headers["Content-Encoding"] = "gzip"
        return response


@dataclass(slots=True, eq=False)
class _Slot:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    copy: _Copy | None = None


class Copies:
    """The pages that were read again last."""

    def __init__(self, elapsed: Callable[[], float]) -> None:
        self._elapsed = elapsed  # seconds of the monotonic clock
        self._slots: OrderedDict[tuple[str, str], _Slot] = OrderedDict()

    async def get(
        self, request: web.Request, look: str, seen: Mapping[str, int], make: Make
    ) -> web.StreamResponse:
        """The page at an address in a ``look``: a copy that holds all that was ``seen``, or made now."""
        slot = self._slot((request.path_qs, look))
        async with slot.lock:
            copy, now = slot.copy, self._elapsed()
            if copy is not None and now - copy.begun <= AGE and copy.covers(seen):
                return copy.response(request)
            response = await make()
            slot.copy = copy = await _copied(now, response)
            return response if copy is None else copy.response(request)

    def _slot(self, key: tuple[str, str]) -> _Slot:
        slot = self._slots.setdefault(key, _Slot())
        self._slots.move_to_end(key)
        while len(self._slots) > MOST:
            self._slots.popitem(last=False)
        return slot


async def _copied(begun: float, response: web.StreamResponse) -> _Copy | None:
    """A copy of a good page that follows something."""
    follows = response.get(FOLLOWS)
    if not isinstance(response, web.Response) or response.status != 200 or follows is None:
        return None
    body = response.body
    if not isinstance(body, bytes):
        return None
    packed = await asyncio.to_thread(gzip.compress, body, 5)
    return _Copy(begun, follows, body, packed, response.headers.copy())


FOLLOWS = web.ResponseKey("follows", Follows)
"""What a page follows, kept with its answer."""
COPIES = web.AppKey("copies", Copies)
