"""The registration room: a pair is entered when both sit opposite each other long enough with hands up.

Only North and South of the room's tables are for registering. The count runs while both hands are up without
a break; the instant at which it completes is that of the registration. It comes before anything that happens
in the same instant; of several that complete together the smaller table is the first.

Several accounts of one person count as the same player: he is entered once, and sits in one seat.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from server.bridge.seats import Seat

REGISTERING = (Seat.N, Seat.S)


class Doors(StrEnum):
    """What the room is open for."""

    OPEN = "open"
    LATE = "late"  # the event has started: pairs may enter, but those entered can only withdraw
    CLOSED = "closed"


class Refusal(StrEnum):
    """Why something is not done in the room; where several reasons hold, the first of them."""

    ROOM_CLOSED = "room_closed"
    ALREADY_REGISTERED = "already_registered"
    SEAT_NOT_FOR_REGISTRATION = "seat_not_for_registration"
    SEAT_TAKEN = "seat_taken"
    NOT_SEATED = "not_seated"
    NOT_REGISTERED = "not_registered"
    EVENT_STARTED = "event_started"


@dataclass(frozen=True, slots=True)
class Registered:
    """A pair was entered; both have left their seats."""

    at: float
    number: int
    players: tuple[str, str]  # who sat North, who sat South
    table: int


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A pair took its entry back; its number is not given again."""

    at: float
    number: int
    players: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was done."""

    at: float
    player: str
    reason: Refusal


Outcome = Registered | Cancelled | Refused


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody in a seat of the room."""

    player: str
    hand_up_since: float | None = None  # None: the hand is down


@dataclass(frozen=True, slots=True)
class Room:
    """The registration room of an event. Every step makes a new one."""

    hold_s: float = 20  # how long both hands must be up
    seats: Mapping[tuple[int, Seat], Sitter] = field(default_factory=dict)
    entries: Mapping[int, tuple[str, str]] = field(
        default_factory=dict
    )  # by number, in order of registration
    issued: int = 0  # the highest number ever given
    doors: Doors = Doors.OPEN
    persons: Mapping[str, int] = field(
        default_factory=dict
    )  # whose accounts players are, where that is known
    waits: bool = False  # nobody is entered for the moment, however long hands are up

    def person(self, player: str) -> int | str:
        """Whom a player stands for; one of whom nothing is known stands for himself."""
        return self.persons.get(player, player)

    def number_of(self, player: str) -> int | None:
        """The number of the pair that a player is entered with, by this account before any other of his."""
        own = next((number for number, pair in self.entries.items() if player in pair), None)
        if own is not None:
            return own
        person = self.person(player)
        return next(
            (number for number, pair in self.entries.items() if person in map(self.person, pair)), None
        )

    def place_of(self, player: str) -> tuple[int, Seat] | None:
        """The table and seat where a player sits."""
        return next((place for place, sitter in self.seats.items() if sitter.player == player), None)

    def next_completion(self) -> float | None:
        """When the next pair is entered if nobody moves."""
        return min((at for at, _ in _counts(self)), default=None)


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat; whoever sits elsewhere leaves that seat."""

    player: str
    table: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class Stand:
    """Leave the seat, if any: by oneself, or because the connection is lost."""

    player: str


@dataclass(frozen=True, slots=True)
class Hand:
    """Raise the hand, or lower it."""

    player: str
    up: bool


@dataclass(frozen=True, slots=True)
class Cancel:
    """Take the entry of one's pair back."""

    player: str


Move = Sit | Stand | Hand | Cancel


@dataclass(frozen=True, slots=True)
class Step:
    """What became of the room, and what is to be told."""

    room: Room
    outcomes: tuple[Outcome, ...] = ()


def until(room: Room, now: float) -> Step:
    """Everything that completes up to ``now``, that instant included, if nobody moves."""
    outcomes: list[Outcome] = []
    for at, table in sorted(_counts(room)):
        north, south = (room.seats[table, seat].player for seat in REGISTERING)
        # One of them may have been entered at an earlier table, by another account of his.
        if at <= now and room.number_of(north) is None and room.number_of(south) is None:
            number = room.issued + 1
            outcomes.append(Registered(at, number, (north, south), table))
            room = replace(
                room,
                seats={place: sitter for place, sitter in room.seats.items() if place[0] != table},
                entries={**room.entries, number: (north, south)},
                issued=number,
            )
    return Step(room, tuple(outcomes))


