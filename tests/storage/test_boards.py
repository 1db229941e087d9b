"""Boards: made once, numbered, paged, locked in order."""

import asyncio
from datetime import timedelta

import pytest
from hypothesis import given, settings
from sqlalchemy import Connection, select, update
from sqlalchemy import insert as insert_row

from server.bridge.datum import parse_schedule
from server.bridge.deal import parse_deal
from server.bridge.pool import ScoringMethod, Terms
from server.bridge.traveller import BoardState
from server.bridge.week import parse_week
from server.storage import boards
from server.storage.database import open_database
from server.storage.tables import board_sets
from server.storage.tables import boards as table
from tests.clock import NOON
from tests.storage import rows
from tests.strategies import deals

ONE_SUIT_EACH = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
ONE_HAND = "N:AKQJT98765432... - - -"


@settings(max_examples=20)
@given(deals)
async def test_a_board_comes_back_as_it_was_made(database, deal):
    def verb(connection: Connection):
        boards.lock_set(connection, str(rows.WEEK), "imps", NOON)
        number = max(boards.numbers_of_set(connection, str(rows.WEEK), "imps"), default=0) + 1
        board = rows.new_board(number, deal=deal)
        (made,) = boards.add(connection, rows.WEEK, "imps", [board], NOON)
        return board, made, boards.get(connection, made.id)

    board, made, read = await database.write(verb)
    assert made == read == board.after(id=made.id)


@pytest.mark.parametrize(
    "terms",
    [
        Terms(ScoringMethod.HCP_COMPENSATION, 1, None, parse_schedule("tenth")),
        Terms(ScoringMethod.MATCHPOINTS, 2, 3, parse_schedule("none")),
        Terms(ScoringMethod.CROSS_IMPS, 6, 6, parse_schedule("4:1 11:2 21:3")),
    ],
)
async def test_a_board_keeps_the_rules_it_was_made_by(database, terms):
    board = rows.new_board(1, terms=terms)
    (made,) = await database.write(lambda connection: rows.add_boards(connection, board))
    assert made.terms == terms
    assert made.traveller.terms == terms


async def test_made_boards_are_returned_in_order_of_number_and_no_others(database):
    def verb(connection: Connection):
        rows.add_boards(connection, 2, 4, 9)
        rows.add_boards(connection, 3, pool="mp")
        return rows.add_boards(connection, 7, 3, 10)

    assert [board.number for board in await database.write(verb)] == [3, 7, 10]


async def test_boards_are_found_by_week_pool_and_number(database):
    week = str(rows.WEEK)

    def verb(connection: Connection):
        one, two = rows.add_boards(connection, 1, 2)
        (other,) = rows.add_boards(connection, 1, pool="mp")
        wanted = [
            (week, "imps", 2),
            (week, "imps", 1),
            (week, "mp", 1),
            (week, "mp", 2),
            ("2026-W49", "imps", 1),
        ]
        return boards.numbered(connection, wanted), (one.id, two.id, other.id)

    found, (one, two, other) = await database.write(verb)
    assert found == {(week, "imps", 1): one, (week, "imps", 2): two, (week, "mp", 1): other}
    assert await database.read(lambda connection: boards.numbered(connection, [])) == {}


async def test_pages_go_on_where_the_last_one_ended(database):
    await database.write(lambda connection: rows.add_boards(connection, 5, 1, 3, 2, 40))
    await database.write(lambda connection: rows.add_boards(connection, 4, pool="mp"))
    seen, after = [], 0
    while page := await database.read(
        lambda connection, after=after: boards.page(connection, str(rows.WEEK), "imps", after, 2)
    ):
        seen.append([board.number for board in page])
        after = page[-1].number
    assert seen == [[1, 2], [3, 5], [40]]


async def test_boards_are_locked_in_ascending_order_and_those_that_exist(database):
    def verb(connection: Connection):
        made = [board.id for board in rows.add_boards(connection, 1, 2, 3)]
        return made, list(boards.lock(connection, [made[2], 999, made[0], made[2]]))

    made, locked = await database.write(verb)
    assert locked == [made[0], made[2]]
    assert await database.write(lambda connection: boards.lock(connection, [])) == {}


