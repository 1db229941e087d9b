"""Weeks of play as plain values, as hypothesis makes them, and the way from there into the columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from server.bridge.rating import Rules
from server.bridge.rating_columns import (
    NO_RESULT,
    Abandoned,
    Disconnects,
    Tables,
    WeekRows,
    positions,
    roster,
)
from server.bridge.rating_week import RatedWeek, beginning, rate_week


@dataclass(frozen=True)
class Table:
    """A ratable table."""

    players: tuple[int, int, int, int]  # N, S, E, W
    x: Fraction  # IMPs for NS
    left: frozenset[int] = frozenset()  # who of them disconnected


@dataclass(frozen=True)
class Leaving:
    """One who left a board that nobody finished."""

    board: int
    at: int
    leaver: int
    partner: int
    lifted: bool = False


@dataclass(frozen=True)
class Played:
    """What happened in a week."""

    tables: tuple[Table, ...] = ()
    elsewhere: tuple[int, ...] = ()  # disconnects on boards that have too few results
    leavings: tuple[Leaving, ...] = field(default=())


NO_SHIELD = Rules(shield_boards=0)


def column(values: Sequence[int]) -> np.ndarray:
    """Whole numbers as a column."""
    return np.array(list(values), dtype=np.int64)


def everybody(weeks: Sequence[Played]) -> np.ndarray:
    """All players of some weeks."""
    named: list[int] = []
    for week in weeks:
        named += [player for table in week.tables for player in table.players]
        named += week.elsewhere
        named += [player for each in week.leavings for player in (each.leaver, each.partner)]
    return roster(column(named))


def tables_of(tables: Sequence[Table], players: np.ndarray) -> Tables:
    """Ratable tables as columns; keys are their places."""
    seats = [positions(players, column([table.players[i] for table in tables])) for i in range(4)]
    x = np.array([float(table.x) for table in tables], dtype=np.float64)
    return Tables(7 * np.arange(len(tables), dtype=np.int64), *seats, x)


def rows_of(weeks: Sequence[Played]) -> WeekRows:
    """Columns of the last of the weeks."""
    players, week = everybody(weeks), weeks[-1]
    left = [(who, 7 * i) for i, table in enumerate(week.tables) for who in sorted(table.left)]
    left += [(who, 10**6 + i) for i, who in enumerate(week.elsewhere)]  # a result that is not rated
    left += [(each.leaver, NO_RESULT) for each in week.leavings]
    aged = [(age, each) for age, earlier in enumerate(reversed(weeks)) for each in earlier.leavings]
    abandoned = Abandoned(
        column([age for age, _ in aged]),
        column([each.board for _, each in aged]),
        column([each.at for _, each in aged]),
        positions(players, column([each.leaver for _, each in aged])),
        positions(players, column([each.partner for _, each in aged])),
        np.array([each.lifted for _, each in aged], dtype=np.bool_),
    )
    gone = Disconnects(positions(players, column([who for who, _ in left])), column([key for _, key in left]))
    return WeekRows(players, tables_of(week.tables, players), gone, abandoned)


def rated(weeks: Sequence[Played], rules: Rules = NO_SHIELD, joint: bool = True) -> list[RatedWeek]:
    """All weeks rated in turn."""
    found: list[RatedWeek] = []
    before = beginning(joint)
    for last in range(len(weeks)):
        found.append(rate_week(before, rows_of(weeks[: last + 1]), rules))
        before = found[-1].snapshot
    return found


def rates(week: RatedWeek) -> dict[int, float]:
    """Classic Rate by player."""
    return dict(zip(week.players.tolist(), week.snapshot.classic.rate.tolist(), strict=True))


def indexes(week: RatedWeek) -> dict[int, float]:
    """Joint index by player."""
    assert week.joint is not None
    return dict(zip(week.players.tolist(), week.joint.index.tolist(), strict=True))


def renamed(week: Played, name: dict[int, int]) -> Played:
    """The same week played by others."""

    def table(old: Table) -> Table:
        north, south, east, west = (name[player] for player in old.players)
        return Table((north, south, east, west), old.x, frozenset(name[who] for who in old.left))

    def leaving(old: Leaving) -> Leaving:
        return replace(old, leaver=name[old.leaver], partner=name[old.partner])

    return Played(
        tuple(map(table, week.tables)),
        tuple(name[who] for who in week.elsewhere),
        tuple(map(leaving, week.leavings)),
    )


imps = st.integers(-24, 24).map(Fraction)
shares = st.fractions(-12, 12, max_denominator=39)
scores = imps | shares
"""Field scores: IMPs against a datum, or a mean of IMPs against others."""


@st.composite
def tables(draw: st.DrawFn, players: int, leaving: bool, x: st.SearchStrategy[Fraction] = scores) -> Table:
    """A table of four of so many players."""
    north, south, east, west = draw(st.permutations(range(players)))[:4]
    four = (north, south, east, west)
    left = draw(st.frozensets(st.sampled_from(four), max_size=2)) if leaving else frozenset()
    return Table(four, draw(x), left)


@st.composite
def leavings(draw: st.DrawFn, players: int) -> tuple[Leaving, ...]:
    """A few abandoned boards, some of them left by both of a pair."""
    found: list[Leaving] = []
    for board in range(draw(st.integers(0, 4))):
        one, other = draw(st.permutations(range(players)))[:2]
        both = draw(st.booleans())
        for leaver, partner in ((one, other), (other, one))[: 1 + both]:
            found.append(Leaving(board, draw(st.integers(0, 9)), leaver, partner, draw(st.booleans())))
    return tuple(found)


@st.composite
def histories(
    draw: st.DrawFn,
    weeks: int = 3,
    players: int = 7,
    most: int = 6,
    leaving: bool = True,
    x: st.SearchStrategy[Fraction] = scores,
) -> list[Played]:
    """Some weeks of play in a small circle, now and then an empty one."""
    history = []
    for _ in range(draw(st.integers(1, weeks))):
        played = draw(st.lists(tables(players, leaving, x), max_size=most))
        elsewhere = draw(st.lists(st.integers(0, players - 1), max_size=2)) if leaving else []
        left = draw(leavings(players)) if leaving else ()
        history.append(Played(tuple(played), tuple(elsewhere), left))
    return distinct_boards(history)


def distinct_boards(history: list[Played]) -> list[Played]:
    """Boards of different weeks are different boards."""

    def numbered() -> Iterator[Played]:
        for number, week in enumerate(history):
            moved = tuple(replace(each, board=each.board + 100 * number) for each in week.leavings)
            yield replace(week, leavings=moved)

    return list(numbered())
