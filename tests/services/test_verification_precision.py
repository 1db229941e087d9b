"""How exactly a printed figure is meant."""

from decimal import Decimal
from fractions import Fraction

import pytest

from server.bridge.matchpoints import matchpoints, neuberg
from server.formats.records import Method
from server.services.verification import Check, verify
from server.services.verification_precision import half_unit, usual_places, written
from tests.services.result_files import board, file, row


@pytest.mark.parametrize(
    ("figure", "usual", "percentage", "allowed"),
    [
        ("3.67", 2, False, "0.005"),
        ("-6", 2, False, "0.005"),
        ("-6", 0, False, "0.5"),
        ("3.7", 2, False, "0.05"),
        ("87.30", 2, True, "0.05"),
        ("87.30", 2, False, "0.005"),
        ("27.45", 2, True, "0.005"),
        ("100.00", 2, True, "0.05"),
        ("99.0", 1, True, "0.05"),
        ("75", 1, True, "0.05"),
    ],
)
def test_half_a_unit(figure: str, usual: int, percentage: bool, allowed: str) -> None:
    assert half_unit(Decimal(figure), usual, percentage) == Fraction(allowed)


def test_usual_places() -> None:
    assert usual_places(map(Decimal, ("1.25", "3", "4", "5", "0.5", "0.75"))) == 2
    assert usual_places(map(Decimal, ("1", "3"))) == 0


def test_written() -> None:
    assert written(Fraction(20), 1) == "20.0"
    assert written(Fraction(-125, 1000), 2) == "-0.12"
    assert written(Fraction(1, 3), 2) == "0.33"
    assert written(Fraction(1000), 0) == "1000"


@pytest.mark.parametrize(
    ("printed", "equal"),
    [
        (("7.8", "5.2", "2.8", "0.2"), 4),  # halves to even
        (("7.8", "5.3", "2.8", "0.3"), 4),
        (("7.7", "5.2", "2.7", "0.2"), 4),
        (("7.9", "5.1", "2.6", "0.4"), 0),
    ],
)
def test_a_half_may_go_either_way(printed: tuple[str, ...], equal: int) -> None:
    exact = [neuberg(points, 5, 4) for points in matchpoints((100, 50, 40, 0))]
    assert exact == [Fraction("7.75"), Fraction("5.25"), Fraction("2.75"), Fraction("0.25")]
    scores = enumerate(zip((100, 50, 40, 0), printed, strict=True), 1)
    rows = [row(i, score, "matchpoints", figure, 8 - Decimal(figure)) for i, (score, figure) in scores]
    full = [row(i, 10 * i, "matchpoints", 2 * i - 2) for i in range(1, 6)]
    boards = (board(1, Method.MATCHPOINTS, *rows), board(2, Method.MATCHPOINTS, *full))

    assert verify(file(*boards)).published == Check(9, 5 + equal)
