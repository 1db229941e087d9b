"""Closing weeks: what a closed week comes to, again and again, late and in order."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text, update

from server.bridge.rating import Rules
from server.services.closing_steps import SUMS_KEPT
from server.services.errors import WeekNotFound, WeekNotOver
from server.storage.week_tables import rating_sums
from tests.services.interrupted import Interrupted, Killed
from tests.services.played_weeks import FIRST, ONE_POOL, POOLS, Played, end, report

FOURS = [tuple("abcd"), tuple("efgh"), tuple("ijkl")]
LATER = tuple("mnop")
TICK = timedelta(microseconds=1)


@pytest.fixture
def play(database, clock):
    """An installation with one pool, in its first week."""
    return Played(database, clock, dict(ONE_POOL))


async def play_week(play, week=FIRST, pool="imps"):
    """A board with three results; the week has begun then, and nothing is closed. Its number."""
    play.clock.set(max(play.clock.now(), end(week.plus(-1))))
    (board,) = await play.boards(week, pool)
    made = ("4SN=", "4SN-1", "4SN+1")
    await play.played(*(report(board, four, each) for four, each in zip(FOURS, made, strict=True)))
    return board


async def play_weeks(play, count):
    """So many weeks, each played and closed when it was over; their boards."""
    boards = []
    for number in range(count):
        week = FIRST.plus(number)
        boards.append(await play_week(play, week))
        play.clock.set(end(week, hours=4))
        await play.closing().close_due()
    return boards


async def snapshots(play, pool="imps"):
    """Week, revision, id and the one before, of everything published, in the order in which it was made."""
    statement = (
        "SELECT week, revision, id, before FROM snapshots "
        "WHERE pool = :pool AND revision IS NOT NULL ORDER BY id"
    )
    return await play.rows(statement, pool=pool)


async def rates(play, snapshot):
    """Skill by player of a snapshot."""
    return dict(await play.rows("SELECT player, rate FROM ratings WHERE snapshot = :s", s=snapshot))


async def with_sums(play):
    """Weeks whose current snapshot has its sums."""
    rows = await play.rows("SELECT week FROM weeks JOIN rating_sums ON rating_sums.snapshot = weeks.snapshot")
    return sorted({week for (week,) in rows})


async def test_a_week_is_due_when_its_grace_is_over(play):
    await play_week(play)
    play.clock.set(end(FIRST, hours=4) - TICK)
    assert await play.closing().due("imps") == ()
    play.clock.set(end(FIRST, hours=4))
    assert await play.closing().due("imps") == (FIRST,)
    (closed,) = await play.closing().close_due()
    assert (closed.revision, closed.changed, closed.players, closed.results) == (1, True, 12, 3)
    assert await play.closing().due("imps") == ()


async def test_closed_again_nothing_is_read_and_nothing_changes(play):
    await play_weeks(play, 1)
    before = await play.rows("SELECT * FROM weeks")
    again = await play.closing().close("imps", FIRST)
    assert (again.revision, again.changed, again.results) == (1, False, None)
    assert await play.rows("SELECT * FROM weeks") == before
    assert len(await snapshots(play)) == 1


async def test_empty_weeks_are_closed_too(play):
    await play_weeks(play, 1)
    play.clock.set(end(FIRST.plus(3), hours=4))
    closed = await play.closing().close_due()
    assert [(each.week, each.results) for each in closed] == [(FIRST.plus(i), 0) for i in (1, 2, 3)]
    found = await snapshots(play)
    assert [before for *_, before in found] == [None, *(snapshot for *_, snapshot, _ in found[:-1])]
    weight = await play.rows("SELECT weight FROM ratings WHERE player = 1 ORDER BY snapshot")
    assert [round(each[0], 9) for each in weight] == [round(24.75 * 0.95**weeks, 9) for weeks in range(4)]


async def test_a_late_result_makes_revisions_of_its_week_and_all_after_it(play):
    boards = await play_weeks(play, 3)
    first = await snapshots(play)
    old = [await rates(play, snapshot) for _, _, snapshot, _ in first]
    play.clock.set(end(FIRST.plus(1), hours=48) - TICK)  # within the window of the second week
    await play.played(report(boards[1], LATER))
    play.clock.set(end(FIRST.plus(2), hours=5))
    closing = play.closing()
    assert await closing.due("imps") == (FIRST.plus(1), FIRST.plus(2))
    closed = await closing.close_due()
    assert [(each.week, each.revision, each.changed) for each in closed] == [
        (FIRST.plus(1), 2, True),
        (FIRST.plus(2), 2, True),
    ]
    assert await closing.due("imps") == ()
    # What was published before is still there, as it was.
    assert (await snapshots(play))[:3] == first
    assert [await rates(play, snapshot) for _, _, snapshot, _ in first] == old
    assert {len(await rates(play, snapshot)) for _, _, snapshot, _ in (await snapshots(play))[3:]} == {16}


async def test_after_the_window_a_result_is_kept_and_changes_nothing(play):
    boards = await play_weeks(play, 2)
    before = await play.rows("SELECT * FROM ratings")
    play.clock.set(end(FIRST, hours=48))
    await play.played(report(boards[0], LATER, "7SXN-4", disconnects=["m"]))
    play.clock.set(end(FIRST.plus(1), hours=5))
    closing = play.closing()
    closed = await closing.close_due()
    assert [(each.week, each.revision, each.changed) for each in closed] == [
        (FIRST, 1, False),
        (FIRST.plus(1), 1, False),
    ]
    assert closed[1].results is None  # nothing before it changed: it was not even read
    assert await play.rows("SELECT * FROM ratings") == before
    assert await closing.due("imps") == ()
    assert await play.rows("SELECT count(*) FROM results WHERE board = :board", board=boards[0]) == [(4,)]


async def test_which_results_are_late_does_not_change_with_the_setting(play):
    boards = await play_weeks(play, 1)
    play.clock.set(end(FIRST, hours=50))
    await play.played(report(boards[0], LATER))
    longer = play.closing(late=timedelta(hours=100))
    (closed,) = await longer.close_due()
    assert (closed.changed, closed.results) == (False, 3)


async def test_a_board_taken_back_moves_its_week(play):
    boards = await play_weeks(play, 1)
    await play.rule(boards[0], 2)
    (closed,) = await play.closing().close_due()
    assert (closed.revision, closed.results) == (2, 2)
    names = "week_rate, boards, points, rated"
    found = await play.rows(f"SELECT player, {names} FROM ratings WHERE snapshot = 2 ORDER BY player")
    # Two results are too few: nobody has a Rate, those of the void one have no board either.
    assert found[0] == (1, None, 1, 0, 0)
    assert [row[0] for row in found] == [1, 2, 3, 4, 9, 10, 11, 12]


async def test_a_withdrawn_board_counts_for_nothing(play):
    (board,) = await play.boards(FIRST)
    await play.played(*(report(board, four, disconnects=[four[0]]) for four in FOURS))
    await play.withdraw(board)
    play.clock.set(end(FIRST, hours=4))
    (closed,) = await play.closing().close_due()
    assert (closed.results, closed.players) == (0, 0)


async def test_who_left_has_a_rate_of_nothing_even_without_a_result(play):
    (board,) = await play.boards(FIRST)
    await play.played(report(board, FOURS[0]), report(board, FOURS[1], disconnects=["e"]))
    await play.left(board, "q", ["q", "r", "s", "t"])  # of another table, which nobody finished
    play.clock.set(end(FIRST, hours=4))
    await play.closing().close_due()
    names = "players.id, week_rate, week_rated, points, boards, disconnects"
    rows = await play.rows(f"SELECT {names} FROM ratings JOIN players ON players.number = player")
    found = {row[0]: row[1:] for row in rows}
    assert found["a"] == (None, 0, 0, 1, 0)
    assert found["e"] == (0.0, 1, -160_000, 1, 1)
    assert found["q"] == (0.0, 1, -160_000, 1, 1)
    assert found["s"] == (None, 0, 0, 0, 0)  # his partner: the first board of the pair is free
    assert found.keys() == {*FOURS[0], *FOURS[1], "q", "s"}


async def test_a_director_lifts_what_repeated_leaving_costs_the_partner(play, clock):
    """The second board that a pair leaves in four weeks costs the leaver's partner a Rate of 0 too."""
    for board in await play.boards(FIRST, count=2):
        clock.advance(timedelta(minutes=8))
        await play.left(board, "q", ["q", "r", "s", "t"])
    clock.set(end(FIRST, hours=4))
    await play.closing().close_due()
    asked = (
        "SELECT week_rate, week_rated, points FROM ratings JOIN players ON players.number = player "
        "JOIN weeks ON weeks.snapshot = ratings.snapshot WHERE players.id = :id"
    )
    assert await play.rows(asked, id="q") == [(0.0, 2, -320_000)]
    assert await play.rows(asked, id="s") == [(0.0, 1, 0)]
    ((first,), (second,)) = await play.rows("SELECT number FROM disconnects ORDER BY number")
    await play.lift(first)  # that one cost nothing, and changes nothing
    assert await play.closing().due("imps") == (FIRST,)
    await play.closing().close_due()
    assert await play.rows(asked, id="s") == [(0.0, 1, 0)]
    await play.lift(second)
    await play.closing().close_due()
    assert await play.rows(asked, id="q") == [(0.0, 2, -320_000)]
    assert await play.rows(asked, id="s") == [(None, 0, 0)]


