"""What the cards of a deal are worth to a side: what bidders may expect, and what the layout gives.

Tricks are estimated, not solved. Bidders see points, fit and shape; whether finesses succeed and how the
trumps break is the same at every table of a board, and shows only in the play.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from server.bridge.contract import Strain
from server.bridge.deal import SUITS, Deal
from server.bridge.seats import Seat, Side

SEATS = tuple(Seat)
PAIRS = {side: tuple(seat for seat in SEATS if seat.side is side) for side in Side}
_EVEN = 20.0  # points of a side that has half of them
_NOTRUMP_EVEN, _NOTRUMP_POINT = 6.9, 0.38  # tricks with half of the points, and for each further point
_SUIT_EVEN, _SUIT_POINT, _TRUMP = 7.8, 0.32, 0.85  # likewise with eight trumps; tricks for each further trump
_RUFFS = {0: 1.0, 1: 0.6, 2: 0.2}  # tricks for a short suit beside three trumps or more
_USUAL_RUFFS = 0.35  # that a fit has on average, and that are in the law already
_FINESSES = (("A", "K", 0.5), ("K", "Q", 0.5), ("Q", "J", 0.3))  # honour that is out, the one below, tricks
_USUAL_BREAK, _BREAK = 1.6, 0.3  # cards more in one defending hand than in the other; tricks for each further


@dataclass(frozen=True, slots=True)
class Worth:
    """Prospects of a side in one strain."""

    fit: int  # cards of both hands in the suit; in notrump of the longest
    expected: float  # tricks that points, fit and shape promise
    tricks: float  # tricks of sound play against sound defence


@dataclass(frozen=True, slots=True, eq=False)
class Prospects:
    """A deal as its players weigh it."""

    points: Mapping[Seat, int]
    lengths: Mapping[Seat, tuple[int, ...]]  # cards in spades, hearts, diamonds, clubs
    worth: Mapping[Side, Mapping[Strain, Worth]]

    def points_of(self, side: Side) -> int:
        """Points of both hands together."""
        return sum(self.points[seat] for seat in PAIRS[side])


@lru_cache(4096)
def prospects(deal: Deal) -> Prospects:
    """What a complete deal is worth to both sides."""
    hands = {seat: deal.hand(seat) or frozenset() for seat in SEATS}
    points = {seat: deal.high_card_points(seat) or 0 for seat in SEATS}
    lengths = {
        seat: tuple(sum(card[0] == suit for card in hand) for suit in SUITS) for seat, hand in hands.items()
    }
    holder = {card: seat for seat, hand in hands.items() for card in hand}
    worth = {}
    for side in Side:
        pair = PAIRS[side]
        more = sum(points[seat] for seat in pair) - _EVEN
        luck = _finesses(holder, side)
        fits = [sum(lengths[seat][i] for seat in pair) for i in range(4)]
        notrump = _NOTRUMP_EVEN + _NOTRUMP_POINT * more + 0.25 * (max(fits) - 8)
        found = {Strain.NOTRUMP: Worth(max(fits), notrump, notrump + luck)}
        for i, suit in enumerate(SUITS):
            expected = _SUIT_EVEN + _TRUMP * (fits[i] - 8) + _SUIT_POINT * more
            expected += _ruffs([lengths[seat] for seat in pair], i)
            against = [lengths[seat][i] for seat in PAIRS[side.other]]
            uneven = abs(against[0] - against[1]) - _USUAL_BREAK
            found[Strain(suit)] = Worth(fits[i], expected, expected + luck - _BREAK * uneven)
        worth[side] = found
    return Prospects(points, lengths, worth)


def _ruffs(pair: list[tuple[int, ...]], trumps: int) -> float:
    """Tricks that short side suits are worth, of the hand that gets the most out of them."""
    found = [
        sum(_RUFFS.get(length, 0.0) for i, length in enumerate(hand) if i != trumps)
        for hand in pair
        if hand[trumps] >= 3
    ]
    return min(1.5, max(found, default=0.0)) - _USUAL_RUFFS


def _finesses(holder: Mapping[str, Seat], side: Side) -> float:
    """Tricks won or lost by where the honours lie that the side has not got.

    A finesse against an honour succeeds when it is played before the lower one that is to win.
    """
    tricks = 0.0
    for suit in SUITS:
        for out, lower, value in _FINESSES:
            enemy, own = holder[suit + out], holder[suit + lower]
            if enemy.side is not side and own.side is side:
                tricks += value if enemy.next is own else -value
    return tricks
