"""Opens the database, begins and commits. Nobody else does.

A verb is an ordinary function of a SQLAlchemy ``Connection``; the same one runs on both databases:
on SQLite in the process's one writer thread (or in a reader thread), on PostgreSQL over asyncpg.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from sqlite3 import SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_NOTADB
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.storage import wakeups
from server.storage.errors import ConstraintViolated, DatabaseBusy, DatabaseUnusable
from server.storage.listening import Listener
from server.storage.wakeups import Wake

T = TypeVar("T")
Verb = Callable[[Connection], T]

READERS = 4  # threads that read SQLite beside its one writer, connections that read PostgreSQL
WRITERS = 4  # connections to PostgreSQL
_STEPS = 100_000  # of SQLite's machine, after which a reader looks whether he is to end
_PASSING_STATES = {"40001", "40P01"}  # serialization failure, deadlock
_BUSY_STATES = (  # the beginnings of
    "08",  # the connection is lost, or was never made
    "53",  # no disk, memory or connection left
    "57P",  # the server is going down, has crashed, or is starting up
    "58030",  # the disk cannot be read or written
    "55P03",  # lock not available
    "25006",  # read-only transaction: a standby, or a disk that cannot be written
)
_UNUSABLE_STATES = {"28000", "28P01", "3D000"}  # we are not let in; no database has this name
_UNUSABLE_CODES = {SQLITE_NOTADB, SQLITE_CORRUPT}


class Database(Protocol):
    """A database that runs verbs, each in one transaction."""

    async def write(self, verb: Verb[T]) -> T:
        """Run ``verb`` and commit; when it raises, nothing is changed.

        Once begun it ends, even when the caller is cancelled. Raises DatabaseBusy, ConstraintViolated.
        """
        ...

    async def alter(self, verb: Verb[T]) -> T:
        """As ``write``, for changes of the schema; nobody else may use the database meanwhile.

        On SQLite foreign keys are off while ``verb`` copies tables, and checked when it is done.
        """
        ...

    async def read(self, query: Verb[T]) -> T:
        """Run ``query`` on one consistent state of the database. Raises DatabaseBusy."""
        ...

    def listen(self, wake: Wake) -> Callable[[], None]:
        """Have ``wake`` called in the running loop after commits that wrote bulletins, of any process.

        Returns what ends it. Wake-ups may come doubled, and are rarely lost: look by yourself now and then.
        """
        ...

    async def close(self) -> None:
        """Let go of all connections."""
        ...


def open_database(url: str) -> Database:
    """The database at ``url``: ``sqlite:///<file>`` or ``postgresql+asyncpg://…``."""
    if make_url(url).get_backend_name() == "sqlite":
        return SqliteDatabase(url)
    return PostgresDatabase(url)