async def test_substitutes_stand_for_whom_they_replace(play):
    (board,) = await play.boards(FIRST)
    await play.played(
        report(board, FOURS[0], disconnects=["x"], substitutes={"N": "x"}),  # a sat in for x
        *(report(board, four, "4SN-1") for four in FOURS[1:]),
    )
    play.clock.set(end(FIRST, hours=4))
    await play.closing().close_due()
    rows = await play.rows("SELECT players.id, boards FROM ratings JOIN players ON number = player")
    found = dict(rows)
    assert "a" not in found
    assert (found["x"], found["b"]) == (1, 1)


async def test_every_pool_has_its_own_list(database, clock):
    play = Played(database, clock)
    for pool in POOLS:
        await play_week(play, pool=pool)
    clock.set(end(FIRST, hours=4))
    closed = await play.closing().close_due()
    assert {each.pool: each.players for each in closed} == dict.fromkeys(POOLS, 12)
    joint = await play.rows(
        "SELECT s.pool, count(r.joint_index) FROM snapshots AS s JOIN ratings AS r ON r.snapshot = s.id "
        "GROUP BY s.pool"
    )
    assert dict(joint) == {"imps": 12, "cross": 12, "mp": 0, "guests": 0}


async def test_weeks_filled_afterwards_wait_until_somebody_names_them(play):
    """Boards made for a week that is over: the sweep leaves them alone, `crossruff rate` closes them."""
    past = FIRST.plus(-5)
    (board,) = await play.boards(past)
    await play.played(*(report(board, four) for four in FOURS))
    closing = play.closing()
    assert await closing.due("imps") == ()
    assert await closing.close_due() == []
    closed = await closing.close_up_to(past)
    assert [(each.week, each.results) for each in closed] == [(past, 3)]
    # From then on the weeks after it are no different from others.
    assert await closing.due("imps") == tuple(past.plus(i) for i in range(1, 5))


