"""Columns mean the same on both databases."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, insert, literal, select, text, update
from sqlalchemy.exc import StatementError

from server.storage.tables import boards, players
from server.storage.types import Scores, in_utc, moment, scores_text
from tests.clock import NOON
from tests.storage import rows

offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=offsets)  # noqa: DTZ001


@settings(max_examples=50)
@given(moments)
async def test_a_moment_comes_back_as_the_same_moment_in_utc(database, instant):
    def verb(connection: Connection):
        row = {"id": "ann", "created_at": instant}
        made = connection.execute(insert(players).values(row).returning(players.c.created_at)).scalar_one()
        read = connection.execute(select(players.c.created_at)).scalar_one()
        connection.execute(text("DELETE FROM players"))
        return made, read

    for found in await database.write(verb):
        assert found == instant
        assert found.utcoffset() == timedelta(0)
        assert found.tzinfo is UTC


async def test_no_moment_is_no_moment(database):
    def verb(connection: Connection):
        board = rows.add_board(connection)
        connection.execute(update(boards).values(retired_at=NOON))
        connection.execute(update(boards).values(retired_at=None))
        return connection.execute(select(boards.c.retired_at).where(boards.c.id == board.id)).scalar_one()

    assert await database.write(verb) is None


async def test_a_moment_without_zone_is_refused(database):
    row = {"id": "ann", "created_at": datetime(2026, 11, 25)}  # noqa: DTZ001
    with pytest.raises(StatementError, match="zone"):
        await database.write(lambda connection: connection.execute(insert(players).values(row)))


async def test_the_parameter_now_is_a_moment(database):
    east = datetime(2026, 11, 25, 20, tzinfo=timezone(timedelta(hours=8)))

    def verb(connection: Connection):
        rows.add_people(connection, "ann")
        statement = text("SELECT count(*) FROM players WHERE created_at = :now").bindparams(moment(east))
        return connection.execute(statement).scalar_one()

    assert await database.write(verb) == 1


def test_moments_are_put_into_utc():
    assert in_utc(datetime(2026, 11, 25, 20, tzinfo=timezone(timedelta(hours=8)))) == NOON
    assert in_utc(datetime(2026, 11, 25, 20, tzinfo=timezone(timedelta(hours=8)))).tzinfo is UTC
    with pytest.raises(ValueError, match="zone"):
        in_utc(datetime(2026, 11, 25))  # noqa: DTZ001


@settings(max_examples=50)
@given(st.lists(st.integers(-8000, 8000), max_size=40).map(tuple))
async def test_scores_come_back_as_they_went(database, scores):
    query = select(literal(scores, Scores()))
    assert await database.read(lambda connection: connection.execute(query).scalar_one()) == scores


def test_scores_are_written_plainly():
    assert scores_text(()) == ""
    assert scores_text((0,)) == "0"
    assert scores_text((420, -50, 0)) == "420,-50,0"


async def test_numbers_have_sixty_four_bits(database):
    large = 2**62

    def verb(connection: Connection):
        rows.add_board(connection)
        connection.execute(update(boards).values(change=large))
        return connection.execute(select(boards.c.change)).scalar_one()

    assert await database.write(verb) == large
