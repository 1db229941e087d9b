"""Following a channel as a browser does: server-sent events, and what they make of a snapshot."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.long.traffic import BASE
from tests.long.wire import read_head

SILENCE = 40.0  # seconds without a sign of life after which a stream is taken to be dead


@dataclass(frozen=True, slots=True)
class Message:
    """One event."""

    number: int | None
    kind: str
    text: str
    at: float  # when it came, by the loop's clock

    @property
    def body(self) -> Any:
        """Its data."""
        return json.loads(self.text)


class Stream:
    """One connection to a channel. Whatever breaks it is a ConnectionError."""

    def __init__(self, url: str, channel: str, after: int | None = None) -> None:
        self.channel = channel
        self._address = urlsplit(url)
        self._after = after
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.since = 0.0  # when the server said that it follows

    async def open(self, receive_buffer: int | None = None) -> int:
        """Ask for the channel; the status of the answer. ``receive_buffer``: bytes that the kernel takes."""
        endpoint = socket.socket()
        endpoint.setblocking(False)
        if receive_buffer is not None:
            endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            address = (self._address.hostname, self._address.port)
            await asyncio.get_running_loop().sock_connect(endpoint, address)
            self._streams = await asyncio.open_connection(sock=endpoint)
        except OSError as error:
            raise ConnectionError(str(error)) from error
        finally:
            if self._streams is None:
                endpoint.close()
        return await self._ask()

    async def _ask(self) -> int:
        reader, writer = self._connected()
        try:
            writer.write(self._request())
            async with asyncio.timeout(SILENCE):
                return (await read_head(reader))[0]
        except (OSError, EOFError, TimeoutError) as error:
            raise ConnectionError(str(error)) from error

    def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        assert self._streams is not None
        return self._streams

    async def messages(self) -> AsyncIterator[Message]:
        """What comes, until the server ends the stream."""
        reader, loop, rest = self._connected()[0], asyncio.get_running_loop(), ""
        try:
            while True:
                async with asyncio.timeout(SILENCE):
                    rest += (await _chunk(reader)).decode()
                *events, rest = rest.split("\n\n")
                for event in events:
                    if event == ": following":
                        self.since = loop.time()
                    if "event: " in event:
                        yield _message(event, loop.time())
        except (OSError, EOFError, TimeoutError) as error:
            raise ConnectionError(str(error)) from error

    async def first(self) -> Message:
        """The first message."""
        async for message in self.messages():
            return message
        raise ConnectionError("the stream ended")

    async def follows(self) -> None:
        """Return when the server has said that it follows, and nothing came before that."""
        async with asyncio.timeout(SILENCE):
            assert await _chunk(self._connected()[0]) == b": following\n\n"

    async def close(self) -> None:
        """Go away."""
        if self._streams is not None:
            writer = self._streams[1]
            self._streams = None
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _request(self) -> bytes:
        position = "" if self._after is None else f"Last-Event-ID: {self._after}\r\n"
        path = f"{BASE}channels/{self.channel}/stream"
        return f"GET {path} HTTP/1.1\r\nHost: {self._address.netloc}\r\n{position}\r\n".encode()


async def _chunk(reader: asyncio.StreamReader) -> bytes:
    size = int(await reader.readuntil(b"\r\n"), 16)
    data = await reader.readexactly(size + 2)
    if size == 0:
        raise EOFError("the server has ended the stream")
    return data[:-2]


def _message(event: str, at: float) -> Message:
    lines = dict(line.split(": ", 1) for line in event.split("\n") if not line.startswith(":"))
    number = int(lines["id"]) if "id" in lines else None
    return Message(number, lines["event"], lines["data"], at)


def applied(snapshot: dict[str, Any], messages: list[Message]) -> dict[str, Any]:
    """The traveller of a board after some messages of its channel: what a page would show by then."""
    shown = json.loads(json.dumps(snapshot))
    for message in messages:
        if message.kind == "board-revealed":
            shown = message.body
        elif message.kind == "result":
            shown["board"] |= message.body["board"]
            rows = {row["id"]: row for row in shown["results"]}
            for row in message.body["results"]:
                rows[row["id"]] = rows.get(row["id"], {}) | row
            shown["results"] = sorted(rows.values(), key=lambda row: row["sequence"])
        shown["position"] = message.number
    return shown
