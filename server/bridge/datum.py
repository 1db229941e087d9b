"""The datum of a board: the trimmed mean that every result is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from server.bridge.errors import NotUnderstood

Score = int | Fraction  # total points; a weighted adjusted score enters as its weighted mean


@dataclass(frozen=True, slots=True)
class TrimSchedule:
    """How many results are dropped at each end, by the number of results.

    ``text`` is a preset (``tenth``, ``compscore``, ``acblscore``, ``none``) or a table such as
    ``4:1 11:2 21:3``: from 4 results on drop one at each end, from 11 on two, from 21 on three.
    """

    text: str
    half_even: bool = False  # a mean exactly between two tens goes to the even ten, not away from zero

    def drop(self, results: int) -> int:
        """Results dropped at each end when there are ``results`` of them."""
        return _drop(self.text, results)


TENTH = TrimSchedule("tenth")  # a tenth, rounded up, from four results on
COMPSCORE = TrimSchedule("compscore")  # one from four results on
ACBLSCORE = TrimSchedule("acblscore", half_even=True)  # 5 %, rounded up
UNTRIMMED = TrimSchedule("none")
_PRESETS = {schedule.text: schedule for schedule in (TENTH, COMPSCORE, ACBLSCORE, UNTRIMMED)}


def parse_schedule(text: str) -> TrimSchedule:
    """A trimming schedule by its text; raises NotUnderstood when it is neither preset nor sound table."""
    if text in _PRESETS:
        return _PRESETS[text]
    last = (0, 0)
    for step in _steps(text):
        if step[0] <= last[0] or step[1] < last[1] or 2 * step[1] >= step[0]:
            raise NotUnderstood(text, 0, "rising steps that leave at least one result, such as 4:1 11:2")
        last = step
    return TrimSchedule(text)


@dataclass(frozen=True, slots=True)
class Datum:
    """The datum of some results and how it came about."""

    value: int  # total points for NS, a multiple of ten
    kept_total: Score  # sum of the results that were not dropped
    kept: int  # how many these are
    dropped: tuple[bool, ...]  # for each result in the order given


def datum(scores: Sequence[Score], schedule: TrimSchedule = TENTH) -> Datum:
    """Mean of ``scores`` (total points for NS, at least one) without the extremes, to the nearest ten.

    Instances are dropped, not values; of equal ones the earliest at the bottom and the latest at the
    top. Halves go away from zero (-445 is -450), so EW is exactly the negative of NS.
    """
    count = len(scores)
    k = schedule.drop(count)
    order = sorted(range(count), key=scores.__getitem__)
    kept_total: Score = sum(scores[i] for i in order[k : count - k])
    dropped = [False] * count
    for i in order[:k] + order[count - k :]:
        dropped[i] = True
    value = _nearest_ten(kept_total, count - 2 * k, schedule.half_even)
    return Datum(value, kept_total, count - 2 * k, tuple(dropped))


def datum_value(scores: Sequence[Score], schedule: TrimSchedule = TENTH) -> int:
    """The datum alone, as ``datum`` has it, for where every arrival asks for it."""
    count = len(scores)
    k = schedule.drop(count)
    kept_total: Score = sum(sorted(scores)[k : count - k])
    return _nearest_ten(kept_total, count - 2 * k, schedule.half_even)


def _nearest_ten(total: Score, count: int, half_even: bool) -> int:
    if half_even:
        return 10 * round(Fraction(total) / (10 * count))
    size = total if total >= 0 else -total
    tens = int((2 * size + 10 * count) // (20 * count))
    return 10 * tens if total >= 0 else -10 * tens


@cache
def _drop(text: str, results: int) -> int:
    if text == TENTH.text:
        return 0 if results < 4 else -(-results // 10)
    if text == COMPSCORE.text:
        return 0 if results < 4 else 1
    if text == ACBLSCORE.text:
        return min(-(-results // 20), (results - 1) // 2)
    if text == UNTRIMMED.text:
        return 0
    return max((drop for start, drop in _steps(text) if start <= results), default=0)


def _steps(text: str) -> list[tuple[int, int]]:
    pairs = [step.split(":") for step in text.split()]
    if not pairs or any(len(pair) != 2 or not all(part.isdecimal() for part in pair) for pair in pairs):
        raise NotUnderstood(text, 0, "tenth, compscore, acblscore, none, or steps such as 4:1 11:2")
    return [(int(start), int(drop)) for start, drop in pairs]
