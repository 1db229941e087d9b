"""Migrations go up and down, lose nothing, and end in exactly the tables that the code knows."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from server.storage import migrations
from server.storage.database import open_database
from server.storage.schema import metadata

FIRST = "0001"  # the rows below fit its tables
MANY = 100_000
FEW = 10_000
NOW = "'2026-11-25 12:00:00.000000'"


def series(size: int) -> str:
    """SQL for the numbers from 1 to ``size``, as ``i`` of ``n``."""
    return f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {size})"


FILL = (
    f"INSERT INTO clients (number, name, created_at) VALUES (1, 'it''s one', {NOW})",
    f"INSERT INTO tokens (number, client, digest, scopes, created_at) VALUES (1, 1, 'd', 'admin', {NOW})",
    f"INSERT INTO board_sets (week, pool, created_at) VALUES ('2026-W48', 'imps', {NOW})",
    f"INSERT INTO players (number, id, created_at) {series(MANY)} SELECT i, 'p' || i, {NOW} FROM n",
    "INSERT INTO boards (id, week, pool, number, dealer, vulnerability, method, score_at, retire_at, trim, "
    f"scores, created_at) {series(1000)} SELECT i, '2026-W48', 'imps', i, 'N', 'none', 'datum', 6, 40, "
    f"'tenth', '420,-50', {NOW} FROM n",
    "INSERT INTO results (board, sequence, table_name, north, east, south, west, contract, declarer, tricks, "
    f"score, client, received_at, details) {series(MANY)} SELECT 1 + i % 1000, 1 + i / 1000, 't' || i, i, i, "
    f"i, i, '4S', 'N', 10, 420, 1, {NOW}, '{{\"auction\": []}}' FROM n",
    f"INSERT INTO plays (board, player, sequence) {series(MANY)} SELECT 1 + i % 1000, i, 1 + i / 1000 FROM n",
    f"INSERT INTO awards (board, sequence, ns, ew, datum, results) {series(FEW)} "
    "SELECT 1 + i % 1000, 1 + i / 1000, 150, -150, 400, 6 FROM n",
    f"INSERT INTO exposures (board, player, since) {series(FEW)} SELECT 1 + i % 1000, i, {NOW} FROM n",
    f"INSERT INTO disconnects (board, player, client, received_at) VALUES (1, 1, 1, {NOW})",
    f"INSERT INTO idempotency (client, key, fingerprint, status, body, created_at) {series(FEW)} "
    f"SELECT 1, 'k' || i, 'f', 201, '{{\"name\": \"ö\n\"}}', {NOW} FROM n",
    "INSERT INTO assignments (board, table_name, client, created_at, expires_at) "
    f"VALUES (1, 't', 1, {NOW}, {NOW})",
    f"INSERT INTO audit (at, client, verb, subject, detail) {series(FEW)} "
    f"SELECT {NOW}, 1, 'result', 'r', 'f' FROM n",
    "INSERT INTO installation (name, value) VALUES ('week_zone', 'UTC')",
)


@pytest.fixture
async def empty(empty_database_url):
    """An open database without tables."""
    database = open_database(empty_database_url)
    yield database
    await database.close()


def tables(connection: Connection) -> list[str]:
    return sorted(inspect(connection).get_table_names())


def everything(connection: Connection) -> dict[str, tuple[int, int]]:
    """Of each table: how many rows, and a sum over all that they say."""
    return {name: count_and_sum(connection, name) for name in inspect(connection).get_table_names()}


def count_and_sum(connection: Connection, table: str) -> tuple[int, int]:
    if connection.dialect.name == "postgresql":
        statement = f"SELECT count(*), coalesce(sum(hashtext(t::text)), 0) FROM {table} AS t"
        count, total = connection.exec_driver_sql(statement).one()
        return count, int(total)
    found = connection.connection.cursor().execute(f"SELECT * FROM {table}").fetchall()
    return len(found), sum(map(hash, found))


def fill(connection: Connection) -> None:
    for statement in FILL:
        connection.exec_driver_sql(statement)


async def test_up_from_nothing_down_to_nothing_and_up_again(empty):
    assert await empty.read(migrations.revision) is None
    await empty.alter(migrations.upgrade)
    assert await empty.read(tables) == sorted([*metadata.tables, "alembic_version"])
    assert await empty.read(migrations.revision) == migrations.head()
    await empty.alter(lambda connection: migrations.downgrade(connection, "base"))
    assert await empty.read(tables) == ["alembic_version"]
    assert await empty.read(migrations.revision) is None
    await empty.alter(migrations.upgrade)
    assert await empty.read(tables) == sorted([*metadata.tables, "alembic_version"])


async def test_each_step_goes_down_and_up_again(empty):
    await empty.alter(migrations.upgrade)
    for step in revisions():
        before = step.down_revision or "base"
        await empty.alter(lambda connection, to=before: migrations.downgrade(connection, to))
        schema = await empty.read(described)
        await empty.write(lambda connection, to=step.revision: migrations.upgrade(connection, to))
        await empty.alter(lambda connection, to=before: migrations.downgrade(connection, to))
        assert await empty.read(described) == schema


def revisions():
    """Newest first."""
    return list(ScriptDirectory.from_config(migrations._config()).walk_revisions())


async def test_no_row_of_many_is_lost_on_the_way_up_and_down(empty):
    await empty.alter(lambda connection: migrations.upgrade(connection, FIRST))
    await empty.write(fill)
    before = await empty.read(everything)
    assert before["results"][0] == before["plays"][0] == before["players"][0] == MANY
    assert all(count for count, _ in before.values())
    for _ in "12":
        await empty.alter(migrations.upgrade)
        above = await empty.read(everything)
        assert {name: above[name][0] for name in before} == {name: before[name][0] for name in before}
        await empty.alter(lambda connection: migrations.downgrade(connection, FIRST))
        assert await empty.read(everything) == before


async def test_players_who_have_names_are_found_by_their_words(empty):
    named = "INSERT INTO players (number, id, name, alias, hidden, created_at) VALUES "
    named += f"(1, 'a', 'Ann Bo', NULL, false, {NOW}), (2, 'b', 'Real', '李明', true, {NOW}), "
    named += f"(3, 'c', NULL, NULL, false, {NOW})"
    await empty.alter(lambda connection: migrations.upgrade(connection, "0007"))
    await empty.write(lambda connection: connection.exec_driver_sql(named))
    await empty.alter(migrations.upgrade)

    def words(connection: Connection):
        return {tuple(row) for row in connection.exec_driver_sql("SELECT word, player FROM name_words")}

    assert await empty.read(words) == {("ann", 1), ("bo", 1), ("李明", 2), ("明", 2)}


async def test_a_step_that_fails_leaves_the_database_as_it_was(empty):
    def half(connection: Connection):
        migrations.upgrade(connection)
        raise LookupError

    with pytest.raises(LookupError):
        await empty.write(half)
    assert await empty.read(tables) == []


async def test_migrations_end_where_the_code_begins(database):
    def difference(connection: Connection):
        context = MigrationContext.configure(
            connection, opts={"compare_server_default": True, "compare_type": True}
        )
        return compare_metadata(context, metadata)

    assert await database.read(difference) == []


async def test_every_name_and_default_is_that_of_the_code(empty):
    """What autogenerate passes over: names, checks, defaults, conditions of indexes."""
    await empty.alter(migrations.upgrade)
    migrated = await empty.read(described)
    await empty.alter(lambda connection: migrations.downgrade(connection, "base"))
    await empty.write(metadata.create_all)
    made = await empty.read(described)
    assert migrated == made
    assert len(made["boards"]["columns"]) > 10
    assert {index["name"] for index in made["results"]["indexes"]} >= {"uq_results_board_table_name"}
    named = [each["name"] for name in metadata.tables for kind in NAMED for each in made[name][kind]]
    assert all(named)


NAMED = ("primary key", "foreign keys", "unique", "checks", "indexes")


def described(connection: Connection):
    """The schema as the database itself tells it."""
    inspector = inspect(connection)
    return {
        table: {
            "columns": by_name(
                {**column, "type": str(column["type"])} for column in inspector.get_columns(table)
            ),
            "primary key": [inspector.get_pk_constraint(table)],
            "foreign keys": by_name(inspector.get_foreign_keys(table)),
            "unique": by_name(inspector.get_unique_constraints(table)),
            "checks": by_name(inspector.get_check_constraints(table)),
            "indexes": by_name(
                {**index, "dialect_options": conditions(index)} for index in inspector.get_indexes(table)
            ),
        }
        for table in inspector.get_table_names()
    }


def by_name(found):
    return sorted(found, key=lambda each: each["name"] or "")


def conditions(index):
    return {name: str(value) for name, value in index.get("dialect_options", {}).items()}
