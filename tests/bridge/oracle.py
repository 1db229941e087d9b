"""The rules again, straight from the books and in the slowest and plainest way, to check the product against.

Nothing here imports from the product. Fractions throughout.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

IMP_SCALE = """
20-40 50-80 90-120 130-160 170-210 220-260 270-310 320-360 370-420 430-490 500-590 600-740
750-890 900-1090 1100-1290 1300-1490 1500-1740 1750-1990 2000-2240 2250-2490 2500-2990
3000-3490 3500-3990 4000-99990
"""
IMP_ROWS = [tuple(map(int, row.split("-"))) for row in IMP_SCALE.split()]

Outcomes = Sequence[tuple[Fraction, int]]


def contract_score(level: int, strain: str, multiplier: int, tricks: int, vulnerable: bool) -> int:
    """Law 77 for declarer's side; ``multiplier`` is 1, 2 (doubled) or 4 (redoubled)."""
    short = level + 6 - tricks
    if short > 0:
        return -sum(_penalty(trick, multiplier, vulnerable) for trick in range(1, short + 1))
    trick_score = ({"C": 20, "D": 20, "H": 30, "S": 30, "N": 30}[strain] * level) * multiplier
    if strain == "N":
        trick_score += 10 * multiplier
    total = trick_score + {1: 0, 2: 50, 4: 100}[multiplier]
    for _ in range(-short):
        if multiplier == 1:
            total += 20 if strain in "CD" else 30
        else:
            total += (200 if vulnerable else 100) * multiplier // 2
    if trick_score < 100:
        total += 50
    else:
        total += 500 if vulnerable else 300
    if level >= 6:
        total += {(6, False): 500, (6, True): 750, (7, False): 1000, (7, True): 1500}[level, vulnerable]
    return total


def _penalty(trick: int, multiplier: int, vulnerable: bool) -> int:
    """What the first, second, third … undertrick costs."""
    if multiplier == 1:
        return 100 if vulnerable else 50
    if trick == 1:
        doubled = 200 if vulnerable else 100
    elif trick in (2, 3) and not vulnerable:
        doubled = 200
    else:
        doubled = 300
    return doubled * multiplier // 2


def imps(difference: int) -> int:
    """Law 78B, by looking the difference up in the printed rows."""
    size = abs(difference)
    for row, (low, high) in enumerate(IMP_ROWS, start=1):
        if low <= size < high + 10:
            return row if difference > 0 else -row
    return 0


def datum(scores: Sequence[Fraction | int], drop: int) -> int:
    """Mean without ``drop`` at each end, to the nearest ten, halves away from zero."""
    kept = sorted(scores)
    for _ in range(drop):
        kept.remove(max(kept))
        kept.remove(min(kept))
    mean = sum((Fraction(score) for score in kept), Fraction(0)) / len(kept)
    ten = 0
    while ten + 5 <= abs(mean):
        ten += 10
    return ten if mean > 0 else -ten


def versus(difference: int) -> int:
    """Matchpoints against one other result."""
    if difference > 0:
        return 2
    return 1 if difference == 0 else 0


def against_others(field: Sequence[Outcomes], index: int, points: Callable[[int], int]) -> Fraction:
    """Sum over all other results and all their outcomes, each with its probability."""
    total = Fraction(0)
    for weight, score in field[index]:
        for other in range(len(field)):
            if other == index:
                continue
            for other_weight, other_score in field[other]:
                total += weight * other_weight * points(score - other_score)
    return total


def plain(scores: Sequence[int]) -> list[Outcomes]:
    """Plain results as fields of outcomes."""
    return [[(Fraction(1), score)] for score in scores]


def neuberg_percent(points: Fraction, expected: int, actual: int) -> Fraction:
    """Share of the top of ``expected`` results, in percent."""
    expected = max(expected, actual)
    if expected == 1:
        return Fraction(50)
    if actual in (2, 3) and Fraction(actual) <= Fraction(expected, 3):
        return 60 + (points - (actual - 1)) * 5
    scaled = (points + 1) * Fraction(expected, actual) - 1
    return 100 * scaled / (2 * (expected - 1))
