"""Whatever happens, and in whatever order: weeks come to what their raw rows say, computed another way."""

import shutil

import pytest

from server.storage.database import open_database
from server.storage.ratings import COLUMNS
from tests.clock import StandingClock
from tests.services.closing_story import WEEKS, Story, check_ratings, check_totals
from tests.services.played_weeks import POOLS, Played, end


@pytest.mark.parametrize("seed", range(3))
async def test_closed_weeks_are_what_their_rows_say(database, clock, seed):
    story = Story(Played(database, clock), seed, shield=0 if seed % 2 else 3)
    await story.tell()
    clock.set(end(WEEKS[-1], days=6))
    await story.close_all()
    rules = story.closing.rules
    assert await check_ratings(story.play, rules.official, rules.shield_boards) >= 6
    await check_boards_are_scored(story.play)
    await check_totals(story.play)


async def check_boards_are_scored(play):
    """In every pool some board has the results that it takes: there is something to be rated."""
    rows = await play.rows(
        "SELECT pool, score_at, (SELECT count(*) FROM results WHERE board = boards.id AND live) FROM boards"
    )
    assert {pool for pool, score_at, results in rows if results >= score_at} == set(POOLS)


@pytest.fixture
def one_of_each(sqlite_template, postgres_databases, tmp_path):
    """Addresses of a fresh database of each kind."""
    path, name = tmp_path / "crossruff.sqlite3", postgres_databases.clone()
    shutil.copyfile(sqlite_template, path)
    yield f"sqlite:///{path}", postgres_databases.url(name)
    postgres_databases.release(name)


async def test_both_databases_come_to_the_same_bits(one_of_each):
    one, other = [await everything(url) for url in one_of_each]
    assert one == other
    revisions = [row[2] for row in one["snapshots"]]
    assert len(revisions) > 6
    assert max(revisions) > 1


async def everything(url):
    """All that a story leaves behind of ratings and totals, to the bit."""
    database = open_database(url)
    clock = StandingClock()
    story = Story(Played(database, clock), 1, shield=3)
    await story.tell()
    clock.set(end(WEEKS[-1], days=6))
    await story.close_all()
    asked = {
        "snapshots": "SELECT week, pool, revision, input, checksum, rules FROM snapshots ORDER BY 1, 2, 3",
        "ratings": f"SELECT {', '.join(COLUMNS)} FROM ratings ORDER BY snapshot, player",
        "totals": "SELECT * FROM week_totals ORDER BY week, pool, player",
        "lines": "SELECT board, change, lines FROM tallies ORDER BY board",
    }
    found = {name: await story.play.rows(statement) for name, statement in asked.items()}
    sums = await story.play.rows("SELECT snapshot, part, content FROM rating_sums ORDER BY snapshot, part")
    found["sums"] = [(snapshot, part, bytes(content)) for snapshot, part, content in sums]
    await database.close()
    return found
