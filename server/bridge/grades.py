"""The twelve grades that players reach by their master points."""

from bisect import bisect_right
from dataclasses import dataclass

from server.bridge.errors import Impossible

GRADES = 12


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade by its names."""

    number: int  # 1 to 12
    english: str
    chinese: str


_NAMES = (
    *(("Ungraded", "无等级"), ("Graded", "有级牌手"), ("Intermediate", "中级牌手"), ("Advanced", "高级牌手")),
    *(("Fine Player", "好手"), ("Expert", "高手"), ("Master", "大师"), ("Star", "明星")),
    *(("Guest of Honour", "桥界嘉宾"), ("Association Master", "桥协大师")),
    *(("Honorary Master", "荣誉大师"), ("Professional", "专业牌手")),
)
NAMES = tuple(Grade(number, *names) for number, names in enumerate(_NAMES, start=1))
"""The grades as they are named unless an installation names them otherwise."""

THRESHOLDS = (0, 1, 5, 10, 20, 40, 70, 110, 160, 230, 320, 450)
"""Master points from which on a player has a grade, unless an installation says otherwise."""


def check_name(name: str) -> None:
    """Raises Impossible when a grade cannot be called that: nothing, blanks, or what cannot be shown."""
    if not name.strip() or not name.isprintable():
        raise Impossible("names", f"{name!r} is no name that can be read")


@dataclass(frozen=True, slots=True)
class GradeScale:
    """The master points that each grade takes, and what it is called.

    Raises Impossible unless there are twelve thresholds that rise from 0, and twelve names to be read in each
    language.
    """

    thresholds: tuple[int, ...] = THRESHOLDS
    names: tuple[Grade, ...] = NAMES

    def __post_init__(self) -> None:
        steps = self.thresholds
        if len(steps) != GRADES or steps[0] != 0 or list(steps) != sorted(set(steps)):
            raise Impossible(
                "thresholds", "there are twelve grades, of which the first takes 0 and each next more"
            )
        if [each.number for each in self.names] != list(range(1, GRADES + 1)):
            raise Impossible("names", "there are twelve grades, each of which is named once, in their order")
        for each in self.names:
            check_name(each.english)
            check_name(each.chinese)

    def grade(self, points: int, before: int = 1) -> int:
        """The grade, 1 to 12, of a player with so many points; never lower than ``before``, what it was."""
        return max(before, bisect_right(self.thresholds, points))
