"""A platform under load: many connections, each posting one result after another.

Runs as a process of its own (`python -m benchmarks.load`), prints one line of JSON.
"""

import argparse
import asyncio
import json
import random
import time
from collections.abc import Iterator
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import uvloop

STRAINS = ("C", "D", "H", "S", "NT")


class Connection(asyncio.Protocol):
    """One keep-alive connection with one request under way at a time."""

    def __init__(self, requests: Iterator[bytes], done: asyncio.Future[None]) -> None:
        self._requests = requests
        self._done = done
        self._buffer = b""
        self._sent = 0.0
        self.latencies: list[float] = []
        self.statuses: dict[int, int] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        self._transport = transport
        self._next()

    def data_received(self, data: bytes) -> None:
        """Take an answer, send the next request."""
        self._buffer += data
        head, gap, rest = self._buffer.partition(b"\r\n\r\n")
        if not gap:
            return
        at = head.lower().index(b"content-length:")
        length = int(head[at + 15 :].split(b"\r\n", 1)[0])
        if len(rest) < length:
            return
        self._buffer = rest[length:]
        self.latencies.append(time.perf_counter() - self._sent)
        status = int(head[9:12])
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        """The server ended it, or we did."""
        if not self._done.done():
            self._done.set_result(None)

    def _next(self) -> None:
        request = next(self._requests, None)
        if request is None:
            self._transport.close()
            return
        self._sent = time.perf_counter()
        self._transport.write(request)  # type: ignore[attr-defined]


def result_bodies(boards: list[str], count: int, seed: int) -> Iterator[dict[str, object]]:
    """Results on ``boards`` in turn: as many tables in play as boards."""
    rng = random.Random(seed)
    for i in range(count):
        level, strain = rng.randint(1, 7), rng.choice(STRAINS)
        yield {
            "board": boards[i % len(boards)],
            "table": f"T{seed}-{i}",
            "players": {seat: f"p{seed}-{i // len(boards)}-{i % len(boards)}{seat}" for seat in "NESW"},
            "contract": f"{level}{strain}",
            "declarer": rng.choice("NESW"),
            "tricks": max(0, min(13, level + 6 + rng.randint(-4, 2))),
        }


def make_boards(base: str, token: str, count: int) -> list[str]:
    """Fresh boards of the open week."""
    week = json.load(urlopen(f"{base}/api/v1/weeks/current"))["week"]
    made: list[str] = []
    while len(made) < count:
        body = json.dumps({"week": week, "count": min(1000, count - len(made))}).encode()
        request = Request(f"{base}/api/v1/board-sets", body, {"Authorization": f"Bearer {token}"})
        made += [board["id"] for board in json.load(urlopen(request))["boards"]]
    return made


def encoded(host: str, token: str, body: dict[str, object], key: str) -> bytes:
    """A whole POST request."""
    data = json.dumps(body, separators=(",", ":")).encode()
    head = (
        f"POST /api/v1/results HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
        f"Idempotency-Key: {key}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


async def run(base: str, token: str, count: int, clients: int, seed: int) -> dict[str, object]:
    """Post ``count`` results over ``clients`` connections."""
    address = urlsplit(base)
    boards = make_boards(base, token, -(-count // 40))
    requests = iter(
        [
            encoded(address.netloc, token, body, f"k{seed}-{i}")
            for i, body in enumerate(result_bodies(boards, count, seed))
        ]
    )
    loop = asyncio.get_running_loop()
    ends = [loop.create_future() for _ in range(clients)]
    started, cpu = time.perf_counter(), time.process_time()
    made = [
        await loop.create_connection(lambda end=end: Connection(requests, end), address.hostname, address.port)
        for end in ends
    ]
    await asyncio.gather(*ends)
    seconds = time.perf_counter() - started
    latencies = sorted(each for _, protocol in made for each in protocol.latencies)
    statuses: dict[int, int] = {}
    for _, protocol in made:
        for status, number in protocol.statuses.items():
            statuses[status] = statuses.get(status, 0) + number
    return {
        "rate": round(len(latencies) / seconds),
        "p50_ms": round(1000 * latencies[len(latencies) // 2], 2),
        "p99_ms": round(1000 * latencies[len(latencies) * 99 // 100], 2),
        "statuses": statuses,
        "client_cpu_us": round(1e6 * (time.process_time() - cpu) / len(latencies), 1),
    }


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base")
    parser.add_argument("token")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    answer = uvloop.run(run(given.base, given.token, given.count, given.clients, given.seed))
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
