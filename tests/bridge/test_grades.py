"""The twelve grades."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.errors import Impossible
from server.bridge.grades import NAMES, THRESHOLDS, Grade, GradeScale
from tests.bridge import golden

CASES = golden.vectors("swiss/grades.json")["cases"]
grades = st.integers(1, 12)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["points"]))
def test_every_golden_case(case):
    assert GradeScale().grade(case["points"]) == case["grade"]


@given(st.integers(0, 1000), grades)
def test_a_grade_is_never_lowered(points, before):
    scale = GradeScale()
    assert scale.grade(points, before) == max(before, scale.grade(points))


@given(st.sets(st.integers(1, 9999), min_size=11, max_size=11).map(sorted))
def test_an_installation_has_thresholds_of_its_own(later):
    scale = GradeScale((0, *later))
    assert [scale.grade(points) for points in (0, *later)] == list(range(1, 13))
    assert [scale.grade(points - 1) for points in later] == list(range(1, 12))


@pytest.mark.parametrize(
    "thresholds",
    [
        (),
        THRESHOLDS[:-1],
        (*THRESHOLDS, 999),
        (1, *THRESHOLDS[1:]),
        (0, 0, *THRESHOLDS[2:]),
        THRESHOLDS[::-1],
    ],
)
def test_other_thresholds_are_refused(thresholds):
    with pytest.raises(Impossible) as refused:
        GradeScale(thresholds)
    assert refused.value.member == "thresholds"


def test_the_names_are_in_order():
    assert [name.number for name in NAMES] == list(range(1, 13))
    assert (NAMES[0].english, NAMES[11].chinese) == ("Ungraded", "专业牌手")
    assert len({name.english for name in NAMES} | {name.chinese for name in NAMES}) == 24


def test_an_installation_has_names_of_its_own():
    mine = tuple(Grade(number, f"Step {number}", f"第{number}级") for number in range(1, 13))
    assert GradeScale(names=mine).names == mine
    assert GradeScale().names == NAMES


@pytest.mark.parametrize(
    "names",
    [
        (),
        NAMES[:-1],
        NAMES[::-1],
        (*NAMES, Grade(13, "More", "更多")),
        *(
            (*NAMES[:-1], Grade(12, *two))
            for two in [("", "专业牌手"), ("Professional", " "), ("a\nb", "专业牌手")]
        ),
    ],
)
def test_other_names_are_refused(names):
    with pytest.raises(Impossible) as refused:
        GradeScale(names=names)
    assert refused.value.member == "names"
