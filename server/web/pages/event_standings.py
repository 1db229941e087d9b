"""The standings of an event, and its cross-table: rounds beside pairs."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aiohttp import web

from server.bridge.standings import TieBreak, tie_breaks
from server.bridge.swiss_round import Kind, RoundScore
from server.services import event_reading
from server.services.event_field import Field
from server.services.event_reading import FieldView
from server.services.tokens import NOBODY
from server.storage.event_rounds import Match
from server.web import rendering_events
from server.web.pages.event_heads import Head, Pair, head, pair
from server.web.pages.paging import Paging, wanted
from server.web.pages.visits import Visit
from server.web.rendering import figure_or_none
from server.web.schemas_rounds import Prizes, StandingRow

OF_A_PAGE = 200
"""Pairs: an event of a usual size is on one page."""


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


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of the standings; which columns they have is the same on every page."""

    lines: list[Placed]
    paging: Paging
    ties: bool
    deductions: bool
    carried: bool
    prizes: Prizes | None  # once master points are given


async def get(visit: Visit) -> web.Response:
    """The event with its standings. Raises EventNotFound, InvalidBody."""
    found = await head(visit)
    view = await event_reading.field(visit.services.database, found.event.id, NOBODY)
    told = rendering_events.event(found.view)
    placings = await asyncio.to_thread(listed, found, view, wanted(visit))
    return await visit.large_page(
        "event.html",
        head=found,
        follows=found.follows,
        rules=told.rules,
        pairs=len(told.entries),
        always_pairable=told.always_pairable,
        standings=placings,
        scored=view.field.scored if view.open else 0,
        open=view.open,
        penalties=told.penalties,
        people={each.number: pair(each, view.people) for each in view.field.entries},
        points=bool(view.masterpoints) and view.open,
        prizes=placings.prizes,
        qualifies=bool(told.rules.places),
    )


async def get_cross_table(visit: Visit) -> web.Response:
    """Every pair's opponents and scores, round by round. Raises EventNotFound, InvalidBody."""
    found = await head(visit)
    view = await event_reading.field(visit.services.database, found.event.id, NOBODY)
    return await visit.large_page(
        "event_cross.html",
        head=found,
        follows=found.follows,
        standings=await asyncio.to_thread(listed, found, view, wanted(visit), with_cells=True),
        rounds=max(found.started, view.field.started),
        scored=view.field.scored if view.open else 0,
        open=view.open,
    )


def listed(found: Head, view: FieldView, page: int, with_cells: bool = False) -> Listed:
    """A page of the standings in their order; nothing before they are published."""
    told = rendering_events.standings(view)
    rows = told.rows
    paging = Paging(page, OF_A_PAGE, len(rows))
    ties = _ties(found, view)
    return Listed(
        placed(found, view, paging.of(rows), ties, with_cells),
        paging,
        bool(ties),
        any(row.deduction for row in rows),
        any(row.carried for row in rows),
        told.prizes,
    )


def placed(
    found: Head,
    view: FieldView,
    rows: Sequence[StandingRow],
    ties: Mapping[int, TieBreak],
    with_cells: bool,
) -> list[Placed]:
    """The lines of these rows; ``ties``: what decided, by pair."""
    field = view.field
    entries = {each.number: each for each in field.entries}
    shown = {row.entry for row in rows} if with_cells else set()
    rounds = _cells(field, max(found.started, field.started), shown)
    lines = []
    for row in rows:
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


def _ties(found: Head, view: FieldView) -> dict[int, TieBreak]:
    """What decided about pairs that would have had the same rank."""
    field = view.field
    return tie_breaks(field.placings, field.standings, found.rules.band) if field.scored else {}


def _cells(field: Field, rounds: int, pairs: set[int]) -> dict[int, tuple[Cell, ...]]:
    met = {(each.round, pair): each for each in field.matches for pair in (each.ns, each.ew)}
    sit_outs = {(each.number, pair) for each in field.rounds for pair in each.sit_outs if each.started_at}
    return {
        entry.number: tuple(
            _cell(
                entry.number,
                field.scores.get(entry.number, {}).get(number),
                figure_or_none(field.worth(entry.number, number)),
                met.get((number, entry.number)),
                (number, entry.number) in sit_outs,
            )
            for number in range(1, rounds + 1)
        )
        for entry in field.entries
        if entry.number in pairs
    }


def _cell(
    number: int, score: RoundScore | None, worth: float | None, match: Match | None, sits_out: bool
) -> Cell:
    ns = match is not None and match.ns == number
    kind = Kind.SIT_OUT.value if sits_out else None if score is None else score.kind.value
    return Cell(
        kind,
        None if match is None else match.ew if ns else match.ns,
        None if match is None else "NS" if ns else "EW",
        worth,
    )
