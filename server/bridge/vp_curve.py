"""The curve behind most victory-point scales, in both directions, and how its values are rounded.

An IMP margin M over n boards is worth V = 10 + 10 (1 - τ^(M / 5√n)) / (1 - τ³) of 20 victory points, τ being
(√5 - 1)/2: 15 at 5√n, 20 at 15√n (WBF 2013; the formula of 2003 is the same curve written with 1/τ).
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from math import isqrt

from server.bridge.errors import BridgeError, Impossible

Margin = int | Fraction  # IMPs for one side over a match; a fraction where scores are cross-IMPs

AVERAGE, MOST = 1000, 2000  # hundredths of a victory point


@dataclass(frozen=True, slots=True)
class VictoryPoints:
    """What a match is worth to a side and to its opponents, in hundredths of a victory point."""

    ours: int
    theirs: int

    @property
    def swapped(self) -> "VictoryPoints":
        """The same match as the opponents see it."""
        return VictoryPoints(self.theirs, self.ours)


@dataclass(eq=False)
class UnknownConversion(BridgeError):
    """A match that the scale has no line for"""

    scale: str
    reason: str

    def __str__(self) -> str:
        return f"{self.scale}: {self.reason}"


# The values are irrational but for 10, 15 and 20, so that none lies exactly between two hundredths, and forty
# digits decide every rounding as the exact value would.
_DIGITS = 40


def curve(margin: Margin, boards: int) -> Decimal:
    """Victory points for a margin of 0 or more, not rounded and not cut off: above 20 from 15√n on."""
    with localcontext(Context(prec=_DIGITS)):
        tau = _tau()
        stretched = _decimal(Fraction(margin)) / (5 * _root(boards))
        return 10 + 10 * (1 - tau**stretched) / (1 - tau**3)


def margin_worth(points: Margin, boards: int = 1) -> Decimal:
    """The margin in IMPs that is worth ``points`` of 20 victory points, 10 to 20; not rounded."""
    if not 10 <= points <= 20:
        raise Impossible("points", f"a margin is worth 10 to 20 victory points, not {points}")
    with localcontext(Context(prec=_DIGITS)):
        tau = _tau()
        left = 1 - (_decimal(Fraction(points)) - 10) * (1 - tau**3) / 10
        return 5 * _root(boards) * left.ln() / tau.ln()


def blitz(boards: int) -> int:
    """The smallest whole margin that is worth 20-0: 15√n, rounded up."""
    return isqrt(225 * _checked(boards) - 1) + 1


def beyond_the_curve(margin: Margin, boards: int) -> bool:
    """Whether a margin of 0 or more is worth 20-0, which it is from 15√n on."""
    return margin * margin >= 225 * _checked(boards)


def nearest(value: Decimal, parts: int = 100) -> int:
    """``value`` in hundredths, or other ``parts`` of one, to the nearest."""
    with localcontext(Context(prec=_DIGITS)):
        return int((parts * value).to_integral_value(ROUND_HALF_UP))


def size_of(margin: Margin) -> Margin:
    """The margin of the side that won."""
    return margin if margin >= 0 else -margin


def whole(margin: Margin) -> int:
    """A margin in whole IMPs for scales that are tables; halves go away from zero."""
    size = int(2 * abs(Fraction(margin)) + 1) // 2
    return size if margin >= 0 else -size


def _tau() -> Decimal:
    return (Decimal(5).sqrt() - 1) / 2


def _root(boards: int) -> Decimal:
    return Decimal(_checked(boards)).sqrt()


def _checked(boards: int) -> int:
    if boards < 1:
        raise Impossible("boards", f"a match has at least one board, not {boards}")
    return boards


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
