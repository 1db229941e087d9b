"""IMPs with compensation for high-card points: boards that need no other table."""

from server.bridge.errors import Impossible
from server.bridge.imps import imps
from server.bridge.seats import Side, Vulnerability

_TARGETS = (
    *(0, 50, 70, 110, 200, 300, 350, 400, 430, 460, 490),
    *(600, 700, 900, 1000, 1100, 1200, 1300, 1300, 1300, 1300),
)
_TARGETS_VULNERABLE = (
    *(0, 50, 70, 110, 290, 440, 520, 600, 630, 660, 690),
    *(900, 1050, 1350, 1500, 1650, 1800, 1950, 1950, 1950, 1950),
)


def hcp_compensation(score: int, ns_points: int) -> int:
    """IMPs for NS of a ``score`` (total points for NS) when NS hold ``ns_points`` of the 40 high-card points.

    The side that scored has IMP(its score) - (its high-card points - 20); passed out is 0.
    """
    if score == 0:
        return 0
    if score > 0:
        return imps(score) - (ns_points - 20)
    return -(imps(-score) - (20 - ns_points))


def hcp_target(points: int, vulnerable: bool) -> int:
    """Total points expected of a side that holds ``points`` high-card points; Impossible unless 20 to 40."""
    if not 20 <= points <= 40:
        raise Impossible("points", f"the stronger side holds 20 to 40 high-card points, not {points}")
    return (_TARGETS_VULNERABLE if vulnerable else _TARGETS)[points - 20]


def hcp_target_imps(score: int, ns_points: int, vulnerability: Vulnerability) -> int:
    """IMPs for NS of a ``score`` (total points for NS) against the target of the side with more points.

    With 20 points each the target is 0. A passed-out board misses its target like any other result.
    """
    if ns_points >= 20:
        return imps(score - hcp_target(ns_points, vulnerability.includes(Side.NS)))
    return -imps(-score - hcp_target(40 - ns_points, vulnerability.includes(Side.EW)))
