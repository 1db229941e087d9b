"""Which board a table is dealt next, and who has seen what."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import Connection, event, select, update

from server.bridge.datum import TENTH
from server.bridge.pool import ScoringMethod, Terms
from server.storage import assignments, boards, players
from server.storage.tables import assignments as table
from server.storage.tables import boards as board_table
from server.storage.tables import exposures
from tests.clock import NOON
from tests.storage import rows

HALF_AN_HOUR = timedelta(minutes=30)
SMALL = Terms(ScoringMethod.DATUM, 3, 5, TENTH)


def next_number(connection: Connection, accounts=(), now=NOON, pool="imps") -> int | None:
    """Number on the board that would be dealt next."""
    found = assignments.next_board(connection, str(rows.WEEK), pool, accounts, now)
    return None if found is None else boards.get(connection, found).number


def _note(asked: list, connection, cursor, statement: str, parameters, *_) -> None:
    asked.append((statement, parameters))


def with_results(connection: Connection, board, count: int) -> None:
    boards.update(connection, [board.after(scores=(10,) * count, last_sequence=count)])


def deal(connection: Connection, board, count: int = 1, now=NOON) -> None:
    client = rows.add_client(connection)
    for i in range(count):
        assignments.add(connection, board.id, f"T-{board.number}-{i}", client, now, now + HALF_AN_HOUR)


async def test_boards_are_dealt_in_order_of_need(database):
    """Those short of what they are scored with first, the fullest before the others; then the fullest."""

    def verb(connection: Connection):
        made = rows.add_boards(connection, *(rows.new_board(number, SMALL) for number in range(1, 7)))
        for board, count in zip(made, (0, 2, 4, 3, 5, 1), strict=True):
            with_results(connection, board, count)
        order = []
        while (number := next_number(connection)) is not None:
            order.append(number)
            connection.execute(
                update(board_table).where(board_table.c.number == number).values(withdrawn_at=NOON)
            )
        return order

    assert await database.write(verb) == [2, 6, 1, 3, 4]


async def test_equal_boards_are_dealt_by_number(database):
    def verb(connection: Connection):
        rows.add_boards(connection, 7, 3, 5)
        return next_number(connection)

    assert await database.write(verb) == 3


async def test_open_assignments_count_like_results(database):
    def verb(connection: Connection):
        one, two = rows.add_boards(connection, rows.new_board(1, SMALL), rows.new_board(2, SMALL))
        with_results(connection, one, 1)
        deal(connection, two, 2)
        fuller = next_number(connection)
        deal(connection, two, 1)
        return fuller, next_number(connection)

    assert await database.write(verb) == (2, 1)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_assignments_of_former_times_are_not_looked_through(database):
    """Only those that are still open are counted; there may be millions of the others."""

    def verb(connection: Connection):
        (board,) = rows.add_boards(connection, 1)
        deal(connection, board)
        asked: list[tuple[str, object]] = []
        listener = partial(_note, asked)
        event.listen(connection, "before_cursor_execute", listener)
        found = next_number(connection)
        event.remove(connection, "before_cursor_execute", listener)
        statement, parameters = asked[0]
        return found, connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()

    found, plan = await database.write(verb)
    steps = [step[3] for step in plan if "assignments" in step[3]]
    assert found == 1
    assert [step.partition(" USING ")[2] for step in steps] == [
        "INDEX ix_assignments_expires_at (expires_at>?)"
    ]


async def test_a_board_whose_slots_are_taken_is_dealt_again_when_an_assignment_ends_or_expires(database):
    def verb(connection: Connection):
        board = rows.add_boards(connection, rows.new_board(1, SMALL))[0]
        with_results(connection, board, 3)
        deal(connection, board, 2)
        full = next_number(connection)
        assignments.end(connection, [(board.id, "T-1-0"), (board.id, "T-other")], NOON)
        ended = next_number(connection)
        deal(connection, board)
        before = next_number(connection, now=NOON + HALF_AN_HOUR - timedelta(microseconds=1))
        return full, ended, before, next_number(connection, now=NOON + HALF_AN_HOUR)

    assert await database.write(verb) == (None, 1, None, 1)


async def test_a_board_without_end_is_always_free(database):
    def verb(connection: Connection):
        board = rows.add_boards(connection, rows.new_board(1, replace(SMALL, retire_at=None)))[0]
        with_results(connection, board, 100)
        deal(connection, board, 20)
        return next_number(connection)

    assert await database.write(verb) == 1


async def test_retired_boards_and_those_of_other_pools_are_not_dealt(database):
    def verb(connection: Connection):
        board = rows.add_board(connection)
        boards.update(connection, [board.after(retired_at=NOON)])
        rows.add_boards(connection, 2, pool="mp")
        other_week = assignments.next_board(connection, "2026-W49", "imps", [], NOON)
        return next_number(connection), next_number(connection, pool="mp"), other_week

    assert await database.write(verb) == (None, 2, None)


async def test_nobody_is_dealt_a_board_that_he_has_played_or_seen(database):
    def verb(connection: Connection):
        one, two, _three = rows.add_boards(connection, 1, 2, 3)
        played = rows.add_result(connection, one.id, 1).players[2]
        (seen, fresh) = rows.add_people(connection, "seen", "fresh")
        assignments.expose(connection, [(two.id, seen)], NOON)
        groups = ([fresh], [played], [seen], [fresh, played, seen], [])
        return [next_number(connection, group) for group in groups]

    assert await database.write(verb) == [1, 2, 1, 3, 1]


async def test_the_accounts_of_a_person_are_all_named(database):
    """Queries name every linked account; the other one's play excludes the board."""

    def verb(connection: Connection):
        board = rows.add_board(connection)
        player = rows.add_result(connection, board.id, 1).players[0]
        (second,) = rows.add_people(connection, "second account")
        players.link(connection, [player, second])
        person = players.by_number(connection, [second])[second].person
        return next_number(connection, [second]), next_number(
            connection, players.accounts(connection, [person])
        )

    assert await database.write(verb) == (1, None)


