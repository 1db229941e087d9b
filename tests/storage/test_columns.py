"""Rows read as columns of numbers: to the last bit, the same from both databases."""

import numpy as np
from sqlalchemy import text

from server.storage import columns
from server.storage.types import moment
from tests.clock import NOON
from tests.storage import rows

WHOLE = [0, 1, -1, 2**31, -(2**31) - 1, 2**53 + 1, 2**63 - 1, -(2**63)]
FLOATS = [
    0.1,
    1 / 3,
    -50.000000000000007,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    9007199254740993.0,
]


async def test_whole_numbers_of_every_size(database):
    def verb(connection):
        connection.execute(text("CREATE TABLE given (a BIGINT, b BIGINT)"))
        pairs = [{"a": a, "b": -1 - a} for a in WHOLE]
        connection.execute(text("INSERT INTO given VALUES (:a, :b)"), pairs)
        return columns.whole(connection, ("a", "b"), "given WHERE a <> :zero", {"zero": 0})

    a, b = await database.write(verb)
    assert a.dtype == b.dtype == np.int64
    assert sorted(a.tolist()) == sorted(each for each in WHOLE if each)
    assert (b == -1 - a).all()


async def test_numbers_with_fractions_come_to_the_bit_in_order_of_the_first_column(database):
    def verb(connection):
        connection.execute(text("CREATE TABLE given (a BIGINT, b DOUBLE PRECISION, c DOUBLE PRECISION)"))
        given = [
            {"a": len(FLOATS) - i, "b": each, "c": None if i % 2 else i} for i, each in enumerate(FLOATS)
        ]
        connection.execute(text("INSERT INTO given VALUES (:a, :b, :c)"), given)
        return columns.floats(connection, ("a", "b", "c"), "given WHERE a > :least", {"least": 0})

    a, b, c = await database.write(verb)
    assert a.tolist() == list(range(1, len(FLOATS) + 1))
    assert [each.hex() for each in b.tolist()] == [each.hex() for each in reversed(FLOATS)]
    assert np.isnan(c).tolist() == [i % 2 == 1 for i in reversed(range(len(FLOATS)))]


async def test_nothing_is_columns_without_rows(database):
    def query(connection):
        whole = columns.whole(connection, ("id", "number"), "boards WHERE id < :least", {"least": 0})
        return whole, columns.floats(connection, ("id", "number"), "boards WHERE id < :least", {"least": 0})

    whole, floats = await database.read(query)
    assert whole.shape == (2, 0)
    assert [column.shape for column in floats] == [(0,), (0,)]


async def test_what_is_bound_has_its_type(database):
    def verb(connection):
        board = rows.add_board(connection).id
        for sequence in (1, 2):
            rows.add_result(connection, board, sequence)
        return columns.whole(connection, ("sequence",), "results WHERE received_at <= :now", {}, moment(NOON))

    (sequences,) = await database.write(verb)
    assert sorted(sequences.tolist()) == [1, 2]
