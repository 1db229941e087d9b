"""IMPs with compensation for high-card points: boards that need no other table."""

from server.bridge.imps import imps


def hcp_compensation(score: int, ns_points: int) -> int:
    """IMPs for NS of a ``score`` (total points for NS) when NS hold ``ns_points`` of the 40 high-card points.

    The side that scored has IMP(its score) - (its high-card points - 20); passed out is 0.
    """
    if score == 0:
        return 0
    if score > 0:
        return imps(score) - (ns_points - 20)
    return -(imps(-score) - (20 - ns_points))
