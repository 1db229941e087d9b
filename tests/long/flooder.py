"""A client that sends one request again and again, at a pace or as fast as it is answered.

Runs as a process of its own, so that it takes nothing from the clients whose answers are timed. Reads a line
of JSON, ``{"url", "token", "path", "key", "body", "connections", "pause"}``, where the pause is the seconds
between two requests of a connection; without a body it reads. Writes a line when it has begun: when it posts
without a pause, with the first 429. Goes on until its input ends; then writes ``{"answers": {"<status>":
count}, "odd": […]}``, where odd are the 429s that do not say when to come again.
"""

import asyncio
import json
import sys
from collections import Counter
from typing import Any

from tests.long.wire import Answer, Connection


class Flood:
    """All connections of the process."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.answers: Counter[int] = Counter()
        self.odd: list[str] = []
        self.begun = asyncio.Event()

    async def run(self) -> None:
        """Flood until standard input ends."""
        tasks = [asyncio.create_task(self._connection()) for _ in range(self.order["connections"])]
        begun = asyncio.create_task(self.begun.wait())
        await asyncio.wait([begun, *tasks], return_when=asyncio.FIRST_COMPLETED)
        print("begun", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        for task in (*tasks, begun):
            task.cancel()
        await asyncio.gather(*tasks, begun, return_exceptions=True)
        print(json.dumps({"answers": self.answers, "odd": self.odd[:3]}), flush=True)

    async def _connection(self) -> None:
        async with Connection(self.order["url"], self.order["token"]) as connection:
            request = self._request(connection)
            while True:
                answer = await connection.ask(request)
                self.answers[answer.status] += 1
                if answer.status == 429:
                    self.begun.set()
                    if not _says_when(answer):
                        self.odd.append(f"{answer.headers} {answer.body!r}")
                if self.order["pause"] or self.order["body"] is None:
                    self.begun.set()
                if self.order["pause"]:
                    await asyncio.sleep(self.order["pause"])

    def _request(self, connection: Connection) -> bytes:
        if self.order["body"] is None:
            return connection.request("GET", self.order["path"])
        body = json.dumps(self.order["body"]).encode()
        return connection.request("POST", self.order["path"], body, Idempotency_Key=self.order["key"])


def _says_when(answer: Answer) -> bool:
    named = answer.headers.get("retry-after", "")
    return answer.slug == "rate-limited" and named.isdecimal() and "ratelimit" in answer.headers


if __name__ == "__main__":
    asyncio.run(Flood(json.loads(sys.stdin.readline())).run())
