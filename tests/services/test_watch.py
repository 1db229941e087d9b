"""The weekly report: from the weeks as they were rated, with the Rates that everybody came with."""

from datetime import timedelta

import pytest

from server.bridge.rating_watch import Why
from server.services.errors import UnknownPool, WeekNotFound
from server.services.watch import Watcher
from tests.services.played_weeks import FIRST, ONE_POOL, POOLS, Played, end, report

FOURS = [tuple("abcd"), tuple("efgh"), tuple("ijkl")]  # N, E, S, W
# The datum is -30: +450 and -220 are 10 and -6 IMPs.
MADE = ("4SN=", "4SN-5", "4SN-5")


@pytest.fixture
def play(database, clock):
    """An installation with one pool, in its first week."""
    return Played(database, clock, dict(ONE_POOL))


async def play_boards(play, week, count, fours=FOURS):
    for board in await play.boards(week, count=count, seed=str(week)):
        # Board numbers change who is vulnerable; these are the same for everybody.
        await play.run("UPDATE boards SET vulnerability = 'none' WHERE id = :board", board=board)
        await play.played(*(report(board, four, each) for four, each in zip(fours, MADE, strict=True)))


async def told(play, week, pool="imps"):
    """Why, who, against whom, boards, excess."""
    found = await Watcher(play.database, play.pools).report(week, pool)
    names = {number: player.id for number, player in found.people.items()}
    return found, [
        (
            line.why,
            "".join(sorted(names[each] for each in line.players)),
            "".join(sorted(names[each] for each in line.opponents)),
            line.boards,
            round(line.excess, 3),
        )
        for line in found.lines
    ]


async def close(play, week):
    play.clock.set(end(week, hours=4))
    await play.closing().close_due()


async def test_who_beats_the_same_two_again_and_again_is_named(play):
    await play_boards(play, FIRST, 8)
    await close(play, FIRST)
    found, lines = await told(play, FIRST)
    assert found.weeks == (FIRST,)
    # 80 IMPs on 8 boards; 48 of the EW pairs at the other tables are too few. All are novices too.
    assert {line for line in lines if line[0] is Why.SAME_OPPONENTS} == {
        (Why.SAME_OPPONENTS, who, "bd", 8, 80.0) for who in "ac"
    }
    assert {line for line in lines if line[0] is Why.NOVICES} == {
        (Why.NOVICES, who, "", 8, 80.0) for who in "ac"
    }


async def test_four_weeks_are_looked_at_together_each_by_the_rates_before_it(play):
    for number in range(4):
        await play_boards(play, FIRST.plus(number), 2)
        await close(play, FIRST.plus(number))
    rates = dict(
        await play.rows(
            "SELECT p.id || s.week, r.rate FROM ratings AS r JOIN snapshots AS s ON s.id = r.snapshot "
            "JOIN players AS p ON p.number = r.player"
        )
    )
    expected = 0.0
    for number in range(3):
        ns, ew = (sum(rates[f"{who}{FIRST.plus(number)}"] for who in pair) for pair in ("ac", "bd"))
        expected += 2 * 15 * (ns / (ns + ew) - 0.5)
    found, lines = await told(play, FIRST.plus(3))
    assert found.weeks == tuple(FIRST.plus(number) for number in range(4))
    (line,) = [line for line in lines if line[:3] == (Why.SAME_OPPONENTS, "a", "bd")]
    assert line[3:] == (8, pytest.approx(80 - expected, abs=0.01))
    # A week later the first of them has gone, and 60 IMPs less what was to be expected are too few.
    await close(play, FIRST.plus(4))
    assert [line for line in (await told(play, FIRST.plus(4)))[1] if line[0] is Why.SAME_OPPONENTS] == []


async def test_pairs_that_leave_boards_unfinished_are_named(play, clock):
    for number in range(2):
        for board in await play.boards(FIRST.plus(number), count=2 - number):
            clock.advance(timedelta(minutes=8))
            await play.left(board, "q", ["q", "r", "s", "t"])
        await close(play, FIRST.plus(number))
    assert (await told(play, FIRST))[1] == []  # two
    assert (await told(play, FIRST.plus(1)))[1] == [(Why.ABANDONED, "qs", "", 3, 0.0)]


async def test_a_week_that_nobody_rated_has_no_report(play):
    await play_boards(play, FIRST, 1)
    with pytest.raises(WeekNotFound):
        await told(play, FIRST)
    with pytest.raises(UnknownPool):
        await told(play, FIRST, "other")


async def test_pools_are_reported_on_one_by_one(database, clock):
    play = Played(database, clock, {name: POOLS[name] for name in ("imps", "mp")})
    await play_boards(play, FIRST, 8)
    await close(play, FIRST)
    assert (await told(play, FIRST))[1] != []
    with pytest.raises(WeekNotFound):
        await told(play, FIRST, "mp")
