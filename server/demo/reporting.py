"""Results of simulated tables, as platforms word them."""

from datetime import datetime
from typing import Any

from server.bridge.week import Week
from server.services.idempotency import Once
from server.services.reports import Report as Arriving
from server.storage.ids import board_id
from server.web import bodies, reports, requests
from server.world.sittings import Sitting
from server.world.tables import Report


def table_key(week: Week, sitting: Sitting, number: int) -> str:
    """Names board ``number`` of a sitting among all that are ever played."""
    return f"{week}-{sitting.pool}-{sitting.table}-{number + 1}"


def players(sitting: Sitting) -> dict[str, str]:
    """Who sits where."""
    return {seat.value: person.id for seat, person in sitting.people.items()}


def result_body(board: str, sitting: Sitting, made: Report, ended: datetime) -> dict[str, Any]:
    """The body of ``POST /results``."""
    body: dict[str, Any] = {
        "board": board,
        "table": sitting.table,
        "players": players(sitting),
        "result": str(made.played.outcome),
        "played_at": ended.isoformat(),
    }
    if made.played.lead is not None:
        body["lead"] = made.played.lead
    if made.left:
        body["disconnects"] = list(made.left)
    return body


def report_of(client: int, key: str, board: int, sitting: Sitting, made: Report, ended: datetime) -> Arriving:
    """What the server would make of that body."""
    body = result_body(board_id(board), sitting, made, ended)
    once = Once(client, key, bodies.fingerprint(body))
    return reports.report(bodies.convert(body, requests.ResultBody), once)
