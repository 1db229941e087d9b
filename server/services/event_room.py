"""The registration room of an event: what players do there, and who is entered by it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.registration import (
    Cancelled,
    Doors,
    Move,
    Outcome,
    Registered,
    Room,
    Sitter,
    Step,
    moved,
    started,
    until,
)
from server.bridge.swiss_clock import State
from server.bridge.swiss_field import takes_late_entries
from server.services.errors import UnknownPlayer
from server.storage import event_entries, events, players
from server.storage.event_entries import Entry
from server.storage.events import Event, moment, seconds
from server.storage.players import Player

IN_PLAY = (State.RUNNING, State.CLOSING)


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room with the numbers of those who are in it."""

    room: Room
    numbers: Mapping[str, int]  # players by their ids


def doors(event: Event) -> Doors:
    """What the room is open for."""
    if event.course.doing is State.REGISTRATION:
        return Doors.OPEN
    if event.course.doing in IN_PLAY and takes_late_entries(event.course.round or 0, event.rules.late_until):
        return Doors.LATE
    return Doors.CLOSED


def load(connection: Connection, event: Event) -> StoredRoom:
    """The room as it is stored."""
    seats = event_entries.seats(connection, event.id)
    entries = event_entries.of_event(connection, event.id)
    numbers = {player for player, _ in seats.values()}.union(*(each.players for each in entries))
    people = players.by_number(connection, numbers)
    room = Room(
        event.rules.hold_s,
        {place: Sitter(people[player].id, since) for place, (player, since) in seats.items()},
        {each.number: (people[each.players[0]].id, people[each.players[1]].id) for each in entries},
        event.issued,
        doors(event),
        {player.id: player.person for player in people.values()},
        event.room_waits,
    )
    return StoredRoom(room, {player.id: player.number for player in people.values()})


def next_completion(connection: Connection, event: Event) -> float | None:
    """When the next pair is entered if nobody moves. This is asked all the time, mostly of empty rooms."""
    if event.room_waits:
        return None
    seats = event_entries.seats(connection, event.id).values()
    if sum(since is not None for _, since in seats) < 2:  # hands that are up
        return None
    return load(connection, event).room.next_completion()


def settle(connection: Connection, event: Event, now: datetime) -> tuple[Outcome, ...]:
    """Enter the pairs whose hands have been up long enough."""
    at = next_completion(connection, event)
    if at is None or at > seconds(now):
        return ()
    before = load(connection, event)
    return _keep(connection, event, before, until(before.room, seconds(now)), now)


def stand_up(connection: Connection, event: Event, now: datetime) -> None:
    """Everybody leaves the room; who completes by then is entered."""
    before = load(connection, event)
    _keep(connection, event, before, started(before.room, seconds(now)), now)


def move(
    connection: Connection, event: Event, wanted: Move, create: bool, now: datetime
) -> tuple[Outcome, ...]:
    """What somebody does in the room. Raises UnknownPlayer."""
    return act(connection, event, wanted.player, create, now, lambda room, at: moved(room, wanted, at))


def act(
    connection: Connection,
    event: Event,
    player: str,
    create: bool,
    now: datetime,
    step: Callable[[Room, float], Step],
) -> tuple[Outcome, ...]:
    """A step of the room that a player may be new to: he is made when it gives him a seat, and not before.

    Raises UnknownPlayer.
    """
    before = load(connection, event)
    if player not in before.numbers:
        known = players.find(connection, [player]).get(player)
        if known is not None:
            persons = {**before.room.persons, player: known.person}
            numbers = {**before.numbers, player: known.number}
            before = StoredRoom(replace(before.room, persons=persons), numbers)
        elif not create:
            raise _unknown(player)
    after = step(before.room, seconds(now))
    if player not in before.numbers and any(player == each.player for each in after.room.seats.values()):
        made = players.add(connection, [player], now)[player]
        before = StoredRoom(before.room, {**before.numbers, player: made.number})
    return _keep(connection, event, before, after, now)


def player_numbers(connection: Connection, names: list[str], create: bool, now: datetime) -> dict[str, int]:
    """Numbers of players by their ids; new ones are made where ``create`` allows. Raises UnknownPlayer."""
    known = known_players(connection, names, create, now)
    return {name: player.number for name, player in known.items()}


def known_players(connection: Connection, names: list[str], create: bool, now: datetime) -> dict[str, Player]:
    """Players by their ids; new ones are made where ``create`` allows. Raises UnknownPlayer."""
    known = players.find(connection, names)
    if create and len(known) < len(set(names)):
        known = players.add(connection, names, now)
    for name in names:
        if name not in known:
            raise _unknown(name)
    return known


def _unknown(name: str) -> UnknownPlayer:
    return UnknownPlayer("/player", f"no player has the id {name!r}")


def enter(connection: Connection, event: Event, pair: tuple[int, int], now: datetime) -> int:
    """Enter a pair without the room; the number of its registration."""
    number = event.issued + 1
    events.issue(connection, event.id, number)
    event_entries.add(connection, event.id, Entry(number, pair, now, first_round(event)))
    return number


def first_round(event: Event) -> int:
    """The round in which a pair that enters now can play."""
    return (event.course.round or 0) + 1


def _keep(
    connection: Connection, event: Event, before: StoredRoom, step: Step, now: datetime
) -> tuple[Outcome, ...]:
    event_entries.keep_seats(connection, event.id, before.room.seats, step.room.seats, before.numbers)
    for outcome in step.outcomes:
        match outcome:
            case Registered():
                first, second = (before.numbers[name] for name in outcome.players)
                entry = Entry(outcome.number, (first, second), moment(outcome.at), first_round(event))
                event_entries.add(connection, event.id, entry)
            case Cancelled():
                event_entries.cancel(connection, event.id, outcome.number, now)
    if step.room.issued != before.room.issued:
        events.issue(connection, event.id, step.room.issued)
    return step.outcomes
