"""What the code refuses, the database refuses too, also when the code should ever forget to ask."""

import pytest
from sqlalchemy import Connection, update

from server.bridge.datum import TENTH
from server.bridge.pool import ScoringMethod, Terms
from server.bridge.traveller import SideScores
from server.storage import assignments, boards, idempotency, installation, results, tokens
from server.storage.errors import ConstraintViolated
from server.storage.idempotency import Answer
from server.storage.results import StandingAward
from server.storage.tables import boards as board_table
from server.storage.tables import clients, plays
from server.storage.tables import players as player_table
from server.storage.tables import results as result_table
from tests.clock import NOON
from tests.storage import rows


async def refused(database, verb, name: str) -> None:
    """Assert that the database refuses ``verb``, and says why: SQLite by columns, PostgreSQL by ``name``."""
    with pytest.raises(ConstraintViolated) as caught:
        await database.write(verb)
    says = ("UNIQUE constraint", "FOREIGN KEY constraint", "NOT NULL constraint", name)
    assert any(word in str(caught.value) for word in says), caught.value


async def test_a_second_live_result_of_a_table_on_a_board(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        rows.add_result(connection, board, 1, table="T")
        rows.add_result(connection, board, 2, table="T")

    await refused(database, verb, "uq_results_board_table_name")


async def test_another_board_or_a_void_result_is_no_second_one(database):
    def verb(connection: Connection):
        one, two = rows.add_boards(connection, 1, 2)
        rows.add_result(connection, one.id, 1, table="T")
        rows.add_result(connection, two.id, 1, table="T")
        connection.execute(update(result_table).values(live=False))
        rows.add_result(connection, one.id, 2, table="T")
        return len(results.of_board(connection, one.id))

    assert await database.write(verb) == 2


async def test_a_second_result_of_a_player_on_a_board(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        first = rows.add_result(connection, board, 1)
        _, east, south, west = rows.four(connection)
        rows.add_result(connection, board, 2, players=(east, south, first.players[3], west))

    await refused(database, verb, "pk_plays")


async def test_one_player_at_two_seats(database):
    def verb(connection: Connection):
        north, east, south, _ = rows.four(connection)
        rows.add_result(connection, rows.add_board(connection).id, 1, players=(north, east, south, north))

    await refused(database, verb, "pk_plays")


async def test_a_sequence_that_is_taken(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        rows.add_result(connection, board, 1)
        rows.add_result(connection, board, 1)

    await refused(database, verb, "pk_results")


async def test_a_result_of_a_board_that_is_none(database):
    await refused(database, lambda connection: rows.add_result(connection, 99, 1), "fk_results_board")


async def test_a_second_answer_to_a_key(database):
    def verb(connection: Connection):
        client = rows.add_client(connection)
        for body in ("first", "second"):
            idempotency.add(connection, [Answer(client, "key", "f", 201, body)], NOON)

    await refused(database, verb, "pk_idempotency")


async def test_a_second_award_of_a_result(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        rows.add_result(connection, board, 1)
        award = (board, 1, StandingAward(SideScores(0, 0), 0, 6))
        results.add_awards(connection, [award, award])

    await refused(database, verb, "pk_awards")


@pytest.mark.parametrize(("score_at", "retire_at"), [(0, 40), (-1, None), (6, 5), (1, 0)])
async def test_thresholds_that_contradict(database, score_at, retire_at):
    terms = Terms(ScoringMethod.DATUM, score_at, retire_at, TENTH)
    board = rows.new_board(1, terms)
    with pytest.raises(ConstraintViolated, match="ck_boards_thresholds"):
        await database.write(lambda connection: rows.add_boards(connection, board))


@pytest.mark.parametrize("number", [0, -3])
async def test_a_board_number_below_one(database, number):
    with pytest.raises(ConstraintViolated, match="ck_boards_number"):
        await database.write(lambda connection: rows.add_boards(connection, number))


async def test_a_board_number_twice_in_a_set(database):
    def verb(connection: Connection):
        rows.add_boards(connection, 1)
        rows.add_boards(connection, 1, pool="mp")
        rows.add_boards(connection, 1)

    await refused(database, verb, "uq_boards_week_pool_number")


async def test_a_board_of_a_set_that_was_not_made(database):
    def verb(connection: Connection):
        boards.add(connection, rows.WEEK, "imps", [rows.new_board(1)], NOON)

    await refused(database, verb, "fk_boards_set")


async def test_a_client_or_a_token_twice(database):
    def same_client(connection: Connection):
        for _ in "12":
            connection.execute(clients.insert().values(name="club", created_at=NOON))

    def same_token(connection: Connection):
        for name in ("one", "two"):
            client = rows.add_client(connection, name)
            tokens.add(connection, client, "digest", frozenset(), None, NOON, None)

    await refused(database, same_client, "uq_clients_name")
    await refused(database, same_token, "uq_tokens_digest")


async def test_a_player_twice_or_linked_to_nobody(database):
    def twice(connection: Connection):
        for _ in "12":
            connection.execute(player_table.insert().values(id="ann", created_at=NOON))

    def to_nobody(connection: Connection):
        connection.execute(player_table.insert().values(id="eve", created_at=NOON, person=99))

    await refused(database, twice, "uq_players_id")
    await refused(database, to_nobody, "fk_players_person")


async def test_rows_that_others_stand_on_are_not_deleted(database):
    def verb(connection: Connection):
        rows.add_result(connection, rows.add_board(connection).id, 1)

    await database.write(verb)
    await refused(database, lambda connection: connection.execute(board_table.delete()), "fk_")
    await database.write(lambda connection: connection.execute(plays.delete()))


async def test_what_is_settled_is_settled_once(database):
    def verb(connection: Connection):
        for value in ("Asia/Shanghai", "UTC"):
            installation.add(connection, "week_zone", value)

    await refused(database, verb, "pk_installation")


async def test_nobody_does_anything_as_a_client_that_is_none(database):
    def deal(connection: Connection):
        board = rows.add_board(connection)
        assignments.add(connection, board.id, "T", 99, NOON, NOON)

    await refused(database, deal, "fk_assignments_client")
