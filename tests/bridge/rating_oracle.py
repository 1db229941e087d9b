"""The weekly rating again, straight from its rules: player by player, table by table, in fractions.

Nothing here imports from the product, nothing is kept from one week to the next that the rules do not name,
and equations are solved by elimination. Weeks are those of ``rating_worlds``; only their members are read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

HALF = Fraction(1, 2)
CLAMP = Fraction(15, 2)


def clamp(x: Fraction) -> Fraction:
    """Between -7.5 and 7.5."""
    return max(-CLAMP, min(CLAMP, x))


def table_rates(four: Sequence[Fraction], x: Fraction) -> list[Fraction]:
    """Board Rates of N, S, E, W with the Rates ``four``."""
    north, south, east, west = four
    p = HALF + clamp(x) / 15
    s4 = north + south + east + west
    ns, ew = north + south, east + west
    return [p * s4 * north / ns, p * s4 * south / ns, (1 - p) * s4 * east / ew, (1 - p) * s4 * west / ew]


@dataclass
class Known:
    """What is stored of a player."""

    rate: Fraction = Fraction(50)
    weight: Fraction = Fraction(25)
    rated: int = 0
    recent: Fraction = Fraction(0)
    board_rates: list[Fraction] = field(default_factory=list)  # of the last week
    clamped: bool = False


def partners_charged(weeks: Sequence[Any]) -> list[int]:
    """Partners who get a Rate of 0 in the last of the weeks, once a board."""
    charged = []
    now = weeks[-1]
    boards_of: dict[frozenset[int], list[tuple[int, int, int]]] = {}
    for number, week in list(enumerate(weeks))[-4:]:
        for board in sorted({each.board for each in week.leavings}):
            for pair in {frozenset((e.leaver, e.partner)) for e in week.leavings if e.board == board}:
                at = min(
                    e.at
                    for e in week.leavings
                    if e.board == board and frozenset((e.leaver, e.partner)) == pair
                )
                boards_of.setdefault(pair, []).append((number, at, board))
    for each in now.leavings:
        pair = frozenset((each.leaver, each.partner))
        first = min(boards_of[pair])
        left_too = any(e.board == each.board and e.leaver == each.partner for e in now.leavings)
        if first[2] != each.board and not left_too and not each.lifted:
            charged.append(each.partner)
    return charged


def classic(weeks: Sequence[Any], shield: int = 0, partner_rule: bool = True) -> list[dict[int, Known]]:
    """What is stored at the end of each week."""
    known: dict[int, Known] = {}
    history = []
    for number, week in enumerate(weeks):
        board_rates = _board_rates(week, known, shield)
        for who in week.elsewhere:
            board_rates.setdefault(who, []).append(Fraction(0))
        for each in week.leavings:
            board_rates.setdefault(each.leaver, []).append(Fraction(0))
        for who in partners_charged(weeks[: number + 1]) if partner_rule else ():
            board_rates.setdefault(who, []).append(Fraction(0))
        known = {
            who: _updated(known.get(who, Known()), board_rates.get(who, []))
            for who in known.keys() | board_rates.keys()
        }
        history.append(known)
    return history


def _board_rates(week: Any, known: dict[int, Known], shield: int) -> dict[int, list[Fraction]]:
    found: dict[int, list[Fraction]] = {}
    for table in week.tables:
        before = [known.get(who, Known()) for who in table.players]
        new = table_rates([each.rate for each in before], table.x)
        newcomers = [each.rated < shield for each in before]
        for who, rate, newcomer in zip(table.players, new, newcomers, strict=True):
            if who in table.left:
                found.setdefault(who, []).append(Fraction(0))
            elif newcomer or not any(newcomers):
                found.setdefault(who, []).append(rate)
    return found


def _updated(old: Known, board_rates: list[Fraction]) -> Known:
    n = len(board_rates)
    recent = Fraction(985, 1000) * old.recent + n
    if not old.rated and not n:
        return Known()  # still a newcomer
    past = min(Fraction(95, 100) * old.weight, Fraction(150))
    if not n:
        return Known(old.rate, past, old.rated, recent)
    week_rate = sum(board_rates) / n
    rate = (past * old.rate + n * week_rate) / (past + n)
    kept = max(Fraction(1), min(Fraction(99), rate))
    return Known(kept, past + n, old.rated + n, recent, board_rates, kept != rate)


@dataclass
class Row:
    """One row of the least squares."""

    weight: Fraction
    signs: dict[int, int]
    x: Fraction


@dataclass
class Fit:
    """The joint rating after some weeks."""

    s: dict[int, Fraction]
    rows: list[Row]
    settled: set[int]

    def counting(self, who: int) -> list[Row]:
        """The rows that a player's index rests on."""
        if who not in self.settled:
            return [row for row in self.rows if who in row.signs]
        return [row for row in self.rows if who in row.signs and row.signs.keys() <= self.settled]


