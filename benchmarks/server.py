"""The server to be measured, as a process of its own: `python -m benchmarks.server <kind>`.

``whole`` is the product; ``single`` commits every result alone; ``null`` validates and answers, but stores no
result: everything else is the same.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import uvloop
from aiohttp import web

from server import garbage
from server.app import install, make_app
from server.services.arrivals import Verdict
from server.services.idempotency import Answered
from server.services.ingest import BATCH, Ingest
from server.services.reports import Report
from server.settings import load_settings
from server.web.keys import SERVICES

ANSWER = (
    '{"id":"r_000001000007","board":{"id":"b_000001","number":1,"state":"scoring","results":7},"sequence":7,'
    '"table":"T","score":420,"state":"scored","datum":420,"award":{"ns":0,"ew":0},"field":{"ns":0,"ew":0},'
    '"rated":true,"reason":null,"version":1}'
)


class NullIngest:
    """Takes everything and keeps nothing."""

    waiting = 0
    oldest = 0.0

    def start(self) -> None:
        """Nothing to start."""

    async def stop(self) -> None:
        """Nothing to stop."""

    async def submit(self, reports: Sequence[Report]) -> list[Verdict]:
        """The same answer for each."""
        return [Answered(201, ANSWER) for _ in reports]


async def run(kind: str) -> None:
    """Serve until the process is ended."""
    settings = load_settings()
    installed = await install(settings)
    app = make_app(settings, installed, 1 if kind == "single" else BATCH)
    if kind == "null":
        app[SERVICES] = replace(app[SERVICES], ingest=cast(Ingest, NullIngest()))
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, settings.host, settings.port, backlog=1024).start()
    garbage.settle()
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(run(sys.argv[1]))
