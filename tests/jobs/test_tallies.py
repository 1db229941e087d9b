"""Totals follow the boards: whatever changed is counted once, by however many count at once."""

import asyncio
from datetime import timedelta

import pytest

from jobs.tallies import RECENT, Count
from server.bridge.week import week_of
from server.storage.database import open_database
from tests.services.played_weeks import ONE_POOL, ZONE, Played, report

FOURS = [tuple("abcd"), tuple("efgh"), tuple("ijkl")]
MADE = ("4SN=", "4SN-1", "4SN+1")
TOTALS = "SELECT * FROM week_totals ORDER BY week, player"
BOARDS = 4  # which column they are
POINTS = "SELECT id, points, boards FROM week_totals JOIN players ON number = player"


@pytest.fixture
def play(database, clock):
    """An installation with one pool, in its first week."""
    return Played(database, clock, dict(ONE_POOL))


async def play_boards(play, count):
    """So many boards of the open week, each at three tables; their numbers."""
    week = week_of(play.clock.now(), ZONE)
    boards = await play.boards(week, count=count, seed=play.clock.now().timestamp())
    for board in boards:
        await play.played(*(report(board, four, each) for four, each in zip(FOURS, MADE, strict=True)))
    return boards


async def test_every_player_has_what_his_boards_gave(play, clock):
    await play_boards(play, 2)
    await Count(play.database, clock, ZONE)()
    # Board 1: 420, -50, 450 and a datum of 270; board 2, NS vulnerable: 620, -100, 650 and 390.
    ns = {"a": 4 + 6, "e": -8 - 10, "i": 5 + 6}
    found = {player: (points, boards) for player, points, boards in await play.rows(POINTS)}
    for north, east, south, west in FOURS:
        assert found[north] == found[south] == (10_000 * ns[north], 2)
        assert found[east] == found[west] == (-10_000 * ns[north], 2)


async def test_again_it_changes_nothing(play, clock):
    await play_boards(play, 3)
    job = Count(play.database, clock, ZONE)
    await job()
    before = await play.rows(TOTALS)
    for _ in range(3):
        await job()
    assert await play.rows(TOTALS) == before
    assert {row[BOARDS] for row in before} == {3}


async def test_more_boards_than_are_counted_at_once(play, clock):
    boards = await play_boards(play, 51)
    await Count(play.database, clock, ZONE)()
    assert {row[BOARDS] for row in await play.rows(TOTALS)} == {len(boards)}


async def test_a_corrected_board_is_counted_anew(play, clock):
    (board,) = await play_boards(play, 1)
    job = Count(play.database, clock, ZONE)
    await job()
    await play.rule(board, 1)  # void: two are left, too few
    await job()
    rows = await play.rows(TOTALS)
    assert [row[BOARDS] for row in rows].count(1) == 8
    assert {row[BOARDS - 1] for row in rows} == {0}


async def test_boards_of_weeks_long_past_are_left_to_who_counts_all(play, clock):
    (board,) = await play_boards(play, 1)
    await Count(play.database, clock, ZONE)()
    clock.advance(RECENT + timedelta(weeks=1))
    await play.rule(board, 1)
    before = await play.rows(TOTALS)
    await Count(play.database, clock, ZONE)()
    assert await play.rows(TOTALS) == before
    await Count(play.database, clock, ZONE, all_weeks=True)()
    assert await play.rows(TOTALS) != before


async def test_several_at_once_count_each_board_once(play, clock, database_url):
    await play_boards(play, 60)
    others = [open_database(database_url) for _ in range(2)]
    try:
        await asyncio.gather(*(Count(each, clock, ZONE)() for each in (play.database, *others)))
    finally:
        for each in others:
            await each.close()
    assert {row[BOARDS] for row in await play.rows(TOTALS)} == {60}


async def test_results_that_come_meanwhile_are_counted_then_or_next(play, clock):
    job = Count(play.database, clock, ZONE)
    for _ in range(3):
        await asyncio.gather(play_boards(play, 5), job())
        clock.advance(timedelta(minutes=1))
    await job()
    assert {row[BOARDS] for row in await play.rows(TOTALS)} == {15}


async def test_a_database_that_is_away_ends_no_timetable(play, clock, tmp_path):
    """The next one counts what this one could not."""
    await play_boards(play, 1)
    away = open_database(f"sqlite:///{tmp_path / 'nowhere' / 'file.sqlite3'}")
    await Count(away, clock, ZONE)()
    await away.close()
    await Count(play.database, clock, ZONE)()
    assert {row[BOARDS] for row in await play.rows(TOTALS)} == {1}
