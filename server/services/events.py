"""Events: announced, read, called off, published."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.event_rules import EventRules, Kind
from server.bridge.swiss_clock import State
from server.bridge.swiss_draw import FirstRound
from server.bridge.swiss_event import WrongState, cancelled
from server.bridge.swiss_scoring import Scoring
from server.services import event_field, event_people, event_scoring
from server.services.event_course import Keeper
from server.services.event_errors import DirectorPlays, EventNotFound, EventState, InvalidEvent, NotYourEvent
from server.services.event_room import player_numbers
from server.services.event_snapshot import channel as channel_of
from server.services.event_snapshot import list_again, players_in, telling, tree, with_names
from server.services.tokens import Caller, Scope
from server.storage import (
    audit,
    bulletins,
    events,
    players,
)
from server.storage.database import Database
from server.storage.events import Carried, Event, Named, seconds
from server.storage.ids import event_id


@dataclass(frozen=True, slots=True)
class EventView:
    """An event as everybody may see it."""

    event: Event
    tree: dict[str, object]  # with players' ids
    position: int  # in its channel


@dataclass(frozen=True, slots=True)
class Announced:
    """What an organiser announces."""

    name: str
    rules: EventRules
    seeded: tuple[str, ...] = ()  # players' ids
    protected: tuple[str, ...] = ()  # players' ids


def create(
    connection: Connection,
    client: int,
    wanted: Announced,
    create_players: bool,
    now: datetime,
    carried: tuple[Carried, ...] = (),
) -> Event:
    """Announce an event. Raises InvalidEvent, UnknownPlayer. ``carried``: into it from an earlier one."""
    check_start(wanted.rules.start_at, now)
    _check_effects(wanted)
    names = [*wanted.seeded, *wanted.protected]
    numbers = player_numbers(connection, names, create_players, now) if names else {}
    made = events.add(
        connection,
        client,
        wanted.name,
        wanted.rules,
        Named(
            {numbers[name] for name in wanted.seeded}, {numbers[name] for name in wanted.protected}, carried
        ),
        now,
    )
    audit.add(connection, [audit.Entry(client, "event", event_id(made.id), wanted.rules.kind.value)], now)
    list_again(connection, tree(connection, made), now)
    return made


def check_start(start_at: float, now: datetime) -> None:
    """Raises InvalidEvent when an event would have begun before it is announced."""
    if start_at <= seconds(now):
        raise InvalidEvent("/start_at", "this instant has passed")


def _check_effects(wanted: Announced) -> None:
    """Raises InvalidEvent for what would be taken and do nothing: its organiser believes that it does."""
    rules = wanted.rules
    pairs, drawn = rules.kind is Kind.PAIRS, rules.first_round is FirstRound.SEEDED_DRAW
    if rules.band and rules.scoring is not Scoring.VP:
        raise InvalidEvent("/band", "these scores are no victory points, which alone have a band of ties")
    if pairs and drawn:
        raise InvalidEvent("/first_round", "a pairs event draws each of its rounds alike")
    if pairs and wanted.seeded:
        raise InvalidEvent("/seeded", "only the first round of Swiss pairs knows seeds")
    if wanted.seeded and not drawn:
        raise InvalidEvent("/seeded", "the first round is no seeded draw, so that seeds would do nothing")
    if rules.protected_places and not rules.places:
        raise InvalidEvent("/protected_places", "no places qualify here, so that none can be protected")
    if rules.timing.absent_s > rules.timing.round_s:
        raise InvalidEvent("/absent_s", "nobody would be absent, as a round is over before that")


def owned(connection: Connection, keeper: Keeper, number: int, caller: Caller, now: datetime) -> Event:
    """The event, locked, for its organiser. Raises EventNotFound, NotYourEvent."""
    event = keeper.open(connection, number, now)
    if event.client != caller.client and not caller.may(Scope.ADMIN):
        raise NotYourEvent
    return event


def directed(connection: Connection, keeper: Keeper, number: int, caller: Caller, now: datetime) -> Event:
    """The event, locked, for a director. Raises EventNotFound, DirectorPlays."""
    event = keeper.open(connection, number, now)
    check_no_part(connection, number, caller.player)
    return event


def check_no_part(connection: Connection, number: int, name: str | None) -> None:
    """Raises DirectorPlays when a director, who is this player, has a part in the event by any account."""
    if event_people.has_part(connection, number, name):
        raise DirectorPlays


async def get(database: Database, number: int) -> EventView:
    """One event. Raises EventNotFound."""
    return await database.read(lambda connection: view(connection, number))


def view(connection: Connection, number: int) -> EventView:
    """One event, within a transaction. Raises EventNotFound."""
    event = existing(connection, number)
    told = tree(connection, event)
    position = bulletins.kept(connection, channel_of(number)).last
    return EventView(event, named(connection, told), position)


def named(connection: Connection, told: dict[str, object]) -> dict[str, object]:
    """A tree with players' ids in place of their numbers."""
    known = players.by_number(connection, players_in(told))
    found: dict[str, object] = with_names(told, {number: each.public_id for number, each in known.items()})
    return found


def existing(connection: Connection, number: int) -> Event:
    """The event; raises EventNotFound."""
    event = events.get(connection, number)
    if event is None:
        raise EventNotFound(event_id(number))
    return event


async def page(
    database: Database, kind: Kind | None, state: State | None, before: int, limit: int
) -> Sequence[Event]:
    """Events, newest first."""
    return await database.read(lambda connection: events.page(connection, kind, state, before, limit))


def cancel(connection: Connection, keeper: Keeper, number: int, caller: Caller, now: datetime) -> EventView:
    """Call an event off. Raises EventNotFound, NotYourEvent, EventState once it has started."""
    event = owned(connection, keeper, number, caller, now)
    try:
        step = cancelled(event.course, seconds(now))
    except WrongState as error:
        raise EventState(event.course.state.value) from error
    with telling(connection, number, now):
        keeper.do(connection, event, step, now)
        events.say_why(connection, number, None)
    noted(connection, caller, "event cancel", number, "", now)
    return view(connection, number)


def publish(connection: Connection, keeper: Keeper, number: int, caller: Caller, now: datetime) -> EventView:
    """Publish the results of a pairs event that is over: boards and standings are there for everybody.

    Again: nothing changes. Raises EventNotFound, NotYourEvent, EventState.
    """
    event = owned(connection, keeper, number, caller, now)
    if event.course.state is not State.FINISHED:
        raise EventState(event.course.state.value)
    if event.published_at is None:
        with telling(connection, number, now):
            events.publish(connection, number, now)
            event_scoring.reveal(connection, event, None, now)
            keeper.award(connection, event_field.load(connection, event), now)
        noted(connection, caller, "event publish", number, "", now)
    return view(connection, number)


def noted(connection: Connection, caller: Caller, verb: str, number: int, detail: str, now: datetime) -> None:
    """Note in the audit what somebody did."""
    if caller.client is not None:
        audit.add(connection, [audit.Entry(caller.client, verb, event_id(number), detail)], now)