class SqliteDatabase:
    """SQLite in WAL mode: one writer thread, several readers that never wait for it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._writer = _sqlite_engine(url, "BEGIN IMMEDIATE", 1)
        self._reader = _sqlite_engine(url, "BEGIN", READERS)
        self._writer_thread = ThreadPoolExecutor(1, "sqlite-writer")
        self._reader_threads = ThreadPoolExecutor(READERS, "sqlite-reader")
        self._wakes: list[Wake] = []
        self._closing = False

        @event.listens_for(self._reader, "connect")
        def _end_with_us(connection: Any, _record: Any) -> None:
            # Whoever reads for long ends when the database is closed, instead of holding up the process.
            connection.set_progress_handler(lambda: self._closing, _STEPS)

    async def write(self, verb: Verb[T]) -> T:
        # A client that goes away cancels its handler, never the transaction nor the wake-ups after it.
        return await asyncio.shield(asyncio.ensure_future(self._write(verb)))

    async def _write(self, verb: Verb[T]) -> T:
        loop = asyncio.get_running_loop()
        done, woken = await loop.run_in_executor(self._writer_thread, _run_noting, self._writer, verb)
        for wake in self._wakes if woken else ():
            wake(woken)
        return done

    async def alter(self, verb: Verb[T]) -> T:
        # Inside a transaction SQLite does not turn foreign keys off: it takes a connection of its own.
        engine = _sqlite_engine(self._url, "BEGIN IMMEDIATE", 1, foreign_keys=False)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._writer_thread, _run, engine, partial(_checked, verb))
        finally:
            engine.dispose()

    async def read(self, query: Verb[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(
            self._reader_threads, _run, self._reader, query
        )

    def listen(self, wake: Wake) -> Callable[[], None]:
        self._wakes.append(wake)
        return partial(self._wakes.remove, wake)

    async def close(self) -> None:
        self._closing = True
        self._writer_thread.shutdown()
        self._reader_threads.shutdown()
        self._writer.dispose()
        self._reader.dispose()


class PostgresDatabase:
    """PostgreSQL over asyncpg. Writes are READ COMMITTED: what must not change meanwhile is locked by row.

    Reads and writes have connections of their own: however many want to read, a result finds one. Few read at
    once: more would not be faster, and every step of a commit would wait for them.
    """

    def __init__(self, url: str, readers: int = READERS, writers: int = WRITERS, patience: float = 5) -> None:
        self._writer = _postgres_engine(url, writers, patience)
        # A query of several statements sees one state of the database, as on SQLite.
        self._reader = _postgres_engine(url, readers, patience).execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    async def write(self, verb: Verb[T]) -> T:
        # A client that goes away cancels its handler, never the transaction.
        return await asyncio.shield(asyncio.ensure_future(self._run(self._writer, verb)))

    async def alter(self, verb: Verb[T]) -> T:
        return await self.write(verb)

    async def read(self, query: Verb[T]) -> T:
        return await self._run(self._reader, query)

    @staticmethod
    async def _run(engine: AsyncEngine, verb: Verb[T]) -> T:
        try:
            async with engine.begin() as connection:
                return await connection.run_sync(verb)
        except (OSError, TimeoutError, PoolTimeout, DBAPIError) as error:
            raise _translated(error, engine.url.database) from error

    def listen(self, wake: Wake) -> Callable[[], None]:
        return Listener(self._writer, wake).stop

    async def close(self) -> None:
        await self._writer.dispose()
        await self._reader.dispose()


def _checked(verb: Verb[T], connection: Connection) -> T:
    done = verb(connection)
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        raise ConstraintViolated(f"rows without their parents: {broken[:3]}")
    return done


def _run_noting(engine: Engine, verb: Verb[T]) -> tuple[T, set[str]]:
    """As ``_run``, with the channels that are to be woken."""
    woken: set[str] = set()

    def noting(connection: Connection) -> T:
        wakeups.noted(connection)  # of a transaction that came to nothing
        done = verb(connection)
        woken.update(wakeups.noted(connection))
        return done

    return _run(engine, noting), woken


def _run(engine: Engine, verb: Verb[T]) -> T:
    try:
        with engine.begin() as connection:
            return verb(connection)
    except DBAPIError as error:
        raise _translated(error, engine.url.database) from error


def _translated(error: OSError | TimeoutError | PoolTimeout | DBAPIError, name: str | None) -> Exception:
    """The one seam at which a driver's error becomes ours; what we have no word for stays as it is."""
    if isinstance(error, IntegrityError):
        return ConstraintViolated(str(error.orig))
    driver = getattr(error, "orig", None)
    state = getattr(driver, "sqlstate", None)
    if state in _PASSING_STATES:
        return DatabaseBusy(str(error), passing=True)
    code = getattr(driver, "sqlite_errorcode", None)
    if state in _UNUSABLE_STATES or (code is not None and code & 0xFF in _UNUSABLE_CODES):
        return DatabaseUnusable(f"{name}: {driver}")
    if code == SQLITE_ERROR:
        return error  # a wrong statement, which SQLite's driver counts as operational too
    busy = isinstance(error, OSError | TimeoutError | PoolTimeout | OperationalError | InterfaceError)
    if busy or getattr(error, "connection_invalidated", False) or (state or "").startswith(_BUSY_STATES):
        return DatabaseBusy(str(driver or error))
    return error


def _postgres_engine(url: str, connections: int, patience: float) -> AsyncEngine:
    return create_async_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=patience,  # seconds to wait for a free connection
        pool_pre_ping=True,
        connect_args={"server_settings": {"application_name": "crossruff", "jit": "off"}},
    )


def _sqlite_engine(url: str, begin: str, connections: int, foreign_keys: bool = True) -> Engine:
    engine = create_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        connect_args={
            "check_same_thread": False,
            "timeout": 5,
            "isolation_level": None,
            "cached_statements": 1024,  # one for each number of rows, of each table
        },
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",  # with NORMAL a power cut could lose acknowledged results
            f"foreign_keys={'ON' if foreign_keys else 'OFF'}",
            "busy_timeout=5000",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A transaction that reads before it writes would fail at once when another wrote meanwhile.
        connection.exec_driver_sql(begin)

    return engine
