"""What is kept of weeks: published or not, changed since or not."""

import asyncio
from datetime import timedelta

from sqlalchemy import update

from server.storage import weeks
from server.storage.database import open_database
from server.storage.tables import boards
from tests.clock import NOON
from tests.storage import rows
from tests.storage.test_ratings import publish

LATER = NOON + timedelta(days=9)


async def test_a_week_that_nobody_rated_is_there_with_nothing(database):
    row = await database.read(lambda c: weeks.get(c, "2026-W48", "imps"))
    assert (row.week, row.pool, row.revision, row.snapshot) == ("2026-W48", "imps", 0, None)
    assert row.late_from is row.closing_at is row.before is None
    assert await database.read(lambda c: weeks.of_pool(c, "imps")) == []
    held = await database.write(lambda c: weeks.lock(c, "2026-W48", "imps"))
    assert held == row
    assert await database.read(lambda c: weeks.of_pool(c, "imps")) == [row]


async def test_what_is_marked_is_read_again(database):
    def verb(connection):
        row = weeks.lock(connection, "2026-W48", "imps")
        other = weeks.lock(connection, "2026-W48", "mp")
        weeks.mark(connection, row, closing_at=NOON, late_from=LATER, changes=2**40)
        return weeks.get(connection, "2026-W48", "imps"), weeks.get(connection, "2026-W48", "mp"), other

    row, other, before = await database.write(verb)
    assert (row.closing_at, row.late_from, row.changes) == (NOON, LATER, 2**40)
    assert other == before


async def test_the_published_one_is_the_newest_before(database):
    def verb(connection):
        made = {week: publish(connection, week) for week in ("2026-W47", "2026-W48", "2026-W50")}
        weeks.lock(connection, "2026-W51", "imps")  # not published
        return made

    made = await database.write(verb)

    def found(before=None, pool="imps"):
        return lambda c: weeks.published(c, pool, before)

    assert (await database.read(found())).snapshot == made["2026-W50"]
    assert (await database.read(found("2026-W50"))).snapshot == made["2026-W48"]
    assert await database.read(found("2026-W47")) is None
    assert await database.read(found(pool="mp")) is None
    number = await database.read(lambda c: weeks.snapshot_of(c, "2026-W48", "imps", 1))
    assert number == made["2026-W48"]
    assert await database.read(lambda c: weeks.snapshot_of(c, "2026-W48", "imps", 2)) is None


async def test_weeks_on_whose_boards_something_happened(database):
    def verb(connection):
        first, second = rows.add_boards(connection, 1, 2)
        before = weeks.played(connection, "imps"), weeks.changes(connection, "imps", "2026-W40")
        for board, change in ((first, 3), (second, 4)):
            connection.execute(update(boards).where(boards.c.id == board.id).values(change=change))
        return before, weeks.played(connection, "imps"), weeks.changes(connection, "imps", "2026-W40")

    before, played, changes = await database.write(verb)
    assert before == ([], {"2026-W48": 0})
    assert played == [("2026-W48", NOON)]
    assert changes == {"2026-W48": 7}
    assert await database.read(lambda c: weeks.changes(c, "imps", "2026-W49")) == {}
    assert await database.read(lambda c: weeks.changes(c, "imps", "2026-W40", "2026-W47")) == {}
    assert await database.read(lambda c: weeks.played(c, "mp")) == []


async def test_who_holds_a_week_is_waited_for(database, database_url):
    """Nobody marks a week upon what another one is just changing."""
    others = [open_database(database_url) for _ in range(3)]

    def mark(connection):
        row = weeks.lock(connection, "2026-W48", "imps")
        weeks.mark(connection, row, changes=row.changes + 1)

    try:
        await asyncio.gather(*(each.write(mark) for each in (database, *others) for _ in range(5)))
    finally:
        for each in others:
            await each.close()
    assert (await database.read(lambda c: weeks.get(c, "2026-W48", "imps"))).changes == 20


async def test_a_held_week_may_not_be_there(database):
    row = await database.write(lambda c: weeks.hold(c, "2026-W48", "imps"))
    assert row.snapshot is None
    assert await database.read(lambda c: weeks.of_pool(c, "imps")) == []
