"""Conjugate gradients for the joint rating, in the same bits on every run.

scipy's own leave their inner products to the linear algebra library, whose sums depend on the number of its
threads; these are numpy's, whose order is fixed.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from server.bridge.errors import BridgeError
from server.bridge.rating_columns import Floats

_MOST_STEPS = 20_000  # some dozens are usual


@dataclass(eq=False)
class NotSolved(BridgeError):
    """The equations of the joint rating were not solved to the accuracy asked for"""

    residual: float  # that was reached, as a share of the right-hand side

    def __str__(self) -> str:
        return f"the residual is still {self.residual:.1e} of the right-hand side"


def conjugate_gradients(
    apply: Callable[[Floats], Floats], diagonal: Floats, right: Floats, tolerance: float
) -> Floats:
    """Solve A y = ``right`` for a symmetric, positive definite A, from 0, with Jacobi's preconditioner.

    ``apply`` multiplies by A, whose ``diagonal`` is given. Ends when the residual's norm is ``tolerance`` of
    the right-hand side's; raises NotSolved when it never is.
    """
    solution, residual = np.zeros_like(right), right.copy()
    goal = tolerance * _norm(right)
    if _norm(residual) <= goal:
        return solution
    direction = residual / diagonal
    slope = _dot(residual, direction)
    for _ in range(_MOST_STEPS):
        image = apply(direction)
        step = slope / _dot(direction, image)
        solution += step * direction
        residual -= step * image
        if _norm(residual) <= goal:
            return solution
        scaled = residual / diagonal
        before, slope = slope, _dot(residual, scaled)
        direction = scaled + (slope / before) * direction
    raise NotSolved(_norm(residual) / _norm(right))


def _dot(one: Floats, other: Floats) -> float:
    return float(np.sum(one * other))


def _norm(vector: Floats) -> float:
    return float(np.sqrt(_dot(vector, vector)))
