"""Boards with adjusted, split or missing scores, by every method of scoring.

Each function takes the entries of one board (or of one group of a fouled board, Law 87) and returns an
exact score of both sides for each, in the same order; None for a table that did not play. NS and EW are two
fields: a result is compared with what the others of its own side have, a weighted one in the proportion of
its weights (Law 12C1(c)), an artificial one with nobody. Plain results alone come out as by the plain
functions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from server.bridge.adjustments import (
    STANDARD,
    Average,
    Averages,
    Entry,
    NotPlayed,
    Number,
    Part,
    Played,
    Weighted,
    converted,
)
from server.bridge.cross_imps import CrossImps, CrossImpsMode
from server.bridge.datum import TENTH, Datum, TrimSchedule, datum
from server.bridge.hcp_compensation import hcp_compensation
from server.bridge.imps import imps
from server.bridge.matchpoints import ascherman, compared, neuberg, share_of_top, top
from server.bridge.seats import Side


@dataclass(frozen=True, slots=True)
class BothSides:
    """What each side of a table scores; the two need not balance."""

    ns: Fraction
    ew: Fraction


Scores = tuple[BothSides | None, ...]


@dataclass(frozen=True, slots=True)
class _Field:
    """All entries of one side, every score signed for it."""

    side: Side
    parts: tuple[Part | None, ...]
    results: int  # how many of the parts others are compared with
    weights: Mapping[int, Number]  # by score: how many results, or shares of weighted ones, have it

    def against_others(self, own: Played | Weighted, points: Callable[[int], int]) -> Fraction:
        """Sum over all other results of what a difference in total points is worth."""

        def one(score: int) -> Number:
            everybody = sum(weight * points(score - other) for other, weight in self.weights.items())
            return everybody - sum(weight * points(score - other) for weight, other in own.outcomes)

        return converted(own, one)


def board_matchpoints(
    entries: Sequence[Entry], expected: int | None = None, averages: Averages = STANDARD
) -> Scores:
    """Matchpoints (2 per worse result, 1 per equal one) on the top of ``expected`` results.

    ``expected`` is how many tables should have a result or artificial score here; those of the entries that
    played, unless given. Fewer results than that are scaled by Neuberg's formula.
    """
    tables = _tables(entries, expected)
    return _each(entries, lambda field, part: _matchpoints(field, part, tables, averages))


def board_percentages(
    entries: Sequence[Entry], expected: int | None = None, averages: Averages = STANDARD
) -> Scores:
    """Matchpoints as a share of the top in percent, 0 to 100; ``expected`` as for ``board_matchpoints``."""
    tables = _tables(entries, expected)

    def score(field: _Field, part: Part) -> Fraction:
        if isinstance(part, Average):
            return averages.percent(part)
        return share_of_top(_matchpoints(field, part, tables, averages), tables)

    return _each(entries, score)


def board_ascherman(entries: Sequence[Entry], averages: Averages = STANDARD) -> Scores:
    """Ascherman's percentages, which need no expected number of results."""

    def score(field: _Field, part: Part) -> Fraction:
        if isinstance(part, Average):
            return averages.percent(part)
        return ascherman(field.against_others(part, compared), field.results)

    return _each(entries, score)


def board_cross_imps(
    entries: Sequence[Entry],
    mode: CrossImpsMode = CrossImpsMode.PER_COMPARISON,
    expected: int | None = None,
    averages: Averages = STANDARD,
) -> Scores:
    """Cross-IMPs by ``mode``; ``expected`` as for ``board_matchpoints``, the tables of ``per_table``.

    An artificial score stands as it is, in a ``sum`` once for each other table.
    """
    tables = _tables(entries, expected)

    def score(field: _Field, part: Part) -> Fraction:
        if isinstance(part, Average):
            return averages.imps(part) * (tables - 1 if mode is CrossImpsMode.SUM else 1)
        total = field.against_others(part, imps)
        return CrossImps(total, field.results - 1).score(mode, tables)

    return _each(entries, score)


def board_datum(
    entries: Sequence[Entry], schedule: TrimSchedule = TENTH, side: Side = Side.NS
) -> Datum | None:
    """The datum of the real results, signed for ``side``; a weighted score enters as its weighted mean.

    ``dropped`` has one answer per entry. None when there is no real result. The sides differ only by what
    split scores give them.
    """
    return _datum(_field(entries, side), schedule)


def board_datum_imps(
    entries: Sequence[Entry], schedule: TrimSchedule = TENTH, averages: Averages = STANDARD
) -> Scores:
    """IMPs against the datum of the board."""
    data = {side: found.value for side in Side if (found := board_datum(entries, schedule, side))}

    def score(field: _Field, part: Part) -> Fraction:
        if isinstance(part, Average):
            return averages.imps(part)
        against = data[field.side]
        return converted(part, lambda score: imps(score - against))

    return _each(entries, score)


def board_hcp_compensation(entries: Sequence[Entry], ns_points: int, averages: Averages = STANDARD) -> Scores:
    """IMPs compensated for the ``ns_points`` high-card points of NS; no entry depends on another."""

    def score(field: _Field, part: Part) -> Fraction:
        if isinstance(part, Average):
            return averages.imps(part)
        points = ns_points if field.side is Side.NS else 40 - ns_points
        return converted(part, lambda score: hcp_compensation(score, points))

    return _each(entries, score)


def _tables(entries: Sequence[Entry], expected: int | None) -> int:
    played = sum(not isinstance(entry, NotPlayed) for entry in entries)
    return played if expected is None else max(expected, played)


def _matchpoints(field: _Field, part: Part, tables: int, averages: Averages) -> Fraction:
    if isinstance(part, Average):
        return averages.percent(part) * top(tables) / 100
    return neuberg(field.against_others(part, compared), tables, field.results)


def _datum(field: _Field, schedule: TrimSchedule) -> Datum | None:
    means = {i: part.mean for i, part in enumerate(field.parts) if isinstance(part, Played | Weighted)}
    if not means:
        return None
    found = datum(tuple(means.values()), schedule)
    dropped = dict(zip(means, found.dropped, strict=True))
    return replace(found, dropped=tuple(dropped.get(i, False) for i in range(len(field.parts))))


def _field(entries: Sequence[Entry], side: Side) -> _Field:
    parts = tuple(entry.part(side) for entry in entries)
    results = [part for part in parts if isinstance(part, Played | Weighted)]
    weights: dict[int, Number] = {}
    for part in results:
        for weight, score in part.outcomes:
            weights[score] = weights.get(score, 0) + weight
    return _Field(side, parts, len(results), weights)


def _each(entries: Sequence[Entry], score: Callable[[_Field, Part], Fraction]) -> Scores:
    columns = [
        [None if part is None else score(field, part) for part in field.parts]
        for field in (_field(entries, side) for side in Side)
    ]
    return tuple(
        None if ns is None or ew is None else BothSides(ns, ew) for ns, ew in zip(*columns, strict=True)
    )
