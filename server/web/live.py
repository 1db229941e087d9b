"""Followers of channels: woken after a commit, they read on from where they are.

One pump a process reads what is new for all channels that somebody follows, once for all their followers. Who
falls behind what the pump remembers reads the database at his own pace: nobody waits for the slowest.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import structlog
from sqlalchemy import Connection

from server.services.bulletins import BulletinKind, after
from server.storage import bulletins
from server.storage.bulletins import Bulletin, Kept
from server.storage.database import Database
from server.storage.errors import StorageError
from server.storage.wakeups import EVERYTHING

REMEMBERED = 256  # bulletins of a channel
MOST = 10_000  # streams of a process, where it may have so many connections
AT_ONCE = 1000  # bulletins in one read
BEHIND = 100  # bulletins in one read for a follower who is behind, and may be slow to take them
POLL = 1.0  # seconds after which the pump looks by itself, should a wake-up have been lost

Gone = Callable[[], bool]
"""Whether a follower has gone away."""
Check = Callable[[], Awaitable[None]]
"""Raises when there is no such channel."""

_log = structlog.get_logger()


class Closing(Exception):
    """The server stops"""


def message(kind: str, body: str, number: int | None = None) -> bytes:
    """A server-sent event."""
    position = "" if number is None else f"id: {number}\n"
    return f"{position}event: {kind}\ndata: {body}\n\n".encode()


class _Channel:
    """A channel that somebody follows."""

    def __init__(self, last: int) -> None:
        self.last = last  # number of the newest bulletin that the pump has read
        self.recent: deque[tuple[int, bytes]] = deque(maxlen=REMEMBERED)
        self.followers = 0
        self._waiting: dict[asyncio.Future[None], Gone] = {}

    def take(self, number: int, text: bytes) -> None:
        """One more bulletin; wakes the followers."""
        self.last = number
        self.recent.append((number, text))
        self.wake()

    def wake(self, whom: Callable[[Gone], bool] = lambda _gone: True) -> None:
        """Wake those who wait, all or some."""
        for waiter, gone in self._waiting.items():
            if not waiter.done() and whom(gone):
                waiter.set_result(None)

    async def wait(self, patience: float, gone: Gone) -> None:
        """Return when somebody wakes, or after ``patience`` seconds."""
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        self._waiting[waiter] = gone
        timer = loop.call_later(patience, _end, waiter)
        try:
            await waiter
        finally:
            timer.cancel()
            del self._waiting[waiter]

    def remembers(self, position: int | None) -> bool:
        """Whether all after ``position``, or nothing yet, is remembered; not what is still to come."""
        return position is None or (position <= self.last and self.beyond(position) is not None)

    def beyond(self, position: int) -> list[tuple[int, bytes]] | None:
        """Bulletins after ``position``; None when some of them are not remembered."""
        if position >= self.last:
            return []
        if not self.recent or self.recent[0][0] > position + 1:
            return None
        return [each for each in self.recent if each[0] > position]


class Hub:
    """All channels that are followed in this process."""

    def __init__(self, database: Database, most: int = MOST) -> None:
        self._database = database
        self._most = most  # streams
        self._channels: dict[str, _Channel] = {}
        self._asking: dict[str, asyncio.Task[Kept]] = {}  # what is kept of a channel, for those who come now
        self._woken: set[str] = set()
        self._wake = asyncio.Event()
        self._closing = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None
        self._stop_listening: Callable[[], None] = lambda: None

    @property
    def full(self) -> bool:
        """Whether no more streams are taken."""
        return self.followers >= self._most

    @property
    def followers(self) -> int:
        """Open streams."""
        return sum(channel.followers for channel in self._channels.values())

    def start(self) -> None:
        """Begin to read what is new; needs the running loop."""
        self._stop_listening = self._database.listen(self.wake)
        self._pump = asyncio.create_task(self._run(), name="live")

    def close(self) -> None:
        """Tell every follower that the server stops."""
        self._closing.set()
        for channel in self._channels.values():
            channel.wake()

    async def stop(self) -> None:
        """Stop reading."""
        self.close()
        self._stop_listening()
        if self._pump is not None:
            self._pump.cancel()
            with suppress(asyncio.CancelledError):
                await self._pump

    def wake(self, names: set[str]) -> None:
        """There is news in these channels."""
        self._woken |= self._channels.keys() if EVERYTHING in names else names & self._channels.keys()
        if self._woken:
            self._wake.set()

    async def join(self, name: str, position: int | None, check: Check) -> Kept:
        """Begin to follow a channel from ``position``, or from now on: what is kept of it.

        ``check`` is asked about a channel that nobody follows yet, and raises when there is no such channel.
        Who comes to a channel that others follow asks nothing of the database, unless he missed much; all
        who come at the same moment ask it once. Raises StorageError.
        """
        channel = self._channels.get(name)
        if channel is not None and channel.remembers(position):
            kept = Kept(0, channel.last)
        else:
            kept = await self._ask_once(name, check)
            if position is not None and position > kept.last:  # somebody may have asked before it was there
                kept = await self._kept(name)
        if name not in self._channels:
            self._channels[name] = _Channel(kept.last)
            self.wake({name})  # what came meanwhile woke nobody
        self._channels[name].followers += 1
        return kept

    async def _ask_once(self, name: str, check: Check) -> Kept:
        asking = self._asking.get(name)
        if asking is None:
            asking = asyncio.create_task(self._ask(name, check), name=f"join {name}")
            self._asking[name] = asking
        return await asyncio.shield(asking)

    async def _ask(self, name: str, check: Check) -> Kept:
        try:
            if name not in self._channels:
                await check()
            return await self._kept(name)
        finally:
            del self._asking[name]

    async def _kept(self, name: str) -> Kept:
        return await self._database.read(lambda connection: bulletins.kept(connection, name))

    def leave(self, name: str) -> None:
        """Follow the channel no longer."""
        channel = self._channels[name]
        channel.followers -= 1
        if channel.followers == 0:
            del self._channels[name]

    async def next(self, name: str, position: int, patience: float, gone: Gone) -> list[tuple[int, bytes]]:
        """Bulletins after ``position``, as soon as there are any.

        None when ``patience`` seconds bring none, and soon after the follower has gone away.
        Raises Closing when the server stops, StorageError when the database cannot be read.
        """
        channel = self._channels[name]
        if self._closing.is_set():
            raise Closing
        found = channel.beyond(position)
        if found is None:
            rows = await self._read({name: position}, BEHIND)
            return [_encoded(row) for row in rows]
        if found:
            return found
        await channel.wait(patience, gone)
        if self._closing.is_set():
            raise Closing
        return channel.beyond(position) or []

    async def _read(self, positions: dict[str, int], limit: int = AT_ONCE) -> list[Bulletin]:
        return await self._database.read(partial(_after, positions, limit))

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        look = loop.time() + POLL
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(look):
                    await self._wake.wait()
            self._wake.clear()
            woken, self._woken = self._woken, set()
            if loop.time() >= look:
                look = loop.time() + POLL
                woken = set(self._channels)
                self._look_for_gone()
            try:
                await self._catch_up(woken)
            except StorageError as error:
                _log.warning("live.busy", detail=str(error))
                await asyncio.sleep(POLL)
            except Exception as error:  # whatever it is, those who follow are not left alone
                _log.error("live.failed", exc_info=error)
                await asyncio.sleep(POLL)

    def _look_for_gone(self) -> None:
        """Nobody tells us that a client went away: whoever did leaves now, not at the next word to him."""
        for channel in self._channels.values():
            channel.wake(lambda gone: gone())

    async def _catch_up(self, names: set[str]) -> None:
        while names := names & self._channels.keys():
            rows = await self._read({name: self._channels[name].last for name in names})
            for row in rows:
                channel = self._channels.get(row.channel)
                if channel is not None and (row.number or 0) > channel.last:
                    channel.take(*_encoded(row))
            if len(rows) < AT_ONCE:
                return


def _after(positions: dict[str, int], limit: int, connection: Connection) -> list[Bulletin]:
    return after(connection, positions, limit)


def _end(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


def _encoded(row: Bulletin) -> tuple[int, bytes]:
    return row.number or 0, message(row.kind, row.body, row.number)


def reset(position: int) -> bytes:
    """Tells a follower that what he missed is gone: the snapshot first, then on from ``position``."""
    return message(BulletinKind.RESET, f'{{"position":{position}}}', position)


def closing() -> bytes:
    """Tells a follower to come again in a second."""
    return b"retry: 1000\n" + message(BulletinKind.CLOSING, "{}")
