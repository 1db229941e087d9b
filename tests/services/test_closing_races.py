"""Whatever comes between any two transactions of a closing: nothing is missed, nothing is there in part."""

from datetime import timedelta

import pytest

from server.services import closing_steps
from server.services.closing_sums import rated_upon
from server.storage import weeks as stored_weeks
from server.storage.database import open_database
from tests.clock import StandingClock
from tests.services.held import Held
from tests.services.interrupted import Interrupted, Killed
from tests.services.played_weeks import FIRST, ONE_POOL, Played, end, report

TABLES = [tuple("abcd"), tuple("efgh"), tuple("ijkl")]
LATER = tuple("mnop")
MOST = 40  # transactions of a closing, at most
SPAN = 3


class Race:
    """Weeks that are closed one after another, each with something happening at another moment."""

    def __init__(self, database, clock, monkeypatch) -> None:
        monkeypatch.setattr("server.services.closing.CHUNK", 6)  # several portions even of these few rows
        self.play = Played(database, clock, dict(ONE_POOL))
        self.week = FIRST
        self.board = 0

    async def play_week(self) -> None:
        """A board of the week with three results, and the week is over."""
        self.play.clock.set(max(self.play.clock.now(), end(self.week.plus(-1))))
        (self.board,) = await self.play.boards(self.week)
        await self.play.played(*(report(self.board, each) for each in TABLES))
        self.play.clock.set(end(self.week, hours=5))

    async def arrive(self, _database=None) -> None:
        """One more result of the week."""
        await self.play.played(report(self.board, LATER, "4SN-3"))

    async def close(self, at, happen):
        """Close the week while it happens before the transaction ``at``; how many transactions there were."""
        database = Interrupted(self.play.database, at, happen)
        return await self.play.closing(database).close("imps", self.week), database.transactions

    async def every_moment(self, race, happen) -> int:
        """Let it happen before each transaction of a closing in turn, every time in another week."""
        for at in range(MOST):
            await self.play_week()
            try:
                _, transactions = await self.close(at, happen)
            except Killed:
                transactions = MOST
            await race(at)
            self.week = self.week.plus(1)
            if at >= transactions:
                return at
        raise AssertionError("a closing has more transactions than that")

    async def over(self, held, at):
        """Close the week; somebody's transaction is open over ``SPAN`` of ours. How many there were."""

        async def begin(_database):
            await held.begin()
            self.play.clock.advance(timedelta(seconds=1))

        inner = Interrupted(self.play.database, at, begin)
        outer = Interrupted(inner, at + SPAN, lambda _: held.commit())
        await self.play.closing(outer).close("imps", self.week)
        return outer.transactions

    async def computed(self) -> str:
        """The checksum that the week comes to, computed without writing anything."""
        pool, database = self.play.pools["imps"], self.play.database
        row = await database.read(lambda c: stored_weeks.get(c, str(self.week), "imps"))
        earlier = await database.read(lambda c: closing_steps.earlier(c, self.week, pool))
        parts = await database.read(lambda c: closing_steps.sums_before(c, self.week, pool))
        read = await database.read(lambda c: closing_steps.read(c, row, pool))
        return rated_upon(earlier.known, parts, read, self.play.closing().rules).checksum

    async def published(self):
        """Revisions of the week: how many players its rows are about, and how many it says."""
        return await self.play.rows(
            "SELECT s.revision, s.players, (SELECT count(*) FROM ratings AS r WHERE r.snapshot = s.id) "
            "FROM snapshots AS s WHERE s.week = :week ORDER BY s.revision",
            week=str(self.week),
        )


@pytest.fixture
def race(database, clock, monkeypatch):
    """The race."""
    return Race(database, clock, monkeypatch)


