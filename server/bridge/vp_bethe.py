"""The formula of 2003, with which cross-IMPs become victory points in a Swiss pairs."""

from server.bridge.vp_curve import MOST, Margin, VictoryPoints, curve, nearest, size_of

LEAST = -200  # hundredths: what a side can lose goes below 0, down to -2


def bethe2003(margin: Margin, boards: int) -> VictoryPoints:
    """Victory points for a margin as exact as it is.

    The loser's points are rounded, half up; the winner has what is left of 20. Only then the winner is cut
    off at 20 and the loser at -2, so that beyond 15√n the two add up to less than 20.
    """
    loser = nearest(20 - curve(size_of(margin), boards))
    points = VictoryPoints(min(MOST - loser, MOST), max(loser, LEAST))
    return points if margin >= 0 else points.swapped
