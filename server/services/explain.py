"""Why a result is worth what it is worth: every step from the contract to its scores."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from server.bridge.datum import Datum, datum
from server.bridge.imps import imps
from server.bridge.matchpoints import matchpoints, top
from server.bridge.pool import ScoringMethod
from server.bridge.score import ScoreParts, score_parts
from server.bridge.traveller import SideScores
from server.services import travellers
from server.services.courses import arrivals, course
from server.services.errors import NotRevealed
from server.services.event_explain import OfRound, round_of
from server.services.secrecy import Reader, Secrecy
from server.services.travellers import Row, TravellerView
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.results import StandingAward


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a result became a score against some results of its board.

    A datum is made of the results as they were then: of one that was adjusted later, by its first score.
    """

    scores: tuple[int, ...]  # compared, by arrival, itself included; total points for NS
    index: int  # of its own among them
    own: int  # its own score that is measured: another than at its index where it was ruled
    datum: Datum | None  # how the datum came about, where the method has one
    difference: int | None  # own score less the datum
    comparisons: tuple[int, ...] | None  # IMPs against each other result, by arrival
    others: int | None  # by how many tables their sum is divided; None: by none
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
    of_round: OfRound | None = None  # of an event, once it is scored

    @property
    def award_ruled(self) -> bool:
        """Whether a ruling gave it another award than it had."""
        return any(revision.before.award is not None for revision in self.row.revisions)


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
    award = None if row.award is None else _award(view, row, row.award)
    field = of_round = None
    if board.week is None:
        of_round = await database.read(partial(round_of, board=board.id, table=row.result.table))
    if row.figures.field is not None:
        live = [each.result.sequence for each in view.rows if each.result.live]
        index = live.index(row.result.sequence)
        field = _compare(board, board.scores, index, row.result.score, row.figures.field)
        if of_round is not None and field.comparisons is not None:
            field = replace(field, others=of_round.others)
    return Explanation(row, view, parts, vulnerable, award, field, of_round)


def _award(view: TravellerView, row: Row, award: StandingAward) -> Comparison:
    """Against what the award was fixed, perhaps before directors ruled on other results."""
    board = row.board
    if not board.ruled:
        # It was given when so many results were there: the first ones, in order of arrival.
        first = [each.result.score for each in view.rows][: award.results]
        return _compare(board, tuple(first), row.result.sequence - 1, row.result.score, award.score)
    revisions = sorted(
        (revision for each in view.rows for revision in each.revisions), key=lambda revision: revision.number
    )
    arrived = arrivals([each.result for each in view.rows], revisions)
    fixed = course(board, arrived, revisions).awards[row.result.sequence]
    return _compare(board, fixed.scores, fixed.award.index, fixed.own, award.score)


def _compare(board: Board, scores: tuple[int, ...], index: int, own: int, score: SideScores) -> Comparison:
    found = difference = against = others = points = best = worse = equal = hcp = earned = None
    match board.terms.method:
        case ScoringMethod.DATUM:
            found = datum(scores, board.terms.trim)
            difference = own - found.value
        case ScoringMethod.CROSS_IMPS:
            against = tuple(imps(own - other) for i, other in enumerate(scores) if i != index)
            others = len(against)
        case ScoringMethod.MATCHPOINTS:
            points, best = matchpoints(scores)[index], top(len(scores))
            worse, equal = sum(other < own for other in scores), scores.count(own) - 1
        case ScoringMethod.HCP_COMPENSATION:
            of_ns = board.traveller.ns_points
            if own and of_ns is not None:
                hcp, earned = of_ns if own > 0 else 40 - of_ns, imps(abs(own))
    return Comparison(
        scores, index, own, found, difference, against, others, points, best, worse, equal, hcp, earned, score
    )
