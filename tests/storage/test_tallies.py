"""What boards gave when they were counted, and the totals."""

from sqlalchemy import update

from server.storage import tallies
from server.storage.tables import boards
from server.storage.tallies import Line, Tally
from tests.storage import rows

WEEK = "2026-W48"
LINES = (Line(1, -160_000, 1, 1, -160_000, 0, 0, 1), Line(2), Line(3, 2**40, 2, 0, 5, 1, 1, 0))


def raise_change(connection, board, change):
    connection.execute(update(boards).where(boards.c.id == board).values(change=change))


async def test_what_changed_since_it_was_counted_is_behind(database):
    def make(connection):
        first, second, third = (each.id for each in rows.add_boards(connection, 1, 2, 3))
        for board, change in ((first, 1), (second, 2), (third, 0)):
            raise_change(connection, board, change)
        return first, second

    first, second = await database.write(make)

    def behind(since=WEEK, limit=9):
        return database.read(lambda c: tallies.behind(c, since, limit))

    assert await behind() == [first, second]
    assert await behind(limit=1) == [first]
    assert await behind(since="2026-W49") == []
    await database.write(lambda c: tallies.keep(c, [(first, Tally(1, LINES)), (second, Tally(1, ()))]))
    assert await behind() == [second]
    await database.write(lambda c: raise_change(c, first, 2))
    assert await behind() == [first, second]


async def test_a_count_takes_the_place_of_the_one_before(database):
    def make(connection):
        board = rows.add_board(connection).id
        tallies.keep(connection, [(board, Tally(1, ()))])
        tallies.keep(connection, [(board, Tally(7, LINES))])
        tallies.keep(connection, [])
        return board

    board = await database.write(make)
    found = await database.read(lambda c: tallies.of_boards(c, [board, board + 1]))
    assert found == {board: Tally(7, LINES)}
    lines = await database.read(lambda c: list(tallies.lines_of_week(c, WEEK, "imps")))
    assert tuple(lines) == LINES
    assert await database.read(lambda c: list(tallies.lines_of_week(c, WEEK, "mp"))) == []
    assert await database.read(tallies.weeks) == [(WEEK, "imps")]


async def test_totals_are_sums(database):
    def add(connection, points):
        (player,) = rows.add_people(connection, "a")
        key = (WEEK, "imps", player)
        tallies.add(connection, {key: [points, 1, 0, 2, 1, 0, 0], ("2026-W47", "imps", player): [1] * 7})
        tallies.add(connection, {})
        return player

    for points in (5, -(2**40), 7):
        player = await database.write(lambda c, points=points: add(c, points))
    first, second = await database.read(lambda c: tallies.of_player(c, player, "imps"))
    assert (first.week, first.points) == ("2026-W47", 3)
    assert (second.week, second.points, second.boards, second.duplicate) == (WEEK, 12 - 2**40, 3, 6)
    assert await database.read(lambda c: tallies.of_week(c, WEEK, "imps", [player, 99])) == {player: second}
    whole = await database.read(lambda c: tallies.totals_of_week(c, WEEK, "imps"))
    assert whole == {player: (12 - 2**40, 3, 0, 6, 3, 0, 0)}
    assert await database.read(lambda c: tallies.of_player(c, player, "mp")) == []
    assert await database.read(tallies.weeks) == [("2026-W47", "imps"), (WEEK, "imps")]
