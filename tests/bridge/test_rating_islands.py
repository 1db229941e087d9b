"""Groups of players who hardly meet anybody else."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.rating import Rules
from tests.bridge.rating_worlds import NO_SHIELD, Played, Table, histories, rated, renamed


def table(*players: int) -> Table:
    return Table(players, Fraction(1))


def club(first: int, members: int, rounds: int, seed: int = 0) -> list[Table]:
    """Everybody sits with somebody else each round."""
    rng = np.random.default_rng((first, seed))
    found = []
    for _ in range(rounds):
        order = (first + rng.permutation(members)).tolist()
        found += [table(*order[i : i + 4]) for i in range(0, members - 3, 4)]
    return found


def islanders(weeks: list[list[Table]], rules: Rules = NO_SHIELD) -> set[int]:
    last = rated([Played(tuple(week)) for week in weeks], rules)[-1]
    return set(last.players[last.joint.island].tolist())


def test_one_group_is_no_island():
    assert islanders([club(0, 16, 10)]) == set()
    assert islanders([[table(0, 1, 2, 3)]]) == set()


def test_a_smaller_group_that_meets_nobody_else_is_one():
    assert islanders([club(0, 40, 10) + club(100, 8, 10)]) == set(range(100, 108))


def test_of_two_equal_groups_neither_can_be_compared_with_the_other():
    assert islanders([club(0, 4, 5) + club(100, 4, 5)]) == {*range(4), *range(100, 104)}


@pytest.mark.parametrize("members", [8, 60, 200])
def test_a_single_table_with_outsiders_does_not_make_a_group_less_of_an_island(members):
    inside = club(1000, members, 40)
    week = club(0, 3 * members, 40) + inside + [table(1000, 0, 1, 2)]
    assert islanders([week]) == set(range(1000, 1000 + members))


@pytest.mark.parametrize(("visits", "expected"), [(3, True), (30, False)])
def test_two_per_cent_of_boards_against_outsiders(visits, expected):
    # 20 members play 400 boards each among themselves: 8,000 together, of which a visit by two members to
    # two outsiders adds two.
    inside = club(1000, 20, 400)
    outside = [
        table(1000 + 2 * (i % 10), 1001 + 2 * (i % 10), i % 60, 60 + i % 60) for i in range(10 * visits)
    ]
    found = islanders([club(0, 120, 200) + inside + outside])
    assert found == (set(range(1000, 1020)) if expected else set())


def test_newcomers_connect_as_well():
    first = club(0, 16, 40) + club(100, 8, 40)
    meeting = [table(500, 501, 0, 1), table(500, 501, 100, 101)] * 20
    rules = Rules(shield_boards=50)
    assert islanders([first, []], rules) == set(range(100, 108))
    assert islanders([first, meeting], rules) == set()


def test_two_visits_are_forgotten_as_they_fade():
    years = [[] for _ in range(200)]
    both = club(0, 16, 6) + club(100, 8, 6) + [table(0, 1, 100, 101)] * 8
    apart = club(0, 16, 40, seed=1) + club(100, 8, 40, seed=1)
    assert islanders([both]) == set()
    assert islanders([both, *years, apart]) == set(range(100, 108))


@given(st.lists(histories(weeks=1, leaving=False, most=8), min_size=1, max_size=4))
def test_parts_that_nothing_connects_are_islands_unless_they_hold_most_boards(parts):
    weeks = [renamed(part[0], {i: 100 * number + i for i in range(7)}) for number, part in enumerate(parts)]
    tables = [table for week in weeks for table in week.tables]
    groups = connected(tables)
    found = islanders([tables])
    for group in groups:
        boards = sum(table.players[0] in group for table in tables)
        if 2 * boards <= len(tables):
            assert group <= found
        else:
            # Small as they are, parts of it that are hardly connected cannot be: one board is over 2 %.
            assert not group & found


def connected(tables: list[Table]) -> list[set[int]]:
    """The parts of the graph of who sat with whom, by joining sets."""
    groups: list[set[int]] = []
    for each in tables:
        touched = [group for group in groups if group & set(each.players)]
        groups = [group for group in groups if group not in touched]
        groups.append(set(each.players).union(*touched))
    return groups