def moved(room: Room, move: Move, now: float) -> Step:
    """What completes up to ``now``, and then what somebody does."""
    before = until(room, now)
    match move:
        case Sit():
            after = _sit(before.room, move, now)
        case Stand():
            after = Step(replace(before.room, seats=_without(before.room.seats, move.player)))
        case Hand():
            after = _hand(before.room, move, now)
        case Cancel():
            after = _cancel(before.room, move, now)
    return Step(after.room, before.outcomes + after.outcomes)


def started(room: Room, now: float, doors: Doors = Doors.CLOSED) -> Step:
    """The event starts: what completes by then counts, then everybody stands up.

    ``doors``: whether the room stays open for late entries.
    """
    before = until(room, now)
    return Step(replace(before.room, seats={}, doors=doors), before.outcomes)


def _sit(room: Room, move: Sit, now: float) -> Step:
    there = room.seats.get((move.table, move.seat))
    if room.doors is Doors.CLOSED:
        return _refused(room, move.player, Refusal.ROOM_CLOSED, now)
    if room.number_of(move.player) is not None:
        return _refused(room, move.player, Refusal.ALREADY_REGISTERED, now)
    if move.seat not in REGISTERING:
        return _refused(room, move.player, Refusal.SEAT_NOT_FOR_REGISTRATION, now)
    if there is not None and room.person(there.player) != room.person(move.player):
        return _refused(room, move.player, Refusal.SEAT_TAKEN, now)
    if there is not None and there.player == move.player:
        return Step(room)  # sits there already; the count goes on
    person = room.person(move.player)
    seats = {place: sitter for place, sitter in room.seats.items() if room.person(sitter.player) != person}
    return Step(replace(room, seats={**seats, (move.table, move.seat): Sitter(move.player)}))


def _hand(room: Room, move: Hand, now: float) -> Step:
    place = room.place_of(move.player)
    if place is None:
        return _refused(room, move.player, Refusal.NOT_SEATED, now)
    if move.up and room.number_of(move.player) is not None:  # since he sat down, by another account of his
        return _refused(room, move.player, Refusal.ALREADY_REGISTERED, now)
    was_up = room.seats[place].hand_up_since is not None
    if was_up == move.up:
        return Step(room)
    sitter = Sitter(move.player, now if move.up else None)
    return Step(replace(room, seats={**room.seats, place: sitter}))


def _cancel(room: Room, move: Cancel, now: float) -> Step:
    number = room.number_of(move.player)
    if number is None:
        return _refused(room, move.player, Refusal.NOT_REGISTERED, now)
    if room.doors is not Doors.OPEN:
        return _refused(room, move.player, Refusal.EVENT_STARTED, now)
    left = {other: pair for other, pair in room.entries.items() if other != number}
    return Step(replace(room, entries=left), (Cancelled(now, number, room.entries[number]),))


def _refused(room: Room, player: str, reason: Refusal, now: float) -> Step:
    return Step(room, (Refused(now, player, reason),))


def _without(seats: Mapping[tuple[int, Seat], Sitter], player: str) -> dict[tuple[int, Seat], Sitter]:
    return {place: sitter for place, sitter in seats.items() if sitter.player != player}


def _counts(room: Room) -> Iterable[tuple[float, int]]:
    """The tables where both hands are up, with the instants at which their counts complete; none if it waits.

    Accounts may turn out to be one person's after they sat down: nothing is counted where he sits opposite
    himself, or is entered already.
    """
    if room.waits:
        return
    entered = {room.person(player) for pair in room.entries.values() for player in pair}
    for (table, seat), north in room.seats.items():
        if seat is not Seat.N:
            continue
        south = room.seats.get((table, Seat.S))
        if south is None or north.hand_up_since is None or south.hand_up_since is None:
            continue
        pair = {room.person(north.player), room.person(south.player)}
        if len(pair) == len(REGISTERING) and not pair & entered:
            yield max(north.hand_up_since, south.hand_up_since) + room.hold_s, table
