"""The rules of the weekly rating in numbers: an example and constants, all from the code that rates."""

import math
from dataclasses import dataclass

from markupsafe import Markup

from server.bridge.five_figures import POINT, week_points
from server.bridge.rating import FIRST, Algorithm
from server.bridge.rating_classic import BoardRates, board_rates

RATES = (50.0, 50.0, 62.0, 58.0)  # of N, S, E, W: A and B against C and D
SCORES = (3, -6)  # IMPs of NS on the two boards


@dataclass(frozen=True, slots=True)
class Example:
    """Two boards of four players, and what the week makes of North."""

    boards: tuple[tuple[int, BoardRates], ...]  # IMPs of NS, and the arithmetic
    week_rate: float
    past: float  # boards that North's past weighs
    new: float
    points: int


def example(algorithm: Algorithm = FIRST) -> Example:
    """North has played enough before that his past weighs as much as it may."""
    boards = tuple((x, board_rates(RATES, x, algorithm)) for x in SCORES)
    own = [found.board_rates[0] for _, found in boards]
    week_rate, past, n = sum(own) / len(own), algorithm.classic.most_past, len(own)
    new = (past * RATES[0] + n * week_rate) / (past + n)
    points = week_points([100 * x for x in SCORES], 0, algorithm=algorithm) // POINT
    return Example(boards, week_rate, past, new, points)


@dataclass(frozen=True, slots=True)
class Fading:
    """How the past fades."""

    keeps: float  # per cent of its weight, from week to week
    half_life: float  # weeks
    year: tuple[tuple[int, float], ...]  # weeks, and what is left of a weight of 100 boards


def fading(algorithm: Algorithm = FIRST) -> Fading:
    """What is left of the weight of somebody who stays away."""
    fade = algorithm.classic.fade
    half_life = math.log(0.5) / math.log(fade)
    return Fading(100 * fade, half_life, tuple((weeks, 100 * fade**weeks) for weeks in (1, 4, 13, 26, 52)))


def formulas(algorithm: Algorithm = FIRST) -> dict[str, Markup]:
    """The formulas of the classic rating as they are written in every language; the text says the rest."""
    clamp = f"{algorithm.clamp:g}"
    values = {"clamp": clamp, "width": f"{2 * algorithm.clamp:g}"}
    return {
        "share": Markup("P<sub>NS</sub> = ½ + x ÷ {width}").format(**values),
        "clamped": Markup("−{clamp} ≤ x ≤ {clamp}").format(**values),
        "other": Markup("P<sub>EW</sub> = 1 − P<sub>NS</sub>"),
        "sum": Markup("S4 = r<sub>N</sub> + r<sub>S</sub> + r<sub>E</sub> + r<sub>W</sub>"),
        "board": Markup("P<sub>NS</sub> × S4 × r<sub>N</sub> ÷ (r<sub>N</sub> + r<sub>S</sub>)"),
        "merged": Markup("(W × r + n × R) ÷ (W + n)"),
    }