async def test_each_week_filled_afterwards_waits_for_its_own_name_and_holds_up_those_after_it(play, clock):
    """Whoever fills weeks one after the other may name the first while he still fills the next."""
    past = FIRST.plus(-3)
    (first,), (second,) = [await play.boards(week) for week in (past, past.plus(1))]
    await play.played(*(report(first, four) for four in FOURS), report(second, FOURS[0]))
    closing = play.closing()
    assert [each.week for each in await closing.close_up_to(past)] == [past]
    clock.set(end(FIRST, hours=4))
    assert await closing.due("imps") == ()
    assert await closing.unnamed("imps") == past.plus(1)
    await play.played(report(second, FOURS[1]), report(second, FOURS[2]))  # not late
    (closed,) = await closing.close_up_to(past.plus(1))
    assert (closed.week, closed.results) == (past.plus(1), 3)
    assert await closing.unnamed("imps") is None
    assert await closing.due("imps") == (past.plus(2), FIRST)
    await play.rule(first, 1)  # a week that was named is rated again by itself
    assert await closing.due("imps") == tuple(past.plus(i) for i in range(4))


async def test_a_week_filled_afterwards_takes_everything_until_it_is_closed(play, clock):
    past = FIRST.plus(-2)
    (board,) = await play.boards(past)
    await play.played(*(report(board, four) for four in FOURS))
    await play.closing().close_up_to(past)
    clock.advance(TICK)
    await play.played(report(board, LATER))
    closed = await play.closing().close_up_to(past)
    assert [(each.revision, each.changed) for each in closed] == [(1, False)]


async def test_weeks_that_are_not_over_or_not_known_are_refused(play):
    with pytest.raises(WeekNotFound):
        await play.closing().close_up_to(FIRST.plus(-1))
    await play_week(play)
    play.clock.set(end(FIRST) - TICK)
    with pytest.raises(WeekNotOver, match="2026-11-29T16:00:00Z"):
        await play.closing().close_up_to(FIRST)
    with pytest.raises(WeekNotFound):
        await play.closing().close_up_to(FIRST.plus(-1))
    play.clock.set(end(FIRST))  # by hand it may be closed within its grace
    assert [each.week for each in await play.closing().close_up_to(FIRST)] == [FIRST]


