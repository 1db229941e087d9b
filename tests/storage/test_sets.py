"""Sets of rows as one parameter mean the same on both databases."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, insert, select, text

from server.storage import sets
from server.storage.tables import boards, idempotency, players
from tests.clock import NOON
from tests.storage import rows

AWKWARD = (
    "plain",
    'it\'s "quoted"',
    "two\nlines\r\nand a\ttab",
    "back\\slash \\u0041 \\n",
    '{"json": [1, null]}',
    "%s :name ?1 $1 {0}",
    "; DROP TABLE players; --",
    "♠♥♦♣ Zoë 桥牌 🂡 e\u0301",
    "\x01\x1f\x7f\u2028",
    " ",
    "'",
    "null",
)
# PostgreSQL keeps no NUL in a text; the API refuses it, and halves of surrogate pairs too.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=offsets)  # noqa: DTZ001


def kept(connection: Connection, *columns):
    return [tuple(row) for row in connection.execute(select(*columns).order_by(players.c.number))]


async def test_every_kind_of_value_comes_back_as_it_went(database):
    columns = ("id", "name", "alias", "hidden", "member", "created_at")
    values = [
        (
            f"{i}{word}",
            word,
            None if i % 2 else word,
            bool(i % 2),
            bool(i % 3),
            NOON + timedelta(microseconds=i),
        )
        for i, word in enumerate(AWKWARD)
    ]
    await database.write(
        lambda connection: sets.insert(
            connection, players, [dict(zip(columns, row, strict=True)) for row in values]
        )
    )
    assert await database.read(lambda c: kept(c, *(players.c[name] for name in columns))) == values


@settings(max_examples=40)
@given(st.lists(st.tuples(texts, texts | st.none(), st.booleans(), moments), max_size=8))
async def test_sets_keep_what_single_statements_keep(database, values):
    data = [
        {"id": f"{i}", "name": name, "alias": alias, "hidden": hidden, "created_at": at}
        for i, (name, alias, hidden, at) in enumerate(values)
    ]
    columns = (players.c.id, players.c.name, players.c.alias, players.c.hidden, players.c.created_at)

    def verb(connection: Connection):
        found = []
        for put in (lambda: sets.insert(connection, players, data), lambda: one_by_one(connection, data)):
            connection.execute(delete(players))
            put()
            found.append(kept(connection, *columns))
        return found

    by_sets, by_statements = await database.write(verb)
    assert by_sets == by_statements
    assert [row[-1] for row in by_sets] == [at for *_, at in values]


def one_by_one(connection: Connection, data) -> None:
    for row in data:
        connection.execute(insert(players).values(row))


async def test_server_defaults_fill_what_rows_do_not_name(database):
    def verb(connection: Connection):
        sets.insert(connection, players, [{"id": "ann", "created_at": NOON}])
        return kept(connection, players.c.name, players.c.hidden, players.c.member)

    assert await database.write(verb) == [(None, False, True)]


async def test_rows_are_inserted_in_their_order(database):
    names = [f"p{i * 7 % 100}" for i in range(100)]

    def verb(connection: Connection):
        sets.insert(connection, players, [{"id": name, "created_at": NOON} for name in names])
        return [name for (name,) in kept(connection, players.c.id)]

    assert await database.write(verb) == names


async def test_nothing_is_inserted_and_updated_without_rows(database):
    def verb(connection: Connection):
        sets.insert(connection, players, [])
        sets.update(connection, players, ("number",), [])
        return kept(connection, players.c.id)

    assert await database.write(verb) == []


async def test_a_conflict_may_be_passed_over(database):
    def verb(connection: Connection):
        for name in ("first", "second"):
            row = {"id": "ann", "name": name, "created_at": NOON}
            sets.insert(connection, players, [row], "ON CONFLICT (id) DO NOTHING")
        return kept(connection, players.c.name)

    assert await database.write(verb) == [("first",)]


async def test_an_update_changes_its_rows_and_no_others(database):
    east = timezone(timedelta(hours=8))

    def verb(connection: Connection):
        first, _, third = rows.add_people(connection, "a", "b", "c")
        changes = [
            {
                "number": third,
                "name": "it's\n桥",
                "hidden": True,
                "created_at": datetime(2026, 11, 25, 20, tzinfo=east),
            },
            {"number": first, "name": None, "hidden": False, "created_at": NOON + timedelta(days=1)},
        ]
        sets.update(connection, players, ("number",), changes)
        return kept(connection, players.c.id, players.c.name, players.c.hidden, players.c.created_at)

    assert await database.write(verb) == [
        ("a", None, False, NOON + timedelta(days=1)),
        ("b", None, False, NOON),
        ("c", "it's\n桥", True, NOON),
    ]


async def test_moments_compare_however_they_were_written(database):
    """On SQLite moments are texts: those of sets and those of statements must look alike."""
    late = NOON + timedelta(microseconds=1)

    def verb(connection: Connection):
        client = rows.add_client(connection)
        answer = {"client": client, "fingerprint": "", "status": 201, "body": ""}
        sets.insert(connection, idempotency, [answer | {"key": "set", "created_at": NOON}])
        connection.execute(insert(idempotency).values(answer | {"key": "statement", "created_at": NOON}))
        same = select(idempotency.c.key).where(idempotency.c.created_at == NOON)
        earlier = select(idempotency.c.key).where(idempotency.c.created_at < late)
        none = select(idempotency.c.key).where(idempotency.c.created_at < NOON)
        return [sorted(connection.execute(query).scalars()) for query in (same, earlier, none)]

    assert await database.write(verb) == [["set", "statement"], ["set", "statement"], []]


async def test_a_moment_without_zone_is_refused(database):
    def put(connection: Connection):
        sets.insert(connection, players, [{"id": "ann", "created_at": datetime(2026, 11, 25)}])  # noqa: DTZ001

    def change(connection: Connection):
        (number,) = rows.add_people(connection, "ann")
        row = {"number": number, "created_at": datetime(2026, 11, 25)}  # noqa: DTZ001
        sets.update(connection, players, ("number",), [row])

    for verb in (put, change):
        with pytest.raises(ValueError, match="zone"):
            await database.write(verb)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), texts), max_size=10))
async def test_a_record_set_reads_back_what_it_was_given(database, values):
    data = [{"position": i, "number": number, "word": word} for i, (number, word) in enumerate(values)]

    def query(connection: Connection):
        asked = sets.record_set(connection, "asked", position="bigint", number="bigint", word="text")
        statement = text(f"SELECT asked.number, asked.word FROM {asked} ORDER BY asked.position")
        return [tuple(row) for row in connection.execute(statement, {"asked": sets.as_json(data)})]

    assert await database.read(query) == values


@settings(max_examples=30)
@given(st.lists(texts, max_size=10, unique=True), st.lists(texts, max_size=4))
async def test_elements_are_what_is_asked_for(database, known, asked):
    def verb(connection: Connection):
        connection.execute(delete(players))
        sets.insert(connection, players, [{"id": name, "created_at": NOON} for name in known])
        inside = sets.elements(connection, "ids", "text")
        statement = text(f"SELECT id FROM players WHERE id IN {inside}")
        return set(connection.execute(statement, {"ids": sets.as_json(asked)}).scalars())

    assert await database.write(verb) == set(known) & set(asked)


async def test_numbers_are_elements_too(database):
    def verb(connection: Connection):
        made = [board.id for board in rows.add_boards(connection, 1, 2, 3)]
        statement = text(
            f"SELECT id FROM boards WHERE id IN {sets.elements(connection, 'numbers')} ORDER BY id"
        )
        found = connection.execute(statement, {"numbers": sets.as_json([made[2], made[0], -5])})
        return made, list(found.scalars())

    made, found = await database.write(verb)
    assert found == [made[0], made[2]]


@pytest.mark.parametrize("size", [1, 2, 3, 15, 16, 17, 63, 65, 255, 256, 257, 1023])
async def test_sets_of_any_size_are_kept_whole_and_in_order(database, size):
    """``boards`` has columns of every type."""

    def verb(connection: Connection):
        made = rows.add_boards(connection, *range(1, size + 1))
        changes = [
            {"id": board.id, "change": 7 * board.number, "withdrawn_at": NOON if board.number % 2 else None}
            for board in made[::-1]
        ]
        sets.update(connection, boards, ("id",), changes)
        columns = (boards.c.number, boards.c.change, boards.c.withdrawn_at)
        return [tuple(row) for row in connection.execute(select(*columns).order_by(boards.c.id))]

    found = await database.write(verb)
    assert found == [(i, 7 * i, NOON if i % 2 else None) for i in range(1, size + 1)]


async def test_utc_is_what_is_written(database):
    east = datetime(2026, 11, 25, 20, tzinfo=timezone(timedelta(hours=8)))

    def verb(connection: Connection):
        sets.insert(connection, players, [{"id": "a", "created_at": east}])
        return connection.execute(select(players.c.id).where(players.c.created_at == NOON)).all()

    assert await database.write(verb) == [("a",)]
    assert NOON.tzinfo is UTC
