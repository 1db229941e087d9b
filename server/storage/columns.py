"""Many rows as columns of numbers, without an object for each.

What a driver makes of a million rows takes longer than the database takes to find them, and holds up
everybody else in the process. So the database packs them: PostgreSQL into one value of bytes, SQLite into a
JSON array for each column of whole numbers.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import BindParameter, Connection, text

Column = npt.NDArray[Any]
Numbers = npt.NDArray[np.int64]

# What follows FROM, and its parameters: by name, or as what binds them by type.
Source = str


def whole(
    connection: Connection,
    names: Sequence[str],
    source: Source,
    parameters: Mapping[str, Any],
    *typed: BindParameter[Any],
) -> Numbers:
    """Columns of whole numbers that are never null, shape (columns, rows); in no special order."""
    if connection.dialect.name == "postgresql":
        packed = " || ".join(f"int8send(CAST({name} AS bigint))" for name in names)
        statement = text(f"SELECT string_agg({packed}, ''::bytea) AS found FROM {source}").bindparams(*typed)
        content = connection.execute(statement, parameters).scalar_one() or b""
        return np.frombuffer(content, ">i8").reshape(-1, len(names)).T.astype(np.int64)
    arrays = ", ".join(f"json_group_array({name})" for name in names)
    statement = text(f"SELECT {arrays} FROM {source}").bindparams(*typed)
    (row,) = connection.execute(statement, parameters).all()
    return np.stack([_parsed(array) for array in row])


def floats(
    connection: Connection, names: Sequence[str], source: Source, parameters: Mapping[str, Any]
) -> list[npt.NDArray[np.float64]]:
    """Columns to the bit, rows in order of the first of them; NaN where there is nothing."""
    if connection.dialect.name == "postgresql":
        packed = " || ".join(f"float8send(coalesce(CAST({name} AS float8), 'NaN'))" for name in names)
        ordered = f"string_agg({packed}, ''::bytea ORDER BY {names[0]})"
        content = connection.execute(text(f"SELECT {ordered} FROM {source}"), parameters).scalar_one() or b""
        found = np.frombuffer(content, ">f8").reshape(-1, len(names)).T.astype(np.float64)
    else:
        # SQLite would write them into JSON with fewer digits than they have.
        statement = text(f"SELECT {', '.join(names)} FROM {source} ORDER BY {names[0]}")
        rows: Any = connection.execute(statement, parameters).all()
        found = np.array([tuple(row) for row in rows], np.float64).reshape(-1, len(names)).T
    return [np.ascontiguousarray(column) for column in found]


def _parsed(array: str) -> Numbers:
    """``[1,2,3]``."""
    return np.fromstring(array[1:-1], np.int64, sep=",")
