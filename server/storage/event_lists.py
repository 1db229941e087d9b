"""What lists of events say about many at once: how many pairs are in each, who won, what a player won."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, text

from server.storage import sets
from server.storage.event_tables import events as event_rows
from server.storage.event_tables import masterpoints

_PAIRS = "SELECT event, count(*) AS pairs FROM event_entries WHERE cancelled_at IS NULL AND event IN "
_ENTRY = (
    "SELECT max(number) FROM event_entries AS entry WHERE entry.event = masterpoints.event "
    "AND entry.cancelled_at IS NULL AND (entry.first = player OR entry.second = player)"
)  # whoever left and came again with somebody else won with the later pair
_WINNERS = f"SELECT event, player, ({_ENTRY}) AS entry FROM masterpoints WHERE rank = 1 AND event IN "


@dataclass(frozen=True, slots=True)
class Won:
    """Master points that a player has of an event."""

    event: int
    name: str
    rank: int
    pairs: int  # that completed the event
    points: int


def pairs(connection: Connection, events: Iterable[int]) -> dict[int, int]:
    """Pairs that are entered, by event."""
    rows = _of(connection, _PAIRS, events, " GROUP BY event")
    return {row.event: row.pairs for row in rows}


def winners(connection: Connection, events: Iterable[int]) -> dict[int, dict[int, int]]:
    """Players of the first pair with its number, by event; of those whose master points are given."""
    found: dict[int, dict[int, int]] = {}
    for row in _of(connection, _WINNERS, events, " ORDER BY event, player"):
        found.setdefault(row.event, {})[row.player] = row.entry
    return found


def won(connection: Connection, player: int) -> list[Won]:
    """All master points of a player, by event, the event announced last first.

    They are given when an event is published, so nothing is told here of one that is not.
    """
    joined = masterpoints.join(event_rows, event_rows.c.id == masterpoints.c.event)
    statement = select(masterpoints, event_rows.c.name).select_from(joined)
    mine = statement.where(masterpoints.c.player == player).order_by(masterpoints.c.event.desc())
    return [Won(row.event, row.name, row.rank, row.pairs, row.points) for row in connection.execute(mine)]


def _of(connection: Connection, statement: str, events: Iterable[int], end: str) -> list[Any]:
    inside = sets.elements(connection, "events")
    wanted = {"events": sets.as_json(sorted(set(events)))}
    return list(connection.execute(text(f"{statement}{inside}{end}"), wanted))
