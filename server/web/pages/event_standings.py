"""The standings of an event, and its cross-table: rounds beside pairs."""

import asyncio
from dataclasses import dataclass

from aiohttp import web

from server.bridge.standings import tie_breaks
from server.bridge.swiss_round import Kind, RoundScore
from server.services import event_reading
from server.services.event_field import Field
from server.services.event_reading import FieldView
from server.services.tokens import NOBODY
from server.storage.event_rounds import Match
from server.web import rendering_events
from server.web.pages.event_heads import Head, Pair, head, pair
from server.web.pages.visits import Visit
from server.web.rendering import figure
from server.web.schemas_rounds import StandingRow


@dataclass(frozen=True, slots=True)
class Cell:
    """What a pair did in a round."""

    kind: str | None  # as the API names it; None: it is not scored, or the pair was not there
    opponent: int | None
    side: str | None
    score: float | None


@dataclass(frozen=True, slots=True)
class Placed:
    """A line of the standings."""

    row: StandingRow  # as the API gives it
    pair: Pair
    tie_break: str | None  # that decided
    withdrawn: bool
    cells: tuple[Cell, ...]  # round by round, of rounds that have started


async def get(visit: Visit) -> web.Response:
    """The event with its standings. Raises EventNotFound."""
    found = await head(visit)
    view = await event_reading.field(visit.services.database, found.event.id, NOBODY)
    told = rendering_events.event(found.view)
    return await visit.large_page(
        "event.html",
        head=found,
        follows=found.follows,
        rules=told.rules,
        pairs=len(told.entries),
        always_pairable=told.always_pairable,
        standings=await asyncio.to_thread(placed, found, view),
        scored=view.field.scored if view.open else 0,
        open=view.open,
        penalties=told.penalties,
        people={each.number: pair(each, view.people) for each in view.field.entries},
        points=bool(view.masterpoints) and view.open,
        prizes=rendering_events.standings(view).prizes,
        qualifies=bool(told.rules.places),
    )


async def get_cross_table(visit: Visit) -> web.Response:
    """Every pair's opponents and scores, round by round. Raises EventNotFound."""
    found = await head(visit)
    view = await event_reading.field(visit.services.database, found.event.id, NOBODY)
    return await visit.large_page(
        "event_cross.html",
        head=found,
        follows=found.follows,
        standings=await asyncio.to_thread(placed, found, view, with_cells=True),
        rounds=max(found.started, view.field.started),
        scored=view.field.scored if view.open else 0,
        open=view.open,
    )


def placed(found: Head, view: FieldView, with_cells: bool = False) -> list[Placed]:
    """The lines of the standings in their order; nothing before they are published."""
    field = view.field
    entries = {each.number: each for each in field.entries}
    ties = tie_breaks(field.placings, field.standings, found.rules.band) if field.scored else {}
    rounds = _cells(field, max(found.started, field.started)) if with_cells else {}
    lines = []
    for row in rendering_events.standings(view).rows:
        entry = entries[row.entry]
        decided = ties.get(row.entry)
        lines.append(
            Placed(
                row,
                pair(entry, view.people),
                None if decided is None else decided.value,
                entry.withdrawn_at is not None,
                rounds.get(row.entry, ()),
            )
        )
    return lines


def _cells(field: Field, rounds: int) -> dict[int, tuple[Cell, ...]]:
    met = {(each.round, pair): each for each in field.matches for pair in (each.ns, each.ew)}
    sit_outs = {(each.number, pair) for each in field.rounds for pair in each.sit_outs if each.started_at}
    return {
        entry.number: tuple(
            _cell(
                entry.number,
                field.scores.get(entry.number, {}).get(number),
                met.get((number, entry.number)),
                (number, entry.number) in sit_outs,
            )
            for number in range(1, rounds + 1)
        )
        for entry in field.entries
    }


def _cell(number: int, score: RoundScore | None, match: Match | None, sits_out: bool) -> Cell:
    ns = match is not None and match.ns == number
    kind = Kind.SIT_OUT.value if sits_out else None if score is None else score.kind.value
    return Cell(
        kind,
        None if match is None else match.ew if ns else match.ns,
        None if match is None else "NS" if ns else "EW",
        None if score is None else figure(score.score),
    )
