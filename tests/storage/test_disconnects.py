"""Disconnects: one for each player and board, with a result or without."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Connection

from server.storage import disconnects
from server.storage.disconnects import Disconnect
from tests.clock import NOON
from tests.storage import rows
from tests.storage.test_refusals import refused


def alone(connection: Connection, board: int, **changes: object) -> Disconnect:
    """A disconnect of the first of four players, that came without a result."""
    players = rows.four(connection)
    found = Disconnect(
        number=0,
        board=board,
        player=players[0],
        sequence=None,
        table="T",
        players=players,
        at=NOON - timedelta(minutes=1),
        live=True,
        client=rows.add_client(connection),
        received_at=NOON,
    )
    found = replace(found, **changes)
    return replace(found, number=disconnects.add_alone(connection, found))


async def test_the_first_disconnect_of_a_player_on_a_board_stands(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        result = rows.add_result(connection, board, 1)
        row = {"board": board, "player": result.players[0], "client": result.client}
        for sequence, at in ((1, NOON), (None, NOON + timedelta(hours=1))):
            disconnects.add(connection, [row | {"sequence": sequence, "received_at": at}])
        return result, disconnects.of_board(connection, board)

    result, (found,) = await database.write(verb)
    assert (found.sequence, found.received_at, found.live) == (1, NOON, True)
    assert (found.table, found.players) == (result.table, result.players)  # the result tells them


async def test_a_disconnect_alone_is_read_as_it_was_kept(database):
    def verb(connection: Connection):
        one, two = rows.add_boards(connection, 1, 2)
        kept = [alone(connection, one.id), alone(connection, two.id, at=None), alone(connection, one.id)]
        return one.id, kept, disconnects.of_board(connection, one.id)

    board, kept, found = await database.write(verb)
    assert found == [kept[0], kept[2]]
    assert await database.read(lambda connection: disconnects.get(connection, kept[1].number)) == kept[1]
    assert await database.read(lambda connection: disconnects.get(connection, 99)) is None

    def pages(connection: Connection):
        first = kept[0]
        return (
            disconnects.page(connection, None, None, 0, 2),
            disconnects.page(connection, None, None, kept[1].number, 2),
            disconnects.page(connection, board, None, 0, 9),
            disconnects.page(connection, board, [first.player, kept[1].player], 0, 9),
            disconnects.page(connection, None, [], 0, 9),
        )

    expected = ([kept[0], kept[1]], [kept[2]], [kept[0], kept[2]], [kept[0]], [])
    assert await database.read(pages) == expected


async def test_a_void_disconnect_is_still_there(database):
    def verb(connection: Connection):
        kept = alone(connection, rows.add_board(connection).id)
        disconnects.void(connection, [kept.number])
        return kept, disconnects.get(connection, kept.number)

    kept, found = await database.write(verb)
    assert found == replace(kept, live=False)


async def test_a_second_disconnect_of_a_player_on_a_board(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        first = alone(connection, board)
        disconnects.void(connection, [first.number])
        alone(connection, board, player=first.player)

    await refused(database, verb, "uq_disconnects_board_player")


async def test_a_player_has_left_boards_of_a_week(database):
    def verb(connection: Connection):
        one, two = rows.add_boards(connection, 1, 2)
        later = alone(connection, two.id)
        player = {"player": later.player, "players": later.players}
        first = alone(connection, one.id, **player)
        return first, later

    first, later = await database.write(verb)

    def found(before=NOON + timedelta(seconds=1), week="2026-W48", pool="imps", player=first.player):
        return database.read(lambda c: disconnects.of_player(c, player, week, pool, before))

    assert await found() == [first, later]  # by number of board
    assert await found(before=NOON) == await found(week="2026-W49") == await found(pool="mp") == []
    assert await found(player=first.players[1]) == []
    await database.write(lambda connection: disconnects.void(connection, [first.number]))
    assert await found() == [later]
