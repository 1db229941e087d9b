"""Requests as bytes on the wire, for what no client library would send."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]  # names in small letters
    raw: bytes

    @property
    def problem(self) -> Any:
        """The body, which must be a problem."""
        assert self.headers["content-type"] == "application/problem+json", self
        return json.loads(self.raw)


async def send(url: str, request: bytes) -> Reply:
    """Send these bytes and read one answer."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        writer.write(request)
        await writer.drain()
        async with asyncio.timeout(30):
            head = await reader.readuntil(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")[:-2]
            pairs = [line.partition(":") for line in lines]
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            size = 0 if request.startswith(b"HEAD ") else int(headers.get("content-length", "0"))
            return Reply(int(first.split()[1]), headers, await reader.readexactly(size))
    finally:
        writer.close()
        await writer.wait_closed()


def request(line: bytes, body: bytes = b"", **headers: str | bytes | None) -> bytes:
    """A request that closes its connection; underscores in names are hyphens, None leaves a header out."""
    usual = {"Host": "localhost", "Connection": "close", "Content-Length": str(len(body))}
    lines = [line + b" HTTP/1.1"]
    for name, value in (usual | {name.replace("_", "-"): value for name, value in headers.items()}).items():
        if value is not None:
            lines.append(name.encode() + b": " + (value if isinstance(value, bytes) else value.encode()))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
