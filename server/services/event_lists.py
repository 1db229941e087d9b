"""Lists of events: all of them, and what is played, to come and just over."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from server.bridge.event_rules import Kind
from server.bridge.swiss_clock import State
from server.storage import event_lists, events, players
from server.storage.database import Database
from server.storage.events import Event
from server.storage.players import Player

PLAYED = (State.RUNNING, State.CLOSING)


@dataclass(frozen=True, slots=True)
class Listed:
    """An event in a list."""

    event: Event
    pairs: int  # that are entered
    winners: tuple[Player, ...]  # once its master points are given; else nobody
    winning: int | None  # the number of their pair


@dataclass(frozen=True, slots=True)
class Programme:
    """What there is to see and to take part in."""

    played: tuple[Listed, ...]
    coming: tuple[Listed, ...]  # that which starts first first
    over: tuple[Listed, ...]  # newest first


async def page(
    database: Database, kind: Kind | None, state: State | None, before: int, limit: int
) -> tuple[Listed, ...]:
    """Events, newest first, as `services/events.py` gives them."""
    return await database.read(
        lambda connection: _listed(connection, events.page(connection, kind, state, before, limit))
    )


async def programme(database: Database, limit: int, kind: Kind | None = None) -> Programme:
    """What is played, to come and over, at most ``limit`` events of each; of one kind or of all."""

    def query(connection: Connection) -> Programme:
        found = [each for each in events.live(connection) if kind in (None, each.kind)]
        live = sorted(found, key=lambda each: (each.rules.start_at, each.id))
        played = [each for each in live if each.course.doing in PLAYED]
        coming = [each for each in live if each.course.doing not in PLAYED]
        over = events.page(connection, kind, State.FINISHED, 0, limit)
        return Programme(
            _listed(connection, played[:limit]),
            _listed(connection, coming[:limit]),
            _listed(connection, over),
        )

    return await database.read(query)


def _listed(connection: Connection, found: Sequence[Event]) -> tuple[Listed, ...]:
    if not found:
        return ()
    numbers = [each.id for each in found]
    pairs = event_lists.pairs(connection, numbers)
    winners = event_lists.winners(connection, numbers)
    people = players.by_number(connection, {player for both in winners.values() for player in both})
    return tuple(
        Listed(
            each,
            pairs.get(each.id, 0),
            tuple(people[player] for player in winners.get(each.id, ())),
            next(iter(winners.get(each.id, {}).values()), None),
        )
        for each in found
    )
