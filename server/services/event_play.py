"""What pairs do in an event: enter, come to tables, ask for boards, be ready, leave."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.event_rules import Kind
from server.bridge.registration import Doors, Hand, Move, Outcome, Refusal, Refused, Sit
from server.bridge.swiss_clock import State
from server.bridge.swiss_event import may_deal
from server.services import event_people, event_room
from server.services.errors import MembersOnly
from server.services.event_course import Keeper
from server.services.event_errors import (
    EventState,
    InvalidEvent,
    NoBoardToDeal,
    NotAtTable,
    NotEntered,
    PairLeft,
    RoomRefused,
    TableNotInRound,
)
from server.services.event_snapshot import KIND, Tree, tell, telling
from server.services.events import noted, owned
from server.services.tokens import Caller
from server.storage import (
    assignments,
    boards,
    event_entries,
    event_rounds,
    event_substitutes,
    events,
    players,
)
from server.storage.boards import Board
from server.storage.event_entries import Entry
from server.storage.event_rounds import Match
from server.storage.events import Event, seconds
from server.storage.players import Player


@dataclass(frozen=True, slots=True)
class Desk:
    """Where players are served: who asks for them, when, by what rules."""

    keeper: Keeper
    caller: Caller
    create_players: bool
    now: datetime

    def open(self, connection: Connection, number: int) -> Event:
        """The event, locked. Raises EventNotFound, NotYourEvent."""
        return owned(connection, self.keeper, number, self.caller, self.now)


def in_room(connection: Connection, desk: Desk, number: int, wanted: Move) -> tuple[Outcome, ...]:
    """What somebody does in the registration room, and what came of it.

    Outcomes that were due before are among those given, also where the move itself is refused.
    Raises EventNotFound, NotYourEvent, EventState in a pairs event, UnknownPlayer, MembersOnly.
    """
    event = desk.open(connection, number)
    if event.kind is not Kind.SWISS_PAIRS:
        raise EventState(event.course.state.value, "A pairs event has no registration room: enter its pairs.")
    if isinstance(wanted, Sit) or (isinstance(wanted, Hand) and wanted.up):
        check_members(players.find(connection, [wanted.player]).values())
    with telling(connection, number, desk.now):
        outcomes = event_room.move(connection, event, wanted, desk.create_players, desk.now)
    if not any(isinstance(each, Refused) for each in outcomes):
        noted(connection, desk.caller, f"room {type(wanted).__name__.lower()}", number, "", desk.now)
    return outcomes


def enter(connection: Connection, desk: Desk, number: int, pair: tuple[str, str]) -> int:
    """Enter a pair of a pairs event on its page; the number of its registration.

    Whoever is no member any more after that plays on. Raises EventNotFound, NotYourEvent, EventState in a
    Swiss pairs, RoomRefused, UnknownPlayer, MembersOnly, InvalidEvent when both are accounts of one person.
    """
    event = desk.open(connection, number)
    if event.kind is not Kind.PAIRS:
        raise EventState(event.course.state.value, "Pairs enter a Swiss pairs in its registration room.")
    if event_room.doors(event) is Doors.CLOSED:
        raise RoomRefused(Refusal.ROOM_CLOSED.value)
    known = event_room.known_players(connection, list(pair), desk.create_players, desk.now)
    first, second = (known[name] for name in pair)
    check_members([first, second])
    if first.person == second.person:
        raise InvalidEvent("/players/1", f"{second.id!r} is a linked account: a pair is two players")
    accounts = players.accounts(connection, [first.person, second.person])
    if any(event_entries.number_of(connection, number, each) is not None for each in sorted(accounts)):
        raise RoomRefused(Refusal.ALREADY_REGISTERED.value)
    with telling(connection, number, desk.now):
        made = event_room.enter(connection, event, (first.number, second.number), desk.now)
    noted(connection, desk.caller, "entry", number, str(made), desk.now)
    return made


def ready(connection: Connection, desk: Desk, number: int, name: str) -> None:
    """A pair that was absent wants to be paired again.

    Raises EventNotFound, NotYourEvent, EventState when the event is over, NotEntered, PairLeft.
    """
    event = desk.open(connection, number)
    _going_on(event)
    entry, _ = _entry_of(connection, number, name)
    left = {
        each.number for each in event_entries.of_event(connection, number) if each.withdrawn_at is not None
    }
    if entry in left:
        raise PairLeft
    with telling(connection, number, desk.now):
        event_entries.change(connection, number, [entry], ready=True)
    noted(connection, desk.caller, "ready", number, str(entry), desk.now)


def leave(connection: Connection, desk: Desk, number: int, name: str) -> None:
    """A pair leaves: before the start its entry is taken back; later it is paired no more, its results stay.

    Again: nothing changes. Raises EventNotFound, NotYourEvent, NotEntered, EventState when it is over.
    """
    event = desk.open(connection, number)
    _going_on(event)
    entry, _ = _entry_of(connection, number, name)
    with telling(connection, number, desk.now):
        if event_room.doors(event) is Doors.OPEN:
            event_entries.cancel(connection, number, entry, desk.now)
        else:
            event_entries.withdraw(connection, number, entry, desk.now)
    noted(connection, desk.caller, "leave", number, str(entry), desk.now)


def arrive(connection: Connection, desk: Desk, number: int, table: int, name: str) -> None:
    """A player, or who sits in for one, comes to his table, by whichever of his accounts.

    Whoever comes while the clock stands comes as early as it was when it stopped: what lay ahead then lies
    ahead still. Raises EventState, TableNotInRound, NotAtTable.
    """
    event = desk.open(connection, number)
    sitting = _sitting(connection, event, played_round(event), table)
    account = event_people.account_of(connection, sitting.people, _known(connection, name))
    if account is None:
        raise NotAtTable(name)
    event_rounds.arrive(connection, number, sitting.match.round, account, desk.now)
    came = event_rounds.arrivals(connection, number, sitting.match.round)
    arrived = sorted(each for each in sitting.people if each in came)
    _tell(connection, event, sitting.match, {"arrived": arrived}, desk.now)
    noted(connection, desk.caller, "arrive", number, f"{sitting.match.name} {account}", desk.now)


def next_board(connection: Connection, desk: Desk, number: int, table: int) -> Board:
    """The next board of a table: the same, in the same order, as at every other.

    Raises EventState, TableNotInRound, NoBoardToDeal shortly before the end of the round, when all are dealt,
    or while somebody is missing.
    """
    event = desk.open(connection, number)
    if event.course.state is State.PAUSED:
        raise EventState(event.course.state.value)
    sitting = _sitting(connection, event, played_round(event), table)
    if not may_deal(event.rules.timing, event.course, seconds(desk.now)):
        raise NoBoardToDeal("too_late")
    rows = list(event_rounds.board_numbers(connection, number, sitting.match.round).values())
    if sitting.match.dealt >= len(rows):
        raise NoBoardToDeal("all_dealt")
    if not sitting.complete(event_rounds.arrivals(connection, number, sitting.match.round)):
        raise NoBoardToDeal("not_everybody_there")
    found = boards.get(connection, rows[sitting.match.dealt])
    if found is None:
        raise RuntimeError("a board of a round")
    event_rounds.deal_next(connection, number, sitting.match)
    assignments.expose(connection, [(found.id, player) for player in sitting.people], desk.now)
    _tell(connection, event, sitting.match, {"dealt": sitting.match.dealt + 1}, desk.now)
    noted(connection, desk.caller, "next board", number, sitting.match.name, desk.now)
    return found


@dataclass(frozen=True, slots=True)
class _Sitting:
    match: Match
    seated: tuple[int, ...]  # the two pairs
    sits_in: Mapping[int, int]  # who is missing, by who sits in for him

    @property
    def people(self) -> set[int]:
        """The two pairs, and who sits in for one of them."""
        return {*self.seated, *self.sits_in}

    def complete(self, came: Collection[int]) -> bool:
        """Whether in each seat somebody has come to the table: who sits there, or who sits in for him."""
        there = {each for each in self.seated if each in came}
        return there | {missing for other, missing in self.sits_in.items() if other in came} == {*self.seated}


def played_round(event: Event) -> int:
    """The round that is played, also while the clock stands; raises EventState."""
    if event.course.doing is not State.RUNNING or event.course.round is None:
        raise EventState(event.course.state.value)
    return event.course.round


def _sitting(connection: Connection, event: Event, number: int, table: int) -> _Sitting:
    """Who sits at a table of a round; raises TableNotInRound."""
    match = next(
        (each for each in event_rounds.matches(connection, event.id, number) if each.table == table), None
    )
    if match is None:
        raise TableNotInRound(number, table)
    entries = {each.number: each for each in event_entries.of_event(connection, event.id)}
    seated = seats_of(match, entries)
    now = event_substitutes.current(connection, event.id, number)
    sits_in = {each.substitute: each.player for each in now if each.player in seated}
    return _Sitting(match, seated, sits_in)


def seats_of(match: Match, entries: dict[int, Entry]) -> tuple[int, int, int, int]:
    """Numbers of the players at a table: N, E, S, W."""
    (north, south), (east, west) = entries[match.ns].players, entries[match.ew].players
    return north, east, south, west


def _tell(connection: Connection, event: Event, match: Match, changed: Tree, now: datetime) -> None:
    # As many of these come as there are players and boards: the tree is not made twice for each.
    tell(connection, event.id, KIND, {"tables": {str(match.table): changed}}, now)


def _going_on(event: Event) -> None:
    if event.course.state in events.OVER:
        raise EventState(event.course.state.value)


def _entry_of(connection: Connection, number: int, name: str) -> tuple[int, Player]:
    """The pair of a player; raises NotEntered, also of whom nobody knows."""
    player = players.find(connection, [name]).get(name)
    entry = None if player is None else event_people.entry_of(connection, number, player)
    if player is None or entry is None:
        raise NotEntered(name)
    return entry, player


def check_members(people: Iterable[Player]) -> None:
    """Raises MembersOnly: events are for members, as far as it is known when they enter or sit in."""
    for each in people:
        if not each.member:
            raise MembersOnly(each.id)


def missing_player(connection: Connection, number: int, name: str) -> tuple[int, int]:
    """The pair of a player who is missing, and the account that he is entered by."""
    entry, player = _entry_of(connection, number, name)
    pair = next(each for each in event_entries.of_event(connection, number) if each.number == entry)
    return entry, event_people.account_of(connection, pair.players, player) or player.number


def _known(connection: Connection, name: str) -> Player:
    player = players.find(connection, [name]).get(name)
    if player is None:
        raise NotAtTable(name)
    return player
