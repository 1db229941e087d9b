"""Sets of rows as one JSON parameter.

A statement over any number of rows keeps one text, so that it is prepared once, and is one round trip on
PostgreSQL; both databases understand it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table, TextClause, text

from server.storage.types import in_utc

Row = Mapping[str, Any]


def as_json(rows: Sequence[Any]) -> str:
    """``rows`` as the parameter that a record set reads."""
    return json.dumps(rows, default=_plain, ensure_ascii=False, separators=(",", ":"))


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
    """Insert ``rows``, which all have the same columns, in their order.

    ``conflict`` is an ON CONFLICT clause. Server defaults fill the columns that the rows do not name.
    """
    if not rows:
        return
    if connection.dialect.name == "postgresql":
        statement = _insert_set(table, tuple(rows[0]), conflict)
        connection.execute(statement, {"rows": as_json(rows)})
    else:
        connection.exec_driver_sql(_insert_each(table, tuple(rows[0]), conflict), _driver_rows(table, rows))


def update(connection: Connection, table: Table, key: str, rows: Iterable[Row]) -> None:
    """Set the columns of ``rows`` in the rows of ``table`` that have their ``key``."""
    rows = list(rows)
    if not rows:
        return
    names = tuple(name for name in rows[0] if name != key)
    if connection.dialect.name == "postgresql":
        connection.execute(_update_set(table, key, names), {"rows": as_json(rows)})
    else:
        columns = ", ".join(f'"{name}" = ?' for name in names)
        ordered = [{**{name: row[name] for name in names}, key: row[key]} for row in rows]
        connection.exec_driver_sql(
            f'UPDATE {table.name} SET {columns} WHERE "{key}" = ?', _driver_rows(table, ordered)
        )


@cache
def _insert_set(table: Table, names: tuple[str, ...], conflict: str) -> TextClause:
    columns = ", ".join(f'"{name}"' for name in names)
    return text(
        f"INSERT INTO {table.name} ({columns}) SELECT {columns} FROM {_typed(table, names)} {conflict}"
    )


@cache
def _insert_each(table: Table, names: tuple[str, ...], conflict: str) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    marks = ", ".join("?" for _ in names)
    return f"INSERT INTO {table.name} ({columns}) VALUES ({marks}) {conflict}"


@cache
def _update_set(table: Table, key: str, names: tuple[str, ...]) -> TextClause:
    columns = ", ".join(f'"{name}" = rows."{name}"' for name in names)
    return text(
        f"UPDATE {table.name} SET {columns} FROM {_typed(table, (key, *names))} "
        f'WHERE {table.name}."{key}" = rows."{key}"'
    )


def _typed(table: Table, names: tuple[str, ...]) -> str:
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - only where PostgreSQL is used

    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    kinds = ", ".join(f'"{name}" {table.c[name].type.compile(dialect)}' for name in names)
    return f"json_to_recordset(CAST(:rows AS json)) AS rows({kinds})"


def _driver_rows(table: Table, rows: Sequence[Row]) -> list[tuple[Any, ...]]:
    """Values as the SQLite driver takes them."""
    return [tuple(_driver_value(value) for value in row.values()) for row in rows]


def _driver_value(value: Any) -> Any:
    if isinstance(value, datetime):
        # As SQLAlchemy's own DateTime writes them, so that columns compare as text.
        return in_utc(value).replace(tzinfo=None).isoformat(" ", "microseconds")
    return value


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return in_utc(value).isoformat()
    raise TypeError(f"no column value: {value!r}")
