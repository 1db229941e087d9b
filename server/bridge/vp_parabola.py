"""Victory points worked out in the head: a parabola, and the one-board scale that all are stretched from."""

from fractions import Fraction

from server.bridge.errors import Impossible
from server.bridge.vp_curve import margin_worth, nearest

ONE_BOARD_ROUNDED = tuple(Fraction(tenths, 10) for tenths in (0, 8, 17, 27, 38, 50, 64, 80, 100, 120, 150))
"""Margins over one board that are worth about 10, 11, … 20 victory points, for the memory."""


def parabola(stretched: Fraction) -> Fraction:
    """Victory points of the winner for ``stretched`` = IMPs / √boards, 0 to 15: 10 + x + x (5 - x) / 30.

    Never more than a tenth below the curve up to 5, never more than 0.26 above it up to 15.
    """
    if not 0 <= stretched <= 15:
        raise Impossible("margin", f"the parabola stands for 0 to 15 IMPs per √board, not {stretched}")
    return 10 + stretched + stretched * (5 - stretched) / 30


def one_board_margins() -> tuple[int, ...]:
    """Margins over one board that are worth 11, 12, … 20 victory points, in thousandths of an IMP."""
    return tuple(nearest(margin_worth(points), 1000) for points in range(11, 21))
