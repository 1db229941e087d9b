"""Processes of the command ``crossruff`` that need not read its modules: forks of one that has read them.

To read them takes a second and a half of computing, which most tests can spare: what a fork does is what the
command does, in a process of its own with its own session, environment, folder and output.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
from asyncio import StreamReader, StreamReaderProtocol
from collections.abc import Mapping
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from server.cli import main

_ROOT = Path(__file__).parents[1]
_ROOMS = ("serve", "demo", "import", "rate", "replay", "tokens", "verify")
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.forks", *(f"server.cli_{room}" for room in _ROOMS)])
LOOK_S = 0.01  # between two looks whether a process has ended


class Fork:
    """A process that was started here, to be used as one of ``asyncio.subprocess``."""

    def __init__(self, process: BaseProcess, out: StreamReader, err: StreamReader) -> None:
        self._process = process
        assert process.pid is not None
        self.pid = process.pid
        self.stdout, self.stderr = out, err

    @property
    def returncode(self) -> int | None:
        """Its exit code; the negative number of the signal that has killed it; None while it runs."""
        return self._process.exitcode

    def send_signal(self, which: signal.Signals) -> None:
        """Unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, which)

    async def wait(self) -> int:
        """Until it has ended; its exit code."""
        while (code := self.returncode) is None:  # noqa: ASYNC110 - nothing tells when it is so
            await asyncio.sleep(LOOK_S)
        return code

    async def communicate(self) -> tuple[bytes, bytes]:
        """Until it has ended; what it has said since somebody last read it."""
        said = await asyncio.gather(self.stdout.read(), self.stderr.read())
        await self.wait()
        return said[0], said[1]


async def start(arguments: tuple[str, ...], environment: Mapping[str, str]) -> Fork:
    """Run the command with these arguments, in exactly this environment."""
    ends = [FORKS.Pipe(duplex=False) for _ in ("out", "err")]
    said = [theirs for _, theirs in ends]
    process = FORKS.Process(target=_run, args=(*said, arguments, dict(environment)))
    await asyncio.to_thread(process.start)
    for theirs in said:
        theirs.close()
    out, err = [await _reader(ours) for ours, _ in ends]
    return Fork(process, out, err)


async def _reader(pipe: Connection) -> StreamReader:
    """What comes out of a pipe."""
    loop, reader = asyncio.get_running_loop(), StreamReader()
    file = os.fdopen(os.dup(pipe.fileno()), "rb", 0)
    pipe.close()
    await loop.connect_read_pipe(lambda: StreamReaderProtocol(reader), file)
    return reader


def _run(
    said: Connection, told: Connection, arguments: tuple[str, ...], environment: Mapping[str, str]
) -> None:
    """What the fork does: become as the shell starts a command, and be it."""
    os.setsid()
    os.umask(0o022)
    os.chdir(_ROOT)
    os.environ.clear()
    os.environ.update(environment)
    for number, pipe in ((1, said), (2, told)):
        os.dup2(pipe.fileno(), number)
        pipe.close()
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - open to the end
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    main(arguments, prog_name="crossruff")
