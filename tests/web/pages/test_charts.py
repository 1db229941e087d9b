"""Charts of weeks: where their lines run, whatever weeks there are."""

import re
from itertools import pairwise

import pytest

from server.bridge.week import parse_week
from server.web.pages.charts import SIDE, chart
from server.web.schemas_weeks import JointIndex, PlayerWeek

BEGAN = parse_week("2024-W01")


def week(number, skill=50.0, joint=None):
    """A closed week, so many after the first; ``joint``: index and error."""
    return PlayerWeek(
        week=str(BEGAN.plus(number)),
        revision=1,
        skill_index=skill,
        weight=25.0,
        week_rate=None,
        points=0,
        boards=0,
        rated_boards=0,
        disconnects=0,
        total_boards=0,
        average=None,
        rank=None,
        movement=None,
        joint=None if joint is None else JointIndex(index=joint[0], error=joint[1]),
    )


def drawn(*weeks):
    """The chart of weeks that are given oldest first, as the API gives them newest first."""
    found = chart(list(reversed(weeks)))
    assert found is not None
    return found


def points(path):
    """The corners of a path."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](\S+?) ([\d.]+)", path)]


def value(found, height):
    """What is meant at a height."""
    high, low = found.scale[0][0], found.scale[-1][0]
    return high - height / SIDE * (high - low)


def test_without_weeks_there_is_no_chart():
    assert chart([]) is None


def test_one_week_is_a_dot_with_its_error():
    found = drawn(week(0, 52.0, (48.0, 6.0)))
    (mark,) = found.marks
    assert (mark.x, value(found, mark.y)) == (SIDE / 2, pytest.approx(52, abs=0.05))
    assert (mark.left, mark.width) == (0, SIDE)
    corners = points(found.band)
    assert [value(found, y) for _, y in corners] == pytest.approx([54, 54, 42, 42], abs=0.05)
    assert max(x for x, _ in corners) - min(x for x, _ in corners) > 0
    assert len(points(found.joint)) == 2
    assert not drawn(week(0)).band


def test_weeks_that_are_missing_leave_room():
    found = drawn(week(0), week(1), week(9), week(10))
    assert [mark.x for mark in found.marks] == [0, 100, 900, 1000]
    assert [x for x, _ in points(found.line)] == [0, 100, 900, 1000]


def test_the_band_is_one_error_to_both_sides_and_in_the_picture():
    found = drawn(*(week(i, 50 + i, (45 + i, 12.0 - i)) for i in range(5)))
    corners = points(found.band)
    upper, lower = corners[:5], corners[:4:-1]
    for i, ((x, high), (same, low)) in enumerate(zip(upper, lower, strict=True)):
        assert x == same == found.marks[i].x
        assert (value(found, high) + value(found, low)) / 2 == pytest.approx(45 + i, abs=0.1)
        assert (value(found, high) - value(found, low)) / 2 == pytest.approx(12 - i, abs=0.1)
        assert 0 <= high <= low <= SIDE
    assert found.average is not None
    assert value(found, found.average) == pytest.approx(50, abs=0.05)


def test_marks_share_the_width_without_gap_or_overlap():
    found = drawn(*(week(i, 40 + i % 20) for i in range(150)))
    ends = [(mark.left, mark.left + mark.width) for mark in found.marks]
    assert (ends[0][0], ends[-1][1]) == (0, SIDE)
    for (_, end), (begin, _) in pairwise(ends):
        assert begin == pytest.approx(end, abs=0.2)


@pytest.mark.parametrize(("count", "crowded"), [(1, False), (59, False), (60, True), (150, True)])
def test_dots_are_left_out_where_they_would_run_into_each_other(count, crowded):
    assert drawn(*(week(i) for i in range(count))).crowded == crowded


@pytest.mark.parametrize(("low", "high"), [(50, 50), (49.7, 50.2), (1, 99), (47, 53), (50, 140)])
def test_the_scale_has_a_few_whole_values_that_hold_everything(low, high):
    found = drawn(week(0, low), week(1, high))
    values = [value for value, _ in found.scale]
    assert 2 <= len(values) <= 8
    assert values[0] >= high
    assert values[-1] <= low
    assert values == sorted(values, reverse=True)
    assert (found.scale[0][1], found.scale[-1][1]) == (0, SIDE)