async def test_what_arrivals_change_is_written_back_and_nothing_else(database):
    later = NOON + timedelta(hours=1)

    def verb(connection: Connection):
        first, second = rows.add_boards(connection, 1, 2)
        changed = first.after(scores=(420, -50, 0), last_sequence=3, retired_at=later, change=3, number=77)
        boards.update(connection, [changed])
        return first, boards.get(connection, first.id), second, boards.get(connection, second.id)

    first, changed, second, same = await database.write(verb)
    assert changed == first.after(scores=(420, -50, 0), last_sequence=3, retired_at=later, change=3)
    assert second == same


async def test_a_withdrawn_board_is_withdrawn_whatever_its_results(database):
    def verb(connection: Connection):
        board = rows.add_board(connection)
        connection.execute(update(table).values(withdrawn_at=NOON))
        return board, boards.get(connection, board.id)

    before, after = await database.write(verb)
    assert (before.state, after.state) == (BoardState.PENDING, BoardState.WITHDRAWN)
    assert after.withdrawn_at == NOON


@pytest.mark.parametrize(("deal", "points"), [(ONE_SUIT_EACH, 20), (ONE_HAND, None), (None, None)])
async def test_the_high_card_points_of_ns_go_into_the_traveller_of_a_guests_board(database, deal, points):
    terms = Terms(ScoringMethod.HCP_COMPENSATION, 1, None, parse_schedule("tenth"))
    wanted = rows.new_board(1, terms=terms, deal=deal and parse_deal(deal))
    (board,) = await database.write(lambda connection: rows.add_boards(connection, wanted))
    assert board.deal == (deal and parse_deal(deal))
    assert board.traveller.ns_points == points


async def test_an_empty_set_has_no_boards_yet(database):
    week = str(rows.WEEK)

    def verb(connection: Connection):
        boards.lock_set(connection, week, "imps", NOON)
        boards.lock_set(connection, week, "imps", NOON + timedelta(days=1))
        empty = boards.set_exists(connection, week, "imps"), boards.numbers_of_set(connection, week, "imps")
        rows.add_boards(connection, 3, 5)
        made = boards.set_exists(connection, week, "imps"), boards.numbers_of_set(connection, week, "imps")
        sets = connection.execute(select(board_sets)).all()
        return empty, made, [tuple(row) for row in sets]

    assert await database.write(verb) == ((False, set()), (True, {3, 5}), [(week, "imps", NOON)])


async def test_two_who_hold_the_same_set_come_one_after_the_other(database, database_url):
    """Both look for the highest number and add the next: without the lock both would add the same."""
    other = open_database(database_url)

    def add_next(connection: Connection):
        boards.lock_set(connection, str(rows.WEEK), "imps", NOON)
        taken = boards.numbers_of_set(connection, str(rows.WEEK), "imps")
        board = rows.new_board(max(taken, default=0) + 1)
        boards.add(connection, rows.WEEK, "imps", [board], NOON)

    await asyncio.gather(*(each.write(add_next) for _ in range(6) for each in (database, other)))
    await other.close()
    found = await database.read(lambda connection: boards.numbers_of_set(connection, str(rows.WEEK), "imps"))
    assert found == set(range(1, 13))


async def test_a_board_of_an_event_belongs_to_no_week(database):
    row = {
        "number": 1,
        "dealer": "N",
        "vulnerability": "none",
        "method": "datum",
        "score_at": 2,
        "trim": "tenth",
        "created_at": NOON,
    }

    def verb(connection: Connection):
        ids = [
            connection.execute(insert_row(table).values(row).returning(table.c.id)).scalar_one() for _ in "12"
        ]
        return [boards.get(connection, each) for each in ids]

    first, second = await database.write(verb)
    assert (first.week, first.pool, first.deal, first.terms.retire_at) == (None, None, None, None)
    assert second.number == first.number  # two events may both have a board 1


async def test_no_board_has_no_such_number(database):
    assert await database.read(lambda connection: boards.get(connection, 1)) is None


async def test_weeks_are_kept_as_they_are_written(database):
    week = parse_week("2020-W53")

    def verb(connection: Connection):
        boards.lock_set(connection, str(week), "imps", NOON)
        return boards.add(connection, week, "imps", [rows.new_board(1).after(week=week)], NOON)

    (board,) = await database.write(verb)
    assert board.week == week
