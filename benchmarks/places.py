"""Where things are measured: fresh databases, servers of every kind, a PostgreSQL of our own."""

import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from tests.postgres import binaries as postgres_binaries

ROOT = Path(__file__).parent.parent
TICK = os.sysconf("SC_CLK_TCK")
STARTS = 30.0  # seconds in which a server is ready


@dataclass(frozen=True, slots=True)
class Place:
    """A server that runs."""

    urls: tuple[str, ...]  # one for each process
    token: str
    processes: tuple[int, ...]  # their ids

    def cpu_seconds(self) -> float:
        """Processor time that the server's own processes have used."""
        return sum(_cpu_seconds(process) for process in self.processes)


@contextmanager
def sqlite() -> Iterator[dict[str, str]]:
    """Settings of a fresh SQLite database, on the disk of the project."""
    with tempfile.TemporaryDirectory(prefix="crossruff-bench-", dir=ROOT) as folder:
        yield {"CROSSRUFF_DATA_DIR": folder}


@dataclass(frozen=True, slots=True)
class Cluster:
    """A PostgreSQL of our own, with its usual care for what it has acknowledged (fsync on)."""

    binaries: Path
    socket: str

    @contextmanager
    def database(self) -> Iterator[dict[str, str]]:
        """Settings of a fresh, migrated database."""
        name = f"bench_{time.monotonic_ns()}"
        self.psql("postgres", f"CREATE DATABASE {name}")
        with tempfile.TemporaryDirectory(prefix="crossruff-bench-") as folder:
            url = f"postgresql+asyncpg://postgres@/{name}?host={self.socket}"
            settings = {"CROSSRUFF_DATABASE_URL": url, "CROSSRUFF_DATA_DIR": folder, "name": name}
            command(["migrate"], settings)
            yield settings
        self.psql("postgres", f"DROP DATABASE {name} WITH (FORCE)")

    def psql(self, database: str, sql: str) -> None:
        """Run some SQL."""
        arguments = ["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-h", self.socket, "-U", "postgres", database]
        subprocess.run(arguments, input=sql.encode(), check=True, stdout=subprocess.DEVNULL, env=self._path())

    def pgbench(self, database: str, *arguments: str) -> str:
        """What pgbench prints."""
        told = ["pgbench", "-h", self.socket, "-U", "postgres", *arguments, database]
        return subprocess.run(told, check=True, capture_output=True, text=True, env=self._path()).stdout

    def _path(self) -> dict[str, str]:
        return {**os.environ, "PATH": f"{self.binaries}:{os.environ['PATH']}"}


@contextmanager
def postgres() -> Iterator[Cluster]:
    """Start a cluster; end it again."""
    binaries = postgres_binaries()
    owner = "postgres" if os.geteuid() == 0 else None
    if owner is not None and owner not in {entry.pw_name for entry in pwd.getpwall()}:
        owner = "nobody"
    with tempfile.TemporaryDirectory(prefix="crpg-") as folder:
        if owner is not None:
            shutil.chown(folder, owner)
        data = f"{folder}/data"

        def run(*arguments: str) -> None:
            subprocess.run(arguments, check=True, user=owner, stdout=subprocess.DEVNULL, cwd="/")

        run(f"{binaries}/initdb", "-D", data, "-U", "postgres", "--no-sync", "-A", "trust", "-E", "UTF8")
        options = f"-k {folder} -c listen_addresses= -c shared_buffers=512MB -c max_wal_size=4GB"
        run(f"{binaries}/pg_ctl", "-D", data, "-w", "-l", f"{folder}/log", "-o", options, "start")
        try:
            yield Cluster(binaries, folder)
        finally:
            run(f"{binaries}/pg_ctl", "-D", data, "-m", "immediate", "stop")


def command(arguments: list[str], settings: Mapping[str, str]) -> str:
    """What `crossruff` prints."""
    told = [sys.executable, "-m", "server", *arguments]
    return subprocess.run(
        told, check=True, capture_output=True, text=True, env=environment(settings), cwd=ROOT
    ).stdout


@contextmanager
def running(kind: str, settings: Mapping[str, str], processes: int = 1) -> Iterator[Place]:
    """Servers of this kind over one database, each on a port of its own."""
    token = command(["token", "create", "--name", "bench", "--scope", "admin"], settings).strip()
    with ExitStack() as stack:
        urls, ids = [], []
        for _ in range(processes):
            port = free_port()
            own = {**environment(settings), "CROSSRUFF_PORT": str(port)}
            told = [sys.executable, "-m", "benchmarks.server", kind]
            # Its log goes nowhere: into a pipe that nobody empties it would block.
            process = stack.enter_context(
                subprocess.Popen(told, stdout=subprocess.DEVNULL, env=own, cwd=ROOT)
            )
            stack.callback(process.terminate)
            urls.append(f"http://127.0.0.1:{port}")
            ids.append(process.pid)
            wait_until_ready(process, urls[-1])
        yield Place(tuple(urls), token, tuple(ids))


def wait_until_ready(process: "subprocess.Popen[bytes]", url: str) -> None:
    """Return when a server takes requests; raises RuntimeError when it never does."""
    ends = time.monotonic() + STARTS
    while process.poll() is None and time.monotonic() < ends:
        with suppress(URLError), urlopen(f"{url}/readyz", timeout=STARTS):
            return
        time.sleep(0.05)
    raise RuntimeError("the server does not start")


def load(place: Place, count: int, *arguments: str) -> list[dict[str, Any]]:
    """What the load clients of `benchmarks.load` print, one for each process of the server, all at once."""
    clients = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "benchmarks.load", url, place.token, "--count", str(count)),
                *("--seed", str(time.monotonic_ns() % 10**9 + i), *arguments),
            ],
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        for i, url in enumerate(place.urls)
    ]
    told = [client.communicate()[0] for client in clients]
    if any(client.returncode for client in clients):
        raise RuntimeError("a load client failed")
    return [json.loads(each) for each in told]


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Variables of a process over a database, with nothing else of Crossruff's set; no timetable."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("CROSSRUFF_")}
    given = {name: value for name, value in settings.items() if name.startswith("CROSSRUFF_")}
    return {**own, **given, "CROSSRUFF_RATE_LIMIT": "0", "CROSSRUFF_JOBS": "false"}


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _cpu_seconds(process: int) -> float:
    words = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICK
