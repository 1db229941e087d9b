"""The totals of pairs, against the sum of the board figures that the same file publishes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product

from server.bridge.matchpoints import neuberg, top
from server.bridge.seats import Side
from server.formats.records import Total
from server.services.verification_precision import half_unit, places, usual_places, written


@dataclass(frozen=True, slots=True)
class BoardFigure:
    """One figure that a pair has on one board."""

    section: str
    pair: str
    side: Side
    what: str  # "imps", "matchpoints" or "percent"
    published: Decimal
    computed: Fraction | None  # None: nothing to compute it from
    half_unit: Fraction  # how far the exact value may be from the published one
    equal: bool
    top: Fraction | None  # most that could be had; None in IMPs
    size: int  # results on whose scale it is
    expected: int  # results on whose scale a whole board is


@dataclass(frozen=True, slots=True)
class CheckedTotal:
    """A published total of a pair beside the computed one."""

    total: Total
    what: str  # "total" or "percentage"
    published: Decimal
    computed: Fraction
    equal: bool

    @property
    def shown(self) -> str:
        """The computed total with the printed precision."""
        return written(self.computed, places(self.published))


@dataclass(frozen=True, slots=True)
class CheckedTotals:
    """Every total that could be compared, and what follows from wrong board figures."""

    by_published: tuple[CheckedTotal, ...]  # against the sum of the figures as published
    contradicted: tuple[CheckedTotal, ...]  # not what the figures give once wrong ones are put right
    not_compared: int  # totals of pairs that no row names


@dataclass(frozen=True, slots=True)
class _Way:
    """How totals are made of board figures."""

    scaled: bool  # to the most boards that any pair of the direction played
    neuberg: bool  # a board that misses results counts on the scale of a whole one


@dataclass(frozen=True, slots=True)
class _Sum:
    """Figures added up."""

    value: Fraction
    top: Fraction | None  # with the top on every board; None in IMPs
    slack: Fraction  # by which rounding of the figures may have moved the sum


# Where every pair played every board and none misses a result, all ways are the same.
_WAYS = tuple(_Way(scaled, by_neuberg) for scaled, by_neuberg in product((True, False), repeat=2))
_Figures = Mapping[int, Sequence[BoardFigure]]  # by index of the total


def check_totals(totals: Sequence[Total], figures: Iterable[BoardFigure]) -> CheckedTotals:
    """Compare each total with the sum of its pair's figures, in the way that explains most of them."""
    wanted = [total for total in totals if total.pair and not total.victory_points]
    of_total = _figures_of(wanted, figures)
    tried = [_check(wanted, of_total, way, put_right=False) for way in _WAYS]
    best = max(range(len(_WAYS)), key=lambda i: (sum(checked.equal for checked in tried[i]), -i))
    wrong = {i: found for i, found in of_total.items() if not all(figure.equal for figure in found)}
    right = _check(wanted, wrong, _WAYS[best], put_right=True)
    compared = {checked.total for checked in tried[best]}
    return CheckedTotals(
        by_published=tuple(tried[best]),
        contradicted=tuple(checked for checked in right if not checked.equal),
        not_compared=sum(total not in compared for total in wanted),
    )


def _figures_of(totals: Sequence[Total], figures: Iterable[BoardFigure]) -> _Figures:
    """The board figures of each total that has any, all of one kind."""
    by_pair: dict[tuple[str, str, Side], list[BoardFigure]] = defaultdict(list)
    for figure in figures:
        for section in {figure.section, ""}:
            by_pair[section, figure.pair, figure.side].append(figure)
    found = {}
    for index, total in enumerate(totals):
        sides = [side for side in Side if total.direction in ("", side.value)]
        own = [figure for side in sides for figure in by_pair.get((total.section, total.pair, side), ())]
        if own:
            what = min(figure.what for figure in own)  # IMPs and matchpoints before percentages of them
            found[index] = [figure for figure in own if figure.what == what]
    return found


def _check(totals: Sequence[Total], of_total: _Figures, way: _Way, put_right: bool) -> list[CheckedTotal]:
    most: dict[tuple[str, str], int] = defaultdict(int)
    for index, figures in of_total.items():
        group = (totals[index].section, totals[index].direction)
        most[group] = max(most[group], len(figures))
    usual = usual_places(total.total for total in totals if total.total is not None)
    checked = []
    for index, figures in of_total.items():
        total = totals[index]
        boards = most[total.section, total.direction]
        factor = Fraction(boards, len(figures)) if way.scaled else Fraction(1)
        added = _added(figures, way, put_right)
        if total.total is not None:
            checked.append(_compared(total, "total", total.total, added, factor, usual))
        if total.percent is not None and added.top:
            checked.append(_compared(total, "percentage", total.percent, added, 100 / added.top, usual))
    return checked


def _compared(
    total: Total, what: str, published: Decimal, added: _Sum, factor: Fraction, usual: int
) -> CheckedTotal:
    computed = added.value * factor
    allowed = half_unit(published, usual, percentage=False) + added.slack * factor
    return CheckedTotal(total, what, published, computed, abs(computed - Fraction(published)) <= allowed)


def _added(figures: Sequence[BoardFigure], way: _Way, put_right: bool) -> _Sum:
    parts = [_part(figure, way, put_right) for figure in figures]
    tops = [part.top for part in parts if part.top is not None]
    return _Sum(
        value=sum((part.value for part in parts), Fraction(0)),
        top=sum(tops, Fraction(0)) if len(tops) == len(parts) else None,
        slack=sum((part.slack for part in parts), Fraction(0)),
    )


def _part(figure: BoardFigure, way: _Way, put_right: bool) -> _Sum:
    """What one board figure brings into a sum; ``put_right``: the computed one in place of a wrong one."""
    value = Fraction(figure.published)
    if put_right and not figure.equal and figure.computed is not None:
        value = figure.computed
    exact = figure.computed is None or figure.computed == value
    slack = Fraction(0) if exact else figure.half_unit
    lacking = figure.what == "matchpoints" and 1 < figure.size < figure.expected
    if not (way.neuberg and lacking and figure.top):
        return _Sum(value, figure.top, slack)
    worth = figure.top / top(figure.size)  # 1, or 1/2 where a worse result gives one matchpoint
    return _Sum(
        value=neuberg(value / worth, figure.expected, figure.size) * worth,
        top=top(figure.expected) * worth,
        slack=slack * figure.expected / figure.size,
    )
