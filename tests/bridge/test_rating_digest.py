"""Digests of input and output."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.rating import FIRST, Estimator, Rules
from server.bridge.rating_columns import Abandoned, Disconnects, WeekRows
from server.bridge.rating_digest import input_digest, millionths, snapshot_checksum
from tests.bridge.rating_worlds import Leaving, Played, Table, histories, rated, rows_of

WEEK = Played(
    (Table((0, 1, 2, 3), Fraction(3)), Table((4, 1, 2, 0), Fraction(-2), frozenset({4}))),
    (3,),
    (Leaving(1, 2, 0, 1), Leaving(2, 3, 1, 0)),
)
ROWS = rows_of([WEEK])


def digest(rows: WeekRows, before: str = "", rules: Rules = Rules(), joint: bool = True) -> str:  # noqa: B008
    return input_digest(before, rows, rules, joint)


def shuffled(rows: WeekRows, seed: int) -> WeekRows:
    rng = np.random.default_rng(seed)
    gone, left = rows.disconnects, rows.abandoned
    at = rng.permutation(len(gone))
    order = rng.permutation(len(left))
    columns = (getattr(left, name)[order] for name in ("age", "board", "at", "leaver", "partner", "lifted"))
    return WeekRows(
        rows.players,
        rows.tables.where(rng.permutation(len(rows.tables))),
        Disconnects(gone.player[at], gone.key[at]),
        Abandoned(*columns),
    )


@given(histories(), st.integers(0, 99))
def test_the_order_of_rows_is_irrelevant(history, seed):
    rows = rows_of(history)
    assert digest(rows) == digest(shuffled(rows, seed))


def test_everything_that_is_read_counts():
    tables, gone, left = ROWS.tables, ROWS.disconnects, ROWS.abandoned
    other = [
        digest(ROWS, before="0123"),
        digest(ROWS, rules=Rules(shield_boards=0)),
        digest(ROWS, rules=Rules(partner_of_leaver=False)),
        digest(ROWS, rules=Rules(official=Estimator.JOINT)),
        digest(ROWS, rules=Rules(algorithm=replace(FIRST, number=2))),
        digest(ROWS, joint=False),
        digest(replace(ROWS, tables=tables.where(slice(1, None)))),
        digest(replace(ROWS, tables=replace(tables, x=tables.x + np.array([0, 1e-9])))),
        digest(replace(ROWS, tables=replace(tables, north=tables.south, south=tables.north))),
        digest(replace(ROWS, tables=replace(tables, key=tables.key + 1))),
        digest(replace(ROWS, disconnects=replace(gone, key=gone.key + 1))),
        digest(replace(ROWS, abandoned=replace(left, lifted=~left.lifted))),
        digest(replace(ROWS, abandoned=replace(left, age=left.age + 1))),
        digest(replace(ROWS, abandoned=replace(left, at=left.at[::-1]))),
    ]
    assert len({digest(ROWS), *other}) == 1 + len(other)
    assert digest(ROWS) == digest(rows_of([WEEK]))


def test_players_count_by_their_numbers():
    moved = replace(ROWS, players=ROWS.players + 1)
    assert digest(moved) != digest(ROWS)
    more = rows_of([Played((), (9,)), WEEK])
    assert digest(replace(more, abandoned=ROWS.abandoned)) == digest(ROWS)


@given(histories())
def test_the_checksum_follows_from_the_rows(history):
    one, other = rated(history)[-1], rated(history)[-1]
    assert snapshot_checksum(one) == snapshot_checksum(other)


def test_every_figure_counts():
    week = rated([WEEK])[-1]
    classic, joint, state = week.classic, week.joint, week.snapshot.classic
    other = [
        replace(week, joint=None),
        replace(week, provisional=~week.provisional),
        replace(week, classic=replace(classic, boards=classic.boards + 1)),
        replace(week, classic=replace(classic, week_rate=classic.week_rate + 1e-9)),
        replace(week, classic=replace(classic, clamped=~classic.clamped)),
        replace(week, joint=replace(joint, index=joint.index + 1e-5)),
        replace(week, joint=replace(joint, bar=joint.bar + 1e-5)),
        replace(week, joint=replace(joint, island=~joint.island)),
        replace(week, joint=replace(joint, pair_only=~joint.pair_only)),
        *(
            replace(week, snapshot=replace(week.snapshot, classic=replace(state, **{name: values + 1})))
            for name, values in (
                ("players", state.players),
                ("rate", state.rate),
                ("weight", state.weight),
                ("rated", state.rated),
                ("recent", state.recent),
            )
        ),
    ]
    sums = {snapshot_checksum(each) for each in (week, *other)}
    assert len(sums) == 1 + len(other)


def test_the_last_bits_of_the_solver_do_not_count():
    week = rated([WEEK])[-1]
    joint = replace(week.joint, index=np.round(week.joint.index, 6) + 1e-9)
    assert snapshot_checksum(replace(week, joint=joint)) == snapshot_checksum(week)


@pytest.mark.parametrize(("value", "expected"), [(50.0, 50_000_000), (-0.0, 0), (49.9999996, 50_000_000)])
def test_indexes_are_published_in_millionths(value, expected):
    assert millionths(np.array([value])).tolist() == [expected]
