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
from server.storage.types import Instant, moment

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


@dataclass(frozen=True, slots=True)
class AbandonedRow:
    """A board that nobody finished after a player left."""

    week: str
    board: int
    at: datetime  # when it was reported
    leaver: int
    partner: int


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


def disconnects(connection: Connection, week: str, pool: str, before: datetime) -> list[DisconnectRow]:
    """Who disconnected on boards of the week, as far as it came before a moment and was not taken back."""
    statement = text(
        "SELECT d.board, d.player, coalesce(p.sequence, d.sequence) AS sequence "
        "FROM disconnects AS d JOIN boards AS b ON b.id = d.board "
        "LEFT JOIN plays AS p ON p.board = d.board AND p.player = d.player "
        "WHERE b.week = :week AND b.pool = :pool AND b.withdrawn_at IS NULL AND d.live "
        "AND d.received_at < :now ORDER BY d.board, d.player"
    ).bindparams(moment(before))
    found = connection.execute(statement, {"week": week, "pool": pool})
    return [DisconnectRow(row.board, row.player, row.sequence) for row in found]


def abandoned(connection: Connection, since: str, until: str, pool: str) -> list[AbandonedRow]:
    """Boards of some weeks (both included) that nobody finished after a player left, with his partner."""
    reported = "SELECT 1 FROM results AS r WHERE r.board = d.board AND r.table_name = d.table_name AND r.live"
    statement = text(
        "SELECT b.week, d.board, d.player, d.north, d.east, d.south, d.west, d.received_at "
        "FROM disconnects AS d JOIN boards AS b ON b.id = d.board "
        "WHERE b.week >= :since AND b.week <= :until AND b.pool = :pool AND b.withdrawn_at IS NULL "
        f"AND d.live AND d.sequence IS NULL AND d.north IS NOT NULL AND NOT EXISTS ({reported}) "
        "ORDER BY d.board, d.player"
    ).columns(received_at=Instant())
    found = connection.execute(statement, {"since": since, "until": until, "pool": pool})
    rows = []
    for row in found:
        seated = (row.north, row.east, row.south, row.west)
        if row.player in seated:
            partner = seated[(seated.index(row.player) + 2) % 4]
            rows.append(AbandonedRow(row.week, row.board, row.received_at, row.player, partner))
    return rows


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
