"""What simulated tables report, as platforms word it."""

from datetime import datetime
from typing import Any

from server.bridge.week import Week
from server.services.disconnects import Leaving
from server.services.idempotency import Once
from server.services.reports import Report
from server.web import bodies, reports, requests
from server.world.sittings import Sitting
from server.world.tables import Abandoned, Finished


def table_key(week: Week, sitting: Sitting, number: int) -> str:
    """Names board ``number`` of a sitting among all that are ever played."""
    return f"{week}-{sitting.pool}-{sitting.table}-{number + 1}"


def players(sitting: Sitting) -> dict[str, str]:
    """Who sits where."""
    return {seat.value: person.id for seat, person in sitting.people.items()}


def result_body(board: str, sitting: Sitting, made: Finished, ended: datetime) -> dict[str, Any]:
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
    if made.dropped:
        body["disconnects"] = list(made.dropped)
    return body


def disconnect_body(board: str, sitting: Sitting, made: Abandoned, ended: datetime) -> dict[str, Any]:
    """The body of ``POST /disconnects``."""
    return {
        "board": board,
        "table": sitting.table,
        "players": players(sitting),
        "player": made.leaver,
        "at": ended.isoformat(),
    }


def arriving(client: int, key: str, body: dict[str, Any]) -> Report:
    """What the server makes of the body of a result."""
    once = Once(client, key, bodies.fingerprint(body))
    return reports.report(bodies.convert(body, requests.ResultBody), once)


def leaving(body: dict[str, Any]) -> Leaving:
    """What the server makes of the body of a disconnect."""
    return reports.leaving(bodies.convert(body, requests.DisconnectBody))
