"""Computing everything again from the results, and naming every figure that differs."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import msgspec
from sqlalchemy import Connection

from server.bridge.score import score_ns
from server.bridge.traveller import Award
from server.services import bulletins, event_scoring
from server.services.event_field import stored
from server.storage import checks, event_rounds, events
from server.storage.checks import StoredBoard
from server.storage.database import Database
from server.storage.ids import board_id, event_id, result_id
from server.storage.results import Result, StandingAward

PAGE = 200  # boards in one read


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A stored figure that is not what the results give."""

    where: str  # id of the board or result
    what: str
    stored: str
    computed: str


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
            yield Verified(0, 0, (*wrong, *await _late(database, now)))
            return
        yield found
        after = last


def _events(connection: Connection) -> list[Discrepancy]:
    """Rounds of events whose stored scores are not what their results give."""
    found = []
    for event in events.page(connection, None, None, 0, None):
        kept = event_rounds.scores(connection, event.id)
        for round_ in event_rounds.rounds(connection, event.id):
            if round_.scored_at is None:
                continue
            scores = [
                stored(round_.number, each) for each in event_scoring.computed(connection, event, round_)
            ]
            where, number = event_id(event.id), round_.number
            mine = {each.entry: each for each in kept if each.round == number}
            told = {each.entry: each for each in scores}
            found += list(_differ(where, f"scores of round {number}", mine, told))
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


def check(stored: StoredBoard) -> Iterator[Discrepancy]:
    """Everything about one board that is not what its results give."""
    board = stored.board
    named = board_id(board.id)
    live = [result for result in stored.results if result.live]
    for result in stored.results:
        score = score_ns(result.outcome, board.vulnerability)
        if score != result.score:
            yield Discrepancy(result_id(board.id, result.sequence), "score", str(result.score), str(score))
    yield from _differ(named, "scores", board.scores, tuple(result.score for result in live))
    sequences = [result.sequence for result in stored.results]
    yield from _differ(named, "last sequence", board.last_sequence, max(sequences, default=0))
    played = frozenset((player, result.sequence) for result in live for player in _people(result))
    yield from _differ(named, "plays", sorted(stored.plays), sorted(played))
    yield from _differ(named, "players and clients that are none", sorted(stored.strangers), [])
    orphans = sorted(stored.awards.keys() - set(sequences))
    yield from _differ(named, "awards of no result", orphans, [])
    if board.week is None:
        # The end of its round closes a board of an event, not a number of results; and nothing is awarded.
        yield from _differ(named, "awards", sorted(stored.awards), [])
        return
    full = board.terms.retire_at is not None and len(live) >= board.terms.retire_at
    if full and board.retired_at is None:
        yield Discrepancy(named, "retired", "no", "yes")
    if len(live) < len(stored.results):
        return  # rulings fix awards that arrivals alone do not give, and keep a board retired
    if board.retired_at is not None and not full:
        yield Discrepancy(named, "retired", "yes", "no")
    yield from _check_awards(stored)


def _people(result: Result) -> tuple[int, ...]:
    """Numbers of everybody who played the board at this table, in part too."""
    details = msgspec.json.decode(result.details) if result.details else {}
    return (*result.players, *details.get("replaced", {}).values())


def _check_awards(stored: StoredBoard) -> Iterator[Discrepancy]:
    traveller = replace(stored.board.traveller, scores=(), retired=False)
    computed: dict[int, StandingAward] = {}
    for result in stored.results:
        if traveller.retired:
            yield Discrepancy(result_id(stored.board.id, result.sequence), "result", "there", "one too many")
            return
        arrival = traveller.add(result.score)
        traveller = arrival.traveller
        computed |= {stored.results[award.index].sequence: _standing(award) for award in arrival.awards}
    for result in stored.results:
        named, sequence = result_id(stored.board.id, result.sequence), result.sequence
        yield from _differ(named, "award", stored.awards.get(sequence), computed.get(sequence))


def _standing(award: Award) -> StandingAward:
    return StandingAward(award.score, award.datum, award.results)


def _differ(where: str, what: str, stored: object, computed: object) -> Iterator[Discrepancy]:
    if stored != computed:
        yield Discrepancy(where, what, str(stored), str(computed))
