"""Scoring a round of an event from the results of its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from server.bridge.adjustments import Entry, Played
from server.bridge.event_rules import Kind
from server.bridge.seats import Side
from server.bridge.swiss_field import Presence, presence
from server.bridge.swiss_progress import TableSoFar
from server.bridge.swiss_round import PlayedTable, RoundScore, round_scores
from server.bridge.swiss_tables import boards_of_round
from server.services import event_field
from server.services.event_field import stored
from server.storage import boards as stored_boards
from server.storage import event_adjustments, event_entries, event_rounds, event_substitutes
from server.storage.event_rounds import Round, table_name
from server.storage.events import EPOCH, Event


@dataclass(frozen=True, slots=True)
class Supposed:
    """A board of a round at a table as a ruling would have it."""

    board: int  # by its number in the event
    table: str
    entry: Entry | None  # None: nothing that counts


def score_round(connection: Connection, event: Event, number: int, now: datetime) -> None:
    """Score a round that is over and store it; reveal its boards unless the organiser does so himself."""
    rescore(connection, event, number, now)
    if event.kind is Kind.SWISS_PAIRS:
        reveal(connection, event, number, now)


def rescore(connection: Connection, event: Event, number: int, now: datetime) -> Sequence[RoundScore]:
    """Compute the scores of a round from what is known now, and store them in place of the old ones.

    Whatever moves a result or a board of the round (a ruling) calls this in its own transaction. Who is not
    paired because he was absent follows too: a ruling may have shown that he came, or that he did not.
    Totals and ranks follow when they are read; pairings, seats and boards of rounds already started stay.
    """
    round_ = _round(connection, event, number)
    found = computed(connection, event, round_)
    event_rounds.keep_scores(connection, event.id, number, [stored(number, each) for each in found])
    event_rounds.scored(connection, event.id, number, round_.scored_at or now)
    keep_absences(connection, event)
    return found


def keep_absences(connection: Connection, event: Event) -> None:
    """Store who was absent in the last round that he was to play, where it is not what was stored."""
    field = event_field.load(connection, event)
    moved: dict[int | None, list[int]] = {}
    for entry in field.entries:
        if entry.absent_in != field.absences.get(entry.number):
            moved.setdefault(field.absences.get(entry.number), []).append(entry.number)
    for number, pairs in moved.items():
        event_entries.change(connection, event.id, pairs, absent_in=number)


def computed(
    connection: Connection, event: Event, round_: Round, supposed: Supposed | None = None
) -> Sequence[RoundScore]:
    """The scores of a round that is over, from what is known now, with one result as ``supposed``.

    Nothing is stored.
    """
    played = boards_of_round(round_.number, event.rules.boards)
    tables = _tables(connection, event, round_, supposed)
    return round_scores(event.rules.scores, played, tables, round_.sit_outs)


def supposed_scores(
    connection: Connection, event: Event, number: int, supposed: Supposed
) -> Sequence[RoundScore]:
    """As ``computed``, of a round by its number."""
    return computed(connection, event, _round(connection, event, number), supposed)


def _round(connection: Connection, event: Event, number: int) -> Round:
    return next(each for each in event_rounds.rounds(connection, event.id) if each.number == number)


def reveal(connection: Connection, event: Event, number: int | None, now: datetime) -> None:
    """Close the boards of a round, or of all, to further results: from now on everybody sees them."""
    numbers = event_rounds.board_numbers(connection, event.id, number)
    stored_boards.retire(connection, numbers.values(), now)


def _tables(
    connection: Connection, event: Event, round_: Round, supposed: Supposed | None = None
) -> list[PlayedTable]:
    entries: dict[str, dict[int, Entry]] = {}
    for board, name, _, score in event_rounds.results(connection, event.id, round_.number):
        # An assigned adjusted score (Law 12C1) stands in place of the result, and is compared like it.
        entries.setdefault(name, {})[board] = Played(score)
    # An artificial one (Law 12C2) is awarded where there is no result, and never compared.
    artificial = event_adjustments.standing(connection, event.id, round_.number)
    for (board, table), awarded in artificial.items():
        entries.setdefault(table_name(round_.number, table), {})[board] = awarded
    if supposed is not None:
        mine = entries.setdefault(supposed.table, {})
        mine.pop(supposed.board, None)
        if supposed.entry is not None:
            mine[supposed.board] = supposed.entry
    came = arrivals(connection, event, round_.number)
    # Who played a result came, whatever was ruled about it; and who was awarded a score.
    played = event_rounds.appeared(connection, event.id, round_.number) | entries.keys()
    pairs = {each.number: each.players for each in event_entries.of_event(connection, event.id)}
    boards = boards_of_round(round_.number, event.rules.boards)
    return [
        PlayedTable(
            match.ns,
            match.ew,
            entries.get(match.name, {}),
            _presence(event, round_, pairs[match.ns], came, match.name in played),
            _presence(event, round_, pairs[match.ew], came, match.name in played),
            frozenset(boards[: match.skipped]),
        )
        for match in event_rounds.matches(connection, event.id, round_.number)
    ]


def absent(connection: Connection, event: Event, number: int) -> set[int]:
    """Pairs that have been absent for a whole round that is over."""
    round_ = _round(connection, event, number)
    return {
        table.pair(side)
        for table in _tables(connection, event, round_)
        for side in Side
        if table.presence(side) is Presence.ABSENT
    }


def arrivals(connection: Connection, event: Event, number: int) -> dict[int, datetime]:
    """When players came to their tables in a round; who has or had a substitute came when the first did."""
    came = event_rounds.arrivals(connection, event.id, number)
    for each in event_substitutes.of_event(connection, event.id, number):
        if each.substitute in came:
            came[each.player] = min(came.get(each.player, came[each.substitute]), came[each.substitute])
    return came


def _presence(
    event: Event, round_: Round, players: tuple[int, int], came: Mapping[int, datetime], has_result: bool
) -> Presence:
    """Whether a pair came. A result says that all four did, whatever else was told or ruled."""
    if round_.appear_by is None or round_.ended_at is None:
        raise RuntimeError("a round that is not over has no scores")
    appear_by = _exact(round_.appear_by)
    planned = round_.ended_at - timedelta(seconds=event.rules.last_board_s)
    # A round that was over early was planned to be longer.
    playable = _exact(round_.playable_until or planned)
    instants = [_exact(came[player]) if player in came else None for player in players]
    if has_result:
        instants = [appear_by if instant is None else instant for instant in instants]
    found = presence(instants, appear_by, max(playable, appear_by))
    return Presence.LATE if has_result and found is Presence.ABSENT else found


def _exact(instant: datetime) -> int:
    """Microseconds since 1970."""
    return (instant - EPOCH) // timedelta(microseconds=1)


def told_so_far(connection: Connection, event: Event, number: int) -> list[TableSoFar]:
    """How far the tables of a round are that is played or closed just now.

    Whoever has not come is waited for in vain only where it is told who comes: a table may play without.
    """
    boards = tuple(boards_of_round(number, event.rules.boards))
    told: dict[str, set[int]] = {}
    for board, name, *_ in event_rounds.results(connection, event.id, number):
        told.setdefault(name, set()).add(board)
    played = set(told)
    for board, table in event_adjustments.standing(connection, event.id, number):
        told.setdefault(table_name(number, table), set()).add(board)
    came = arrivals(connection, event, number)
    pairs = {each.number: each.players for each in event_entries.of_event(connection, event.id)}
    found = []
    for match in event_rounds.matches(connection, event.id, number):
        missing = any(player not in came for player in (*pairs[match.ns], *pairs[match.ew]))
        waits = bool(came) and missing and match.name not in played
        mine, dealt = boards[match.skipped :], match.dealt - match.skipped
        found.append(TableSoFar(mine, told.get(match.name, set()), dealt, waits))
    return found