def joint(weeks: Sequence[Any], shield: int = 0, partner_rule: bool = True) -> Fit:
    """Strengths after the last of the weeks."""
    known = classic(weeks, shield, partner_rule)[-1]
    everybody = sorted({who for week in weeks for table in week.tables for who in table.players} | set(known))
    settled = {who for who in everybody if known.get(who, Known()).rated >= shield}
    rows = []
    for number, week in enumerate(weeks):
        weight = Fraction(985, 1000) ** (len(weeks) - 1 - number)
        for table in week.tables:
            north, south, east, west = table.players
            rows.append(Row(weight, {north: 1, south: 1, east: -1, west: -1}, clamp(table.x)))
        zeros = [who for table in week.tables for who in table.left] + list(week.elsewhere)
        zeros += [each.leaver for each in week.leavings]
        zeros += partners_charged(weeks[: number + 1]) if partner_rule else []
        rows += [Row(weight, {who: 1}, -CLAMP) for who in zeros]
    first = [row for row in rows if row.signs.keys() <= settled]
    s = _solve(first, sorted(settled), {})
    second = [row for row in rows if not row.signs.keys() <= settled]
    s |= _solve(second, sorted(set(everybody) - settled), s)
    return Fit(s, rows, settled)


def matrix(rows: Sequence[Row], one: int, other: int) -> Fraction:
    """An entry of H."""
    return sum((row.weight * row.signs.get(one, 0) * row.signs.get(other, 0) for row in rows), Fraction(0))


def _solve(rows: Sequence[Row], unknown: Sequence[int], fixed: dict[int, Fraction]) -> dict[int, Fraction]:
    """Minimise sum of weight (x - a s)^2 / 18 + sum of s^2 / 0.2 over the unknown, the others fixed."""
    place = {who: i for i, who in enumerate(unknown)}
    size = len(unknown)
    equations = [[Fraction(0)] * (size + 1) for _ in unknown]
    for i in range(size):
        equations[i][i] = Fraction(10, 2)
    for row in rows:
        rest = row.x - sum(sign * fixed[who] for who, sign in row.signs.items() if who not in place)
        inside = [(place[who], sign) for who, sign in row.signs.items() if who in place]
        for i, sign in inside:
            equations[i][size] += row.weight * sign * rest / 18
            for j, other in inside:
                equations[i][j] += row.weight * sign * other / 18
    return dict(zip(unknown, _eliminated(equations), strict=True))


def _eliminated(equations: list[list[Fraction]]) -> list[Fraction]:
    size = len(equations)
    for pivot in range(size):
        for below in range(pivot + 1, size):
            share = equations[below][pivot] / equations[pivot][pivot]
            if share:
                equations[below] = [
                    b - share * p for b, p in zip(equations[below], equations[pivot], strict=True)
                ]
    solution = [Fraction(0)] * size
    for i in reversed(range(size)):
        known = sum((equations[i][j] * solution[j] for j in range(i + 1, size)), Fraction(0))
        solution[i] = (equations[i][size] - known) / equations[i][i]
    return solution


def error_bar(fit: Fit, who: int) -> tuple[float, float, float, int | None]:
    """b, share and bar in IMPs, and the strongest neighbour."""
    rows = fit.counting(who)
    others = sorted({other for row in rows for other in row.signs} - {who})
    mine = matrix(rows, who, who) / 18 + 5
    precision, strongest = mine, None
    if others:
        strongest = max(others, key=lambda other: (abs(matrix(rows, who, other)), other))
        # Of a newcomer's neighbour every table counts, the shared ones among them.
        theirs = fit.counting(strongest) if who in fit.settled else _all_of(fit, strongest)
        precision -= (matrix(rows, who, strongest) / 18) ** 2 / (
            matrix(theirs, strongest, strongest) / 18 + 5
        )
    b = 1 / float(precision) ** 0.5
    share = 1 - 1 / (0.2 * float(mine))
    return b, share, ((1.1 * b) ** 2 + 0.02 * share**2) ** 0.5, strongest


def _all_of(fit: Fit, who: int) -> list[Row]:
    return [row for row in fit.rows if who in row.signs]


def pair_only(fit: Fit, who: int) -> bool:
    """At least 95 % of the boards that count, faded, with one partner."""
    tables = [row for row in fit.counting(who) if len(row.signs) == 4]
    boards = sum((row.weight for row in tables), Fraction(0))
    with_partner: dict[int, Fraction] = {}
    for row in tables:
        (partner,) = (o for o in row.signs if o != who and row.signs[o] == row.signs[who])
        with_partner[partner] = with_partner.get(partner, Fraction(0)) + row.weight
    return bool(tables) and max(with_partner.values()) >= Fraction(95, 100) * boards
