"""The pairs of events, and who sits in their registration rooms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, text, update

from server.bridge.registration import Sitter
from server.bridge.seats import Seat
from server.storage import sets
from server.storage.event_tables import (
    event_entries,
    event_players,
    event_seats,
    grades,
    masterpoints,
)
from server.storage.events import moment, seconds


@dataclass(frozen=True, slots=True)
class Entry:
    """A pair of an event."""

    number: int
    players: tuple[int, int]
    registered_at: datetime
    first_round: int
    cancelled_at: datetime | None = None
    withdrawn_at: datetime | None = None
    absent_in: int | None = None
    ready: bool = False
    earlier_ranks: tuple[int, ...] = ()  # in earlier qualifications


@dataclass(frozen=True, slots=True)
class Award:
    """Master points that an event gives to a player."""

    player: int
    points: int
    rank: int
    pairs: int  # that completed the event


def of_event(connection: Connection, event: int) -> list[Entry]:
    """Every pair that is entered, in order of registration; not those that took their entry back."""
    statement = select(event_entries).where(
        event_entries.c.event == event, event_entries.c.cancelled_at.is_(None)
    )
    return [
        Entry(
            row.number,
            (row.first, row.second),
            row.registered_at,
            row.first_round,
            row.cancelled_at,
            row.withdrawn_at,
            row.absent_in,
            bool(row.ready),
            row.earlier_ranks,
        )
        for row in connection.execute(statement.order_by(event_entries.c.number))
    ]


def add(connection: Connection, event: int, entry: Entry) -> None:
    """Enter a pair; the database refuses a player who is entered already."""
    first, second = entry.players
    values = {
        "event": event,
        "number": entry.number,
        "first": first,
        "second": second,
        "registered_at": entry.registered_at,
        "first_round": entry.first_round,
    }
    connection.execute(insert(event_entries).values(**values))
    rows = [{"event": event, "player": player, "entry": entry.number} for player in sorted(entry.players)]
    connection.execute(insert(event_players), rows)


def cancel(connection: Connection, event: int, number: int, now: datetime) -> None:
    """Take an entry back: its players are free again, its number is not."""
    change(connection, event, [number], cancelled_at=now)
    mine = (event_players.c.event == event) & (event_players.c.entry == number)
    connection.execute(delete(event_players).where(mine))


def withdraw(connection: Connection, event: int, number: int, now: datetime) -> None:
    """Note when a pair left, unless it had left before."""
    mine = (event_entries.c.event == event) & (event_entries.c.number == number)
    staying = event_entries.c.withdrawn_at.is_(None)
    connection.execute(update(event_entries).where(mine, staying).values(withdrawn_at=now))


def change(connection: Connection, event: int, numbers: Sequence[int], **values: Any) -> None:
    """Set some columns of some pairs."""
    mine = (event_entries.c.event == event) & event_entries.c.number.in_(list(numbers))
    connection.execute(update(event_entries).where(mine).values(**values))


def number_of(connection: Connection, event: int, player: int) -> int | None:
    """The pair that a player is entered with."""
    statement = select(event_players.c.entry)
    found = statement.where(event_players.c.event == event, event_players.c.player == player)
    number: int | None = connection.execute(found).scalar_one_or_none()
    return number


def seats(connection: Connection, event: int) -> dict[tuple[int, Seat], tuple[int, float | None]]:
    """Who sits in the registration room, and since when his hand is up."""
    statement = select(event_seats).where(event_seats.c.event == event)
    return {
        (row.table_number, Seat(row.seat)): (
            row.player,
            None if row.hand_up_since is None else seconds(row.hand_up_since),
        )
        for row in connection.execute(statement)
    }


def keep_seats(
    connection: Connection,
    event: int,
    before: Mapping[tuple[int, Seat], Sitter],
    after: Mapping[tuple[int, Seat], Sitter],
    numbers: Mapping[str, int],
) -> None:
    """Store what changed in the room; ``numbers`` of players by their ids."""
    for table, seat in [place for place in before if before[place] != after.get(place)]:
        place = (event_seats.c.event == event) & (event_seats.c.table_number == table)
        connection.execute(delete(event_seats).where(place, event_seats.c.seat == seat.value))
    rows = [
        {
            "event": event,
            "table_number": table,
            "seat": seat.value,
            "player": numbers[sitter.player],
            "hand_up_since": None if sitter.hand_up_since is None else moment(sitter.hand_up_since),
        }
        for (table, seat), sitter in after.items()
        if before.get((table, seat)) != sitter
    ]
    if rows:
        connection.execute(insert(event_seats), rows)


def award(connection: Connection, event: int, given: Sequence[Award]) -> None:
    """Give master points to players for an event, in place of those that it gave before."""
    connection.execute(delete(masterpoints).where(masterpoints.c.event == event))
    if given:
        connection.execute(insert(masterpoints), [asdict(each) | {"event": event} for each in given])


def awards(connection: Connection, event: int) -> list[Award]:
    """Master points that an event gave, by rank."""
    statement = select(masterpoints).where(masterpoints.c.event == event)
    ordered = statement.order_by(masterpoints.c.rank, masterpoints.c.player)
    return [Award(row.player, row.points, row.rank, row.pairs) for row in connection.execute(ordered)]


def points_of(connection: Connection, players: Iterable[int]) -> dict[int, int]:
    """All master points of these players."""
    inside = sets.elements(connection, "numbers")
    statement = text(
        f"SELECT player, sum(points) AS points FROM masterpoints WHERE player IN {inside} GROUP BY player"
    )
    rows = connection.execute(statement, {"numbers": sets.as_json(sorted(set(players)))})
    return {row.player: int(row.points) for row in rows}


def awarded(connection: Connection, event: int) -> dict[int, int]:
    """Master points that an event gave, by player."""
    return {each.player: each.points for each in awards(connection, event)}


def grades_of(connection: Connection, players: Iterable[int]) -> dict[int, int]:
    """The highest grades that these players have reached so far; the lowest has no row."""
    statement = select(grades).where(grades.c.player.in_(sorted(set(players))))
    return {row.player: row.grade for row in connection.execute(statement)}


def keep_grades(connection: Connection, reached: Mapping[int, int], now: datetime) -> None:
    """Store grades that players have reached."""
    rows = [{"player": player, "grade": grade, "since": now} for player, grade in sorted(reached.items())]
    raise_only = "ON CONFLICT (player) DO UPDATE SET grade = excluded.grade, since = excluded.since"
    sets.insert(connection, grades, rows, raise_only + " WHERE grades.grade < excluded.grade")
