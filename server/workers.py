"""Several server processes on one address, watched over by this one."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType

from prometheus_client import multiprocess

from server.web.metrics import METRICS_FOLDER

PAUSE = 1.0  # seconds before a process that died is started again
PATIENCE = 15.0  # seconds for processes to end in good order
SOON = 30.0  # seconds in which a process died at once: a slow machine needs a while to start it
TRIES = 3


@dataclass(slots=True)
class _Place:
    """Where one process runs after the other."""

    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0  # processes in a row that died at once


@dataclass(slots=True)
class Workers:
    """So many processes, each started by its own command; one that dies is started again."""

    commands: Sequence[Sequence[str]]
    listens: Callable[[], bool]  # whether the first of them takes requests
    announce: Callable[[], None]  # called once, as soon as that is so
    say: Callable[[str], None]
    stopping: bool = False
    places: list[_Place] = field(default_factory=list)

    def run(self) -> bool:
        """Until SIGTERM or SIGINT; then every process is told to end, and waited for.

        False when every one of them died at once, TRIES times in a row.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        self.places = [_Place(command) for command in self.commands]
        with tempfile.TemporaryDirectory(prefix="crossruff-metrics-") as folder:
            try:
                return self._watch({**os.environ, METRICS_FOLDER: folder})
            finally:
                self._end()

    def _watch(self, environment: dict[str, str]) -> bool:
        announced = False
        while not self.stopping:
            for place in self.places:
                self._look_after(place, environment[METRICS_FOLDER])
            # While one of them lives there is something to keep: the others may come back.
            if all(place.failures >= TRIES for place in self.places):
                return False
            for place in self.places:
                if place.process is None:
                    place.process = subprocess.Popen(place.command, env=environment)
                    place.started = time.monotonic()
            if not announced and self.listens():
                announced = True
                self.announce()
            time.sleep(PAUSE)
        return True

    def _look_after(self, place: _Place, metrics: str) -> None:
        if place.process is None:
            return
        ended = place.process.poll() is not None
        if time.monotonic() - place.started >= SOON:
            place.failures = 0
        elif ended:
            place.failures += 1
        if ended:
            self.say(f"Process {place.process.pid} ended with {place.process.returncode}")
            multiprocess.mark_process_dead(place.process.pid, path=metrics)  # type: ignore[no-untyped-call]
            place.process = None

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping = True

    def _end(self) -> None:
        processes = [place.process for place in self.places if place.process is not None]
        for process in processes:
            process.terminate()
        deadline = time.monotonic() + PATIENCE
        for process in processes:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()


def reserve(host: str, port: int) -> socket.socket:
    """An address that the processes share, held so that nobody else takes it; never listened on itself."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    held = socket.socket(family, socket.SOCK_STREAM)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind((host, port))
    return held


def listened_on(held: socket.socket) -> bool:
    """Whether some process takes connections at a reserved address."""
    with suppress(OSError), socket.create_connection(held.getsockname()[:2], timeout=PAUSE):
        return True
    return False


def command(*arguments: str) -> list[str]:
    """The command of one process; what lies in the current folder is never taken for a part of it."""
    return [sys.executable, "-P", "-m", "server", *arguments]
