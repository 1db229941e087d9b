"""The 52 cards of a board as dealt, and their text in PBN notation."""

from dataclasses import dataclass

from server.bridge.errors import Impossible, NotUnderstood
from server.bridge.seats import Seat

SUITS = "SHDC"  # in the order in which a hand is written
RANKS = "AKQJT98765432"
PACK = frozenset(suit + rank for suit in SUITS for rank in RANKS)
_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


def parse_card(text: str) -> str:
    """A card as suit and rank, ``HK``; ``KH``, ``H10`` and lower case are understood.

    Raises NotUnderstood for anything else.
    """
    word = text.strip().upper().replace("10", "T")
    for card in (word, word[::-1]):
        if card in PACK and text.isascii():  # upper() also turns the long s into S
            return card
    raise NotUnderstood(text, 0, "a card such as HK (suit S, H, D or C, then rank A to 2)")


@dataclass(frozen=True, slots=True)
class Deal:
    """Four hands. A hand that the source does not know is None; known hands hold 13 different cards each."""

    hands: tuple[frozenset[str] | None, ...]  # by seat N, E, S, W; cards as suit and rank, "HK"

    def hand(self, seat: Seat) -> frozenset[str] | None:
        """The cards dealt to ``seat``."""
        return self.hands[tuple(Seat).index(seat)]

    @property
    def complete(self) -> bool:
        """Whether all four hands are known."""
        return all(hand is not None for hand in self.hands)

    def high_card_points(self, seat: Seat) -> int | None:
        """Ace 4, king 3, queen 2, jack 1; None when the hand is unknown."""
        hand = self.hand(seat)
        return None if hand is None else sum(_POINTS.get(card[1], 0) for card in hand)

    def __str__(self) -> str:
        return "N:" + " ".join("-" if hand is None else _hand_text(hand) for hand in self.hands)


def parse_deal(text: str) -> Deal:
    """Read ``<first>:`` and four hands clockwise, each ``spades.hearts.diamonds.clubs``.

    ``-`` is an unknown hand. When three hands are given, the fourth is what is left.
    Raises NotUnderstood for the notation and Impossible for a card dealt twice or a hand without 13 cards.
    """
    first, colon, rest = text.strip().partition(":")
    if colon != ":" or first.upper() not in Seat.__members__ or not text.isascii():
        raise NotUnderstood(text, 0, "the first seat and a colon, such as N:")
    words = rest.split()
    if len(words) != 4:
        raise NotUnderstood(text, 2, f"four hands, not {len(words)}")
    hands = [None if word == "-" else _hand(word, text) for word in words]
    known = [hand for hand in hands if hand is not None]
    seen: frozenset[str] = frozenset().union(*known)
    if len(seen) != 13 * len(known):
        twice = sorted(card for card in seen if sum(card in hand for hand in known) > 1)
        raise Impossible("deal", f"dealt twice: {' '.join(twice)}")
    if len(known) == 3:
        hands[hands.index(None)] = PACK - seen
    turn = tuple(Seat).index(Seat(first.upper()))
    return Deal(tuple(hands[(i - turn) % 4] for i in range(4)))


def _hand(word: str, text: str) -> frozenset[str]:
    at = text.index(word)
    suits = word.upper().replace("10", "T").split(".")
    if len(suits) != 4:
        raise NotUnderstood(text, at, "four suits separated by dots")
    cards = [suit + rank for suit, ranks in zip(SUITS, suits, strict=True) for rank in ranks]
    for card in cards:
        if card not in PACK:
            raise NotUnderstood(text, at, f"ranks {RANKS}, not {card[1]!r}")
    if len(cards) != 13 or len(set(cards)) != 13:
        raise Impossible("deal", f"a hand has 13 different cards, {word} has {len(set(cards))}")
    return frozenset(cards)


def _hand_text(hand: frozenset[str]) -> str:
    return ".".join("".join(rank for rank in RANKS if suit + rank in hand) for suit in SUITS)
