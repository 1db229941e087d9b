"""The classic weekly rating: a board Rate for every player of every table, their mean, merged with the past.

    P_NS = 1/2 + clamp(x, -7.5, 7.5) / 15        P_EW = 1 - P_NS        S4 = r_N + r_S + r_E + r_W
    board Rate of N = P_NS * S4 * r_N / (r_N + r_S), likewise of S, and of E and W with P_EW
    new Rate = (W * old Rate + n * mean of the n board Rates) / (W + n), W the past's faded and capped weight

Rates used all week are those stored at the end of the week before. Board Rates are added up in whole units of
2^-30, so that sums are exact and no order of rows can show.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from server.bridge.rating import FIRST, Algorithm, Rules
from server.bridge.rating_columns import Flags, Floats, Leavings, Numbers, Positions, Tables, positions

_UNIT = 2.0**30  # sums stay exact up to 2^53 units: 20,000 boards of the highest Rate in one week
_ROWS_AT_ONCE = 1 << 16  # so that what is computed on the way stays in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class ClassicState:
    """What the classic rating knows at the end of a week, a row for each player."""

    players: Numbers  # sorted
    rate: Floats
    weight: Floats  # boards that the past weighs
    rated: Numbers  # board Rates ever had
    recent: Floats  # board Rates had, each weighing 0.985 for each week of its age

    def grown(self, players: Numbers, algorithm: Algorithm = FIRST) -> "ClassicState":
        """The same for more players, who begin as newcomers."""
        at = positions(players, self.players)
        start = algorithm.classic
        return ClassicState(
            players,
            _placed(self.rate, at, len(players), start.start),
            _placed(self.weight, at, len(players), start.start_weight),
            _placed(self.rated, at, len(players), 0),
            _placed(self.recent, at, len(players), 0.0),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ClassicWeek:
    """What a week did to the classic rating, a row for each player."""

    state: ClassicState  # at the end of the week
    boards: Numbers  # board Rates this week, Rates of 0 included
    week_rate: Floats  # their mean; not a number where there is none
    clamped: Flags  # the new Rate was held at 1 or 99


@dataclass(frozen=True, slots=True)
class BoardRates:
    """The arithmetic of one table, as players may read it."""

    p_ns: float  # share of NS: 0 to 1
    s4: float  # sum of the four Rates
    rates: tuple[float, float, float, float]  # of N, S, E, W before the week
    board_rates: tuple[float, float, float, float]  # of N, S, E, W; may pass 100, and is then shown as 100


@dataclass(slots=True)
class _Sums:
    """Board Rates of each player."""

    units: Floats  # whole units
    boards: Numbers


NOBODY = ClassicState(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.int64), np.zeros(0))


def board_rates(
    rates: tuple[float, float, float, float], x: float, algorithm: Algorithm = FIRST
) -> BoardRates:
    """Board Rates of one table where N, S, E, W have these ``rates`` and NS the field score ``x``.

    Without regard to disconnects and the shield: whoever left has 0 instead.
    """
    found = _board_rates(np.array(rates)[:, None], np.array([x]), algorithm.clamp)
    north, south, east, west = (float(rate) for rate in found[:, 0])
    share = 0.5 + max(-algorithm.clamp, min(algorithm.clamp, x)) / (2 * algorithm.clamp)
    return BoardRates(share, sum(rates), rates, (north, south, east, west))


def rate_classic(
    before: ClassicState, tables: Tables, leavings: Leavings, partners: Positions, rules: Rules
) -> ClassicWeek:
    """The rating at the end of a week; ``before`` and the columns name the same players by position.

    ``partners``: Rates of 0 of leavers' partners, a row each.
    """
    sums = _of_tables(before, tables, leavings.left, rules)
    for zeros in (leavings.alone, partners):
        sums.boards += np.bincount(zeros, minlength=len(before.players))
    return _merged(before, sums, rules.algorithm)


def unmoved(before: ClassicState, tables: Tables, rules: Rules) -> Flags:
    """Who has no board Rate because of a newcomer at the table (shape (4, tables): N, S, E, W).

    A table with a player below the shield's number of rated boards moves only such players. The Rate of 0 of
    a disconnect stands all the same.
    """
    known = before.rated >= rules.shield_boards
    seated = np.stack([known[seat] for seat in tables.seats])
    return seated & ~seated.all(axis=0)


def _of_tables(before: ClassicState, tables: Tables, left: Flags, rules: Rules) -> _Sums:
    players = len(before.players)
    sums = _Sums(np.zeros(players), np.zeros(players, np.int64))
    for start in range(0, len(tables), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        seats = [seat[rows] for seat in tables.seats]
        rates = np.stack([before.rate[seat] for seat in seats])
        units = np.rint(_board_rates(rates, tables.x[rows], rules.algorithm.clamp) * _UNIT)
        units[left[:, rows]] = 0.0
        counted = ~unmoved(before, tables.where(rows), rules) | left[:, rows]
        units *= counted
        everybody = np.concatenate(seats)
        sums.units += np.bincount(everybody, units.ravel(), players)
        sums.boards += np.bincount(everybody[counted.ravel()], minlength=players)
    return sums


def _board_rates(rates: Floats, x: Floats, clamp: float) -> Floats:
    """Board Rates from Rates, both of shape (4, tables): N, S, E, W.

    What is taken from one side is given to the other in the same figures, so that swapping the sides and
    the sign of the score changes no bit.
    """
    lead = np.clip(x, -clamp, clamp) / (2 * clamp)
    ns, ew = rates[0] + rates[1], rates[2] + rates[3]
    s4 = ns + ew
    ns, ew = (0.5 + lead) * s4 / ns, (0.5 - lead) * s4 / ew
    found: Floats = rates * np.stack([ns, ns, ew, ew])
    return found


def _merged(before: ClassicState, sums: _Sums, algorithm: Algorithm) -> ClassicWeek:
    """Past and week by numbers of boards. Whoever never had a board Rate stays as new as he was."""
    classic, n = algorithm.classic, sums.boards
    total = sums.units / _UNIT
    known = (before.rated > 0) | (n > 0)
    past = np.where(known, np.minimum(classic.fade * before.weight, classic.most_past), before.weight)
    played = n > 0
    weight: Floats = past + n
    moved = (past * before.rate + total) / np.where(played, weight, 1.0)
    held = np.clip(moved, classic.lowest, classic.highest)
    state = ClassicState(
        before.players,
        np.where(played, held, before.rate),
        weight,
        before.rated + n,
        algorithm.joint.fade * before.recent + n,
    )
    week_rate = np.where(played, total / np.maximum(n, 1), np.nan)
    return ClassicWeek(state, n, week_rate, played & (held != moved))


def _placed(values: npt.NDArray[Any], at: Positions, length: int, otherwise: float) -> npt.NDArray[Any]:
    """A longer column with ``values`` at the given places."""
    placed = np.full(length, otherwise, values.dtype)
    placed[at] = values
    return placed
