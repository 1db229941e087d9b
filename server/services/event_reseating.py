"""Pairing a round anew while it is played: what was dealt, who has come, and by when one has to."""

from collections.abc import Iterable, Set
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.swiss_by_hand import Objection
from server.bridge.swiss_draw import PairedRound
from server.bridge.swiss_reseating import Dealt, idle, reseated, tables_anew, torn
from server.bridge.swiss_tables import Table
from server.services import event_people, event_rounds, event_scoring
from server.services.event_field import Field
from server.storage import assignments, event_entries, event_substitutes, events, players
from server.storage import event_rounds as stored_rounds
from server.storage.event_rounds import ByHand, Match
from server.storage.events import Event, seconds


def against(
    connection: Connection, field: Field, number: int, wanted: ByHand, now: datetime
) -> tuple[Objection[int], ...]:
    """What speaks against it besides what does before a round; ``wanted`` is a round that can be played."""
    before = _tables(field, number)
    tables = _anew(field, number, before, event_rounds.by_hand(field, number, wanted, now))
    dealt = reseated(before, tables, _seen(connection, field, number))
    return torn(before, tables) + idle(before, tables, dealt, field.event.rules.boards)


def reseat(connection: Connection, field: Field, number: int, wanted: ByHand, now: datetime) -> None:
    """Store the new tables in place of the old ones.

    Whoever has come has come, wherever he sits now. Since pairs that had no table may have one, everybody has
    as long to come as from the start of the round.
    """
    event, before = field.event, _tables(field, number)
    paired = event_rounds.by_hand(field, number, wanted, now)
    tables = _anew(field, number, before, paired)
    dealt = reseated(before, tables, _seen(connection, field, number))
    rows = [
        Match(number, each.number, each.ns, each.ew, each.sits_first, so_far.boards, so_far.skipped)
        for each, so_far in zip(tables, dealt, strict=True)
    ]
    stored_rounds.keep_matches(connection, event.id, number, rows)
    stored_rounds.sit_out(connection, event.id, number, paired.sit_outs)
    playing = [pair for match in paired.matches for pair in match] + list(paired.sit_outs)
    event_entries.change(connection, event.id, playing, ready=False)
    event_scoring.keep_absences(connection, event)
    _still_ready(connection, field, number, set(playing))
    if set(tables) != set(before):
        _give_time(connection, event, now)


def _still_ready(connection: Connection, field: Field, number: int, playing: Set[int]) -> None:
    """Whoever was to play and is left out of it, had said that he was ready if he was absent before: he still
    is.
    """
    mine = next(each for each in field.rounds if each.number == number)
    before = {pair for each in event_rounds.tables_of(field, number) for pair in (each.ns, each.ew)}
    left_out = (before | set(mine.sit_outs)) - playing
    entries = event_entries.of_event(connection, field.event.id)
    absent = [each.number for each in entries if each.number in left_out and each.absent_in is not None]
    event_entries.change(connection, field.event.id, absent, ready=True)


def _tables(field: Field, number: int) -> dict[Table[int], Dealt]:
    return {
        Table(each.table, each.ns, each.ew, each.sits_first): Dealt(each.dealt, each.skipped)
        for each in event_rounds.tables_of(field, number)
    }


def _anew(
    field: Field, number: int, before: Iterable[Table[int]], paired: PairedRound[int]
) -> tuple[Table[int], ...]:
    lean = event_rounds.lean_before(field, number)
    return tables_anew(before, paired.matches, field.event.rules.seating, lean)


def _seen(connection: Connection, field: Field, number: int) -> dict[int, int]:
    """How many boards of the round each pair has seen, or who sits or has sat in for one of them."""
    rows = list(stored_rounds.board_numbers(connection, field.event.id, number).values())
    pairs = {player: each.number for each in field.entries for player in each.players}
    for each in event_substitutes.of_event(connection, field.event.id, number):
        pairs[each.substitute] = each.entry
    # Whoever reported that somebody left a board may have named any of the accounts of who sat there.
    whose = event_people.persons(connection, pairs)
    by_person = {whose[account]: pair for account, pair in pairs.items()}
    people = {
        account: by_person[person] for account, person in players.accounts(connection, by_person).items()
    } | pairs
    found: dict[int, int] = {}
    for board, player in assignments.exposed(connection, rows, people):
        pair = people[player]
        found[pair] = max(found.get(pair, 0), rows.index(board) + 1)
    return found


def _give_time(connection: Connection, event: Event, now: datetime) -> None:
    course = event.course
    at = (
        seconds(now) if course.paused_at is None else course.paused_at
    )  # while the clock stands, so does this
    by = max(course.appear_by or 0, at + event.rules.timing.absent_s)
    events.keep_course(connection, event, replace(course, appear_by=by), now)
