"""Field scores of all results of many boards at once, equal to those of each `Traveller` alone.

Boards with the same terms and the same number of results are scored together, so nothing loops over rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from server.bridge.bulk import cross_imps, datum_imps, matchpoints
from server.bridge.hcp_compensation import hcp_compensation
from server.bridge.pool import ScoringMethod, Terms

Hundredths = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class BoardTerms:
    """By what rules a board is scored, and what its cards are worth where the method asks for it."""

    terms: Terms
    ns_points: int | None = None  # high-card points of NS


@dataclass(frozen=True, slots=True, eq=False)
class FieldScores:
    """A row for each result."""

    ns: Hundredths  # of an IMP or of a per cent, as they are shown; 0 where not scored
    ew: Hundredths
    x: npt.NDArray[np.float64]  # of NS in IMPs, or 0.15 for each per cent above 50; not rounded
    scored: npt.NDArray[np.bool_]  # its board has enough results


def field_scores(
    board: npt.NDArray[Any], score: npt.NDArray[Any], terms: Sequence[BoardTerms]
) -> FieldScores:
    """Every result against the whole field of its board.

    ``board``: which of ``terms`` each result belongs to, rising; ``score``: total points for NS.
    """
    rows = len(board)
    found = FieldScores(
        np.zeros(rows, np.int32), np.zeros(rows, np.int32), np.zeros(rows), np.zeros(rows, np.bool_)
    )
    counts = np.bincount(board, minlength=len(terms)) if rows else np.zeros(len(terms), np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]) if len(terms) else np.zeros(0, np.int64)
    kinds = {each.terms: i for i, each in enumerate(dict.fromkeys(terms))}
    kind = np.array([kinds[each.terms] for each in terms], np.int64)
    for rule, number in kinds.items():
        for results in map(int, np.unique(counts[kind == number])):
            if results >= max(1, rule.score_at):
                where = np.flatnonzero((kind == number) & (counts == results))
                at = starts[where][:, None] + np.arange(results)
                _score(rule, [terms[int(i)] for i in where], at, score, found)
    return found


def _score(
    rule: Terms,
    boards: Sequence[BoardTerms],
    at: npt.NDArray[np.int64],
    score: npt.NDArray[Any],
    found: FieldScores,
) -> None:
    """Boards that have their terms and number of results in common; ``at``: rows of each."""
    scores = score[at].astype(np.int16)
    found.scored[at] = True
    match rule.method:
        case ScoringMethod.DATUM:
            _keep_imps(found, at, 100 * datum_imps(scores, rule.trim).imps.astype(np.int32), 1)
        case ScoringMethod.CROSS_IMPS:
            _keep_imps(found, at, 100 * cross_imps(scores).astype(np.int32), max(1, scores.shape[1] - 1))
        case ScoringMethod.MATCHPOINTS:
            top = 2 * (scores.shape[1] - 1)
            # A lone result has half of nothing.
            _keep_percent(found, at, 2 * matchpoints(scores).astype(np.int64) - top, max(1, 2 * top))
        case ScoringMethod.HCP_COMPENSATION:
            _keep_imps(found, at, 100 * _compensated(scores, boards), 1)


def _keep_imps(found: FieldScores, at: npt.NDArray[np.int64], total: npt.NDArray[Any], share: int) -> None:
    """``total`` hundredths divided by ``share``, halves away from zero."""
    found.x[at] = total / (100 * share)
    found.ns[at] = _divided(total, share)
    found.ew[at] = -found.ns[at]


def _keep_percent(found: FieldScores, at: npt.NDArray[np.int64], above: npt.NDArray[Any], top: int) -> None:
    """``above``: matchpoints above half the ``top``."""
    found.x[at] = 15 * above / top
    ns = 5000 + _divided(10_000 * above, top)
    found.ns[at] = ns
    found.ew[at] = 10_000 - ns


def _compensated(scores: npt.NDArray[np.int16], boards: Sequence[BoardTerms]) -> npt.NDArray[np.int32]:
    points = np.array([20 if each.ns_points is None else each.ns_points for each in boards])
    pairs = np.stack([scores.ravel(), np.repeat(points, scores.shape[1])], axis=1)
    different, which = np.unique(pairs, axis=0, return_inverse=True)
    imps = np.array([hcp_compensation(int(score), int(held)) for score, held in different], np.int32)
    return imps[which.ravel()].reshape(scores.shape)


def _divided(total: npt.NDArray[Any], share: int) -> npt.NDArray[np.int32]:
    """To the nearest whole number, halves away from zero."""
    size = (2 * np.abs(total) + share) // (2 * share)
    rounded: npt.NDArray[np.int32] = (np.sign(total) * size).astype(np.int32)
    return rounded
