"""Why a result is worth what it is worth: every step from the contract to its scores."""

from dataclasses import dataclass
from datetime import datetime

from server.bridge.datum import Datum, datum
from server.bridge.imps import imps
from server.bridge.matchpoints import matchpoints, top
from server.bridge.pool import ScoringMethod
from server.bridge.score import ScoreParts, score_parts
from server.bridge.traveller import SideScores
from server.services import travellers
from server.services.errors import NotRevealed
from server.services.secrecy import Reader, Secrecy
from server.services.travellers import Row, TravellerView
from server.storage.boards import Board
from server.storage.database import Database


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a result became a score against some results of its board."""

    scores: tuple[int, ...]  # compared, by arrival, itself included; total points for NS
    datum: Datum | None  # how the datum came about, where the method has one
    difference: int | None  # own score less the datum
    comparisons: tuple[int, ...] | None  # IMPs against each other result, by arrival
    matchpoints: int | None
    top: int | None
    worse: int | None  # results that it beats, and that equal it, where matchpoints are counted
    equal: int | None
    hcp: int | None  # high-card points of the side that scored, where these are what it is compared with
    earned: int | None  # IMPs of that side's score
    score: SideScores  # in hundredths


@dataclass(frozen=True, slots=True)
class Explanation:
    """Every step from the contract to the scores of one result."""

    row: Row
    view: TravellerView  # that it stands in
    parts: ScoreParts | None  # None when passed out
    vulnerable: bool | None  # declarer's side
    award: Comparison | None  # None while pending
    field: Comparison | None


async def explain(
    database: Database, named: tuple[int, int], reader: Reader, secrecy: Secrecy, now: datetime
) -> Explanation:
    """Explain a result (board, sequence). Raises ResultNotFound, NotRevealed."""
    row, view = await travellers.result(database, named, reader, secrecy, now)
    if not view.open:
        raise NotRevealed
    board, outcome = row.board, row.result.outcome
    parts = vulnerable = None
    if outcome.contract is not None and outcome.declarer is not None and outcome.tricks is not None:
        vulnerable = board.vulnerability.includes(outcome.declarer.side)
        parts = score_parts(outcome.contract, outcome.tricks, vulnerable)
    live = [each.result for each in view.rows if each.result.live]
    award = field = None
    if row.award is not None:
        # An award was given when so many results were there: the first ones, in order of arrival.
        first = [each.result.score for each in view.rows][: row.award.results]
        award = _compare(board, tuple(first), row.result.sequence - 1, row.award.score)
    if row.figures.field is not None:
        index = live.index(row.result)
        field = _compare(board, board.scores, index, row.figures.field)
    return Explanation(row, view, parts, vulnerable, award, field)


def _compare(board: Board, scores: tuple[int, ...], index: int, score: SideScores) -> Comparison:
    own = scores[index]
    found = difference = against = points = best = worse = equal = hcp = earned = None
    match board.terms.method:
        case ScoringMethod.DATUM:
            found = datum(scores, board.terms.trim)
            difference = own - found.value
        case ScoringMethod.CROSS_IMPS:
            against = tuple(imps(own - other) for i, other in enumerate(scores) if i != index)
        case ScoringMethod.MATCHPOINTS:
            points, best = matchpoints(scores)[index], top(len(scores))
            worse, equal = sum(other < own for other in scores), scores.count(own) - 1
        case ScoringMethod.HCP_COMPENSATION:
            of_ns = board.traveller.ns_points
            if own and of_ns is not None:
                hcp, earned = of_ns if own > 0 else 40 - of_ns, imps(abs(own))
    return Comparison(scores, found, difference, against, points, best, worse, equal, hcp, earned, score)
