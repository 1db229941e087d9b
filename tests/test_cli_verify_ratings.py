"""``crossruff verify`` computes totals and ratings again: clean after whatever happened, and finds damage."""

import pytest
from sqlalchemy import delete, func, insert, select, update

from server.services import bulletins, tallies
from server.services.verify_ratings import verify_ratings
from server.services.verify_totals import verify_totals
from server.storage.tables import players
from server.storage.week_tables import rating_sums, ratings, snapshots, week_totals, weeks
from server.storage.week_tables import tallies as tallies_table
from tests.commands import run_beside
from tests.services.played_weeks import FIRST, POOLS, Played, chance, end, report
from tests.services.test_closing_stories import WEEKS, Story

HERE = {name: POOLS[name] for name in ("imps", "mp", "guests")}  # as the settings have them


@pytest.fixture
async def story(database, clock):
    """Three weeks in which everything happened, all counted and closed."""
    told = Story(Played(database, clock, dict(HERE)), 5, shield=3)
    await told.tell()
    clock.set(end(WEEKS[-1], days=6))
    await told.close_all()
    while await bulletins.number_shared(database):  # as the timetable does
        pass
    return told


class Undone(Exception):
    """What a transaction found before everything in it was undone."""

    def __init__(self, found):
        self.found = found


class Damaged:
    """A database in which something is damaged for whoever reads it; in truth it stays as it is."""

    def __init__(self, database, damage):
        self._database = database
        self._damage = damage

    async def read(self, query):
        """What a query finds once the damage is done."""

        def look(connection):
            self._damage(connection)
            raise Undone(query(connection))

        with pytest.raises(Undone) as undone:
            await self._database.write(look)
        return undone.value.found


@pytest.fixture
def verify(story, database_url):
    """Runs the command over the story's database."""
    return lambda: run_beside("verify", CROSSRUFF_DATABASE_URL=database_url)


MIDDLE = (
    select(weeks.c.snapshot).where(weeks.c.week == str(WEEKS[1]), weeks.c.pool == "imps").scalar_subquery()
)
SOMEBODY = select(func.max(ratings.c.player)).where(ratings.c.snapshot == MIDDLE).scalar_subquery()
RULES = '{"shield_boards":0,"partner_of_leaver":true,"official":"classic"}'
WHERE = f"{WEEKS[1]} imps revision "


def row(**values):
    """Changes somebody's row of the middle week."""
    mine = (ratings.c.snapshot == MIDDLE) & (ratings.c.player == SOMEBODY)
    return update(ratings).where(mine).values(**values)


def snapshot(**values):
    """Changes the middle week's snapshot."""
    return update(snapshots).where(snapshots.c.id == MIDDLE).values(**values)


def week(**values):
    """Changes the middle week."""
    return update(weeks).where(weeks.c.week == str(WEEKS[1]), weeks.c.pool == "imps").values(**values)


def _lines(connection):
    """What a board gave is somebody else's."""
    board = select(tallies_table.c.board).where(tallies_table.c.lines != "[]").limit(1).scalar_subquery()
    mine = tallies_table.c.board == board
    lines = connection.execute(select(tallies_table.c.lines).where(mine)).scalar_one()
    connection.execute(update(tallies_table).where(mine).values(lines=lines.replace("[[", "[[9", 1)))


def _sums_of_another(connection):
    """The sums are whole, but those of the week before."""
    ordered = select(weeks.c.snapshot).where(weeks.c.pool == "imps").order_by(weeks.c.week)
    first, second, _ = connection.execute(ordered).scalars()
    other = select(rating_sums.c.content).where(rating_sums.c.snapshot == first)
    contents = list(connection.execute(other.order_by(rating_sums.c.part)).scalars())
    for part, content in enumerate(contents):
        mine = (rating_sums.c.snapshot == second) & (rating_sums.c.part == part)
        connection.execute(update(rating_sums).where(mine).values(content=content))


