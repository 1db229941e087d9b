"""The chart of an index by week: from values to lines in a square of 1000 by 1000."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.bridge.week import parse_week
from server.web.schemas_weeks import PlayerWeek

SIDE = 1000
AVERAGE = 50
_STEPS = (1, 2, 5, 10, 20, 25)  # between lines of the scale
_LINES = 5  # at most, beside the lowest
_CROWDED = 60  # weeks from which dots would run into each other on a phone
_ALONE = 12  # from a single week to each end of its band


@dataclass(frozen=True, slots=True)
class Mark:
    """A week in the chart."""

    week: PlayerWeek
    x: float
    y: float
    left: float  # of the strip in which the week is pointed at
    width: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that is drawn."""

    scale: tuple[tuple[int, float], ...]  # values with their heights, highest first
    average: float | None  # height of 50; None: it is not in the picture
    line: str  # of the skill index, as the data of a path
    joint: str  # of the joint index; empty where there is none
    band: str  # one standard deviation on both sides of it
    marks: tuple[Mark, ...]  # oldest first

    @property
    def crowded(self) -> bool:
        """Whether there is no room for a dot of each week."""
        return len(self.marks) >= _CROWDED


def chart(weeks: Sequence[PlayerWeek]) -> Chart | None:
    """The chart of a player's weeks, newest first as the API gives them; None without any."""
    if not weeks:
        return None
    ordered = [(parse_week(week.week).place, week) for week in reversed(weeks)]
    first, last = ordered[0][0], ordered[-1][0]
    span = max(1, last - first)
    low, high, step = _range(weeks)
    scale = [(value, _height(value, low, high)) for value in range(high, low - 1, -step)]

    def x(place: int) -> float:
        return round(SIDE / 2 if first == last else SIDE * (place - first) / span, 1)

    joint = [
        (x(place), week.joint.index, week.joint.error) for place, week in ordered if week.joint is not None
    ]
    if len(joint) == 1:  # which would have no width
        ((at, index, error),) = joint
        joint = [(at - _ALONE, index, error), (at + _ALONE, index, error)]
    marks = [_mark(week, x(place), SIDE / span, low, high) for place, week in ordered]
    upper = [(at, _height(index + error, low, high)) for at, index, error in joint]
    lower = [(at, _height(index - error, low, high)) for at, index, error in reversed(joint)]
    return Chart(
        tuple(scale),
        _height(AVERAGE, low, high) if low <= AVERAGE <= high else None,
        _path([(mark.x, mark.y) for mark in marks]),
        _path([(at, _height(index, low, high)) for at, index, _ in joint]),
        f"{_path(upper + lower)}Z" if joint else "",
        tuple(marks),
    )


def _range(weeks: Sequence[PlayerWeek]) -> tuple[int, int, int]:
    """The lowest and highest value of the scale, and the step between its lines."""
    values = [week.skill_index for week in weeks] + [float(AVERAGE)]
    joint = [week.joint for week in weeks if week.joint is not None]
    values += [each.index - each.error for each in joint] + [each.index + each.error for each in joint]
    lowest, highest = min(values), max(values)
    step = next((step for step in _STEPS if _steps(lowest, highest, step) <= _LINES), _STEPS[-1])
    low, high = int(lowest // step) * step, -int(-highest // step) * step
    return low, max(high, low + step), step


def _steps(lowest: float, highest: float, step: int) -> int:
    return -int(-highest // step) - int(lowest // step)


def _height(value: float, low: int, high: int) -> float:
    return round(SIDE * (high - value) / (high - low), 1)


def _mark(week: PlayerWeek, x: float, width: float, low: int, high: int) -> Mark:
    left = max(0.0, x - width / 2)
    right = min(float(SIDE), x + width / 2)
    return Mark(week, x, _height(week.skill_index, low, high), round(left, 1), round(right - left, 1))


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "".join(f"{'M' if i == 0 else 'L'}{x:g} {y:g}" for i, (x, y) in enumerate(points))
