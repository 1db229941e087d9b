"""A client on the wire: one connection, one request at a time, which may break off at any byte."""

import asyncio
import json
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

LIMIT = 4 * 1024 * 1024  # bytes of an answer's line or chunk
PATIENCE = 60.0  # seconds for one answer

_ABORT = struct.pack("ii", 1, 0)  # linger no second: closing resets the connection


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]  # names in small letters
    body: bytes

    @property
    def json(self) -> Any:
        """The body's value."""
        return json.loads(self.body)

    @property
    def slug(self) -> str | None:
        """The kind of problem; None when it is none."""
        if self.headers.get("content-type") != "application/problem+json":
            return None
        return str(self.json["type"]).removeprefix("/problems/")

    @property
    def replayed(self) -> bool:
        """Whether the same was answered before."""
        return self.headers.get("idempotency-replayed") == "true"


class Connection:
    """A keep-alive connection, opened when it is first needed, and again after it was lost.

    Whatever breaks it is a ConnectionError: nobody knows then what became of the request.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        address = urlsplit(url)
        assert address.hostname is not None
        self.url = url
        self.host, self.port = address.hostname, address.port
        self.token = token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    @property
    def local_port(self) -> int:
        """Our own end of the connection; 0 when there is none."""
        return self._streams[1].get_extra_info("sockname")[1] if self._streams else 0

    async def get(self, path: str, **headers: str) -> Answer:
        """GET."""
        return await self.ask(self.request("GET", path, **headers))

    async def post(self, path: str, body: Any, key: str | None = None, **headers: str) -> Answer:
        """POST ``body`` as JSON."""
        named = headers if key is None else headers | {"Idempotency-Key": key}
        return await self.ask(self.request("POST", path, json.dumps(body).encode(), **named))

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
        """The bytes of a request; underscores in the names of headers are hyphens."""
        usual = {"Host": f"{self.host}:{self.port}"}
        if self.token is not None:
            usual["Authorization"] = f"Bearer {self.token}"
        if method == "POST":
            usual |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        named = usual | {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items())]
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def ask(self, request: bytes) -> Answer:
        """Send these bytes, read one answer."""
        await self.send(request)
        return await self.answer(head_only=request.startswith(b"HEAD "))

    async def send(self, data: bytes) -> None:
        """Send some bytes of a request."""
        try:
            async with asyncio.timeout(PATIENCE):
                writer = (await self._open())[1]
                writer.write(data)
                await writer.drain()
        except (OSError, TimeoutError) as error:
            raise self._broken(error) from error

    async def answer(self, head_only: bool = False) -> Answer:
        """Read one answer."""
        head = await self.head()
        return head if head_only else await self.rest(head)

    async def rest(self, head: Answer) -> Answer:
        """Read the body of an answer whose head was read."""
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await _rest((await self._open())[0], head)
        except (OSError, TimeoutError, EOFError) as error:
            raise self._broken(error) from error
        if answer.headers.get("connection") == "close":
            await self.close()
        return answer

    async def head(self) -> Answer:
        """Read an answer up to its body."""
        try:
            async with asyncio.timeout(PATIENCE):
                return Answer(*await read_head((await self._open())[0]), b"")
        except (OSError, TimeoutError, EOFError) as error:
            raise self._broken(error) from error

    async def some(self, most: int) -> bytes:
        """Some bytes of an answer, as soon as there are any; none at its end."""
        try:
            return await (await self._open())[0].read(most)
        except OSError as error:
            raise self._broken(error) from error

    def abort(self) -> None:
        """Break off at once: what was not yet sent is lost, the other side gets a reset."""
        if self._streams is not None:
            transport = self._streams[1].transport
            endpoint = transport.get_extra_info("socket")
            endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORT)
            transport.abort()
            self._streams = None

    async def close(self) -> None:
        """Close in good order."""
        if self._streams is not None:
            writer = self._streams[1]
            self._streams = None
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port, limit=LIMIT)
        return self._streams

    def _broken(self, error: BaseException) -> ConnectionError:
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None
        return ConnectionError(f"{type(error).__name__}: {error}")


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Status and headers of an answer. Raises EOFError when the connection ends before."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")[:-2]
    pairs = (line.partition(":") for line in lines)
    return int(first.split()[1]), {name.lower(): value.strip() for name, _, value in pairs}


async def _rest(reader: asyncio.StreamReader, head: Answer) -> Answer:
    if head.status in (204, 304):
        return head
    if head.headers.get("transfer-encoding") != "chunked":
        size = int(head.headers.get("content-length", "0"))
        return Answer(head.status, head.headers, await reader.readexactly(size))
    body = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readexactly(2)
    return Answer(head.status, head.headers, body)
