"""What drivers say, in our words; what is busy now works later."""

import asyncio
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import DBAPIError

from server.storage import installation
from server.storage.database import PostgresDatabase, open_database
from server.storage.errors import ConstraintViolated, DatabaseBusy
from tests.storage import rows

HOLDS_THE_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
connection.execute("INSERT INTO installation (name, value) VALUES ('theirs', '1')")
print("locked", flush=True)
sys.stdin.read()
connection.execute("COMMIT")
connection.close()
"""

only_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
only_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


def settle(name):
    """The verb that writes one row."""
    return lambda connection: installation.add(connection, name, "1")


@asynccontextmanager
async def another_process_that_writes(url):
    """Holds the write lock of the SQLite file until its ``stdin`` is closed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        HOLDS_THE_LOCK,
        make_url(url).database,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert await process.stdout.readline() == b"locked\n"
        yield process
    finally:
        process.stdin.close()
        assert await process.wait() == 0


@only_sqlite
async def test_a_writer_waits_for_another_process(database, database_url):
    async with another_process_that_writes(database_url) as other:
        writing = asyncio.create_task(database.write(settle("ours")))
        done, _ = await asyncio.wait([writing], timeout=0.3)
        assert not done
        assert await database.read(installation.get_all) == {}
        other.stdin.close()
        await writing
    assert await database.read(installation.get_all) == {"theirs": "1", "ours": "1"}


@only_sqlite
async def test_a_database_that_stays_locked_is_busy(database, database_url):
    async with another_process_that_writes(database_url):
        with pytest.raises(DatabaseBusy, match="locked"):
            await database.write(settle("ours"))
    await database.write(settle("ours"))
    assert await database.read(installation.get_all) == {"theirs": "1", "ours": "1"}


async def test_a_row_that_contradicts_another_is_refused(database):
    await database.write(settle("same"))
    with pytest.raises(ConstraintViolated, match=r"pk_installation|installation\.name"):
        await database.write(settle("same"))


async def test_a_reference_to_nobody_is_refused(database):
    with pytest.raises(ConstraintViolated):
        await database.write(lambda connection: rows.add_result(connection, 99, 1))


async def test_a_wrong_statement_is_no_busy_database(database):
    with pytest.raises(DBAPIError, match="nowhere"):
        await database.read(lambda connection: connection.execute(text("SELECT * FROM nowhere")))


async def test_a_database_that_cannot_be_reached_is_busy(database_url, tmp_path):
    url = make_url(database_url)
    if url.get_backend_name() == "sqlite":
        away = url.set(database=str(tmp_path / "no-such-folder" / "file.sqlite3"))
    else:
        away = url.set(host=None, query={"host": str(tmp_path)})
    database = open_database(away.render_as_string(hide_password=False))
    for work in (database.read, database.write):
        with pytest.raises(DatabaseBusy) as caught:
            await work(installation.get_all)
        assert not caught.value.passing
    await database.close()


@only_postgresql
async def test_the_victim_of_a_deadlock_may_try_again(database):
    await database.write(settle("a"))
    await database.write(settle("b"))

    def both(first, second):
        def verb(connection: Connection):
            connection.execute(text("SET LOCAL deadlock_timeout = '50ms'"))
            for name in (first, second):
                connection.execute(
                    text("UPDATE installation SET value = value || '+' WHERE name = :n"), {"n": name}
                )
                connection.execute(text("SELECT pg_sleep(0.1)"))

        return verb

    outcomes = await asyncio.gather(
        database.write(both("a", "b")), database.write(both("b", "a")), return_exceptions=True
    )
    (error,) = [outcome for outcome in outcomes if outcome is not None]
    assert isinstance(error, DatabaseBusy)
    assert error.passing
    assert await database.read(installation.get_all) == {"a": "1+", "b": "1+"}


@only_postgresql
async def test_a_lock_that_is_not_to_be_had_is_busy(database):
    await database.write(settle("a"))
    begun = asyncio.Event()

    def hold(connection: Connection):
        connection.execute(text("SELECT * FROM installation FOR UPDATE"))
        begun.set()
        connection.execute(text("SELECT pg_sleep(0.3)"))

    def try_it(connection: Connection):
        connection.execute(text("SELECT * FROM installation FOR UPDATE NOWAIT"))

    holding = asyncio.create_task(database.write(hold))
    await begun.wait()
    with pytest.raises(DatabaseBusy, match="lock"):
        await database.write(try_it)
    await holding


@only_postgresql
async def test_a_lost_connection_is_busy_and_the_next_verb_gets_another(database):
    def lose(connection: Connection):
        settle("half")(connection)
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with pytest.raises(DatabaseBusy):
        await database.write(lose)
    assert await database.read(installation.get_all) == {}
    await database.write(settle("whole"))
    assert await database.read(installation.get_all) == {"whole": "1"}


@only_postgresql
@pytest.mark.parametrize("many_read", [True, False])
async def test_without_a_free_connection_it_is_busy_but_readers_and_writers_never_wait_for_each_other(
    database_url, many_read
):
    database = PostgresDatabase(database_url, readers=1, writers=1, patience=0.1)
    begun = asyncio.Event()

    def long(connection: Connection):
        begun.set()
        connection.execute(text("SELECT pg_sleep(60)"))

    same, other = (database.read, database.write) if many_read else (database.write, database.read)
    working = asyncio.create_task(same(long))
    await begun.wait()
    with pytest.raises(DatabaseBusy):
        await same(installation.get_all)
    assert await other(installation.get_all) == {}
    cancel = (
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep%'"
    )
    await other(lambda connection: connection.execute(text(cancel)).all())
    with pytest.raises(DBAPIError):
        await working
    assert await same(installation.get_all) == {}
    await database.close()
