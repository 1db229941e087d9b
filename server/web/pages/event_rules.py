"""The rules of events in numbers: victory points for any number of boards, and the grades."""

from dataclasses import dataclass
from itertools import groupby

from server.bridge.grades import Grade, GradeScale
from server.bridge.masterpoints import masterpoints
from server.bridge.vp_scale import PAIRS_SCALES, VpScale, conversion_table
from server.web import queries
from server.web.languages import CHINESE
from server.web.pages.visits import Visit
from server.web.pages.vp_formulas import Formula, formula
from server.web.rendering import figure

USUAL, USUAL_SCALE = 8, VpScale.BETHE2003  # boards of a match and scale, unless somebody asks for others
MOST_BOARDS = 100
MOST_PRIZED = 40  # pairs; more change nothing any more


@dataclass(frozen=True, slots=True)
class Margins:
    """Margins that are worth the same."""

    first: int  # IMPs
    last: int | None  # None: and more
    ours: float  # victory points of the winner
    theirs: float


@dataclass(frozen=True, slots=True)
class Conversion:
    """A table of victory points."""

    scale: str
    boards: int
    scales: tuple[str, ...]  # to choose from
    margins: list[Margins]
    formula: Formula


def conversion(visit: Visit) -> Conversion:
    """The table that is asked for by ``?scale=&boards=``. Raises InvalidBody."""
    query = visit.request.query
    scale = queries.choice(query.get("scale"), "scale", VpScale, USUAL_SCALE)
    if scale not in PAIRS_SCALES:
        raise queries.refused("scale", f"expected one of {', '.join(PAIRS_SCALES)}")
    boards = queries.number(query.get("boards") or None, "boards", MOST_BOARDS) or USUAL
    return Conversion(
        scale.value,
        boards,
        tuple(each.value for each in PAIRS_SCALES),
        margins(scale, boards),
        formula(scale),
    )


def margins(scale: VpScale, boards: int) -> list[Margins]:
    """From 0 IMPs on; what follows the last margin changes nothing any more."""
    worth = list(enumerate(conversion_table(scale, boards)))
    found = []
    for points, group in groupby(worth, key=lambda each: each[1]):
        several = [margin for margin, _ in group]
        last = None if several[-1] == worth[-1][0] else several[-1]
        found.append(Margins(several[0], last, figure(points.ours), figure(points.theirs)))
    return found


def prizes() -> list[tuple[int, int | None, tuple[int, ...]]]:
    """From how many ranked pairs, and to how many, an event gives which master points; None: and more."""
    worth = [(pairs, masterpoints(pairs)) for pairs in range(1, MOST_PRIZED + 1)]
    found: list[tuple[int, int | None, tuple[int, ...]]] = []
    for places, group in groupby(worth, key=lambda each: each[1]):
        several = [pairs for pairs, _ in group]
        last = None if several[-1] == MOST_PRIZED else several[-1]
        found.append((several[0], last, places))
    return found


def grade_name(visit: Visit, scale: GradeScale, number: int) -> str:
    """What a grade is called in the reader's language."""
    return _name(scale.names[number - 1], visit)


def grades(visit: Visit, scale: GradeScale) -> list[tuple[int, str, int]]:
    """The grades: number, name and from how many master points on."""
    return [
        (grade.number, _name(grade, visit), points)
        for grade, points in zip(scale.names, scale.thresholds, strict=True)
    ]


def _name(grade: Grade, visit: Visit) -> str:
    return grade.chinese if visit.language == CHINESE else grade.english
