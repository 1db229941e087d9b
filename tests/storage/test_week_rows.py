"""The rows that a week is rated from: which of them, and who stands in them."""

from datetime import timedelta

import numpy as np
from sqlalchemy import text, update

from server.bridge.pool import ScoringMethod, Terms
from server.storage import disconnects, week_rows
from server.storage.tables import boards, results
from tests.clock import NOON
from tests.storage import rows
from tests.storage.test_disconnects import alone

LATER = NOON + timedelta(microseconds=1)


def touched(connection, *numbers):
    """Boards on which something happened; their numbers of row."""
    found = [each.id for each in rows.add_boards(connection, *numbers)]
    connection.execute(update(boards).where(boards.c.id.in_(found)).values(change=1))
    return found


def read(connection, before=LATER, pool="imps"):
    """Results by board and sequence."""
    parts = list(week_rows.results(connection, "2026-W48", pool, before))
    if not parts:
        return {}
    return {(row[0], row[1]): tuple(row[2:]) for row in np.concatenate(parts, axis=1).T.tolist()}


async def test_live_results_of_the_week_that_came_in_time(database):
    def make(connection):
        first, second = touched(connection, 1, 2)
        kept = [rows.add_result(connection, first, sequence, score=-50 * sequence) for sequence in (1, 2)]
        rows.add_result(connection, first, 3)
        void = (results.c.board == first) & (results.c.sequence == 3)
        connection.execute(update(results).where(void).values(live=False))
        late = rows.add_result(connection, second, 1, received_at=LATER)
        return kept, late

    kept, late = await database.write(make)
    in_time = {(each.board, each.sequence): (*each.players, each.score) for each in kept}
    assert await database.read(read) == in_time
    everything = in_time | {(late.board, late.sequence): (*late.players, late.score)}
    assert await database.read(lambda c: read(c, LATER + timedelta(seconds=1))) == everything
    assert await database.read(lambda c: read(c, pool="mp")) == {}


async def test_withdrawn_boards_and_those_on_which_nothing_happened_are_left_out(database):
    def make(connection):
        first, second = touched(connection, 1, 2)
        rows.add_boards(connection, 3)
        rows.add_result(connection, first, 1)
        rows.add_result(connection, second, 1)
        connection.execute(update(boards).where(boards.c.id == second).values(withdrawn_at=NOON))
        return first

    first = await database.write(make)
    assert set(await database.read(read)) == {(first, 1)}
    found = await database.read(lambda c: week_rows.boards(c, "2026-W48", "imps"))
    assert list(week_rows.boards_of(found)) == [first]


async def test_who_was_replaced_stands_at_his_seat(database):
    def make(connection):
        (board,) = touched(connection, 1)
        replaced, other = rows.add_people(connection, "w", "n")
        details = f'{{"replaced":{{"W":{replaced},"N":{other}}}}}'
        result = rows.add_result(connection, board, 1, details=details)
        rows.add_result(connection, board, 2, details='{"note":"replaced"}')
        return result, replaced, other

    result, replaced, other = await database.write(make)
    found = await database.read(read)
    _, east, south, _ = result.players
    assert found[result.board, 1] == (other, east, south, replaced, result.score)
    assert len(found) == 2


async def test_boards_have_their_terms_and_cards_where_they_are_scored_by_them(database):
    def make(connection):
        known = "N:A43.43.J8432.K64 J82.KQ8752.T6.52 K76.JT6.A97.AJ98 QT95.A9.KQ5.QT73"
        (plain,) = touched(connection, 1)
        guests = Terms(ScoringMethod.HCP_COMPENSATION, 1, None)
        (cards,) = touched(connection, rows.new_board(2, guests))
        connection.execute(text("UPDATE boards SET deal = :deal"), {"deal": known})
        return plain, cards, guests

    plain, cards, guests = await database.write(make)
    written = await database.read(lambda c: week_rows.boards(c, "2026-W48", "imps"))
    found = week_rows.boards_of(written)
    assert list(found) == sorted((plain, cards))
    assert (found[plain].terms, found[plain].ns_points) == (rows.TERMS, None)
    assert (found[cards].terms, found[cards].ns_points) == (guests, 8 + 13)
    assert await database.read(lambda c: week_rows.boards(c, "2026-W49", "imps")) == "[]"


async def test_disconnects_stand_at_the_result_that_their_player_has(database):
    def make(connection):
        board = rows.add_board(connection).id
        left = alone(connection, board)
        disconnects.void(connection, [alone(connection, board).number])
        return board, left

    board, left = await database.write(make)
    (found,) = await database.read(lambda c: week_rows.disconnects(c, "2026-W48", "imps", LATER))
    assert (found.board, found.player, found.sequence) == (board, left.player, None)
    assert await database.read(lambda c: week_rows.disconnects(c, "2026-W48", "imps", NOON)) == []
    (gone,) = await database.read(lambda c: week_rows.abandoned(c, "2026-W48", "imps", LATER))
    assert (gone.board, gone.at, gone.leaver) == (board, NOON, left.player)
    assert gone.partner == left.players[(left.players.index(left.player) + 2) % 4]
    for player in left.players:
        mine = await database.read(lambda c, n=player: week_rows.abandoned(c, "2026-W48", "imps", LATER, n))
        assert mine == [gone]
    none = await database.read(lambda c: week_rows.abandoned(c, "2026-W48", "imps", LATER, 10**6))
    assert none == []
