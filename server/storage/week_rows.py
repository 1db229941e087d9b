"""The rows that a week is rated from, as columns of numbers: millions of them, without an object for each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, text

from server.bridge.seats import Seat
from server.storage import sets
from server.storage.types import moment

Numbers = npt.NDArray[np.int64]

AT_ONCE = 2_000  # boards whose results are read at once
COLUMNS = 7  # board, sequence, north, east, south, west, score
_SEATS = {seat.value: 2 + i for i, seat in enumerate((Seat.N, Seat.E, Seat.S, Seat.W))}

_POSTGRES = """
SELECT string_agg(int8send(board) || int8send(sequence) || int8send(north) || int8send(east)
  || int8send(south) || int8send(west) || int8send(score), ''::bytea) AS found
FROM results WHERE board = ANY (CAST(:boards AS bigint[])) AND live AND received_at < :now
"""
_SQLITE = """
SELECT board, sequence, north, east, south, west, score FROM results
WHERE board IN (SELECT value FROM json_each(:boards)) AND live AND received_at < :now
"""
_REPLACED = """
SELECT board, sequence, details FROM results
WHERE board IN {boards} AND live AND details LIKE '%"replaced"%'
"""


@dataclass(frozen=True, slots=True)
class DisconnectRow:
    """Somebody disconnected on a board of the week."""

    board: int
    player: int
    sequence: int | None  # of the result of his table; None: nobody finished


def results(connection: Connection, numbers: Sequence[int], before: datetime) -> Iterator[Numbers]:
    """Live results of these boards that came before a moment, shape (rows, 7), a part at a time.

    Columns are board, sequence, players in N, E, S, W, total points for NS. Who was replaced stands at the
    seat in place of his substitute. Rows come in no special order.
    """
    for start in range(0, len(numbers), AT_ONCE):
        part = numbers[start : start + AT_ONCE]
        found = _read(connection, part, before)
        _put_back(connection, part, found)
        yield found


def disconnects(connection: Connection, week: str, pool: str) -> list[DisconnectRow]:
    """Who disconnected on boards of the week."""
    statement = text(
        "SELECT d.board, d.player, coalesce(p.sequence, d.sequence) AS sequence "
        "FROM disconnects AS d JOIN boards AS b ON b.id = d.board "
        "LEFT JOIN plays AS p ON p.board = d.board AND p.player = d.player "
        "WHERE b.week = :week AND b.pool = :pool ORDER BY d.board, d.player"
    )
    found = connection.execute(statement, {"week": week, "pool": pool})
    return [DisconnectRow(row.board, row.player, row.sequence) for row in found]


def _read(connection: Connection, part: Sequence[int], before: datetime) -> Numbers:
    if connection.dialect.name == "postgresql":
        # One value for all rows: what the driver would make of each of them takes ten times as long.
        statement = text(_POSTGRES).bindparams(moment(before))
        content = connection.execute(statement, {"boards": list(part)}).scalar_one() or b""
        return np.frombuffer(content, ">i8").reshape(-1, COLUMNS).astype(np.int64)
    statement = text(_SQLITE).bindparams(moment(before))
    rows: Any = connection.execute(statement, {"boards": sets.as_json(part)}).all()
    return np.array([tuple(row) for row in rows], np.int64).reshape(-1, COLUMNS)


def _put_back(connection: Connection, part: Sequence[int], found: Numbers) -> None:
    """Put who was replaced at his seat; few results have such."""
    inside = sets.elements(connection, "boards")
    statement = text(_REPLACED.format(boards=inside))
    for row in connection.execute(statement, {"boards": sets.as_json(part)}):
        at = (found[:, 0] == row.board) & (found[:, 1] == row.sequence)
        for seat, player in msgspec.json.decode(row.details).get("replaced", {}).items():
            found[at, _SEATS[seat]] = player
