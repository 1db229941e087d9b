"""Weeks of a simulated world, played through the services."""

import shutil
from collections import Counter
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import Connection, select

from server.bridge.seats import Vulnerability
from server.demo import summary
from server.demo.plan import BEGINS, LIVE
from server.services.verify import verify
from server.settings import load_settings
from server.storage import players
from server.storage.tables import boards, disconnects, results
from server.world.sittings import BOARDS, sittings
from server.world.tables import Finished, report
from tests.demo import stage
from tests.demo.stage import PLAN, opened, play, settings_of

ZONE = load_settings().zone


@pytest.fixture(scope="module")
def made(sqlite_template, tmp_path_factory):
    """A world that has played, its database and what was told; not to be changed."""
    folder = tmp_path_factory.mktemp("demo")
    shutil.copyfile(sqlite_template, folder / "made.sqlite3")
    url = f"sqlite:///{folder / 'made.sqlite3'}"
    return url, stage.make(folder, url)


@pytest.fixture
async def world(made):
    """The database of that world."""
    async with opened(made[0]) as database:
        yield database


def abandoned(connection: Connection) -> list[tuple]:
    """Every board that nobody finished: week, pool, table, who left, when."""
    statement = select(boards.c.week, boards.c.pool, disconnects).join(boards)
    rows = connection.execute(statement.where(disconnects.c.sequence.is_(None)))
    return [(row.week, row.pool, row.table_name, row.player, row.at) for row in rows]


def everything(connection: Connection) -> list[tuple]:
    """Every result: week, pool, table, board, players, score."""
    statement = select(boards.c.week, boards.c.pool, results).join(boards, boards.c.id == results.c.board)
    return sorted(
        (row.week, row.pool, row.table_name, row.board, row.north, row.east, row.south, row.west, row.score)
        for row in connection.execute(statement)
    )


async def test_weeks_are_closed_in_their_time(made):
    closed = [(each.week, each.pool, each.revision, each.changed) for each in made[1].closed]
    assert closed == [(LIVE.plus(ago), pool, 1, True) for ago in (-2, -1) for pool in ("imps", "mp")]


async def test_every_table_reports_each_of_its_boards_once(made, world):
    found = await world.read(everything)
    left = await world.read(abandoned)
    assert sum(spell.boards for spell in made[1].spells) == len(found) + len(left)
    assert len(set(found)) == len(found) > 300
    tables = Counter((week, pool, table) for week, pool, table, *_ in found + left)
    assert max(tables.values()) == BOARDS
    for number in range(2):
        week = str(PLAN.first.plus(number))
        planned = {(week, each.pool, each.table) for each in sittings(PLAN.world(), number)}
        played = {table for table in tables if table[0] == week}
        assert played <= planned  # some came when there was no board left for them
        assert len(played) > 0.6 * len(planned)


async def test_everything_computed_again_is_the_same(world):
    pages = [page async for page in verify(world, BEGINS)]
    assert [page.discrepancies for page in pages] == [()] * len(pages)
    assert sum(page.results for page in pages) > 300


async def test_results_are_what_the_world_says_at_the_time_it_says(world):
    statement = select(boards, results).join(results, boards.c.id == results.c.board)
    first = statement.where(boards.c.week == str(PLAN.first))
    found = await world.read(lambda connection: connection.execute(first).all())
    rows = {(row.pool, row.table_name, row.played_at): row for row in found}
    deals = {
        (pool, each.number): each.deal for pool in PLAN.boards() for each in PLAN.deals(PLAN.first, pool)
    }
    people, opens, checked = PLAN.world(), PLAN.first.opens_at(ZONE), 0
    for sitting in sittings(people, 0):
        for number in range(BOARDS):
            row = rows.get((sitting.pool, sitting.table, opens + sitting.ends_at(number)))
            if row is None:  # somebody left, or there was no board for them any more
                continue
            deal = deals[sitting.pool, row.number]
            assert row.deal == str(deal)
            made = report(people, 0, sitting, number, deal, Vulnerability(row.vulnerability))
            assert isinstance(made, Finished)
            contract = made.played.outcome.contract
            assert (row.contract, row.tricks) == (contract and str(contract), made.played.outcome.tricks)
            assert row.lead == made.played.lead
            assert row.played_at <= row.received_at <= row.played_at + timedelta(hours=8)
            checked += 1
    assert checked == len(found) > 50


async def test_players_have_names_and_the_one_who_leaves_has_left(world):
    people = PLAN.world().people
    known = await world.read(lambda connection: players.find(connection, [each.id for each in people]))
    assert {each.id: each.name for each in known.values()} == {each.id: each.name for each in people}
    left = await world.read(abandoned)
    assert {player for _, _, _, player, _ in left} == {known[PLAN.world().leaver.id].number}
    assert all(at < BEGINS for *_, at in left)


async def test_boards_are_dealt_before_the_server_deals_them(world):
    dealt = await world.read(
        lambda connection: connection.execute(select(boards.c.week, boards.c.pool)).all()
    )
    weeks = [str(LIVE.plus(ahead)) for ahead in range(-2, 3)]
    assert Counter(map(tuple, dealt)) == {
        (week, pool): count for week in weeks for pool, count in PLAN.boards().items()
    }


async def test_the_summary_lists_the_last_rated_week(made, world):
    found = await world.read(partial(summary.summary, plan=PLAN))
    assert (found.week, found.checksum) == (str(LIVE.plus(-1)), made[1].closed[2].checksum)
    assert [each.rank for each in found.people] == sorted(each.rank for each in found.people)
    assert found.people[0].rate == max(each.rate for each in found.people)
    skills = {person.id: person.skill(1) for person in PLAN.world().people}
    assert {each.id: each.skill for each in found.people}.items() <= skills.items()
    text = "\n".join(summary.lines(found))
    assert found.checksum[:16] in text
    assert found.people[0].name in text


async def test_who_goes_on_plays_what_is_missing_and_nothing_twice(database_url, database, tmp_path):
    settings, half = (
        settings_of(tmp_path, database_url),
        PLAN.first.opens_at(ZONE) + timedelta(days=3, hours=11),
    )
    told = await play(settings, database, half)
    before, left = await database.read(everything), await database.read(abandoned)
    assert sum(spell.boards for spell in told.spells) == len(before) + len(left) > 20
    told = await play(settings, database, half)
    assert sum(spell.boards for spell in told.spells) == 0
    assert await database.read(everything) == before
    await play(settings, database, half + timedelta(days=2))
    after = await database.read(everything)
    assert set(before) < set(after)
    assert len(set(after)) == len(after)
    assert max(Counter((pool, table) for _, pool, table, *_ in after).values()) == BOARDS


@pytest.fixture
def postgres_url(postgres_databases):
    """A fresh database of PostgreSQL."""
    name = postgres_databases.clone()
    yield postgres_databases.url(name)
    postgres_databases.release(name)


def test_the_other_database_comes_to_the_same_ratings(made, postgres_url, tmp_path):
    told = stage.make(tmp_path, postgres_url)
    assert [each.checksum for each in told.closed] == [each.checksum for each in made[1].closed]
    assert told.spells == made[1].spells
