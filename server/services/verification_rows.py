"""The figures published in traveller rows, computed again by the reading that explains most of them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import islice

from server.bridge.seats import Side
from server.formats.records import FileBoard, Method, Published, Row
from server.services.verification_precision import half_unit, places, usual_places, written
from server.services.verification_readings import (
    Field,
    Reading,
    Scorer,
    field_of,
    readings_for,
    score_of,
    tables_of,
)
from server.services.verification_totals import BoardFigure

_ARTIFICIAL = re.compile(r"A([0-9]{2})/?([0-9]{2})", re.IGNORECASE | re.ASCII)
_SAMPLE = 400  # rows by which a reading is chosen
_MOST_RESULTS = 20_000  # of one board: more are no traveller and would take long
_MOST_SCORES = 1_000  # different ones: contracts have not half as many


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """One published figure beside the computed one."""

    reading: Reading
    artificial: bool
    figure: BoardFigure
    shown: str  # the computed figure with the printed precision

    @property
    def label(self) -> str:
        """What it is, for people."""
        return f"{self.figure.what} {self.figure.side}{' (artificial)' if self.artificial else ''}"


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A traveller row with every figure published in it."""

    board: FileBoard
    row: Row
    figures: tuple[JudgedFigure, ...]

    @property
    def compared(self) -> bool:
        """Whether the row has figures won at the table that can be computed."""
        return self.row.artificial is None and any(
            judged.figure.computed is not None for judged in self.figures
        )

    @property
    def equal(self) -> bool:
        """Whether every figure is as computed."""
        return all(judged.figure.equal for judged in self.figures)


_Named = tuple[str, Method]  # what is published, and what the file says about how
_Boards = Sequence[tuple[FileBoard, Field]]


def judge_rows(boards: Sequence[FileBoard]) -> list[JudgedRow]:
    """Judge every row of a file that publishes something."""
    fielded = list(zip(boards, _fields(boards), strict=True))
    usual = _usual_places(boards)
    chosen = _choose([pair for pair in fielded if comparable(pair[1])], usual)
    return [judged for board, field in fielded for judged in _BoardJudge(board, field, chosen, usual).rows()]


def comparable(field: Field) -> bool:
    """Whether there is something to compare with, and not absurdly much."""
    return 2 <= field.results <= _MOST_RESULTS and len(field.scores) <= _MOST_SCORES


def _fields(boards: Sequence[FileBoard]) -> list[Field]:
    most: dict[str, int] = defaultdict(int)
    for board in boards:
        most[board.section] = max(most[board.section], tables_of(board))
    return [field_of(board, most[board.section]) for board in boards]


def _usual_places(boards: Sequence[FileBoard]) -> dict[str, int]:
    found: dict[str, list[Decimal]] = defaultdict(list)
    for board in boards:
        for row in board.rows:
            for published in row.published:
                found[published.what] += [figure for _, figure in _sides(published)]
    return {what: usual_places(figures) for what, figures in found.items()}


def _sides(published: Published) -> list[tuple[Side, Decimal]]:
    both = ((Side.NS, published.ns), (Side.EW, published.ew))
    return [(side, figure) for side, figure in both if figure is not None]


def _choose(boards: _Boards, usual: Mapping[str, int]) -> dict[_Named, Reading]:
    """For each kind of figures and method named with it, the reading that reproduces most of a sample."""
    samples: dict[_Named, list[tuple[FileBoard, Field]]] = defaultdict(list)
    sizes: dict[_Named, int] = defaultdict(int)
    for board, field in boards:
        for what in {published.what for row in board.rows for published in row.published}:
            named = (what, board.method)
            if sizes[named] < _SAMPLE:
                samples[named].append((board, field))
                sizes[named] += len(board.rows)
    return {named: _best(named, sample, usual) for named, sample in samples.items()}


