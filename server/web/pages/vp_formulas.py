"""How victory points are reckoned: the formulas of the scales in letters and in numbers."""

from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from server.bridge.traveller import hundredths
from server.bridge.vp_curve import VictoryPoints, curve, nearest, whole
from server.bridge.vp_parabola import ONE_BOARD_ROUNDED, one_board_margins, parabola
from server.bridge.vp_scale import VpScale, victory_points
from server.bridge.vp_tables import LINEAR_STARTS
from server.web.rendering import figure

EXACT = (VpScale.BETHE2003, VpScale.WBF_FORMULA)  # that take a fraction of an IMP as it is
_SHARE = "(1 − τ<sup>−{imps} ÷ (5√{boards})</sup>) ÷ (1 − τ<sup>−3</sup>)"
_LOSER = Markup("10 × (1 − " + _SHARE + ")")
_WINNER = Markup("10 + 10 × " + _SHARE)


@dataclass(frozen=True, slots=True)
class Formula:
    """A scale as it is written."""

    scale: str
    exact: bool  # fractions of an IMP are taken as they are
    loser: Markup | None  # what the loser has; None: the winner comes first, or there is no formula
    winner: Markup | None
    level: int = LINEAR_STARTS[1] - 1  # of the linear scale: the last margin that is a draw
    full: int = LINEAR_STARTS[-1]  # of it: the first one that is worth everything


def formula(scale: VpScale) -> Formula:
    """The scale in letters: IMP is the margin, n the number of boards."""
    letters = {"imps": "IMP", "boards": "n"}
    by_loser, linear = scale is VpScale.BETHE2003, scale is VpScale.LINEAR
    return Formula(
        scale.value,
        scale in EXACT,
        _LOSER.format(**letters) if by_loser else None,
        None if by_loser or linear else _WINNER.format(**letters),
    )


@dataclass(frozen=True, slots=True)
class Worked:
    """How the victory points of a round came about."""

    formula: Formula  # in numbers, where it takes the margin as it is
    boards: int
    rounded: int  # whole IMPs that a table is read at
    raw: float  # of the loser before anything is cut off; where the winner comes first, his own
    winner: float
    loser: float


def worked(scale: VpScale, margin: Fraction, boards: int) -> Worked:
    """A margin in numbers, whichever side it is for."""
    size = abs(margin)
    points: VictoryPoints = victory_points(scale, size, boards)
    text = str(size.numerator) if size.denominator == 1 else f"({size.numerator} ÷ {size.denominator})"
    numbers, by_loser = {"imps": text, "boards": boards}, scale is VpScale.BETHE2003
    raw = nearest(20 - curve(size, boards)) if by_loser else points.ours
    shown = Formula(
        scale.value,
        scale in EXACT,
        _LOSER.format(**numbers) if by_loser else None,
        _WINNER.format(**numbers) if scale is VpScale.WBF_FORMULA else None,
    )
    return Worked(shown, boards, whole(size), figure(raw), figure(points.ours), figure(points.theirs))


@dataclass(frozen=True, slots=True)
class OneBoard:
    """A number of victory points, and the margin over one board that is worth it."""

    points: int
    exact: float  # IMPs, to a thousandth
    rounded: float  # IMPs, for the memory
    parabola: float  # victory points that the parabola gives to the exact margin


@dataclass(frozen=True, slots=True)
class InTheHead:
    """What helps to reckon victory points without a table."""

    rows: tuple[OneBoard, ...]
    below: float  # by how much the parabola is below the curve at the most, up to five IMPs for each √board
    above: float  # by how much it is above it, up to fifteen


def in_the_head() -> InTheHead:
    """The parabola and the scale of one board, against the curve."""
    margins = [Fraction(0), *(Fraction(margin, 1000) for margin in one_board_margins())]
    rows = tuple(
        OneBoard(10 + place, float(exact), float(rounded), figure(hundredths(parabola(exact))))
        for place, (exact, rounded) in enumerate(zip(margins, ONE_BOARD_ROUNDED, strict=True))
    )
    errors = [float(parabola(x)) - float(curve(x, 1)) for x in (Fraction(tenth, 10) for tenth in range(151))]
    return InTheHead(rows, -min(errors[:51]), max(errors))