async def test_an_assignment_comes_back_with_its_number_and_end(database):
    def verb(connection: Connection):
        board, client = rows.add_board(connection), rows.add_client(connection)
        made = [assignments.add(connection, board.id, "T", client, NOON, NOON + HALF_AN_HOUR) for _ in "12"]
        return board.id, made

    board, (first, second) = await database.write(verb)
    assert (first.board, first.expires_at) == (board, NOON + HALF_AN_HOUR)
    assert first.id != second.id


async def test_only_what_is_open_ends(database):
    later = NOON + timedelta(minutes=5)

    def verb(connection: Connection):
        one, two = rows.add_boards(connection, 1, 2)
        client = rows.add_client(connection)
        for board, name in ((one, "T"), (two, "T"), (one, "it's")):
            assignments.add(connection, board.id, name, client, NOON, NOON + HALF_AN_HOUR)
        assignments.end(connection, [(one.id, "T")], NOON)
        assignments.end(connection, [(one.id, "T"), (one.id, "it's"), (one.id, "it's")], later)
        assignments.end(connection, [], later)
        found = connection.execute(select(table.c.ended_at).order_by(table.c.id)).scalars()
        return list(found)

    assert await database.write(verb) == [NOON, None, later]


async def test_who_has_seen_a_board_has_seen_it_once_and_for_good(database):
    def verb(connection: Connection):
        one, two = rows.add_boards(connection, 1, 2)
        ann, eve = rows.add_people(connection, "ann", "eve")
        assignments.expose(connection, [(one.id, ann), (one.id, ann)], NOON)
        assignments.expose(connection, [(one.id, ann)], NOON + timedelta(days=1))
        assignments.expose(connection, [], NOON)
        asked = ([ann], [eve, ann], [eve])
        dealt = [assignments.next_board(connection, str(rows.WEEK), "imps", who, NOON) for who in asked]
        seen = connection.execute(select(exposures.c.board, exposures.c.player, exposures.c.since)).all()
        return dealt == [two.id, two.id, one.id], [tuple(row) for row in seen] == [(one.id, ann, NOON)]

    assert await database.write(verb) == (True, True)
