"""How exactly a printed figure is meant, and computed ones written with the same precision."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction


def places(figure: Decimal) -> int:
    """Decimal places that a figure is printed with."""
    exponent = figure.as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


def usual_places(figures: Iterable[Decimal]) -> int:
    """Decimal places of most figures that have any; 0 when all are whole."""
    found = Counter(places(figure) for figure in figures if places(figure))
    return found.most_common(1)[0][0] if found else 0


def half_unit(figure: Decimal, usual: int, percentage: bool) -> Fraction:
    """How far the exact value may be from a printed figure, by either direction of rounding halves.

    A whole number among figures with ``usual`` decimal places is one whose zeros were left out. A percentage
    may be printed to three figures and filled up with a 0, so that a last 0 behind another decimal place says
    nothing about it.
    """
    digits = places(figure) or usual
    if percentage and digits > 1 and places(figure) and figure.as_tuple().digits[-1] == 0:
        digits -= 1
    return Fraction(1, 2 * 10**digits)


def written(value: Fraction, digits: int) -> str:
    """The value with so many decimal places, halves to even as scoring programs print them."""
    return str(Decimal(round(value * 10**digits)).scaleb(-digits))
