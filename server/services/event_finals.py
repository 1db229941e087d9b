"""From a qualification to its final: who goes on, and what each pair takes along."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import Connection

from server.bridge.qualifying import Finalist, carry_over
from server.bridge.swiss_clock import State
from server.bridge.swiss_scoring import Scoring
from server.services import event_field, event_reading
from server.services.event_errors import EntryNotFound, EventState, InvalidEvent
from server.services.event_field import Field
from server.services.event_play import Desk
from server.services.event_reading import FieldView
from server.services.event_snapshot import telling
from server.services.events import noted
from server.services.tokens import Caller
from server.storage import event_entries, events
from server.storage.database import Database
from server.storage.events import Carried


@dataclass(frozen=True, slots=True)
class Going:
    """A pair that goes on."""

    pair: int
    rank: int
    score: int  # hundredths
    protected: bool  # by a protected place alone
    earlier_ranks: tuple[int, ...]  # in earlier qualifications
    carried: int  # hundredths of a VP


@dataclass(frozen=True, slots=True)
class QualifiersView:
    """Who goes on as it stands now; nobody where no places were announced, or results are not public."""

    view: FieldView
    going: tuple[Going, ...]  # best first


async def qualifiers(database: Database, number: int, caller: Caller) -> QualifiersView:
    """Who goes on from an event. Raises EventNotFound."""
    view = await event_reading.field(database, number, caller)
    return QualifiersView(view, going(view.field) if view.open else ())


def going(field: Field) -> tuple[Going, ...]:
    """Who goes on, with carry-over: the best 20 VPs, the last that is not protected nothing, and bonuses."""
    found = field.qualified()
    if found is None:
        return ()
    ranks = {each.pair: each.rank or 0 for each in field.placings}
    earlier = {each.number: each.earlier_ranks for each in field.entries}
    pairs = [*found.by_score, *found.protected]
    finalists = [
        Finalist(pair, Fraction(field.standings[pair].score), pair in found.protected, earlier[pair])
        for pair in pairs
    ]
    carried = carry_over(finalists)
    return tuple(
        Going(
            each.pair,
            ranks[each.pair],
            field.standings[each.pair].score,
            each.protected,
            each.bonus_ranks,
            carried[each.pair],
        )
        for each in finalists
    )


def carried_from(connection: Connection, number: int | None, scoring: Scoring) -> tuple[Carried, ...]:
    """What pairs bring from a qualification into its final, which is scored so. Raises InvalidEvent."""
    where = "/carry_over_from"
    if scoring is not Scoring.VP:
        raise InvalidEvent(where, "only victory points are carried over")
    event = None if number is None else events.get(connection, number)
    if event is None:
        raise InvalidEvent(where, "there is no such event")
    if event.course.state is not State.FINISHED or event.published_at is None:
        raise InvalidEvent(where, "it is not over, or its results are not published")
    field = event_field.load(connection, event)
    people = {each.number: each.players for each in field.entries}
    found = going(field)
    if not found:
        raise InvalidEvent(where, "nobody goes on from it")
    return tuple(Carried(people[each.pair], each.carried) for each in found)


def set_earlier_ranks(
    connection: Connection, desk: Desk, number: int, entry: int, ranks: Sequence[int]
) -> None:
    """Note where a pair has come in earlier qualifications, in place of what was noted before.

    Raises EventNotFound, NotYourEvent, EventState when the event was cancelled, EntryNotFound.
    """
    event = desk.open(connection, number)
    if event.course.state is State.CANCELLED:
        raise EventState(event.course.state.value)
    if all(each.number != entry for each in event_entries.of_event(connection, number)):
        raise EntryNotFound(str(entry))
    with telling(connection, number, desk.now):
        event_entries.change(connection, number, [entry], earlier_ranks=tuple(ranks))
    noted(connection, desk.caller, "earlier ranks", number, f"{entry}: {list(ranks)}", desk.now)
