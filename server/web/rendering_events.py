"""From an event's values to what the API gives."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from server.bridge.event_rules import EventRules
from server.bridge.registration import Outcome, Refused, Registered
from server.bridge.swiss_by_hand import Objection
from server.bridge.swiss_pairing import pairs_without_rematch
from server.bridge.swiss_round import RoundScore
from server.bridge.swiss_scoring import Scoring
from server.bridge.traveller import hundredths
from server.bridge.vp_scale import conversion_table
from server.services.event_field import Field
from server.services.event_play import seats_of
from server.services.event_reading import BoardView, CardView, FieldView, RoundView
from server.services.event_snapshot import told_against
from server.services.events import EventView
from server.storage.event_entries import Entry
from server.storage.event_rounds import Match
from server.storage.events import Event, moment
from server.storage.ids import event_id, result_id
from server.storage.players import Player
from server.web import schemas, schemas_events, schemas_rounds
from server.web.fields import Sides
from server.web.rendering import figure, figure_or_none, made_board, sides
from server.web.rendering_adjustments import artificial
from server.web.rendering_event_sums import card_sum, prizes_of


def event(view: EventView) -> schemas_events.Event:
    """An event as it stands."""
    values: dict[str, Any] = {**view.tree, "position": view.position}
    values["rules"] = msgspec.to_builtins(rules(view.event.rules))
    return msgspec.convert(values, schemas_events.Event)


def rules(found: EventRules) -> schemas_events.EventRulesView:
    """The rules of an event."""
    timing = found.timing
    by_vps = found.scoring is Scoring.VP
    table = conversion_table(found.vp_scale, found.boards) if by_vps else ()
    return schemas_events.EventRulesView(
        open_at=moment(found.open_at),
        start_at=moment(found.start_at),
        rounds=found.rounds,
        boards=found.boards,
        round_s=int(timing.round_s),
        closing_s=int(timing.closing_s),
        min_pairs=found.min_pairs,
        early_close=found.early_close,
        last_board_s=int(timing.last_board_s),
        absent_s=int(timing.absent_s),
        hold_s=int(found.hold_s),
        late_until=found.late_until,
        first_round=found.first_round,
        seating=found.seating,
        scoring=found.scoring,
        vp_scale=found.vp_scale,
        vp_from=found.vp_from,
        trim=found.trim,
        completed=found.completed,
        band=found.band,
        places=found.places,
        protected_places=found.protected_places,
        pairs_needed=pairs_without_rematch(found.rounds),
        vps=[Sides(figure(each.ours), figure(each.theirs)) for each in table] if by_vps else UNSET,
    )


def brief(found: Event) -> schemas_events.EventBrief:
    """An event in a list."""
    return schemas_events.EventBrief(
        id=event_id(found.id),
        kind=found.kind.value,
        name=found.name,
        state=found.course.state,
        round=found.course.round,
        open_at=moment(found.rules.open_at),
        start_at=moment(found.rules.start_at),
        rounds=found.rules.rounds,
    )


def outcomes(found: Sequence[Outcome]) -> schemas_events.RoomOutcomes:
    """What came of something in the registration room, but for refusals."""
    return schemas_events.RoomOutcomes(
        [
            schemas_events.RoomOutcome(
                what="registered" if isinstance(each, Registered) else "cancelled",
                at=moment(each.at),
                entry=each.number,
                players=list(each.players),
            )
            for each in found
            if not isinstance(each, Refused)
        ]
    )


def objections(found: Sequence[Objection[int]]) -> list[schemas_events.PairingObjection]:
    """What speaks against a pairing by hand."""
    return [msgspec.convert(told_against(each), schemas_events.PairingObjection) for each in found]


def round_view(found: RoundView) -> schemas_rounds.Round:
    """A round: pairings, seats, boards."""
    view, round_ = found.view, found.round
    entries = {each.number: each for each in view.field.entries}
    if round_.started_at is None:
        raise RuntimeError("a round that has not started is not shown")
    return schemas_rounds.Round(
        round=round_.number,
        started_at=round_.started_at,
        ended_at=round_.ended_at,
        scored=round_.scored_at is not None,
        seed=None if round_.seed is None or round_.by_hand is not None else str(round_.seed),
        by_hand=round_.by_hand is not None,
        tables=[_table(view, match, entries) for match in found.matches],
        sit_outs=list(round_.sit_outs),
        boards=[made_board(board) for board in found.boards],
    )


def entry_list(view: FieldView) -> schemas_rounds.EntryList:
    """The pairs of an event."""
    return schemas_rounds.EntryList(
        [
            schemas_rounds.EntryRow(
                entry=each.number,
                players=ids(view, each),
                names=names(view, each),
                registered_at=each.registered_at,
                first_round=each.first_round,
                withdrawn=each.withdrawn_at is not None,
                seeded=each.number in view.field.seeded,
                protected=each.number in view.field.protected,
            )
            for each in view.field.entries
        ]
    )


def standings(view: FieldView) -> schemas_rounds.Standings:
    """The standings; nothing in them before they are published."""
    found = view.field
    entries = {each.number: each for each in found.entries}
    going_on = found.qualified() if view.open and found.event.course.state.value == "finished" else None
    rows = []
    for placing in found.placings if view.open else ():
        entry, standing = entries[placing.pair], found.standings[placing.pair]
        given = view.masterpoints.get(entry.players[0], 0)
        by_score = going_on is not None and placing.pair in going_on.by_score
        protected = going_on is not None and placing.pair in going_on.protected
        rows.append(
            schemas_rounds.StandingRow(
                rank=placing.rank,
                entry=entry.number,
                players=ids(view, entry),
                names=names(view, entry),
                score=figure(standing.score),
                boards=standing.boards,
                rounds=_by_round(found, entry.number),
                deduction=figure(found.deduction(entry.number)),
                carried=figure(found.carried.get(entry.number, 0)),
                masterpoints=given if view.masterpoints else None,
                qualified="by_score" if by_score else "protected" if protected else None,
            )
        )
    return schemas_rounds.Standings(
        state=found.event.course.state,
        scored_rounds=found.scored if view.open else 0,
        rows=rows,
        prizes=prizes_of(view),
    )


def comparison(found: BoardView) -> schemas_rounds.BoardComparison:
    """A board of an event with what every table did, as far as it may be shown."""
    deal = None if found.board.deal is None or not found.traveller.open else str(found.board.deal)
    rows = []
    for row in found.traveller.rows if found.traveller.open else ():
        match = found.matches.get(row.result.table)
        contract, declarer = row.result.outcome.contract, row.result.outcome.declarer
        north, east, south, west = (player.public_id for player in row.players)
        rows.append(
            schemas_rounds.BoardRow(
                id=result_id(found.board.id, row.result.sequence),
                table=row.result.table,
                ns=None if match is None else match.ns,
                ew=None if match is None else match.ew,
                players=schemas.SeatedPlayers(north, east, south, west),
                contract="PASS" if contract is None else str(contract),
                declarer=None if declarer is None else declarer.value,
                tricks=row.result.outcome.tricks,
                lead=row.result.lead,
                score=row.result.score,
                field=sides(row.figures.field),
            )
        )
    return schemas_rounds.BoardComparison(
        board=made_board(found.board),
        round=found.round,
        deal=deal,
        results=rows,
        adjustments=[artificial(each) for each in found.adjustments if found.traveller.open],
    )


def scorecard(found: CardView) -> schemas_rounds.Scorecard:
    """What a pair has from each round and board."""
    view, pair = found.view, found.entry.number
    standing = view.field.standings[pair]
    scores = view.field.scores.get(pair, {}) if view.open else {}
    ranks = {each.pair: each.rank for each in view.field.placings}
    met = {each.round: each for each in view.field.matches if pair in (each.ns, each.ew)}
    return schemas_rounds.Scorecard(
        entry=pair,
        players=ids(view, found.entry),
        names=names(view, found.entry),
        rank=ranks[pair] if view.open else None,
        score=figure(standing.score) if view.open else None,
        boards=standing.boards if view.open else None,
        deduction=figure(view.field.deduction(pair)),
        carried=figure(view.field.carried.get(pair, 0)),
        rounds=[
            _card_round(each, met.get(number), number, view.field.event.rules.scoring)
            for number, each in sorted(scores.items())
        ],
    )


def _card_round(
    score: RoundScore, match: Match | None, number: int, scoring: Scoring
) -> schemas_rounds.CardRound:
    ns = match is not None and match.ns == score.pair
    return schemas_rounds.CardRound(
        round=number,
        kind=score.kind,
        table=None if match is None else match.table,
        side=None if match is None else "NS" if ns else "EW",
        opponents=None if match is None else match.ew if ns else match.ns,
        score=figure_or_none(score.worth(scoring)),
        finished=score.finished,
        boards=[
            schemas_rounds.CardBoard(
                number=board,
                score=None if each.value is None else figure(hundredths(each.value)),
                played=each.played,
                artificial=None if each.artificial is None else each.artificial.value,
            )
            for board, each in sorted(score.boards.items())
        ],
        sum=card_sum(score),
    )


def _table(view: FieldView, match: Match, entries: dict[int, Entry]) -> schemas_rounds.RoundTable:
    ns, ew = (view.field.worth(pair, match.round) for pair in (match.ns, match.ew))
    north, east, south, west = (view.people[each].public_id for each in seats_of(match, entries))
    return schemas_rounds.RoundTable(
        table=match.table,
        ns=match.ns,
        ew=match.ew,
        sits_first=match.sits_first,
        players=schemas.SeatedPlayers(north, east, south, west),
        score=None if not view.open or ns is None or ew is None else Sides(figure(ns), figure(ew)),
    )


def _by_round(found: Field, pair: int) -> list[int | float | None]:
    return [figure_or_none(found.worth(pair, number)) for number in range(1, found.scored + 1)]


def ids(view: FieldView, entry: Entry) -> list[str]:
    """The players of a pair."""
    return [view.people[player].public_id for player in entry.players]


def names(view: FieldView, entry: Entry) -> list[str]:
    """Their names."""
    return [_shown(view.people[player]) for player in entry.players]


def _shown(player: Player) -> str:
    return "hidden" if player.hidden else player.shown_name
