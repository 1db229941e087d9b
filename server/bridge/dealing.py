"""Dealing at random, from a source of randomness that is passed in."""

from collections.abc import Callable

from server.bridge.deal import RANKS, SUITS, Deal


def deal_at_random(below: Callable[[int], int]) -> Deal:
    """A deal in which all 5.36 x 10^28 are equally likely, if ``below(n)`` is uniform over 0 to n-1.

    Cards that players will see need a cryptographic source (Law 6D, screening for predictability).
    """
    cards = [suit + rank for suit in SUITS for rank in RANKS]
    for last in range(51, 0, -1):
        other = below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return Deal(tuple(frozenset(cards[13 * i : 13 * i + 13]) for i in range(4)))
