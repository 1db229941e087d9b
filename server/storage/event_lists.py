"""What lists of events say about many at once: how many pairs are in each, and who won."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, text

from server.storage import sets

_PAIRS = "SELECT event, count(*) AS pairs FROM event_entries WHERE cancelled_at IS NULL AND event IN "
_WINNERS = "SELECT event, player FROM masterpoints WHERE rank = 1 AND event IN "


def pairs(connection: Connection, events: Iterable[int]) -> dict[int, int]:
    """Pairs that are entered, by event."""
    rows = _of(connection, _PAIRS, events, " GROUP BY event")
    return {row.event: row.pairs for row in rows}


def winners(connection: Connection, events: Iterable[int]) -> dict[int, list[int]]:
    """Players of the first pair, by event; of those whose master points are given."""
    found: dict[int, list[int]] = {}
    for row in _of(connection, _WINNERS, events, " ORDER BY event, player"):
        found.setdefault(row.event, []).append(row.player)
    return found


def _of(connection: Connection, statement: str, events: Iterable[int], end: str) -> list[Any]:
    inside = sets.elements(connection, "events")
    wanted = {"events": sets.as_json(sorted(set(events)))}
    return list(connection.execute(text(f"{statement}{inside}{end}"), wanted))
