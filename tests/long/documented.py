"""schemathesis against the document that a real server serves: every operation, no 5xx, nothing undocumented.

The server is a process of its own, the document is read from it. Every operation is attacked by examples, by
edge cases of every schema and at random. Live streams, whose good answer does not end, are attacked here by
names and positions of all kinds; of a good answer only the head is read.
"""

import asyncio
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from urllib.parse import quote

from tests.document import ApiDocument, NotAsDocumented
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import Server
from tests.long.traffic import BASE, Ledger, deal, post, result
from tests.long.wire import Connection

STREAM = "/api/v1/channels/{name}/stream"
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
)
ODD_NAMES = ("a", ":", "board:", "week:", "event:x", "board:b_", "week:2026-W60", "week:0000-W01", "..", "\0")
ODD_POSITIONS = ("0", "1", "-1", "1e3", "", "x", "9" * 18, "9" * 19, "1 2", "0x1", "+1", "1.0")


@dataclass(frozen=True)
class Profile:
    """How much."""

    phases: str  # of schemathesis
    examples: int  # at random, for each operation
    streams: int


SHORT = Profile(phases="fuzzing", examples=3, streams=50)
DEFAULT = Profile(phases="examples,coverage,fuzzing", examples=100, streams=2000)
LONG = Profile(phases="examples,coverage,fuzzing", examples=3000, streams=20_000)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Attack every operation."""
    async with Server(place) as server:
        async with Connection(server.url, place.tokens["platform"]) as connection:
            (board,) = await deal(connection, 1)
            for number in range(7):
                await post(connection, Ledger(run), result(run.rng, board, f"s{run.seed}-{number}"))
            document = ApiDocument((await connection.get("/api/openapi.json")).body)
            week = (await connection.get(f"{BASE}weeks/current")).json["week"]
        known = [f"board:{board.id}", f"week:{week}"]
        run.check(STREAM in document.content["paths"], "no stream is documented")
        await _attack_streams(run, server, document, profile.streams, known)
        await _attack_the_rest(run, server, profile)
        async with Connection(server.url) as connection:
            lines = (await connection.get("/metrics")).body.decode().splitlines()
        wrong = [
            line for line in lines if line.startswith("crossruff_requests_total") and 'status="5' in line
        ]
        run.check(not wrong, "answers by status:", wrong)
        run.check(not server.complaints(), "the log says", server.complaints()[:1])


async def _attack_the_rest(run: Run, server: Server, profile: Profile) -> None:
    """schemathesis in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="crossruff-schema-") as folder:
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/api/openapi.json"]
        command += ["--header", f"Authorization: Bearer {server.place.tokens['admin']}"]
        command += ["--checks", ",".join(CHECKS), "--exclude-path", STREAM, "--phases", profile.phases]
        command += ["--max-examples", str(profile.examples), "--seed", str(run.seed)]
        command += ["--continue-on-failure", "--warnings", "off", "--no-color", "--request-timeout", "30"]
        ended = await asyncio.to_thread(
            subprocess.run, command, cwd=folder, capture_output=True, text=True, check=False
        )
    run.check(ended.returncode == 0, ended.stdout[-4000:], ended.stderr[-1000:])
    told = [line.strip() for line in ended.stdout.splitlines() if "generated" in line or "Tested:" in line]
    run.check(len(told) == 2, "schemathesis says", ended.stdout[-1000:])
    run.figures["operations and cases"] = ", ".join(told)


async def _attack_streams(
    run: Run, server: Server, document: ApiDocument, count: int, known: list[str]
) -> None:
    """Names and positions, good ones and bad ones; every answer must be one that the document knows."""
    answers: Counter[int] = Counter()
    for _ in range(count):
        name = run.rng.choice([*known, *known, *ODD_NAMES, _changed(run, run.rng.choice(known))])
        path = STREAM.replace("{name}", quote(name, safe=":"))
        headers = {}
        position = run.rng.choice([None, *ODD_POSITIONS])
        if position is not None and run.rng.random() < 0.5:
            path += f"?after={quote(position)}"
        elif position is not None:
            headers["Last-Event-ID"] = position
        answers[await _ask(run, server, document, path, headers)] += 1
    run.check(count < 50 or {200, 404, 422} <= answers.keys(), "streams are answered", dict(answers))
    run.figures["answers to who follows"] = dict(answers)


async def _ask(run: Run, server: Server, document: ApiDocument, path: str, headers: dict[str, str]) -> int:
    """Status of an answer; a good one is broken off after its head."""
    async with Connection(server.url) as connection:
        await connection.send(connection.request("GET", path, **headers))
        head = await connection.head()
        body = b"" if head.status == 200 else (await connection.rest(head)).body
        media = head.headers.get("content-type", "").partition(";")[0]
        try:
            document.check("GET", path.partition("?")[0], head.status, media, body)
        except NotAsDocumented as error:
            run.fault(path, headers, error)
        return head.status


def _changed(run: Run, name: str) -> str:
    """The name with one letter changed."""
    at = run.rng.randrange(len(name))
    return name[:at] + run.rng.choice("aZ0-_:é ") + name[at + 1 :]


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
