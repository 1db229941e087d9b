"""The HANDSET of a USEBIO file: the deals of its boards."""

import re

from server.bridge.deal import SUITS, Deal, parse_deal
from server.bridge.errors import BridgeError
from server.bridge.seats import Seat
from server.formats.complaints import Complaints
from server.formats.usebio_words import read_seat
from server.formats.xml_tree import Element

_SUIT_NAMES = dict(zip(SUITS, ("SPADES", "HEARTS", "DIAMONDS", "CLUBS"), strict=True))
_BETWEEN = re.compile(r"[\s,.-]")  # what some programs put between cards, or for a void


def read_deal(board: Element, complaints: Complaints) -> Deal | None:
    """The deal of one BOARD of a HANDSET. A hand that is not given is unknown; the fourth follows from three.

    None without a complaint when no hand is given, and with one when the cards are wrong.
    """
    hands: dict[Seat, str] = {}
    for hand in board.all("HAND"):
        text = hand.text_of("DIRECTION")
        seat = read_seat(text)
        if seat is None or seat in hands:
            complaints.refuse(
                hand.line, f"DIRECTION {text!r}: expected North, East, South and West, once each"
            )
            return None
        hands[seat] = _hand_text(hand)
    words = [hands.get(seat, "-") for seat in Seat]
    if words == ["-"] * 4:
        return None
    try:
        return parse_deal("N:" + " ".join(words))
    except BridgeError as error:
        complaints.refuse(board.line, f"board {board.text_of('BOARD_NUMBER')}: {error}")
        return None


def _hand_text(hand: Element) -> str:
    suits = [_BETWEEN.sub("", hand.text_of(name)) for name in _SUIT_NAMES.values()]
    return ".".join(suits) if any(suits) else "-"
