"""What directors imposed on pairs of events for discipline, and what of it they lifted."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from server.storage.event_tables import event_penalties


@dataclass(frozen=True, slots=True)
class Lifted:
    """That a penalty counts no more."""

    reason: str
    client: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a director imposed for discipline."""

    entry: int
    kind: str  # warning, deduction, suspension
    amount: int  # hundredths off the total
    until_round: int | None  # of a suspension, that round included
    until_at: datetime | None  # of a suspension
    reason: str
    client: int
    at: datetime
    number: int = 0  # among those of its event, in order
    row: int = 0
    lifted: Lifted | None = None  # None: it stands


def impose(connection: Connection, event: int, penalty: Penalty) -> int:
    """Keep a penalty of an event that is held; its number."""
    values = {
        "event": event,
        "entry": penalty.entry,
        "kind": penalty.kind,
        "amount": penalty.amount,
        "until_round": penalty.until_round,
        "until_at": penalty.until_at,
        "reason": penalty.reason,
        "client": penalty.client,
        "at": penalty.at,
    }
    connection.execute(insert(event_penalties).values(**values))
    return len(of_event(connection, event))


def lift(connection: Connection, penalty: Penalty, lifted: Lifted) -> None:
    """Keep that a penalty counts no more."""
    values = {"lift_reason": lifted.reason, "lifted_by": lifted.client, "lifted_at": lifted.at}
    mine = event_penalties.c.id == penalty.row
    connection.execute(update(event_penalties).where(mine).values(**values))


def of_event(connection: Connection, event: int) -> list[Penalty]:
    """Every penalty of an event, those that were lifted too, in order."""
    statement = select(event_penalties).where(event_penalties.c.event == event).order_by(event_penalties.c.id)
    return [_penalty(number, row) for number, row in enumerate(connection.execute(statement), 1)]


def _penalty(number: int, row: Row[Any]) -> Penalty:
    return Penalty(
        row.entry,
        row.kind,
        row.amount,
        row.until_round,
        row.until_at,
        row.reason,
        row.client,
        row.at,
        number,
        row.id,
        None if row.lifted_at is None else Lifted(row.lift_reason, row.lifted_by, row.lifted_at),
    )
