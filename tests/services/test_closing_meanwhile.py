"""Anything at all at any moments of a closing, the first or a later one: it is in the revision, or it is due.

What the weeks must come to, the raw rows say (`closing_oracle`).
"""

from collections import Counter
from itertools import cycle
from random import Random

import pytest
from sqlalchemy import text, update

from server.storage.week_tables import rating_sums
from tests.services.closing_story import WEEKS, Story, check_ratings
from tests.services.interrupted import Interrupted
from tests.services.played_weeks import POOLS, Played, end

MOMENTS = 16  # transactions of a closing, nearly
POOLS_OF = (("imps", "mp"), ("cross", "guests"))  # by seed; one with sums, one without
GAPS = (5, 60)  # hours after a week in which it is closed: within 48 nothing is late yet


class Meanwhile:
    """Weeks that are closed while a story goes on."""

    def __init__(self, database, clock, seed) -> None:
        pools = POOLS_OF[seed % 2]
        self.rng = Random(f"meanwhile {seed}")
        self.play = Played(database, clock, {name: POOLS[name] for name in pools})
        self.story = Story(self.play, seed, shield=seed % 2 * 3)
        story = self.story
        story.each = 4
        kinds = [story.post, story.adjust, story.leave, story.void, story.take_back, story.lift, story.post]
        self.kinds = cycle([*kinds, *kinds, story.withdraw])
        self.week = WEEKS[0]
        self.came: Counter[str] = Counter()  # what changed something during a closing
        self.settled: Counter[bool] = Counter()  # whether something was due after it

    async def play_week(self, week) -> None:
        """A week of play, until it is over."""
        self.week = week
        self.play.clock.set(max(self.play.clock.now(), end(week.plus(-1))))
        for _ in range(9):
            await self.rng.choice([self.story.post, self.story.post, self.story.leave])(week)
        self.play.clock.set(end(week, hours=self.rng.choice(GAPS)))

    async def happen(self, _database=None) -> None:
        """The next thing, in the week that is closed or one before it."""
        kind = next(self.kinds)
        week = self.week if self.rng.random() < 0.75 else WEEKS[0]
        before = await self._changes()
        await kind(week)
        self.came[kind.__name__] += await self._changes() != before

    async def close(self, pool) -> None:
        """Close what is due while things happen; it must all be there, or be due and then be there."""
        database, closing = self.play.database, self.story.closing
        for _ in range(self.rng.randint(1, 4)):
            database = Interrupted(database, self.rng.randrange(MOMENTS), self.happen)
        self.story.pools = [pool]
        disturbed = self.play.closing(database, rules=closing.rules)
        for week in await closing.due(pool):
            await disturbed.close(pool, week)
        due = await closing.due(pool)
        self.settled[bool(due)] += 1
        for week in due:
            await closing.close(pool, week)
        assert await closing.due(pool) == ()
        await self.check([pool])

    async def check(self, pools) -> None:
        """Hold every published week of some pools against the raw rows."""
        rules = self.story.closing.rules
        assert await check_ratings(self.play, rules.official, rules.shield_boards, pools)

    async def spoil_sums(self, pool) -> None:
        """Sums of the joint rating are as they were kept, lost or damaged."""
        mine = f"snapshot IN (SELECT snapshot FROM weeks WHERE pool = '{pool}')"
        what = self.rng.choice(["kept", "lost", "damaged"])
        if what == "lost":
            await self.play.run(f"DELETE FROM rating_sums WHERE {mine}")
        if what == "damaged":
            spoiled = update(rating_sums).values(content=b"damaged").where(text(mine))
            await self.play.database.write(lambda connection: connection.execute(spoiled))

    async def _changes(self):
        return await self.play.rows("SELECT id, change, withdrawn_at FROM boards ORDER BY id")


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_happens_during_a_closing_is_in_it_or_in_the_next(database, clock, seed):
    meanwhile = Meanwhile(database, clock, seed)
    for week in WEEKS[:2]:
        await meanwhile.play_week(week)
        for pool in meanwhile.play.pools:
            await meanwhile.close(pool)
            for _ in range(2):
                await meanwhile.happen()  # something, so that there is a second time
                await meanwhile.spoil_sums(pool)
                await meanwhile.close(pool)
    await meanwhile.story.close_all()
    await meanwhile.check(list(meanwhile.play.pools))
    assert set(meanwhile.settled) == {True, False}, meanwhile.settled
    assert len(+meanwhile.came) >= 6, meanwhile.came
