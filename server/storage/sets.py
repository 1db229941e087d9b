"""Sets of rows as few parameters.

A statement over any number of rows keeps one text, so that it is prepared once, and is one round trip on
PostgreSQL. What is asked for travels as one JSON parameter, which both databases understand. Rows to be kept
go as they are to SQLite, which is in the same process, and as an array for each column to PostgreSQL.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache, lru_cache, partial
from itertools import chain
from typing import Any

import msgspec
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql

from server.storage.types import Instant, in_utc

Row = Mapping[str, Any]

_MOST = 64  # rows of one statement of SQLite


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


class Writes:
    """Rows to be written together: on PostgreSQL by one statement, on SQLite at once, table by table.

    Of one statement nobody sees the parts, and rules between the tables are checked at its end.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._parts: list[str] = []
        self._parameters: list[Any] = []
        self._calls: list[str] = []

    def add(self, build: Callable[[int], str], parameters: Sequence[Any]) -> None:
        """One more part; ``build`` makes its SQL, whose first parameter has this number."""
        self._parts.append(build(len(self._parameters) + 1))
        self._parameters += parameters

    def notify(self, topic: str, payload: str) -> None:
        """Have PostgreSQL notify whoever listens, once the transaction commits."""
        first = len(self._parameters) + 1
        self._calls.append(f"pg_notify(${first}, ${first + 1})")
        self._parameters += (topic, payload)

    def run(self) -> None:
        """Write what was collected."""
        if self._parameters:
            parts = ", ".join(f"w{i} AS ({part})" for i, part in enumerate(self._parts))
            before = f"WITH {parts} " if parts else ""
            statement = f"{before}SELECT {', '.join(self._calls)}"
            self.connection.exec_driver_sql(statement, tuple(self._parameters))


Into = Connection | Writes


@contextmanager
def together(connection: Connection) -> Iterator[Into]:
    """What the block writes is written together, at its end."""
    if connection.dialect.name != "postgresql":
        yield connection
        return
    writes = Writes(connection)
    yield writes
    writes.run()


def insert(into: Into, table: Table, rows: Sequence[Row], conflict: str = "") -> None:
    """Insert ``rows``, which all have the same columns in the same order.

    ``conflict`` is an ON CONFLICT clause. Server defaults fill the columns that the rows do not name.
    """
    if not rows:
        return
    names = tuple(rows[0])
    if _in_sets(into):
        _write(into, partial(_insert_set, table, names, conflict), _by_column(table, rows))
        return
    for portion in _portions(rows):
        _send(into, _insert_values(table, names, conflict, len(portion)), portion)


def insert_columns(connection: Connection, table: Table, columns: Mapping[str, list[Any]]) -> None:
    """As ``insert``, of rows that are given column by column."""
    names, lists = tuple(columns), tuple(columns.values())
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_insert_set(table, names, "", 1), lists)
        return
    rows = list(zip(*lists, strict=True))
    for start in range(0, len(rows), _MOST):
        portion = rows[start : start + _MOST]
        statement = _insert_values(table, names, "", len(portion))
        connection.exec_driver_sql(statement, tuple(chain.from_iterable(portion)))


def update(into: Into, table: Table, key: tuple[str, ...], rows: Sequence[Row], where: str = "true") -> None:
    """Set the columns of ``rows``, the same in all, in the rows of ``table`` that have their ``key``.

    ``where`` says of which rows: a condition on columns of the table.
    """
    if not rows:
        return
    names = tuple(rows[0])
    if _in_sets(into):
        _write(into, partial(_update_set, table, names, key, where), _by_column(table, rows))
        return
    for portion in _portions(rows):
        _send(into, _update_values(table, names, key, where, len(portion)), portion)


def _in_sets(into: Into) -> bool:
    return isinstance(into, Writes) or into.dialect.name == "postgresql"


def _write(into: Into, build: Callable[[int], str], parameters: Sequence[Any]) -> None:
    if isinstance(into, Writes):
        into.add(build, parameters)
    else:
        into.exec_driver_sql(build(1), tuple(parameters))


def _send(into: Into, statement: str, rows: Sequence[Row]) -> None:
    connection = into.connection if isinstance(into, Writes) else into
    connection.exec_driver_sql(statement, tuple(value for row in rows for value in row.values()))


def _portions(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Few rows are one statement, prepared once for each number of them; more are several.

    SQLite's driver gives up the interpreter for each statement, not for each row of one.
    """
    for start in range(0, len(rows), _MOST):
        yield rows[start : start + _MOST]


def _by_column(table: Table, rows: Sequence[Row]) -> tuple[list[Any], ...]:
    columns = zip(*(row.values() for row in rows), strict=True)
    return tuple(
        [value and in_utc(value) for value in column]
        if isinstance(table.c[name].type, Instant)
        else list(column)
        for name, column in zip(rows[0], columns, strict=True)
    )


@cache
def _insert_set(table: Table, names: tuple[str, ...], conflict: str, first: int) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT INTO {table.name} ({columns}) SELECT * FROM {_arrays(table, names, first)} {conflict}"


@cache
def _insert_values(table: Table, names: tuple[str, ...], conflict: str, rows: int) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT INTO {table.name} ({columns}) {_values(names, rows)} {conflict}"


@cache
def _update_set(table: Table, names: tuple[str, ...], key: tuple[str, ...], where: str, first: int) -> str:
    columns = ", ".join(f'"{name}" = rows."{name}"' for name in names if name not in key)
    given = ", ".join(f'"{name}"' for name in names)
    same = " AND ".join(f'{table.name}."{name}" = rows."{name}"' for name in key)
    rows = _arrays(table, names, first)
    return f"UPDATE {table.name} SET {columns} FROM {rows} AS rows({given}) WHERE {same} AND {where}"


@cache
def _update_values(table: Table, names: tuple[str, ...], key: tuple[str, ...], where: str, rows: int) -> str:
    columns = ", ".join(f'"{name}" = rows.column{i}' for i, name in enumerate(names, 1) if name not in key)
    same = " AND ".join(f'{table.name}."{name}" = rows.column{names.index(name) + 1}' for name in key)
    return f"UPDATE {table.name} SET {columns} FROM ({_values(names, rows)}) AS rows WHERE {same} AND {where}"


def _values(names: tuple[str, ...], rows: int) -> str:
    row = f"({', '.join('?' for _ in names)})"
    return f"VALUES {', '.join(row for _ in range(rows))}"


def _arrays(table: Table, names: tuple[str, ...], first: int) -> str:
    """One array parameter for each column: the whole set in one round trip."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    # How a column sorts is no part of what its values are.
    kinds = (table.c[name].type.compile(dialect).partition(" COLLATE ")[0] for name in names)
    return f"unnest({', '.join(f'CAST(${i} AS {kind}[])' for i, kind in enumerate(kinds, first))})"


@lru_cache(1024)
def _sqlite_moment(value: datetime) -> str:
    return in_utc(value).replace(tzinfo=None).isoformat(" ", "microseconds")


# As SQLAlchemy's own DateTime writes them, so that columns compare as text.
sqlite3.register_adapter(datetime, _sqlite_moment)
