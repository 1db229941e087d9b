"""Artificial adjusted scores of boards of events: revisions that are appended and never changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from server.bridge.adjustments import Artificial, Average
from server.storage.event_tables import event_adjustments, event_boards
from server.storage.rulings import Basis
from server.storage.tables import revisions


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What a director decided about a board at a table that has no result."""

    board: int  # by its number in the event
    table: int
    version: int  # of the adjustment of this board at this table, from 1
    score: Artificial | None  # None: an earlier one was taken back
    basis: Basis | None  # of one that is not taken back
    infraction: str | None
    damage: str | None
    reason: str
    client: int
    at: datetime


def add(connection: Connection, event: int, made: Adjustment) -> None:
    """Append a revision; the database refuses a second one of the same version."""
    values = {
        "event": event,
        "board": made.board,
        "table_number": made.table,
        "version": made.version,
        "ns": None if made.score is None else made.score.ns.value,
        "ew": None if made.score is None else made.score.ew.value,
        "basis": None if made.basis is None else made.basis.value,
        "infraction": made.infraction,
        "damage": made.damage,
        "reason": made.reason,
        "client": made.client,
        "at": made.at,
    }
    connection.execute(insert(event_adjustments).values(**values))


def latest(connection: Connection, event: int, round_number: int) -> dict[tuple[int, int], Adjustment]:
    """The last revision of every board of a round that was adjusted, by board and table."""
    statement = select(event_adjustments).join(
        event_boards,
        (event_boards.c.event == event_adjustments.c.event)
        & (event_boards.c.number == event_adjustments.c.board),
    )
    mine = (event_adjustments.c.event == event) & (event_boards.c.round == round_number)
    rows = connection.execute(statement.where(mine).order_by(event_adjustments.c.version))
    return {(row.board, row.table_number): _adjustment(row) for row in rows}


def standing(connection: Connection, event: int, round_number: int) -> Mapping[tuple[int, int], Artificial]:
    """The artificial scores of a round that stand, by board and table."""
    found = latest(connection, event, round_number)
    return {place: each.score for place, each in found.items() if each.score is not None}


def count_rulings(connection: Connection, event: int) -> int:
    """How often directors ruled on boards of an event, so and on results."""
    mine = select(func.count()).where(event_adjustments.c.event == event)
    joined = revisions.join(event_boards, event_boards.c.board == revisions.c.board)
    of_results = (event_boards.c.event == event) & revisions.c.sequence.is_not(None)
    others = select(func.count()).select_from(joined).where(of_results)
    return sum(connection.execute(statement).scalar_one() for statement in (mine, others))


def _adjustment(row: Row[Any]) -> Adjustment:
    score = None if row.ns is None else Artificial(Average(row.ns), Average(row.ew))
    basis = None if row.basis is None else Basis(row.basis)
    return Adjustment(
        row.board,
        row.table_number,
        row.version,
        score,
        basis,
        row.infraction,
        row.damage,
        row.reason,
        row.client,
        row.at,
    )
