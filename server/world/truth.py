"""How well a list agrees with the truth."""

import math
from collections.abc import Sequence


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's rank correlation of two figures of the same people, -1 to 1; equal values share ranks.

    Not a number when either figure is the same for all.
    """
    first, second = _ranks(one), _ranks(other)
    middle = (len(first) - 1) / 2
    together = sum((a - middle) * (b - middle) for a, b in zip(first, second, strict=True))
    spread = math.sqrt(sum((a - middle) ** 2 for a in first) * sum((b - middle) ** 2 for b in second))
    return together / spread if spread else math.nan


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 0, the mean of their places for equal values."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + end - 1) / 2
        start = end
    return ranks
