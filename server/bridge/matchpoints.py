"""Matchpoints: 2 for every worse result, 1 for every equal one (Law 78A)."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction


def top(results: int) -> int:
    """Most matchpoints that one of ``results`` results can have."""
    return 2 * (results - 1)


def compared(difference: int) -> int:
    """Matchpoints against one other result that is ``difference`` total points worse."""
    return 2 if difference > 0 else 1 if difference == 0 else 0


def matchpoints(scores: Sequence[int]) -> tuple[int, ...]:
    """Matchpoints of NS for each of the ``scores`` (total points for NS), in their order.

    EW has ``top(len(scores))`` less that.
    """
    order = sorted(scores)
    return tuple(bisect_left(order, score) + bisect_right(order, score) - 1 for score in scores)


def percentages(scores: Sequence[int]) -> tuple[Fraction, ...]:
    """Share of the top in percent, for NS, 0 to 100; 50 when there is nothing to compare with."""
    results = len(scores)
    return tuple(share_of_top(points, results) for points in matchpoints(scores))


def share_of_top(points: int | Fraction, results: int) -> Fraction:
    """``points`` among ``results`` results in percent, 0 to 100; 50 for the only result."""
    return Fraction(100 * points, top(results)) if results > 1 else Fraction(50)


def neuberg(points: int | Fraction, expected: int, actual: int) -> Fraction:
    """Matchpoints on the top of ``expected`` results for ``points`` among the ``actual`` ones of a board.

    Neuberg's formula M' = (M + 1) E / A - 1, so that a top among few is worth less than one among many; the
    only result has exactly half. Two or three results, when that is a third of the expected ones or less, are
    ranked instead: 5 % a place around 60 % (two: 65 and 55; three: 70, 60 and 50; ties share), by each side
    for itself. More results than expected: all of them were expected.
    """
    expected = max(expected, actual)
    if actual in (2, 3) and 3 * actual <= expected:
        percent = 60 + 5 * (points - (actual - 1))
        return Fraction(percent * top(expected), 100)
    return Fraction((points + 1) * expected, actual) - 1


def ascherman(points: int | Fraction, results: int) -> Fraction:
    """Ascherman's percentage 100 (m + 1) / 2n, with which some published files were scored."""
    return Fraction(50 * (points + 1), results)
