"""Several server processes on one address, watched over by this one."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType

from prometheus_client import multiprocess

from server.web.metrics import METRICS_FOLDER

PAUSE = 1.0  # seconds before a process that died is started again
PATIENCE = 15.0  # seconds for processes to end in good order


@dataclass(slots=True)
class Workers:
    """So many processes, each started by its own command; one that dies is started again."""

    commands: Sequence[Sequence[str]]
    say: Callable[[str], None]
    running: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)
    stopping: bool = False

    def run(self) -> None:
        """Until SIGTERM or SIGINT; then every process is told to end, and waited for."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        with tempfile.TemporaryDirectory(prefix="crossruff-metrics-") as folder:
            environment = {**os.environ, METRICS_FOLDER: folder}
            try:
                while not self.stopping:
                    self._start_missing(environment)
                    time.sleep(PAUSE)
            finally:
                self._end()

    def _start_missing(self, environment: dict[str, str]) -> None:
        for index, command in enumerate(self.commands):
            known = self.running.get(index)
            if known is not None and known.poll() is None:
                continue
            if known is not None:
                self.say(f"Process {known.pid} ended with {known.returncode} and is started again")
                multiprocess.mark_process_dead(  # type: ignore[no-untyped-call]
                    known.pid, path=environment[METRICS_FOLDER]
                )
            self.running[index] = subprocess.Popen(command, env=environment)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping = True

    def _end(self) -> None:
        for process in self.running.values():
            process.terminate()
        deadline = time.monotonic() + PATIENCE
        for process in self.running.values():
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


def command(*arguments: str) -> list[str]:
    """The command of one process."""
    return [sys.executable, "-m", "server", *arguments]
