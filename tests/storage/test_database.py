"""Transactions: all or nothing, one after another, and errors in our words."""

import asyncio
import time

import pytest
from sqlalchemy import Connection, text

from server.storage import boards, installation
from server.storage.database import open_database
from server.storage.errors import ConstraintViolated, DatabaseBusy
from tests.storage import rows
from tests.storage.rows import elsewhere


def settle(name, value="1"):
    """The verb that writes one row."""
    return lambda connection: installation.add(connection, name, value)


async def test_what_a_verb_wrote_is_there_afterwards(database, database_url):
    assert await database.write(lambda connection: installation.add(connection, "a", "1")) is None
    assert elsewhere(database_url, installation.get_all) == {"a": "1"}


async def test_the_value_of_a_verb_is_handed_on(database):
    assert await database.write(lambda connection: connection.execute(text("SELECT 7")).scalar()) == 7
    assert await database.read(lambda connection: connection.execute(text("SELECT 8")).scalar()) == 8


async def test_a_verb_that_raises_changes_nothing(database):
    def half(connection: Connection):
        installation.add(connection, "a", "1")
        raise LookupError("in the middle")

    with pytest.raises(LookupError, match="in the middle"):
        await database.write(half)
    assert await database.read(installation.get_all) == {}


async def test_a_refused_row_takes_the_rest_of_its_transaction_with_it(database):
    def twice(connection: Connection):
        installation.add(connection, "a", "1")
        installation.add(connection, "b", "1")
        installation.add(connection, "a", "2")

    with pytest.raises(ConstraintViolated, match=r"pk_installation|installation\.name"):
        await database.write(twice)
    assert await database.read(installation.get_all) == {}


async def test_a_cancelled_caller_cancels_no_transaction(database):
    begun, loop = asyncio.Event(), asyncio.get_running_loop()

    def slow(connection: Connection):
        installation.add(connection, "slow", "1")
        loop.call_soon_threadsafe(begun.set)
        wait_in_transaction(connection, 0.2)

    writing = asyncio.create_task(database.write(slow))
    await begun.wait()
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    # The same row again waits for that transaction to end, and then finds it there.
    with pytest.raises(ConstraintViolated):
        await database.write(settle("slow", "2"))
    assert await database.read(installation.get_all) == {"slow": "1"}


def wait_in_transaction(connection: Connection, seconds: float) -> None:
    """Take so long, without blocking the loop."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_sleep(:seconds)"), {"seconds": seconds})
    else:
        time.sleep(seconds)


async def test_a_reader_does_not_wait_for_a_writer(database):
    begun, loop, go_on = asyncio.Event(), asyncio.get_running_loop(), asyncio.Event()

    def slow(connection: Connection):
        installation.add(connection, "slow", "1")
        loop.call_soon_threadsafe(begun.set)
        wait_in_transaction(connection, 0.3)

    writing = asyncio.create_task(database.write(slow))
    writing.add_done_callback(lambda _: go_on.set())
    await begun.wait()
    assert await database.read(installation.get_all) == {}
    assert not go_on.is_set()
    await writing
    assert await database.read(installation.get_all) == {"slow": "1"}


async def test_a_query_sees_one_state_of_the_database(database, database_url):
    def query(connection: Connection):
        before = installation.get_all(connection)
        elsewhere(database_url, settle("meanwhile"))
        return before, installation.get_all(connection)

    before, after = await database.read(query)
    assert before == after == {}
    assert await database.read(installation.get_all) == {"meanwhile": "1"}


async def test_after_a_query_writes_go_on_as_before(database, database_url):
    """What a query asks of its connection is not left behind for the next verb on it."""

    def verb(connection: Connection):
        before = installation.get_all(connection)
        if connection.dialect.name == "postgresql":
            elsewhere(database_url, settle("meanwhile"))
        installation.add(connection, "own", "1")
        return before, installation.get_all(connection)

    await database.read(installation.get_all)
    before, after = await database.write(verb)
    assert before == {}
    assert "own" in after
    assert ("meanwhile" in after) == database_url.startswith("postgresql")


async def test_no_update_of_a_locked_board_is_lost(database, database_url):
    number = (await database.write(rows.add_board)).id
    other = open_database(database_url)

    def arrive(connection: Connection):
        board = boards.lock(connection, [number])[number]
        change, scores = board.change + 1, (*board.scores, 10)
        boards.update(connection, [board.after(scores=scores, last_sequence=change, change=change)])

    await asyncio.gather(*(each.write(arrive) for each in (database, other) for _ in range(20)))
    await other.close()
    board = await database.read(lambda connection: boards.get(connection, number))
    assert (board.change, board.last_sequence, board.scores) == (40, 40, (10,) * 40)


def copy_parents(connection: Connection):
    """As a migration in batch mode does it: the rows copied away, deleted, and put back."""
    connection.execute(text("CREATE TABLE copied AS SELECT * FROM board_sets"))
    connection.execute(text("DELETE FROM board_sets"))
    connection.execute(text("INSERT INTO board_sets SELECT * FROM copied"))
    connection.execute(text("DROP TABLE copied"))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_table_that_others_refer_to_can_be_copied(database):
    await database.write(lambda connection: rows.add_boards(connection, 1, 2))
    with pytest.raises(ConstraintViolated):
        await database.write(copy_parents)
    await database.alter(copy_parents)
    assert len(await database.read(lambda c: boards.page(c, str(rows.WEEK), "imps", 0, 9))) == 2


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_change_of_the_schema_that_orphans_rows_is_refused(database):
    await database.write(lambda connection: rows.add_boards(connection, 1))
    with pytest.raises(ConstraintViolated, match="without their parents"):
        await database.alter(lambda connection: connection.execute(text("DELETE FROM board_sets")))
    await database.write(lambda connection: rows.add_boards(connection, 2))
    assert len(await database.read(lambda c: boards.page(c, str(rows.WEEK), "imps", 0, 9))) == 2


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_whoever_reads_for_hours_ends_when_the_database_is_closed(database_url):
    """As a server must that is told to stop while a big week is read."""
    hours = text("WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
    opened = open_database(database_url)
    reads = [asyncio.ensure_future(opened.read(lambda c: c.execute(hours).scalar())) for _ in range(2)]
    await asyncio.sleep(0.2)
    begun = time.monotonic()
    await opened.close()
    assert time.monotonic() - begun < 5
    found = await asyncio.gather(*reads, return_exceptions=True)
    assert [type(each) for each in found] == [DatabaseBusy] * 2
