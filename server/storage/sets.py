"""Sets of rows as few parameters.

A statement over any number of rows keeps one text, so that it is prepared once, and is one round trip on
PostgreSQL. What is asked for travels as one JSON parameter, which both databases understand. Rows to be kept
go as they are to SQLite, which is in the same process, and as an array for each column to PostgreSQL.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

import msgspec
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql

from server.storage.types import Instant, in_utc

Row = Mapping[str, Any]

_SIZES = (256, 64, 16, 4, 1)  # rows of one statement of SQLite


def as_json(rows: Sequence[Any]) -> str:
    """``rows`` of numbers and texts as the parameter that a record set reads."""
    return msgspec.json.encode(rows).decode()


def record_set(connection: Connection, parameter: str, **types: str) -> str:
    """SQL for the rows of a JSON parameter: columns by name, with their PostgreSQL types."""
    if connection.dialect.name == "postgresql":
        columns = ", ".join(f'"{name}" {kind}' for name, kind in types.items())
        return f"json_to_recordset(CAST(:{parameter} AS json)) AS {parameter}({columns})"
    columns = ", ".join(f"""value->>'$.{name}' AS "{name}\"""" for name in types)
    return f"(SELECT {columns} FROM json_each(:{parameter})) AS {parameter}"


def elements(connection: Connection, parameter: str, kind: str = "bigint") -> str:
    """SQL for the values of a JSON array, to be used after IN."""
    if connection.dialect.name == "postgresql":
        return f"(SELECT e::{kind} FROM json_array_elements_text(CAST(:{parameter} AS json)) AS e)"
    return f"(SELECT value FROM json_each(:{parameter}))"


def insert(connection: Connection, table: Table, rows: Sequence[Row], conflict: str = "") -> None:
    """Insert ``rows``, which all have the same columns in the same order.

    ``conflict`` is an ON CONFLICT clause. Server defaults fill the columns that the rows do not name.
    """
    if not rows:
        return
    names = tuple(rows[0])
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_insert_set(table, names, conflict), _by_column(table, rows))
        return
    for portion in _portions(rows):
        statement = _insert_values(table, names, conflict, len(portion))
        connection.exec_driver_sql(statement, tuple(value for row in portion for value in row.values()))


def update(connection: Connection, table: Table, key: str, rows: Sequence[Row]) -> None:
    """Set the columns of ``rows``, the same in all, in the rows of ``table`` that have their ``key``."""
    if not rows:
        return
    names = tuple(rows[0])
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_update_set(table, names, key), _by_column(table, rows))
        return
    for portion in _portions(rows):
        statement = _update_values(table, names, key, len(portion))
        connection.exec_driver_sql(statement, tuple(value for row in portion for value in row.values()))


def _portions(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Few different sizes: each size is a statement that is prepared once.

    SQLite's driver gives up the interpreter for each statement, not for each row of one.
    """
    start = 0
    for size in _SIZES:
        while len(rows) - start >= size:
            yield rows[start : start + size]
            start += size


def _by_column(table: Table, rows: Sequence[Row]) -> tuple[list[Any], ...]:
    columns = zip(*(row.values() for row in rows), strict=True)
    return tuple(
        [value and in_utc(value) for value in column]
        if isinstance(table.c[name].type, Instant)
        else list(column)
        for name, column in zip(rows[0], columns, strict=True)
    )


@cache
def _insert_set(table: Table, names: tuple[str, ...], conflict: str) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT INTO {table.name} ({columns}) SELECT * FROM {_arrays(table, names)} {conflict}"


@cache
def _insert_values(table: Table, names: tuple[str, ...], conflict: str, rows: int) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT INTO {table.name} ({columns}) {_values(names, rows)} {conflict}"


@cache
def _update_set(table: Table, names: tuple[str, ...], key: str) -> str:
    columns = ", ".join(f'"{name}" = rows."{name}"' for name in names if name != key)
    given = ", ".join(f'"{name}"' for name in names)
    return (
        f"UPDATE {table.name} SET {columns} FROM {_arrays(table, names)} AS rows({given}) "
        f'WHERE {table.name}."{key}" = rows."{key}"'
    )


@cache
def _update_values(table: Table, names: tuple[str, ...], key: str, rows: int) -> str:
    columns = ", ".join(f'"{name}" = rows.column{i}' for i, name in enumerate(names, 1) if name != key)
    return (
        f"UPDATE {table.name} SET {columns} FROM ({_values(names, rows)}) AS rows "
        f'WHERE {table.name}."{key}" = rows.column{names.index(key) + 1}'
    )


def _values(names: tuple[str, ...], rows: int) -> str:
    row = f"({', '.join('?' for _ in names)})"
    return f"VALUES {', '.join(row for _ in range(rows))}"


def _arrays(table: Table, names: tuple[str, ...]) -> str:
    """One array parameter for each column: the whole set in one round trip."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    kinds = (table.c[name].type.compile(dialect) for name in names)
    return f"unnest({', '.join(f'CAST(${i} AS {kind}[])' for i, kind in enumerate(kinds, 1))})"


@lru_cache(1024)
def _sqlite_moment(value: datetime) -> str:
    return in_utc(value).replace(tzinfo=None).isoformat(" ", "microseconds")


# As SQLAlchemy's own DateTime writes them, so that columns compare as text.
sqlite3.register_adapter(datetime, _sqlite_moment)
