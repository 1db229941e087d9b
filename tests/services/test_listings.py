"""Lists of players: who is on them, and for how long they are kept."""

import pytest
from sqlalchemy import text

from server.bridge.week import week_of
from server.services import tallies
from server.services.listings import KEPT, MOMENT, Listings, Recent, filtered
from server.storage.leaderboards import Filters, Order, Source
from tests.services.played_weeks import FIRST, ONE_POOL, ZONE, Played, end, report

FOURS = [tuple("abcd"), tuple("efgh"), tuple("ijkl")]
SECOND = FIRST.plus(1)
OPEN = Source(str(FIRST), "imps", None, False, str(FIRST.plus(-1)))


class Watch:
    """A monotonic clock that stands."""

    def __init__(self):
        self.seconds = 1000.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def play(database, clock):
    """An installation with one pool, in its first week."""
    return Played(database, clock, dict(ONE_POOL))


async def play_board(play, made=("4SN=", "4SN-1", "4SN+1")):
    """A board of the open week at three tables, counted."""
    (board,) = await play.boards(week_of(play.clock.now(), ZONE))
    await play.played(*(report(board, four, each) for four, each in zip(FOURS, made, strict=True)))
    while await tallies.refresh(play.database, ""):
        pass


async def names(play, listing):
    """Places and ids."""
    ids = dict(await play.rows("SELECT number, id FROM players"))
    return [(int(p), ids[n]) for p, n in zip(listing.places, listing.players.tolist(), strict=True)]


async def read(play, listings, source=OPEN, order=Order.POINTS):
    return await play.database.read(lambda c: listings.read(c, source, order))


async def test_a_long_list_of_a_week_in_play_is_kept_for_a_moment(play):
    watch = Watch()
    listings = Listings(watch, short=11)
    await play_board(play)
    first = await read(play, listings)
    await play_board(play, ("4SN-1", "4SN=", "4SN+1"))
    watch.seconds += MOMENT
    assert (await read(play, listings)).points.tolist() == first.points.tolist()
    watch.seconds += 0.001
    later = await read(play, listings)
    assert later.points.tolist() != first.points.tolist()
    assert later.boards.tolist() == [2] * 12


async def test_a_short_list_is_read_every_time(play):
    listings = Listings(Watch(), short=12)
    await play_board(play)
    first = await read(play, listings)
    await play_board(play)
    assert (await read(play, listings)).boards.tolist() == [2] * 12
    assert first.boards.tolist() == [1] * 12


async def test_players_with_the_same_points_share_a_place_and_stand_by_number(play):
    await play_board(play)
    listing = await read(play, Listings(Watch()))
    assert listing.points.tolist() == sorted(listing.points.tolist(), reverse=True)
    for i in range(1, 12):
        same = listing.points[i] == listing.points[i - 1]
        assert listing.places[i] == (listing.places[i - 1] if same else i + 1)
        assert not same or listing.players[i] > listing.players[i - 1]


async def test_who_is_hidden_takes_no_place_of_a_list_that_is_kept(play):
    listings = Listings(Watch(), short=0)
    await play_board(play)
    first = await names(play, await read(play, listings))
    best = [player for place, player in first if place == 1]

    def hide(connection):
        statement = text("UPDATE players SET hidden = :yes WHERE id = :id")
        connection.execute(statement, [{"yes": True, "id": each} for each in best])

    await play.database.write(hide)
    second = await names(play, await read(play, listings))
    assert [player for _, player in second] == [player for _, player in first if player not in best]
    assert second[0][0] == 1


async def test_what_a_snapshot_says_is_read_once(play):
    await play_board(play)
    play.clock.set(end(FIRST, hours=4))
    await play.closing().close_due()
    ((snapshot,),) = await play.rows("SELECT snapshot FROM weeks")
    source, listings = Source(str(FIRST), "imps", snapshot, True, "2026-W47"), Listings(Watch())
    first = await read(play, listings, source, Order.SKILL)
    assert [place for place, _ in await names(play, first)] == sorted(first.places.tolist())

    def spoil(connection):
        connection.execute(text("UPDATE ratings SET skill_rank = 99"))

    await play.database.write(spoil)
    again = await read(play, listings, source, Order.SKILL)
    assert again.places.tolist() == first.places.tolist()
    # What others looked at since takes its place.
    for number in range(KEPT):
        await read(play, listings, Source("2026-W48", "imps", snapshot + 1 + number, True, ""), Order.SKILL)
    assert set((await read(play, listings, source, Order.SKILL)).places.tolist()) == {99}


async def test_filters_leave_places_alone(play):
    await play_board(play)
    play.clock.set(end(FIRST, hours=4))
    await play.closing().close_due()
    ((snapshot,),) = await play.rows("SELECT snapshot FROM weeks")
    await play_board(play)
    source = Source(str(SECOND), "imps", snapshot, False, str(FIRST))
    listings = Listings(Watch())

    def passed(connection):
        listing = listings.read(connection, source, Order.SKILL)
        return [
            listing.only(filtered(connection, listing, filters))
            for filters in (
                Filters(),
                Filters(min_boards=2),
                Filters(words="A"),
                Filters(provisional=True),
                Filters(provisional=False),
            )
        ]

    everybody, busy, one, new, old = await play.database.read(passed)
    assert everybody.boards.tolist() == [1] * 12  # of this week
    assert len(busy.players) == len(old.players) == 0
    assert len(new.players) == 12
    ((name, place),) = [(n, p) for p, n in await names(play, one)]
    assert name == "a"
    assert (place, "a") in await names(play, everybody)


def test_what_was_not_used_for_the_longest_goes_first():
    recent = Recent(2)
    for key in "ab":
        recent.keep(key, key.upper())
    assert recent.get("a") == "A"
    recent.keep("c", "C")
    assert [recent.get(key) for key in "abc"] == ["A", None, "C"]