async def test_a_result_that_comes_meanwhile_is_in_that_revision_or_makes_the_next(race):
    revisions = []

    async def settle(_at):
        closing = race.play.closing()
        due = await closing.due("imps")
        if due:
            assert due == (race.week,)
            found = await closing.close("imps", race.week)
            assert (found.revision, found.changed, found.results) == (2, True, 4)
        published = await race.published()
        assert published[-1][1:] == (16, 16)
        revisions.append(len(published))
        assert await closing.due("imps") == ()

    await race.every_moment(settle, race.arrive)
    assert set(revisions) == {1, 2}
    *meanwhile, last = revisions
    assert meanwhile == sorted(meanwhile)  # in it up to one moment, from then on in the next
    assert last == 1  # nothing came


async def test_two_at_once_publish_one_revision_and_leave_nothing_behind(race, database_url):
    other = open_database(database_url)

    async def close_too(_database):
        await race.play.closing(other).close("imps", race.week)

    async def settle(_at):
        assert [row[0] for row in await race.published()] == [1]
        assert await race.play.closing().due("imps") == ()
        assert await race.play.rows("SELECT snapshot FROM ratings EXCEPT SELECT snapshot FROM weeks") == []

    await race.every_moment(settle, close_too)
    await other.close()


async def test_whoever_takes_a_closing_for_dead_does_it_no_harm(race):
    async def tidy(_database):
        race.play.clock.advance(timedelta(hours=1))
        await race.play.closing().tidy()

    async def settle(_at):
        ((revision, players, rows),) = await race.published()
        assert (revision, rows) == (1, players)
        assert await race.play.rows("SELECT snapshot FROM ratings EXCEPT SELECT snapshot FROM weeks") == []

    await race.every_moment(settle, tidy)


async def test_killed_at_any_moment_it_comes_to_the_same(race, clock):
    """The next one begins anew, and in time everything is tidy."""
    undisturbed = []

    async def die(_database):
        raise Killed

    async def settle(_at):
        closing = race.play.closing()
        found = await closing.close("imps", race.week)
        assert found.checksum == undisturbed[-1]
        clock.advance(timedelta(minutes=3))
        await closing.tidy()
        assert await race.play.rows("SELECT snapshot FROM ratings EXCEPT SELECT snapshot FROM weeks") == []
        ((revision, players, rows),) = await race.published()
        assert (revision, rows) == (1, players)

    play_week = race.play_week

    async def noted():
        await play_week()
        undisturbed.append(await race.computed())

    race.play_week = noted
    await race.every_moment(settle, die)
    assert len(set(undisturbed)) == len(undisturbed) > 15


class Arrivals:
    """What may come for a board of a race, each over a database of its own."""

    def __init__(self, race) -> None:
        self.race = race

    async def result(self, play) -> None:
        """One more result."""
        await play.played(report(self.race.board, LATER, "4SN-3"))

    async def voided(self, play) -> None:
        """A result is taken back."""
        await play.rule(self.race.board, 2)

    async def left(self, play) -> None:
        """Somebody left a table that nobody finished."""
        await play.left(self.race.board, "m", LATER)

    async def withdrawn(self, play) -> None:
        """The board counts for nothing."""
        await play.withdraw(self.race.board)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize(("what", "writes"), [("result", 2), ("voided", 2), ("left", 2), ("withdrawn", 1)])
async def test_what_is_committed_only_when_the_week_is_published_is_in_the_next(
    race, database_url, what, writes
):
    """Whoever came before the week was published is in time, even when the week had none until then."""
    missed, at, transactions = [], 0, MOST
    while at < transactions:
        await race.play_week()
        race.play.clock.set(end(race.week, hours=60))
        without = await race.computed()
        arrive = getattr(Arrivals(race), what)

        async def act(database, arrive=arrive):
            await arrive(Played(database, StandingClock(race.play.clock.now()), dict(ONE_POOL)))

        held = Held(database_url, act, writes)
        transactions = await race.over(held, at)
        await held.commit()
        closing = race.play.closing()
        missed.append(bool(await closing.due("imps")))
        found = await closing.close("imps", race.week)
        assert found.checksum == await race.computed() != without
        assert found.revision == 1 + missed[-1]
        assert await closing.due("imps") == ()
        race.week, at = race.week.plus(1), at + SPAN
    assert missed == sorted(missed)  # in it up to one moment, from then on in the next
    assert set(missed) == {True, False}
