"""The command ``crossruff`` in a process of its own.

It is a fork of one that has read its modules (``tests/forks.py``), unless it is to be started ``afresh``, by
a new Python as an operator starts it.
"""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import forks
from tests.forks import Fork

END_SECONDS = 10.0  # in which a server that is told to stop has stopped
COMMAND_SECONDS = 300.0
_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Running:
    """A server that takes requests."""

    process: Process | Fork
    url: str
    said: str  # on standard output, up to its address

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to stop, and wait; its exit code. Raises TimeoutError after END_SECONDS."""
        self.process.send_signal(how)
        async with asyncio.timeout(END_SECONDS):
            return await self.process.wait()


async def crossruff(
    *arguments: str,
    stop: tuple[bytes, signal.Signals] | None = None,
    terminal: int | None = None,
    afresh: bool = False,
    **environment: str,
) -> Ended:
    """Run a command to its end. Raises TimeoutError after COMMAND_SECONDS, and kills it.

    ``terminal``: an open file for its messages, instead of what is returned; it is started afresh.

    ``stop``: as soon as its output has a line with this in it, it is sent this signal.
    """
    process, said = await _start(*arguments, errors=terminal, afresh=afresh, **environment), b""
    try:
        async with asyncio.timeout(COMMAND_SECONDS):
            if stop is not None:
                while stop[0] not in said:
                    line = await process.stdout.readline()
                    assert line, f"it ended: {said.decode()}"
                    said += line
                process.send_signal(stop[1])
            out, err = await process.communicate()
    finally:
        _kill(process)
        await process.wait()
    assert process.returncode is not None
    return Ended(process.returncode, (said + out).decode(), (err or b"").decode())


@asynccontextmanager
async def crossruff_serve(
    *arguments: str, command: str = "serve", afresh: bool = False, **environment: str
) -> AsyncIterator[Running]:
    """``crossruff serve`` on a free port, once it takes requests; killed if it still runs at the end.

    ``command`` may be another one that serves.
    """
    process = await _start(command, "--port", "0", *arguments, afresh=afresh, **environment)
    errors = asyncio.create_task(process.stderr.read())
    try:
        said = ""
        while " listens on " not in said:
            line = (await process.stdout.readline()).decode()
            assert line, f"the server ended: {said}{(await errors).decode()}"
            said += line
        yield Running(process, said.split()[-1], said)
    finally:
        _kill(process)
        await process.stdout.read()
        await errors
        await process.wait()


async def _start(
    *arguments: str, errors: int | None = None, afresh: bool = False, **environment: str
) -> Process | Fork:
    own = {name: value for name, value in os.environ.items() if not name.startswith("CROSSRUFF_")}
    if errors is None and not afresh:
        return await forks.start(arguments, own | environment)
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", *arguments),
        cwd=_ROOT,
        env=own | environment,
        stdout=PIPE,
        stderr=PIPE if errors is None else errors,
        umask=0o022,  # as a shell has it, whatever the process of the tests has
        start_new_session=True,
    )


def _kill(process: Process | Fork) -> None:
    """End a process that still runs, and those that it has started."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)
