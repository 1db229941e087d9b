"""A platform under load: many connections, each posting one request after another.

Runs as a process of its own (`python -m benchmarks.load`), prints one line of JSON.
"""

import argparse
import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any
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
        self.statuses: Counter[int] = Counter()  # of results

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        self._transport: Any = transport
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
        if status == 200:  # a batch
            self.statuses[201] += rest.count(b'{"status":201')
        else:
            self.statuses[status] += 1
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
        self._transport.write(request)


def result_bodies(boards: list[str], count: int, seed: int) -> Iterator[dict[str, object]]:
    """Results on ``boards`` in turn: as many tables in play as boards, each with its four players.

    Every table plays every board once, so that players are new in the first round only.
    """
    rng = random.Random(seed)
    tables = len(boards)
    for i in range(count):
        level, strain = rng.randint(1, 7), rng.choice(STRAINS)
        table = (i + i // tables) % tables
        yield {
            "board": boards[i % tables],
            "table": f"T{seed}-{i}",
            "players": {seat: f"p{seed}-{table}{seat}" for seat in "NESW"},
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


def single_requests(host: str, token: str, bodies: Iterator[dict[str, object]]) -> Iterator[bytes]:
    """A POST for each result."""
    for body in bodies:
        yield _request(host, token, "results", body, f"Idempotency-Key: k{body['table']}\r\n")


def batch_requests(host: str, token: str, bodies: Iterator[dict[str, object]], size: int) -> Iterator[bytes]:
    """A POST for every ``size`` results."""
    while rows := [{**body, "idempotency_key": f"k{body['table']}"} for body in islice(bodies, size)]:
        yield _request(host, token, "results/batch", rows, "")


def _request(host: str, token: str, path: str, body: object, header: str) -> bytes:
    data = json.dumps(body, separators=(",", ":")).encode()
    head = (
        f"POST /api/v1/{path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{header}"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


async def run(given: argparse.Namespace) -> dict[str, object]:
    """Post the results, measure."""
    address = urlsplit(given.base)
    boards = make_boards(given.base, given.token, max(64, -(-given.count // 40)))
    bodies = result_bodies(boards, given.count, given.seed)
    if given.batch > 1:
        requests = list(batch_requests(address.netloc, given.token, bodies, given.batch))
    else:
        requests = list(single_requests(address.netloc, given.token, bodies))
    loop = asyncio.get_running_loop()
    ends = [loop.create_future() for _ in range(given.clients)]
    left = iter(requests)
    started, cpu = time.perf_counter(), time.process_time()
    made = [
        await loop.create_connection(partial(Connection, left, end), address.hostname, address.port)
        for end in ends
    ]
    await asyncio.gather(*ends)
    seconds = time.perf_counter() - started
    latencies = sorted(each for _, protocol in made for each in protocol.latencies)
    return {
        "rate": round(given.count / seconds),
        "p50_ms": round(1000 * latencies[len(latencies) // 2], 2),
        "p99_ms": round(1000 * latencies[len(latencies) * 99 // 100], 2),
        "statuses": sum((protocol.statuses for _, protocol in made), Counter()),
        "client_cpu_us": round(1e6 * (time.process_time() - cpu) / given.count, 1),
    }


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base")
    parser.add_argument("token")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=1)
    print(json.dumps(uvloop.run(run(parser.parse_args()))))


if __name__ == "__main__":
    main()
