"""Weeks are closed by the clock: each once and in order, however often, late or doubled the job fires."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from jobs.rating import Rate
from server.bridge.week import week_of
from server.storage import ratings
from server.storage.database import open_database
from tests.processes import crossruff
from tests.services.played_weeks import FIRST, GRACE, ONE_POOL, POOLS, Played, end, report

ZONES = ("UTC", "Asia/Shanghai", "Europe/Tallinn", "America/New_York", "Australia/Lord_Howe")
# Clocks change within days of the end of these months, on either side of the earth.
SEASONS = [(2020, 3), (2025, 10), (2031, 3), (2035, 10)]
FOURS = [tuple("abcd"), tuple("efgh"), tuple("ijkl")]
MADE = ("4SN=", "4SN-1", "4SN+1")
BOARDS = (
    "SELECT s.week, sum(boards) / 12 FROM ratings JOIN snapshots AS s ON s.id = snapshot "
    "WHERE s.pool = :pool GROUP BY s.week"
)
HOUR = timedelta(hours=1)
THREE_WEEKS = timedelta(weeks=3)


async def play_board(play, pool="imps"):
    """A board of the open week at three tables; its number."""
    (board,) = await play.boards(
        week_of(play.clock.now(), play.zone), pool, seed=play.clock.now().timestamp()
    )
    await play.played(*(report(board, four, each) for four, each in zip(FOURS, MADE, strict=True)))
    return board


async def published(play, pool="imps"):
    """Published snapshots in the order in which they were published."""
    asked = "SELECT id FROM snapshots WHERE pool = :pool AND revision IS NOT NULL ORDER BY published_at, id"
    ids = [number for (number,) in await play.rows(asked, pool=pool)]
    return await play.database.read(lambda c: [ratings.get(c, number) for number in ids])


def weeks_from(first, count):
    return [str(first.plus(number)) for number in range(count)]


@pytest.mark.parametrize(
    ("zone", "seasons"), [(zone, (SEASONS[i % 4], SEASONS[(i + 1) % 4])) for i, zone in enumerate(ZONES)]
)
async def test_each_week_is_closed_once_and_in_order_however_the_job_fires(database, clock, zone, seasons):
    """Over changes of summer time: it fires 0 to 5 times a day or so, then not for three weeks, then once."""
    rng, play = Random(zone), Played(database, clock, zone=ZoneInfo(zone))
    for year, month in seasons:
        pool = f"imps{year}"
        play.pools = {pool: replace(POOLS["imps"], name=pool)}
        job, played = Rate(play.closing()), []
        clock.set(datetime(year, month, 22, tzinfo=UTC) + HOUR * rng.randrange(24))
        until = clock.now() + timedelta(days=17)
        while clock.now() < until:
            if not played or rng.random() < 0.4:
                await play_board(play, pool)
                played.append(week_of(clock.now(), play.zone))
            for _ in range(rng.randint(0, 5)):
                await job()
            clock.advance(HOUR * rng.choice((3, 9, 26)) * (0.5 + rng.random()))
        clock.advance(THREE_WEEKS)
        await job()
        found = await published(play, pool)
        assert [row.week for row in found] == weeks_from(played[0], len(found))
        assert {row.revision for row in found} == {1}
        for number, row in enumerate(found):
            assert row.published_at >= played[0].plus(number).due_at(play.zone, GRACE)
        last = played[0].plus(len(found) - 1)
        assert last.due_at(play.zone, GRACE) <= clock.now() < last.plus(1).due_at(play.zone, GRACE)
        totals = (
            "SELECT r.week, sum(boards) / 12 FROM ratings JOIN snapshots AS r ON r.id = ratings.snapshot "
        )
        counted = dict(await play.rows(f"{totals} WHERE r.pool = :pool GROUP BY r.week", pool=pool))
        assert {week: n for week, n in counted.items() if n} == {str(w): played.count(w) for w in played}


async def test_after_three_weeks_of_rest_three_weeks_are_closed(database, clock):
    play = Played(database, clock, dict(ONE_POOL))
    await play_board(play)
    clock.set(end(FIRST.plus(2), hours=4) - timedelta(microseconds=1))
    await Rate(play.closing())()
    assert [row.week for row in await published(play)] == weeks_from(FIRST, 2)
    clock.advance(timedelta(microseconds=1))
    await Rate(play.closing())()
    found = await published(play)
    assert [row.week for row in found] == weeks_from(FIRST, 3)
    assert [row.before for row in found] == [None, found[0].id, found[1].id]
    for _ in range(3):
        await Rate(play.closing())()
    assert await published(play) == found


async def test_several_at_once_close_each_week_once(database, database_url, clock):
    """Each with connections of its own, as processes have."""
    play = Played(database, clock, dict(ONE_POOL))
    await play_board(play)
    clock.advance(timedelta(weeks=1))
    await play_board(play)
    clock.set(end(FIRST.plus(1), hours=4))
    others = [open_database(database_url) for _ in range(2)]
    try:
        await asyncio.gather(*(Rate(play.closing(each))() for each in (database, *others)))
        await Rate(play.closing())()  # whoever left the week to another comes again
    finally:
        for each in others:
            await each.close()
    found = await published(play)
    assert [(row.week, row.revision) for row in found] == [(week, 1) for week in weeks_from(FIRST, 2)]
    assert await play.rows("SELECT count(*) FROM snapshots") == [(2,)]


async def test_two_processes_at_once_close_each_week_once(database, database_url, clock):
    """Commands as an operator gives them, by the real clock."""
    clock.set(datetime.now(UTC) - THREE_WEEKS)
    play = Played(database, clock, dict(ONE_POOL))
    first = week_of(clock.now(), play.zone)
    await play_board(play)
    told_twice = (crossruff("rate", CROSSRUFF_DATABASE_URL=database_url) for _ in range(2))
    ended = await asyncio.gather(*told_twice)
    assert [each.code for each in ended] == [0, 0], ended
    found = await published(play)
    assert [(row.week, row.revision) for row in found] == [
        (week, 1) for week in weeks_from(first, len(found))
    ]
    assert len(found) >= 2
    told = "".join(each.out for each in ended)
    assert all(told.count(f"{row.week} imps: revision 1 published") == 1 for row in found), told


async def test_what_is_wrong_with_one_pool_holds_up_no_other(database, clock, capfd):
    play = Played(database, clock, {name: POOLS[name] for name in ("imps", "cross")})
    board = await play_board(play, "imps")
    await play_board(play, "cross")
    await play.run("UPDATE boards SET method = 'nonsense' WHERE id = :board", board=board)
    clock.set(end(FIRST, hours=4))
    await Rate(play.closing())()
    assert [row.week for row in await published(play, "cross")] == weeks_from(FIRST, 1)
    assert await published(play, "imps") == []
    said = "".join(capfd.readouterr())
    assert "rating.failed" in said
    assert "nonsense" in said
    await play.run("UPDATE boards SET method = 'datum' WHERE id = :board", board=board)
    clock.advance(timedelta(minutes=3))
    await Rate(play.closing())()
    assert [row.week for row in await published(play, "imps")] == weeks_from(FIRST, 1)


async def test_a_database_that_is_away_ends_no_timetable(database, clock, tmp_path):
    """The next one closes what this one could not."""
    play = Played(database, clock, dict(ONE_POOL))
    await play_board(play)
    clock.set(end(FIRST, hours=4))
    away = open_database(f"sqlite:///{tmp_path / 'nowhere' / 'file.sqlite3'}")
    await Rate(play.closing(away))()
    await away.close()
    await Rate(play.closing())()
    assert [row.week for row in await published(play)] == weeks_from(FIRST, 1)


async def test_a_dirty_week_is_closed_again_with_all_after_it(database, clock):
    play = Played(database, clock, dict(ONE_POOL))
    board = await play_board(play)
    clock.set(end(FIRST.plus(2), hours=4))
    job = Rate(play.closing())
    await job()
    await play.rule(board, 1)
    await job()
    found = await published(play)
    assert [(row.week, row.revision) for row in found] == [
        (week, revision) for revision in (1, 2) for week in weeks_from(FIRST, 3)
    ]
