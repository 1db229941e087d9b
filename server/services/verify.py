"""Computing everything again from the results, and naming every figure that differs."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import astuple, dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from server.services import bulletins, event_field, event_points, event_scoring, search_words
from server.services.event_field import Field, stored
from server.services.verify_boards import Discrepancy, check, differ
from server.storage import checks, event_entries, event_rounds, events, search
from server.storage.database import Database
from server.storage.ids import event_id

PAGE, PLAYERS = 200, 5000  # boards and players in one read


@dataclass(frozen=True, slots=True)
class Verified:
    """Some boards that were computed again."""

    boards: int
    results: int
    discrepancies: tuple[Discrepancy, ...]


async def verify(database: Database, now: datetime) -> AsyncIterator[Verified]:
    """Compute every board again, a page at a time; last the rounds of events, and messages not numbered."""
    after = 0
    while True:
        found, last = await database.read(partial(_page, after))
        if last is None:
            wrong = await database.read(_events)
            yield Verified(0, 0, (*wrong, *await _names(database), *await _late(database, now)))
            return
        yield found
        after = last


def _events(connection: Connection) -> list[Discrepancy]:
    """Events of which something stored is not what their results give."""
    found = []
    for event in events.page(connection, None, None, 0, None):
        field = event_field.load(connection, event)
        kept = event_rounds.scores(connection, event.id)
        for round_ in field.rounds:
            if round_.scored_at is None:
                continue
            scores = [
                stored(round_.number, each) for each in event_scoring.computed(connection, event, round_)
            ]
            where, number = event_id(event.id), round_.number
            mine = {each.entry: each for each in kept if each.round == number}
            told = {each.entry: each for each in scores}
            found += list(differ(where, f"scores of round {number}", mine, told))
        found += _follows(connection, field)
    return found


def _follows(connection: Connection, field: Field) -> Iterator[Discrepancy]:
    """What follows from the scores of an event, as they are stored: who is not paired, master points."""
    where = event_id(field.event.id)
    absent = {each.number: each.absent_in for each in field.entries if each.absent_in is not None}
    yield from differ(where, "absent pairs", absent, dict(sorted(field.absences.items())))
    if field.event.published_at is not None:
        given = sorted(event_entries.awards(connection, field.event.id), key=astuple)
        yield from differ(where, "master points", given, sorted(event_points.awards(field), key=astuple))


async def _names(database: Database) -> list[Discrepancy]:
    """Players who are found by other words than those of the name that is shown."""
    found, after = list[Discrepancy](), 0
    while page := await database.read(partial(search.words_of, after=after, limit=PLAYERS)):
        for number, name, kept in page:
            words = set(search_words.found_by(name or ""))
            found += differ(f"player {number}", "words of the name", sorted(kept), sorted(words))
        after = page[-1][0]
    return found


async def _late(database: Database, now: datetime) -> list[Discrepancy]:
    late = await bulletins.late(database, now)
    what = "unnumbered for more than a minute; is the timetable running?"
    return [Discrepancy("bulletins", what, str(late), "0")] if late else []


def _page(after: int, connection: Connection) -> tuple[Verified, int | None]:
    numbers = checks.board_numbers(connection, after, PAGE)
    results, found = 0, []
    for each in checks.stored(connection, numbers):
        results += len(each.results)
        found += list(check(each))
    return Verified(len(numbers), results, tuple(found)), numbers[-1] if numbers else None