DAMAGE = {  # what is done, where it must be found and what is said
    "a skill": (row(rate=55.5), WHERE, "rate of p"),
    "its last bit": (row(rate=ratings.c.rate * (1 + 2**-52)), WHERE, "rate of p"),
    "a weight": (row(weight=1.0), WHERE, "weight of p"),
    "a Rate of the week": (row(week_rate=12.5), WHERE, "week_rate of p"),
    "points": (row(points=ratings.c.points + 1), WHERE, "points of p"),
    "boards ever": (row(total_boards=0), WHERE, "total_boards of p"),
    "disconnects": (row(disconnects=7), WHERE, "disconnects of p"),
    "the joint index": (row(joint_index=50.123), WHERE, "joint_index of p"),
    "its bar": (row(joint_bar=1.0), WHERE, "joint_bar of p"),
    "a flag": (row(flags=0), WHERE, "flags of p"),
    "a place": (row(skill_rank=99), WHERE, "skill_rank of p"),
    "a movement": (row(points_moved=99), WHERE, "points_moved of p"),
    "a row that is missing": (
        delete(ratings).where(ratings.c.snapshot == MIDDLE, ratings.c.player == SOMEBODY),
        WHERE,
        "row of p",
    ),
    "a checksum": (snapshot(checksum="0"), WHERE, "checksum"),
    "how many players": (snapshot(players=3), WHERE, "number of players"),
    "the rules": (snapshot(rules=RULES), WHERE, "sums"),
    "changes that were never made": (week(changes=999), WHERE, "number of changes read"),
    "the current revision": (week(revision=9), f"{WEEKS[1]} imps", "current revision"),
    "rows of no snapshot": (
        insert(ratings).from_select(
            [column.name for column in ratings.c],
            select(999, *list(ratings.c)[1:]).where(ratings.c.snapshot == MIDDLE),
        ),
        "snapshot 999",
        "number of rows",
    ),
    "sums of another week": (_sums_of_another, WHERE, "sums"),
    "what a board gave": (_lines, "b_0000", "boards of "),
    "a total": (update(week_totals).values(points=week_totals.c.points + 1), str(FIRST), "points of p"),
    "boards of a total": (update(week_totals).values(boards=0), str(FIRST), "boards of p"),
    "duplicate points": (update(week_totals).values(duplicate=0), str(FIRST), "duplicate of p"),
    "totals that are missing": (delete(week_totals), str(FIRST), "boards of p"),
    "a count from the future": (
        update(tallies_table).values(change=tallies_table.c.change + 1),
        "b_0000",
        "change that was counted",
    ),
}


async def test_whatever_happened_everything_is_right(verify):
    found = await verify()
    assert (found.exit_code, found.stderr) == (0, "")
    assert "and 9 rated weeks computed again, 0 differences\n" in found.stdout
    assert len(found.stdout.splitlines()) == 1


async def test_each_kind_of_damage_is_found(story):
    found = {what: await differences(story, damage) for what, (damage, _, _) in DAMAGE.items()}
    for what, (_, where, named) in DAMAGE.items():
        lines = [each for each in found[what] if each.where.startswith(where) and each.what.startswith(named)]
        assert lines, f"{what}: {found[what]}"
        assert lines[0].stored != lines[0].computed
    assert await differences(story, lambda connection: None) == []


async def differences(story, damage):
    """What is found to differ once something is damaged."""
    do = damage if callable(damage) else lambda connection: connection.execute(damage)
    database = Damaged(story.play.database, do)
    found = []
    async for each in verify_totals(database):
        found += each.discrepancies
    async for each in verify_ratings(database, HERE):
        found += each.discrepancies
    return found


async def test_the_command_names_it_and_fails(story, verify):
    await story.play.database.write(lambda connection: connection.execute(row(rate=55.5)))
    found = await verify()
    assert found.exit_code == 1
    first, second = found.stdout.splitlines()
    assert first.endswith("and 9 rated weeks computed again, 1 differences")
    assert second.startswith(f"{WEEKS[1]} imps revision ")
    assert ": rate of p" in second
    assert " is 55.5, computed " in second


async def test_who_is_hidden_since_makes_no_difference(story, verify):
    for hidden in (True, False):
        await story.play.database.write(lambda c, to=hidden: c.execute(update(players).values(hidden=to)))
        found = await verify()
        assert found.exit_code == 0, found.stdout


async def test_what_waits_to_be_counted_and_rated_is_no_difference(story, verify, clock):
    (board,) = await story.play.boards(WEEKS[2])
    clock.set(end(WEEKS[2], hours=30))
    fours = [[f"q{seat}{table}" for seat in "nesw"] for table in range(3)]
    await story.play.played(*(report(board, four, chance(story.rng, 1)) for four in fours))
    while await bulletins.number_shared(story.play.database):
        pass
    found = await verify()
    assert found.exit_code == 0, found.stdout
    assert found.stdout.endswith("wait to be rated again; they were passed over.\n")
    await tallies.refresh(story.play.database, "")
    clock.set(end(WEEKS[2], hours=40))
    await story.close_all()
    while await bulletins.number_shared(story.play.database):
        pass
    found = await verify()
    assert (found.exit_code, len(found.stdout.splitlines())) == (0, 1)
