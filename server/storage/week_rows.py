"""The rows that a week is rated from, as columns of numbers: millions of them, without an object for each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
import numpy as np
from sqlalchemy import Connection, text

from server.bridge.deal import parse_deal
from server.bridge.field_bulk import BoardTerms
from server.bridge.pool import ScoringMethod
from server.bridge.seats import Seat
from server.storage import columns, sets
from server.storage.boards import ns_points, terms_from
from server.storage.columns import Numbers
from server.storage.rulings import RulingKind
from server.storage.types import Instant, moment

AT_ONCE = 2_000  # boards whose results are read at once
_COLUMNS = ("board", "sequence", "north", "east", "south", "west", "score")
_SUBSTITUTED = "CASE WHEN details LIKE '%\"replaced\"%' THEN 1 ELSE 0 END"
_SEATS = {seat.value: 2 + i for i, seat in enumerate((Seat.N, Seat.E, Seat.S, Seat.W))}
_TOUCHED = "week = :week AND pool = :pool AND change > 0 AND withdrawn_at IS NULL"
_LEFT = "b.week = :week AND b.pool = :pool AND b.withdrawn_at IS NULL AND d.live AND d.received_at < :now"
_LIFTED = (
    f"SELECT 1 FROM revisions AS v WHERE v.disconnect = d.number AND v.kind = '{RulingKind.PARTNER_LIFTED}'"
)
_IN_TIME = "live AND received_at < :now"


@dataclass(frozen=True, slots=True)
class DisconnectRow:
    """Somebody disconnected on a board of the week."""

    board: int
    player: int
    sequence: int | None  # of the result of his table; None: nobody finished


@dataclass(frozen=True, slots=True)
class AbandonedRow:
    """A board that nobody finished after a player left."""

    board: int
    at: datetime  # when it was reported
    leaver: int
    partner: int
    lifted: bool  # a director took from the partner what it costs him


class WeekBoard(msgspec.Struct, frozen=True, array_like=True):
    """A board of a week, and by what rules it is scored."""

    id: int
    method: str
    score_at: int
    retire_at: int | None
    trim: str
    deal: str | None  # where the method asks for the cards

    @property
    def terms(self) -> BoardTerms:
        """As values of the game."""
        terms = terms_from(self.method, self.score_at, self.retire_at, self.trim)
        return BoardTerms(terms, None if self.deal is None else ns_points(parse_deal(self.deal)))


_boards = msgspec.json.Decoder(list[WeekBoard]).decode


def boards(connection: Connection, week: str, pool: str) -> str:
    """Boards of the week with results or disconnects, withdrawn ones left out; ``boards_of`` reads the text.

    There may be very many: the database writes them down, and whoever reads the text does it where it holds
    up nobody.
    """
    postgres = connection.dialect.name == "postgresql"
    array, row = ("json_agg", "json_build_array") if postgres else ("json_group_array", "json_array")
    cards = f"CASE WHEN method = '{ScoringMethod.HCP_COMPENSATION}' THEN deal END"
    statement = text(
        f"SELECT CAST({array}({row}(id, method, score_at, retire_at, trim, {cards})) AS text) FROM boards "
        f"WHERE {_TOUCHED}"
    )
    return connection.execute(statement, {"week": week, "pool": pool}).scalar_one() or "[]"


def boards_of(found: str) -> dict[int, BoardTerms]:
    """The boards that ``boards`` wrote down, by number, in order."""
    return {board.id: board.terms for board in sorted(_boards(found), key=lambda board: board.id)}


def results(connection: Connection, week: str, pool: str, before: datetime) -> Iterator[Numbers]:
    """Live results of the week that came before a moment, shape (7, rows), a part at a time.

    They are those of ``boards``. Columns are board, sequence, players in N, E, S, W, total points for NS. Who
    was replaced stands at the seat in place of his substitute. Rows come in no special order.
    """
    named = {"week": week, "pool": pool}
    (numbers,) = columns.whole(connection, ("id",), f"boards WHERE {_TOUCHED}", named)
    inside = sets.elements(connection, "boards")
    source = f"results WHERE board IN {inside} AND {_IN_TIME}"
    for start in range(0, len(numbers), AT_ONCE):
        asked = {"boards": sets.as_json(numbers[start : start + AT_ONCE].tolist())}
        *found, substituted = columns.whole(
            connection, (*_COLUMNS, _SUBSTITUTED), source, asked, moment(before)
        )
        _put_back(connection, np.flatnonzero(substituted), found)
        yield np.stack(found)


def disconnects(connection: Connection, week: str, pool: str, before: datetime) -> list[DisconnectRow]:
    """Who disconnected on boards of the week, as far as it came before a moment and was not taken back."""
    statement = text(
        "SELECT d.board, d.player, coalesce(p.sequence, d.sequence) AS sequence "
        "FROM disconnects AS d JOIN boards AS b ON b.id = d.board "
        "LEFT JOIN plays AS p ON p.board = d.board AND p.player = d.player "
        f"WHERE {_LEFT} ORDER BY d.board, d.player"
    ).bindparams(moment(before))
    found = connection.execute(statement, {"week": week, "pool": pool})
    return [DisconnectRow(row.board, row.player, row.sequence) for row in found]


def abandoned(
    connection: Connection, week: str, pool: str, before: datetime, player: int | None = None
) -> list[AbandonedRow]:
    """Boards of the week that nobody finished after a player left, by what came before a moment.

    ``player``: only those of tables where he sat.
    """
    reported = (
        "SELECT 1 FROM results AS r WHERE r.board = d.board AND r.table_name = d.table_name "
        "AND r.live AND r.received_at < :now"
    )
    seated_there = "" if player is None else "AND :player IN (d.north, d.east, d.south, d.west) "
    statement = (
        text(
            "SELECT d.board, d.player, d.north, d.east, d.south, d.west, d.received_at, "
            f"EXISTS ({_LIFTED}) AS lifted "
            "FROM disconnects AS d JOIN boards AS b ON b.id = d.board "
            f"WHERE {_LEFT} AND d.sequence IS NULL AND d.north IS NOT NULL AND NOT EXISTS ({reported}) "
            f"{seated_there}ORDER BY d.board, d.player"
        )
        .bindparams(moment(before))
        .columns(received_at=Instant())
    )
    asked = {"week": week, "pool": pool} | ({} if player is None else {"player": player})
    rows = []
    for row in connection.execute(statement, asked):
        seated = (row.north, row.east, row.south, row.west)
        if row.player in seated:
            partner = seated[(seated.index(row.player) + 2) % 4]
            found = AbandonedRow(row.board, row.received_at, row.player, partner, bool(row.lifted))
            rows.append(found)
    return rows


def _put_back(connection: Connection, rows: Numbers, found: Sequence[Numbers]) -> None:
    """Put who was replaced at his seat in these rows; there are few."""
    if not len(rows):
        return
    at = {(int(found[0][row]), int(found[1][row])): row for row in rows}
    named = [{"board": board, "sequence": sequence} for board, sequence in at]
    asked = sets.record_set(connection, "asked", board="bigint", sequence="bigint")
    statement = text(
        f"SELECT r.board, r.sequence, r.details FROM {asked} JOIN results AS r "
        "ON r.board = asked.board AND r.sequence = asked.sequence"
    )
    for row in connection.execute(statement, {"asked": sets.as_json(named)}):
        for seat, player in msgspec.json.decode(row.details).get("replaced", {}).items():
            found[_SEATS[seat]][at[row.board, row.sequence]] = player
