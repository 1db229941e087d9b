"""Snapshots: made unseen, published once, given up without a trace."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
from sqlalchemy import func, select

from server.storage import ratings, weeks
from server.storage.ratings import COLUMNS, Rating
from server.storage.week_tables import rating_sums, snapshots
from server.storage.week_tables import ratings as table
from tests.clock import NOON
from tests.storage import rows

SOON = NOON + timedelta(minutes=1)
ROW = Rating(
    snapshot=0,
    player=0,
    rate=51.234567890123456,
    weight=112.3,
    rated=17,
    recent=3.3333333333333335,
    total_boards=2**40,
    week_rate=77.0,
    week_rated=2,
    points=-123_456,
    boards=3,
    disconnects=1,
    joint_index=49.99999999999999,
    joint_bar=4.1,
    flags=5,
    skill_rank=1,
    points_rank=2,
    joint_rank=3,
    skill_moved=4,
    points_moved=-5,
    joint_moved=0,
)
_NOTHING = ("week_rate", "joint_index", "joint_bar", "skill_moved", "points_moved", "joint_moved")
BARE = replace(ROW, **dict.fromkeys(_NOTHING))


def stage(connection, week="2026-W48", pool="imps", **changes):
    """A snapshot that nobody sees yet."""
    given = {"before": None, "algorithm": 1, "rules": "{}", "input": "i", "checksum": "c", "players": 2}
    return ratings.stage(connection, week=week, pool=pool, **{**given, "made_at": NOON, **changes})


def add(connection, snapshot, *given):
    """Rows of a snapshot, column by column as a closing has them."""
    columns = [
        np.array([getattr(row, name) for row in given], float if _loose(name) else None) for name in COLUMNS
    ]
    ratings.add(connection, snapshot, columns)


def _loose(name):
    return name.endswith("_moved") or name in ("week_rate", "joint_index", "joint_bar")


def publish(connection, week="2026-W48", pool="imps", before=None, revision=1):
    """A published snapshot of a week, without rows; its number."""
    number = stage(connection, week, pool, before=before)
    assert ratings.publish(connection, number, revision, SOON)
    weeks.mark(connection, weeks.lock(connection, week, pool), revision=revision, snapshot=number)
    return number


async def test_rows_are_read_as_they_were_kept(database):
    def verb(connection):
        number = stage(connection)
        first, second = rows.add_people(connection, "a", "b")
        kept = [
            replace(ROW, snapshot=number, player=second),
            replace(BARE, snapshot=number, player=first, points_rank=0),
        ]
        add(connection, number, *kept)
        return number, kept

    number, (one, other) = await database.write(verb)
    found = await database.read(lambda c: ratings.rows_of(c, number, [one.player, other.player, 99, 99]))
    assert found == {one.player: one, other.player: other}
    assert await database.read(lambda c: ratings.row_of(c, number, one.player)) == one
    assert await database.read(lambda c: ratings.row_of(c, number + 1, one.player)) is None
    names = ("player", "rate", "rated", "joint_index", "skill_moved")
    player, rate, rated, joint, moved = await database.read(lambda c: ratings.columns_of(c, number, names))
    assert player.tolist() == [other.player, one.player]
    assert rate.tolist() == [ROW.rate] * 2
    assert (rated.dtype.kind, rated.tolist()) == ("i", [17, 17])
    assert np.isnan(joint[0])
    assert joint[1] == ROW.joint_index
    assert np.isnan(moved[0])
    assert moved[1] == 4


async def test_flags_are_three():
    assert (ROW.provisional, ROW.pair_only, ROW.island) == (True, False, True)
    other = replace(ROW, flags=2)
    assert (other.provisional, other.pair_only, other.island) == (False, True, False)


async def test_a_snapshot_is_published_once(database):
    number = await database.write(stage)
    before = await database.read(lambda c: ratings.get(c, number))
    assert (before.revision, before.published_at, before.made_at) == (None, None, NOON)
    assert await database.read(lambda c: ratings.revisions(c, "2026-W48", "imps")) == []
    assert await database.write(lambda c: ratings.publish(c, number, 1, SOON))
    assert not await database.write(lambda c: ratings.publish(c, number, 2, SOON))
    assert not await database.write(lambda c: ratings.touch(c, number, SOON))
    assert not await database.write(lambda c: ratings.give_up(c, number, SOON + timedelta(days=9)))
    (row,) = await database.read(lambda c: ratings.revisions(c, "2026-W48", "imps"))
    assert row == replace(before, revision=1, published_at=SOON)


async def test_revisions_come_oldest_first(database):
    def verb(connection):
        return [publish(connection, revision=revision) for revision in (1, 2, 3)]

    made = await database.write(verb)
    found = await database.read(lambda c: ratings.revisions(c, "2026-W48", "imps"))
    assert [row.id for row in found] == made


async def test_what_somebody_is_at_is_not_given_up(database):
    number = await database.write(stage)
    assert await database.write(lambda c: ratings.touch(c, number, SOON))
    assert await database.read(lambda c: ratings.abandoned(c, SOON)) == []
    assert not await database.write(lambda c: ratings.give_up(c, number, SOON))
    late = SOON + timedelta(microseconds=1)
    assert await database.read(lambda c: ratings.abandoned(c, late)) == [number]
    assert await database.write(lambda c: ratings.give_up(c, number, late))
    assert not await database.write(lambda c: ratings.touch(c, number, late))
    assert not await database.write(lambda c: ratings.publish(c, number, 1, late))
    assert await database.read(lambda c: ratings.abandoned(c, NOON)) == [number]


async def test_what_was_given_up_goes_in_portions_and_wholly(database):
    def make(connection):
        number = stage(connection)
        for name in "abc":
            (player,) = rows.add_people(connection, name)
            add(connection, number, replace(ROW, player=player))
        for part in (1, 0):
            ratings.add_sums(connection, number, part, b"part")
        return number

    number = await database.write(make)
    await database.write(lambda c: ratings.drop(c, number))  # nobody has given it up
    assert await database.read(lambda c: ratings.get(c, number))
    assert await database.write(lambda c: ratings.give_up(c, number, SOON))
    dropped = [await database.write(lambda c: ratings.drop_rows(c, number, 2)) for _ in range(3)]
    assert dropped == [2, 1, 0]
    forgotten = [await database.write(lambda c: ratings.forget_sums(c, number, 1)) for _ in range(3)]
    assert forgotten == [1, 1, 0]
    await database.write(lambda c: ratings.drop(c, number))

    def left(connection):
        return [connection.execute(select(func.count()).select_from(each)).scalar_one() for each in TABLES]

    assert await database.read(left) == [0, 0, 0]


TABLES = (snapshots, table, rating_sums)


async def test_sums_are_whole_when_their_first_part_is_there(database):
    def add_part(number, part):
        return lambda c: ratings.add_sums(c, number, part, bytes([part]) * 3)

    number = await database.write(stage)
    await database.write(add_part(number, 1))
    assert not await database.read(lambda c: ratings.has_sums(c, number))
    await database.write(add_part(number, 0))
    await database.write(add_part(number, 0))  # again: as it was
    assert await database.read(lambda c: ratings.has_sums(c, number))
    assert await database.read(lambda c: ratings.sums(c, number)) == [b"\0\0\0", b"\1\1\1"]
    assert await database.write(lambda c: ratings.forget_sums(c, number, 1)) == 1
    assert not await database.read(lambda c: ratings.has_sums(c, number))  # the first goes first


async def test_old_sums_are_those_of_all_but_some(database):
    def make(connection):
        made = [publish(connection, f"2026-W4{number}") for number in (6, 7, 8)]
        staged, given_up = stage(connection), stage(connection, "2026-W49")
        elsewhere = publish(connection, pool="mp")
        for each in (*made, staged, given_up, elsewhere):
            ratings.add_sums(connection, each, 0, b"")
        ratings.give_up(connection, given_up, SOON)
        return made, given_up

    made, given_up = await database.write(make)
    old = await database.read(lambda c: ratings.old_sums(c, "imps", [made[2]]))
    assert old == [made[0], made[1], given_up]


async def test_a_player_is_read_by_weeks_newest_first_and_by_their_last_revision(database):
    def make(connection):
        (player,) = rows.add_people(connection, "a")
        made = []
        for week, revision in (("2026-W47", 1), ("2026-W48", 1), ("2026-W47", 2)):
            number = publish(connection, week, revision=revision)
            add(connection, number, replace(ROW, player=player, boards=len(made)))
            made.append(number)
        add(connection, stage(connection, "2026-W49"), replace(ROW, player=player))
        add(connection, publish(connection, "2026-W48", "mp"), replace(ROW, player=player))
        return player, made

    player, made = await database.write(make)
    found = await database.read(lambda c: list(ratings.of_player(c, player, "imps")))
    assert [(row.id, row.week, row.revision) for row, _ in found] == [
        (made[1], "2026-W48", 1),
        (made[2], "2026-W47", 2),
    ]
    assert [rating.boards for _, rating in found] == [1, 2]


async def test_a_snapshot_may_come_to_rest_upon_another(database):
    def verb(connection):
        first, second = publish(connection, "2026-W47"), publish(connection)
        ratings.rest(connection, second, first)
        return first, ratings.get(connection, second), weeks.get(connection, "2026-W48", "imps")

    first, row, week = await database.write(verb)
    assert row.before == week.before == first