def _best(named: _Named, sample: _Boards, usual: Mapping[str, int]) -> Reading:
    readings = readings_for(*named)

    def reproduced(reading: Reading) -> int:
        tried = {named: reading}
        judges = [_BoardJudge(board, field, tried, usual) for board, field in sample]
        return sum(row.compared and row.equal for judge in judges for row in islice(judge.rows(), _SAMPLE))

    return readings[0] if len(readings) == 1 else max(readings, key=reproduced)


@dataclass(frozen=True, slots=True)
class _Scale:
    """A reading on one board."""

    reading: Reading
    top: Fraction | None
    size: int


class _BoardJudge:
    """Computes the figures of one board."""

    def __init__(
        self, board: FileBoard, field: Field, chosen: Mapping[_Named, Reading], usual: Mapping[str, int]
    ) -> None:
        self._board = board
        self._field = field
        self._chosen = chosen
        self._usual = usual
        self._fields = {side: field.of(side) for side in Side}
        self._scales: dict[str, _Scale] = {}
        self._scorers: dict[tuple[Reading, Side], Scorer] = {}
        self._known: dict[tuple[Reading, Side, int], Fraction] = {}

    def rows(self) -> Iterator[JudgedRow]:
        """The rows that publish something."""
        for row in self._board.rows:
            figures = tuple(
                self._figure(row, published.what, side, figure)
                for published in row.published
                for side, figure in _sides(published)
            )
            if figures:
                yield JudgedRow(self._board, row, figures)

    def _figure(self, row: Row, what: str, side: Side, printed: Decimal) -> JudgedFigure:
        scale = self._scale(what)
        computed = self._computed(scale.reading, row, side, printed)
        allowed = half_unit(printed, self._usual[what], scale.reading.percentage)
        figure = BoardFigure(
            section=self._board.section,
            pair=(row.ns if side is Side.NS else row.ew) or "",
            side=side,
            what=what,
            published=printed,
            computed=computed,
            half_unit=allowed,
            equal=computed is None or abs(computed - Fraction(printed)) <= allowed,
            top=scale.top,
            size=scale.size,
            expected=self._field.expected,
        )
        digits = max(places(printed), self._usual[what])
        shown = "" if computed is None else written(computed, digits)
        return JudgedFigure(scale.reading, row.artificial is not None, figure, shown)

    def _scale(self, what: str) -> _Scale:
        if what not in self._scales:
            named = (what, self._board.method)
            reading = self._chosen.get(named) or readings_for(*named)[0]
            self._scales[what] = _Scale(reading, reading.top(self._field), reading.size(self._field))
        return self._scales[what]

    def _computed(self, reading: Reading, row: Row, side: Side, printed: Decimal) -> Fraction | None:
        if not comparable(self._field):
            return None
        if row.artificial is not None:
            return self._awarded(reading, row.artificial, side, printed)
        score = score_of(self._board, row)
        return None if score is None else self._score(reading, side, score)

    def _score(self, reading: Reading, side: Side, score: int) -> Fraction:
        """The figure of one side for a score (total points for NS), computed once for each."""
        key = (reading, side, score)
        if key not in self._known:
            if (reading, side) not in self._scorers:
                self._scorers[reading, side] = reading.scorer(self._fields[side])
            self._known[key] = self._scorers[reading, side](score if side is Side.NS else -score)
        return self._known[key]

    def _awarded(self, reading: Reading, artificial: str, side: Side, printed: Decimal) -> Fraction | None:
        """What an artificial score such as ``A6040`` is worth to a side; None where that is open."""
        match = _ARTIFICIAL.fullmatch(artificial)
        if match is None:
            return None
        percent = int(match[1 if side is Side.NS else 2])
        worth = reading.awarded(self._field, percent)
        if worth is None or (percent > 50 and printed > worth) or (percent < 50 and printed < worth):
            return None  # what the pair has on its other boards may stand instead (Law 12C2(c))
        return worth
