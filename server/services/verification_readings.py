"""The ways in which published board scores can have been computed, each exact.

A file names its method, or at least the family (IMPs, matchpoints), but hardly ever every detail: which
extremes the datum leaves out, whether Neuberg's formula was applied, what the sum was divided by. A reading
is one method with all its details; ``readings_for`` lists those that a file leaves open, the usual first.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from server.bridge.cross_imps import CrossImps
from server.bridge.datum import ACBLSCORE, COMPSCORE, TENTH, UNTRIMMED, TrimSchedule, datum
from server.bridge.imps import imps
from server.bridge.matchpoints import ascherman, compared, neuberg, share_of_top, top
from server.bridge.score import score_ns
from server.bridge.seats import Side
from server.formats.records import FileBoard, Method, Row

Scorer = Callable[[int], Fraction]  # from a score of the board, signed for the side, to its figure


@dataclass(frozen=True, slots=True)
class Field:
    """The results of one board as one side sees them."""

    scores: Mapping[int, int]  # tables by score in total points, signed for the side
    results: int  # tables with a score that others are compared with
    tables: int  # that have a result or an artificial score here
    expected: int  # most such tables on any board of the section

    def of(self, side: Side) -> "Field":
        """The same results signed for ``side``, when this is the field of NS."""
        if side is Side.NS:
            return self
        return replace(self, scores={-score: tables for score, tables in self.scores.items()})


def score_of(board: FileBoard, row: Row) -> int | None:
    """The score that enters the field: as printed, since the publisher computed from that; else computed."""
    if row.artificial is not None:
        return None
    if row.score is None and row.outcome is not None:
        return score_ns(row.outcome, board.vulnerability)
    return row.score


def tables_of(board: FileBoard) -> int:
    """Tables with a result or an artificial score."""
    return sum(row.multiplicity for row in board.rows if row.artificial or score_of(board, row) is not None)


def field_of(board: FileBoard, expected: int) -> Field:
    """The field of NS on a board."""
    scores: Counter[int] = Counter()
    for row in board.rows:
        score = score_of(board, row)
        if score is not None:
            scores[score] += row.multiplicity
    return Field(scores, scores.total(), tables_of(board), expected)


@dataclass(frozen=True, slots=True)
class Reading:
    """One method with all its details."""

    method: Method
    scorer: Callable[[Field], Scorer]
    top: Callable[[Field], Fraction | None]  # most that can be had, 100 for a percentage; None in IMPs
    size: Callable[[Field], int]  # results that the figures are on the scale of
    percentage: bool = False

    def awarded(self, field: Field, percent: int) -> Fraction | None:
        """Worth of an artificial score in percent of the top; None where conditions of contest decide."""
        most = self.top(field)
        if most is None:
            return Fraction(0) if percent == 50 else None
        return percent * most / 100


@cache
def readings_for(what: str, method: Method) -> tuple[Reading, ...]:
    """What ``what`` ("imps", "matchpoints", "percent") can mean in a file that names ``method``."""
    readings = {"imps": _IMPS, "matchpoints": _MATCHPOINTS, "percent": _PERCENT}[what]
    named = tuple(reading for reading in readings if reading.method is method)
    if named:
        return named
    if method is Method.MATCHPOINTS_HALVES:
        return tuple(reading for reading in readings if reading.method is Method.MATCHPOINTS)
    return readings


def _results(field: Field) -> int:
    return field.results


def _tables(field: Field) -> int:
    return field.tables


def _expected(field: Field) -> int:
    return field.expected


def _cross_imps(method: Method, finish: Callable[[CrossImps], Fraction]) -> Reading:
    def scorer(field: Field) -> Scorer:
        others = field.results - 1

        def score(own: int) -> Fraction:
            total = sum(tables * imps(own - other) for other, tables in field.scores.items())
            return finish(CrossImps(total, others))

        return score

    return Reading(method, scorer, lambda _: None, _results)


def _butler(method: Method, schedule: TrimSchedule) -> Reading:
    def scorer(field: Field) -> Scorer:
        everybody = [score for score, tables in field.scores.items() for _ in range(tables)]
        mean = datum(everybody, schedule).value
        return lambda own: Fraction(imps(own - mean))

    return Reading(method, scorer, lambda _: None, _results)


def _points(field: Field, own: int) -> int:
    """Matchpoints without those against oneself."""
    return sum(tables * compared(own - other) for other, tables in field.scores.items()) - compared(0)


def _matchpoints(size: Callable[[Field], int], worth: int) -> Reading:
    """``worth`` (2 or 1) for every worse result, scaled to ``size`` results by Neuberg's formula."""

    def scorer(field: Field) -> Scorer:
        def score(own: int) -> Fraction:
            return neuberg(_points(field, own), size(field), field.results) * worth / 2

        return score

    method = Method.MATCHPOINTS if worth == 2 else Method.MATCHPOINTS_HALVES
    return Reading(method, scorer, lambda field: Fraction(top(size(field)) * worth, 2), size)


def _percent(size: Callable[[Field], int]) -> Reading:
    def scorer(field: Field) -> Scorer:
        def score(own: int) -> Fraction:
            points = neuberg(_points(field, own), size(field), field.results)
            return share_of_top(points, size(field))

        return score

    return Reading(Method.MATCHPOINTS, scorer, lambda _: Fraction(100), size, percentage=True)


def _ascherman() -> Reading:
    def scorer(field: Field) -> Scorer:
        return lambda own: ascherman(_points(field, own), field.results)

    return Reading(Method.ASCHERMAN, scorer, lambda _: Fraction(100), _results, percentage=True)


_IMPS = (
    _cross_imps(Method.CROSS_IMPS_PER_COMPARISON, lambda cross: cross.mean),
    _cross_imps(Method.CROSS_IMPS, lambda cross: Fraction(cross.total)),
    _cross_imps(Method.CROSS_IMPS_PER_SCORE, lambda cross: Fraction(cross.total) / (cross.comparisons + 1)),
    *(_butler(Method.BUTLER, schedule) for schedule in (COMPSCORE, TENTH, ACBLSCORE)),
    _butler(Method.BUTLER_UNTRIMMED, UNTRIMMED),
)
# Where nobody has an artificial score and no table is missing, the three sizes are the same.
_PERCENT = (*(_percent(size) for size in (_tables, _results, _expected)), _ascherman())
_MATCHPOINTS = (
    *(_matchpoints(size, 2) for size in (_tables, _results, _expected)),
    *(_matchpoints(size, 1) for size in (_tables, _results, _expected)),
    *_PERCENT,
)
