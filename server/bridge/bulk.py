"""Datum IMPs, cross-IMPs and matchpoints of millions of results at once, in whole numbers, exact."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from server.bridge.datum import TENTH, TrimSchedule
from server.bridge.imps import IMP_LOWER_BOUNDS

Scores = npt.NDArray[np.int16]
Imps = npt.NDArray[np.int16]

_LARGEST = 15_200  # the largest difference of two scores: 7600 either way
_ROWS_AT_ONCE = 4096  # of the pairwise table, so that it stays in the processor's cache


def _table() -> npt.NDArray[np.int8]:
    """IMPs by difference in tens, from -1520 to 1520."""
    tens = np.arange(-_LARGEST // 10, _LARGEST // 10 + 1)
    size = np.searchsorted(np.array(IMP_LOWER_BOUNDS), 10 * np.abs(tens), side="right")
    return (np.sign(tens) * size).astype(np.int8)


_IMPS = _table()


@dataclass(frozen=True, slots=True)
class BulkDatum:
    """Datum of each board, and IMPs of NS against it for each result."""

    datum: npt.NDArray[np.int32]  # shape (boards,)
    imps: Imps  # shape (boards, results)


def datum_imps(scores: Scores, schedule: TrimSchedule = TENTH) -> BulkDatum:
    """As `datum` and `imps`, for boards that all have the same number of results.

    ``scores``: total points for NS, shape (boards, results), at least one result.
    """
    results = scores.shape[1]
    k = schedule.drop(results)
    kept = np.partition(scores, (k, results - k - 1), axis=1)[:, k : results - k] if k else scores
    total = kept.sum(axis=1, dtype=np.int32)
    value = _nearest_ten(total, results - 2 * k, schedule.half_even)
    tens = (scores - value[:, None].astype(np.int16)) // 10
    return BulkDatum(value, _IMPS[tens + _LARGEST // 10].astype(np.int16))


def cross_imps(scores: Scores) -> Imps:
    """Sum of IMPs for NS against every other result of the board; shape as ``scores``.

    As `cross_imps`; the number of comparisons is one less than the results of a board.
    """
    sums = np.zeros(scores.shape, dtype=np.int16)
    tens = scores // 10
    for start in range(0, len(scores), _ROWS_AT_ONCE):
        _cross(tens[start : start + _ROWS_AT_ONCE], sums[start : start + _ROWS_AT_ONCE])
    return sums


def matchpoints(scores: Scores) -> Imps:
    """Matchpoints of NS against every other result of the board; shape as ``scores``.

    As `matchpoints`; the top is twice one less than the results of a board.
    """
    points = np.empty(scores.shape, dtype=np.int16)
    for start in range(0, len(scores), _ROWS_AT_ONCE):
        columns = np.ascontiguousarray(scores[start : start + _ROWS_AT_ONCE].T)
        won = np.full(columns.shape, scores.shape[1] - 1, dtype=np.int16)
        for apart in range(1, scores.shape[1]):
            better = np.sign(columns[apart:] - columns[:-apart])
            won[apart:] += better
            won[:-apart] -= better
        points[start : start + _ROWS_AT_ONCE] = won.T
    return points


def _cross(tens: npt.NDArray[np.int16], sums: Imps) -> None:
    """Pairs at each distance, once: what one result gains its partner in the pair loses."""
    results = tens.shape[1]
    columns = np.ascontiguousarray(tens.T)
    totals = np.zeros(columns.shape, dtype=np.int16)
    for apart in range(1, results):
        won = _IMPS[columns[apart:] - columns[:-apart] + _LARGEST // 10]
        totals[apart:] += won
        totals[:-apart] -= won
    sums[:] = totals.T


def _nearest_ten(total: npt.NDArray[Any], count: int, half_even: bool) -> npt.NDArray[np.int32]:
    size = np.abs(total)
    tens = (2 * size + 10 * count) // (20 * count)
    if half_even:
        exact_half = (2 * size + 10 * count) % (20 * count) == 0
        tens -= exact_half & (tens % 2 == 1)
    value: npt.NDArray[np.int32] = (10 * np.sign(total) * tens).astype(np.int32)
    return value
