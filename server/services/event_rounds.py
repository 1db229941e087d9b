"""Starting a round of an event: who meets whom, at which table, on which boards."""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.datum import parse_schedule
from server.bridge.deal import Deal
from server.bridge.event_rules import EventRules, Kind
from server.bridge.pairs_draw import Plan, as_planned, draw
from server.bridge.pool import ScoringMethod, Terms
from server.bridge.seats import dealer_of, vulnerability_of
from server.bridge.swiss_by_hand import Objection, arisen, higher_first, objections
from server.bridge.swiss_draw import FirstRound, PairedRound, first_round
from server.bridge.swiss_pairing import pair_round
from server.bridge.swiss_scoring import Scoring
from server.bridge.swiss_tables import Table, boards_of_round, lean_to_ns, seat
from server.services.boards import fresh_deal
from server.services.event_field import Field
from server.storage import audit, event_entries, event_rounds
from server.storage.boards import Board
from server.storage.event_rounds import ByHand, Match
from server.storage.events import Event
from server.storage.ids import event_id

Dealing = Callable[[int, int], Deal]  # of a board of an event: by the event's number and its own


def fresh(_event: int, _number: int) -> Deal:
    """Cards that nobody can know beforehand."""
    return fresh_deal()


_METHODS = {
    Scoring.CROSS_IMPS: ScoringMethod.CROSS_IMPS,
    Scoring.DATUM: ScoringMethod.DATUM,
    Scoring.TOTAL_IMP: ScoringMethod.CROSS_IMPS,
    Scoring.MATCHPOINTS: ScoringMethod.MATCHPOINTS,
}


def start(
    connection: Connection, field: Field, number: int, at: datetime, now: datetime, deal: Dealing
) -> None:
    """Pair round ``number``, seat everybody and deal its boards, in the caller's transaction."""
    event = field.event
    wanted = _wanted(connection, field, number, now)
    if wanted is not None:
        seed, paired = None, by_hand(field, number, wanted, now)
    else:
        seed = _seed(field, number, now)
        paired = _paired(field, number, seed or 0, now)
    event_rounds.start(connection, event.id, number, seed, paired.sit_outs, at)
    # Whoever was absent before plays again: from now on it counts whether he is absent here.
    playing = [pair for match in paired.matches for pair in match] + list(paired.sit_outs)
    event_entries.change(connection, event.id, playing, absent_in=None, ready=False)
    tables = seat(paired.matches, event.rules.seating, lean_before(field, number))
    rows = [Match(number, each.number, each.ns, each.ew, each.sits_first) for each in tables]
    event_rounds.keep_matches(connection, event.id, number, rows)
    numbers = boards_of_round(number, event.rules.boards)
    made = [_board(event.rules, board, deal(event.id, board)) for board in numbers]
    event_rounds.add_boards(connection, event.id, number, made, now)


def lean_before(field: Field, number: int) -> dict[int, int]:
    """By how much each pair has sat North-South more often than East-West in the rounds before this one."""
    return lean_to_ns(
        Table(each.table, each.ns, each.ew, each.sits_first) for each in field.matches if each.round < number
    )


def order(field: Field, number: int, now: datetime) -> list[int]:
    """The pairs of a round in the order in which they are paired; by registration in the first."""
    if number == 1:
        return list(field.active(number, now))
    return field.order(number, now)


def against(field: Field, number: int, wanted: ByHand, now: datetime) -> tuple[Objection[int], ...]:
    """Everything that speaks against a round as a director wants it."""
    paired = PairedRound(wanted.matches, wanted.sit_outs)
    return objections(paired, order(field, number, now), field.meetings_by(number), field.byes_by(number))


def by_hand(field: Field, number: int, wanted: ByHand, now: datetime) -> PairedRound[int]:
    """A round as a director wants it, with the higher ranked of each match first."""
    return PairedRound(higher_first(wanted.matches, order(field, number, now)), wanted.sit_outs)


def _wanted(connection: Connection, field: Field, number: int, now: datetime) -> ByHand | None:
    """The round as a director wants it.

    Where something speaks against it that did not when he said so, it is dropped, and paired as if nobody had
    asked: who plays has changed since, or who has met or sat out.
    """
    wanted = next((each.by_hand for each in field.rounds if each.number == number), None)
    if wanted is None:
        return None
    new = arisen(against(field, number, wanted, now), wanted.despite)
    if not new:
        return wanted
    dropped = ByHand(wanted.matches, wanted.sit_outs, wanted.despite, new)
    event_rounds.keep_by_hand(connection, field.event.id, number, dropped)
    said = f"{number}: what was wanted by hand could not be played"
    if not any(each.fault.forbids for each in new):
        told = ", ".join(" ".join([each.fault.value, *map(str, each.pairs)]) for each in new)
        said = f"{number}: what was wanted by hand was dropped for what arose since: {told}"
    audit.add(connection, [audit.Entry(audit.ITSELF, "pairing", event_id(field.event.id), said)], now)
    return None


def _paired(field: Field, number: int, seed: int, now: datetime) -> PairedRound[int]:
    rules, playing = field.event.rules, order(field, number, now)
    if rules.kind is Kind.PAIRS:
        plan = Plan(_starters(field), rules.rounds, seed)
        return draw(plan, sorted(playing), number, field.meetings(number), field.byes)
    if number == 1:
        return first_round(rules.first_round, playing, field.seeded, seed)
    return pair_round(playing, field.meetings(number), field.byes, number)


def _starters(field: Field) -> tuple[int, ...]:
    """Pairs that started, in order of registration: before the first round, those that are there."""
    return tuple(each.number for each in field.entries if each.first_round == 1)


def _seed(field: Field, number: int, now: datetime) -> int | None:
    """Of the draw that a round follows from; it is published with the round. None: nothing is drawn.

    All rounds of a pairs event that are drawn have the same, as their plan has.
    """
    rules = field.event.rules
    if rules.kind is Kind.SWISS_PAIRS:
        drawn = number == 1 and rules.first_round is FirstRound.SEEDED_DRAW
        return secrets.randbits(64) if drawn else None
    plan = Plan(_starters(field), rules.rounds, 0)
    if as_planned(plan, order(field, number, now), field.meetings(number)):
        return None
    kept = (each.seed for each in field.rounds if each.seed is not None)
    seed = next(kept, None)
    return secrets.randbits(64) if seed is None else seed


def _board(rules: EventRules, number: int, deal: Deal) -> Board:
    # One result makes a board scored, and no number of them retires it: the end of its round does.
    terms = Terms(_METHODS[rules.scores.by_board], 1, None, parse_schedule(rules.trim))
    return Board(
        id=0,
        week=None,
        pool=None,
        number=number,
        dealer=dealer_of(number),
        vulnerability=vulnerability_of(number),
        deal=deal,
        terms=terms,
        scores=(),
        last_sequence=0,
        retired_at=None,
        withdrawn_at=None,
        version=1,
        change=0,
    )


def tables_of(field: Field, number: int) -> Sequence[Match]:
    """The tables of a round."""
    return [each for each in field.matches if each.round == number]


def belongs(event: Event, number: int) -> bool:
    """Whether the event has such a round."""
    return 1 <= number <= event.rules.rounds