async def test_sums_are_kept_for_some_weeks_and_no_longer(play):
    await play_weeks(play, SUMS_KEPT + 2)
    assert await with_sums(play) == [str(FIRST.plus(i)) for i in range(2, SUMS_KEPT + 2)]


async def test_sums_that_are_not_kept_are_computed_again(play, clock):
    """An old week is rated anew: the weeks before it have the same sums as when they were rated."""
    boards = await play_weeks(play, 7)
    rows = "SELECT snapshot, part, content FROM rating_sums ORDER BY snapshot, part"
    first, kept = await snapshots(play), await play.rows(rows)
    await play.rule(boards[4], 1)
    changed = await play.closing().close_due()
    assert [(each.week, each.revision) for each in changed] == [(FIRST.plus(i), 2) for i in (4, 5, 6)]
    assert await with_sums(play) == [str(FIRST.plus(i)) for i in (3, 4, 5, 6)]
    await play.run("DELETE FROM rating_sums")
    await play.rule(boards[6], 1)
    await play.closing().close_due()
    again = await play.rows(rows)
    old = first[3][2]
    assert [row for row in kept if row[0] == old] == [row for row in again if row[0] == old] or old not in {
        row[0] for row in again
    }
    assert (await snapshots(play))[:7] == first


async def test_lost_and_damaged_sums_change_nothing(database, clock):
    """The same weeks, with sums as they were kept, with lost and with damaged ones: the same checksums."""
    play = Played(database, clock, {name: replace(ONE_POOL["imps"], name=name) for name in ("a", "b", "c")})
    of_pool = "WHERE snapshot IN (SELECT snapshot FROM weeks WHERE pool = '{}')"
    damaged = update(rating_sums).values(content=b"damaged").where(text(of_pool.format("c")[6:]))
    found = []
    for number in range(4):
        week = FIRST.plus(number)
        for pool in play.pools:
            await play_week(play, week, pool)
        clock.set(end(week, hours=4))
        found.append({each.checksum for each in await play.closing().close_due()})
        await play.run(f"DELETE FROM rating_sums {of_pool.format('b')}")
        await database.write(lambda connection: connection.execute(damaged))
    assert [len(checksums) for checksums in found] == [1, 1, 1, 1]


async def test_a_week_in_between_keeps_the_rules_that_it_was_rated_by(play):
    """The sums before a changed week are those of the rules of then, whatever holds now."""
    boards = await play_weeks(play, 2)
    await play.run("DELETE FROM rating_sums")
    await play.rule(boards[1], 3)
    closed = await play.closing(rules=Rules(shield_boards=50)).close_due()
    assert [(each.week, each.revision) for each in closed] == [(FIRST.plus(1), 2)]
    rules = await play.rows("SELECT rules FROM snapshots ORDER BY id")
    assert ["50" in text for (text,) in rules] == [False, False, True]


async def test_while_somebody_closes_a_week_others_leave_it_to_him(play, clock):
    await play_week(play)
    clock.set(end(FIRST, hours=4))

    async def die(_database):
        raise Killed

    with pytest.raises(Killed):
        await play.closing(Interrupted(play.database, 6, die)).close("imps", FIRST)
    closing = play.closing()
    assert await closing.due("imps") == ()
    assert await closing.due("imps", taken=True) == (FIRST,)
    clock.advance(timedelta(minutes=2))  # he must have ended
    assert await closing.due("imps") == (FIRST,)


async def test_two_that_begin_at_once_publish_once(play, database_url):
    await play_week(play)
    play.clock.set(end(FIRST, hours=4))
    closing = play.closing()
    closed = await asyncio.gather(*(closing.close("imps", FIRST) for _ in range(3)))
    assert {each.revision for each in closed} == {1}
    assert sum(each.changed for each in closed) == 1
    assert len({each.checksum for each in closed}) == 1
    await closing.tidy()
    assert await play.rows("SELECT count(*) FROM snapshots") == [(1,)]


async def test_followers_of_the_week_are_told(play):
    await play_weeks(play, 1)
    told = await play.rows("SELECT channel, body FROM bulletins WHERE kind = 'rated'")
    body = '{"week":"2026-W48","pool":"imps","revision":1}'
    assert told == [("week:2026-W48", body), ("week:2026-W49", body)]


async def test_progress_is_told(play):
    await play_week(play)
    play.clock.set(end(FIRST, hours=4))
    told = []
    await play.closing().close("imps", FIRST, lambda *each: told.append(each))
    assert [stage for _, _, stage, _, _ in told] == ["read", "compute", "write", "write"]
    assert told[-1] == (FIRST, "imps", "write", 1, 1)
