"""The server in a process of its own, which may be killed at any moment and started again."""

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from pathlib import Path
from typing import Any

from tests.long.places import Place
from tests.long.wire import Connection

ROOT = Path(__file__).parents[2]
READY_SECONDS = 30.0  # after which a server that is not ready will never be
LINES = 2000  # of its log


class Server:
    """``crossruff serve`` over a place; ``async with`` starts it, and kills what is left of it at the end."""

    def __init__(
        self, place: Place, *arguments: str, port: int = 0, module: str = "server", **settings: str
    ) -> None:
        self.place = place
        self.arguments = arguments
        self.module = module.split()  # and what goes before the command
        self.settings = settings
        self.port = port
        self.url = ""
        self.log: deque[str] = deque(maxlen=LINES)  # standard error
        self.said: deque[str] = deque(maxlen=LINES)  # standard output
        self._process: Process | None = None
        self._readers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Server":
        await self.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.kill()

    @property
    def process(self) -> Process:
        """The process that runs, or ran last."""
        assert self._process is not None
        return self._process

    @property
    def running(self) -> bool:
        """Whether it has been started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> float:
        """Start it; seconds until it says that it is ready."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        words = ("-m", *self.module, "serve", "--port", str(self.port), *self.arguments)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *words,
            cwd=ROOT,
            env=_environment() | self.place.environment | self.settings,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,  # Ctrl-C reaches the program alone, which ends what it started
        )
        self._readers = [asyncio.create_task(_note(self._process.stderr, self.log))]
        try:
            async with asyncio.timeout(READY_SECONDS):
                self.url = await self._address()
                self._readers.append(asyncio.create_task(_note(self._process.stdout, self.said)))
                await self.ready()
        except BaseException:
            await self.kill()
            raise
        return loop.time() - started

    async def ready(self) -> None:
        """Return when it is ready."""
        while True:
            try:
                async with Connection(self.url) as connection:
                    if (await connection.get("/readyz")).status == 200:
                        return
            except ConnectionError:
                assert self.running, f"the server ended: {list(self.log)}"
            await asyncio.sleep(0.01)

    async def kill(self) -> None:
        """As a power cut: no farewell. Does nothing when it has ended already."""
        if self.running:
            self.process.kill()
        await self.ended()

    async def stop(self, seconds: float = 15.0) -> float:
        """Tell it to end in good order and wait; seconds that it took. Raises TimeoutError."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(seconds):
            await self.ended()
        return loop.time() - started

    async def ended(self) -> int | None:
        """Wait for its end; the exit code."""
        if self._process is None:
            return None
        code = await self._process.wait()
        await asyncio.gather(*self._readers)
        return code

    def memory(self) -> int:
        """Bytes that its process holds."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", text)
        assert found is not None
        return int(found[1]) * 1024

    def complaints(self) -> list[str]:
        """What its log holds of errors: there should be none, whatever is done to it."""
        return [line for line in self.log if _level(line) in ("error", "critical")]

    async def _address(self) -> str:
        assert self.process.stdout is not None
        while line := (await self.process.stdout.readline()).decode():
            self.said.append(line)
            if found := re.search(r"listens on (http://\S+)", line):
                return found[1]
        await self.ended()
        raise AssertionError(f"the server ended: {list(self.log)}")


async def _note(stream: asyncio.StreamReader | None, lines: deque[str]) -> None:
    assert stream is not None
    while line := await stream.readline():
        lines.append(line.decode(errors="replace"))


async def command(place: Place, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run ``crossruff`` over a place, to its end."""
    told = [sys.executable, "-m", "server", *arguments]
    return await asyncio.to_thread(
        subprocess.run,
        told,
        cwd=ROOT,
        env=_environment() | place.environment,
        stdin=DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("CROSSRUFF_")}


def _level(line: str) -> str:
    """Of a line of the log; what is no JSON is a traceback or a warning that nobody caught."""
    try:
        said: Any = json.loads(line)
    except ValueError:
        return "error"
    return str(said.get("level")) if isinstance(said, dict) else "error"


def free_port() -> int:
    """A port that nobody has, from those that no connection is given by chance: it can be taken again."""
    ports = random.SystemRandom()
    while True:
        port = ports.randrange(20_000, 32_000)
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
