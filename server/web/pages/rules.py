"""The rules, in tables that are made by the code that scores."""

from dataclasses import dataclass
from itertools import groupby

from aiohttp import web

from server.bridge.contract import Contract, Risk, Strain
from server.bridge.cross_imps import cross_imps_of
from server.bridge.datum import TrimSchedule, datum
from server.bridge.hcp_compensation import hcp_compensation
from server.bridge.imps import IMP_LOWER_BOUNDS, imps
from server.bridge.matchpoints import matchpoints, percentages, top
from server.bridge.pool import ScoringMethod
from server.bridge.rating import FIRST
from server.bridge.score import score_parts
from server.bridge.traveller import hundredths, percent
from server.web.glossary import GLOSSARY
from server.web.pages import event_conduct, event_rules, rating_rules, vp_formulas
from server.web.pages.visits import Visit
from server.web.rendering import figure

EXAMPLE = (420, -50, 430, -300, 150, -50)  # what six tables scored, total points for NS
_STRAINS = {"minor": Strain.CLUBS, "major": Strain.HEARTS, "notrump": Strain.NOTRUMP}
_COLUMNS = tuple((vulnerable, risk) for vulnerable in (False, True) for risk in Risk)
_COMPENSATED = ((620, 22), (620, 28), (140, 20), (-110, 24), (-100, 26))  # score, high-card points of NS


async def get(visit: Visit) -> web.Response:
    """Everything that is scored here, and how."""
    pools = visit.services.pools
    return visit.page(
        "rules.html",
        pools=pools,
        made=_made(),
        overtricks=_overtricks(),
        undertricks=_undertricks(),
        scale=_scale(),
        example=_example(),
        trims=_trims(
            [pool.terms.trim for pool in pools.values() if pool.terms.method is ScoringMethod.DATUM]
        ),
        compensated=[(score, points, hcp_compensation(score, points)) for score, points in _COMPENSATED],
        algorithm=FIRST,
        rates=rating_rules.RATES,
        rating_example=rating_rules.example(),
        formulas=rating_rules.formulas(),
        fading=rating_rules.fading(),
        shield=visit.services.closing.rules.shield_boards,
        conduct=event_conduct.CONDUCT,
        in_the_head=vp_formulas.in_the_head(),
        conversion=event_rules.conversion(visit),
        prizes=event_rules.prizes(),
        grades=event_rules.grades(visit, visit.services.keeper.scale),
        glossary=GLOSSARY,
    )


def _made() -> list[tuple[str, list[tuple[int, list[int]]]]]:
    """By kind of strain and level: the score of a contract just made, in the order of _COLUMNS."""
    return [
        (name, [(level, [_score(level, strain, 0, column) for column in _COLUMNS]) for level in range(1, 8)])
        for name, strain in _STRAINS.items()
    ]


def _overtricks() -> list[tuple[str, list[int]]]:
    """By kind of strain: what each overtrick adds."""
    return [
        (name, [_score(1, strain, 1, column) - _score(1, strain, 0, column) for column in _COLUMNS])
        for name, strain in _STRAINS.items()
    ]


def _undertricks() -> list[tuple[int, list[int]]]:
    """By tricks down: the score."""
    return [
        (down, [_score(7, Strain.NOTRUMP, -down, column) for column in _COLUMNS]) for down in range(1, 14)
    ]


def _score(level: int, strain: Strain, over: int, column: tuple[bool, Risk]) -> int:
    vulnerable, risk = column
    contract = Contract(level, strain, risk)
    return score_parts(contract, contract.tricks_needed + over, vulnerable).total


def _scale() -> list[tuple[int, int | None, int]]:
    """Differences in total points, from and to, and their IMPs."""
    bounds = (0, *IMP_LOWER_BOUNDS)
    ends = [bound - 10 for bound in bounds[1:]]
    return [(low, high, imps(low)) for low, high in zip(bounds, [*ends, None], strict=True)]


@dataclass(frozen=True, slots=True)
class Step:
    """So many results, and how many of them are left out at each end."""

    first: int
    last: int
    dropped: int


def _trims(schedules: list[TrimSchedule], most: int = 40) -> list[tuple[str, list[Step]]]:
    """The trimming schedules of the pools as steps."""
    return [(schedule.text, _steps(schedule, most)) for schedule in dict.fromkeys(schedules)]


def _steps(schedule: TrimSchedule, most: int) -> list[Step]:
    steps = []
    for dropped, group in groupby(range(1, most + 1), key=schedule.drop):
        counts = list(group)
        steps.append(Step(counts[0], counts[-1], dropped))
    return steps


@dataclass(frozen=True, slots=True)
class Scored:
    """A result of the example with everything that it is worth, for NS."""

    score: int
    dropped: bool
    difference: int
    datum_imps: int
    cross_total: int
    cross_imps: float
    matchpoints: int
    percent: float


def _example() -> dict[str, object]:
    found, points, shares = datum(EXAMPLE), matchpoints(EXAMPLE), percentages(EXAMPLE)
    rows = []
    for i, score in enumerate(EXAMPLE):
        cross = cross_imps_of(EXAMPLE, i)
        rows.append(
            Scored(
                score=score,
                dropped=found.dropped[i],
                difference=score - found.value,
                datum_imps=imps(score - found.value),
                cross_total=int(cross.total),
                cross_imps=figure(hundredths(cross.mean)),
                matchpoints=points[i],
                percent=figure(percent(shares[i]).ns),
            )
        )
    return {"rows": rows, "datum": found, "top": top(len(EXAMPLE))}
