"""Results, who played them, and their awards."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from sqlalchemy import Connection, update

from server.bridge.contract import PASSED_OUT, parse_result
from server.bridge.traveller import SideScores
from server.storage import boards, results
from server.storage.results import Play, StandingAward
from server.storage.tables import results as table
from tests.clock import NOON
from tests.storage import rows
from tests.strategies import outcomes


@settings(max_examples=30)
@given(outcomes)
async def test_every_outcome_comes_back_as_it_was_reported(database, outcome):
    def verb(connection: Connection):
        taken = boards.numbers_of_set(connection, str(rows.WEEK), "imps")
        board = rows.add_board(connection, max(taken, default=0) + 1).id
        made = rows.add_result(connection, board, 1, outcome=outcome)
        return made, results.get(connection, board, 1)

    made, read = await database.write(verb)
    assert read == made


@pytest.mark.parametrize(
    "changes",
    [
        {"outcome": PASSED_OUT, "score": 0},
        {
            "lead": "HK",
            "played_at": NOON - timedelta(minutes=7),
            "details": '{"auction":["1S","♠ \\"x\\"\\n"]}',
        },
        {"score": -7600, "table": "it's a\ntable 桥"},
    ],
)
async def test_what_belongs_to_a_result_is_kept(database, changes):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        made = rows.add_result(connection, board, 1, **changes)
        return made, results.of_board(connection, board)

    made, read = await database.write(verb)
    assert read == [made]


async def test_results_of_a_board_are_in_order_of_arrival(database):
    def verb(connection: Connection):
        one, two = rows.add_boards(connection, 1, 2)
        for board, sequence in ((one, 3), (two, 1), (one, 1), (one, 2)):
            rows.add_result(connection, board.id, sequence, score=10 * sequence)
        connection.execute(update(table).where(table.c.sequence == 2).values(live=False))
        found = [(result.sequence, result.live) for result in results.of_board(connection, one.id)]
        return found, results.get(connection, two.id, 2)

    found, none = await database.write(verb)
    assert found == [(1, True), (2, False), (3, True)]
    assert none is None


async def test_many_results_are_kept_at_once(database):
    def verb(connection: Connection):
        one, two = rows.add_boards(connection, 1, 2)
        made = [rows.new_result(connection, board.id, i) for board in (two, one) for i in range(1, 21)]
        results.add(connection, made)
        found = results.of_board(connection, two.id) + results.of_board(connection, one.id)
        return made, found

    made, found = await database.write(verb)
    assert found == made


async def test_a_result_makes_four_plays(database):
    def verb(connection: Connection):
        one, two = rows.add_boards(connection, 1, 2)
        first = rows.add_result(connection, one.id, 1)
        rows.add_result(connection, two.id, 1)
        wanted = [(board.id, player) for board in (one, two) for player in (*first.players, 99_999)]
        return one.id, first, results.plays_of(connection, wanted), results.plays_of(connection, [])

    board, first, found, none = await database.write(verb)
    assert sorted(found, key=lambda play: play.player) == [
        Play(board, player, 1) for player in sorted(first.players)
    ]
    assert none == []


async def test_awards_are_kept_by_sequence(database):
    given = {
        1: StandingAward(SideScores(150, -150), 400, 6),
        2: StandingAward(SideScores(6250, 3750), None, 6),
    }

    def verb(connection: Connection):
        board = rows.add_board(connection).id
        for sequence in (1, 2, 3):
            rows.add_result(connection, board, sequence)
        results.add_awards(connection, [(board, sequence, award) for sequence, award in given.items()])
        results.add_awards(connection, [])
        return results.awards_of(connection, board), results.awards_of(connection, board + 1)

    assert await database.write(verb) == (given, {})


async def test_the_sign_of_a_score_is_kept(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        rows.add_result(connection, board, 1, outcome=parse_result("7NTXXS-13"), score=-7600)
        rows.add_result(connection, board, 2, outcome=PASSED_OUT, score=0)
        return [result.score for result in results.of_board(connection, board)]

    assert await database.write(verb) == [-7600, 0]
