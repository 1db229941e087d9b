"""The hand diagram of a board, as printed bulletins have it: four hands round a compass."""

from dataclasses import dataclass

from server.bridge.deal import RANKS, SUITS, Deal
from server.bridge.seats import Seat
from server.storage.boards import Board
from server.web.pages.travellers import Line, Named

_PLACES = ("top", "right", "bottom", "left")


@dataclass(frozen=True, slots=True)
class Hand:
    """A seat with its cards."""

    seat: str
    place: str  # top, right, bottom or left of the diagram
    dealer: bool
    vulnerable: bool
    player: Named | None  # who sat here at the chosen table
    suits: tuple[tuple[str, str], ...] | None  # suit and its ranks; None: unknown, or not shown yet
    points: int | None  # high-card points


@dataclass(frozen=True, slots=True)
class Diagram:
    """Four seats, in order of place."""

    hands: tuple[Hand, ...]
    known: bool  # whether any cards are shown


def diagram(board: Board, is_open: bool, own: Line | None) -> Diagram:
    """The diagram; with the chosen table's player at the bottom, else South."""
    deal = board.deal if is_open else None
    bottom = Seat.S if own is None or own.seat is None else own.seat
    seats = list(Seat)
    turn = seats.index(bottom.partner)
    around = seats[turn:] + seats[:turn]
    hands = tuple(_hand(seat, place, board, deal, own) for seat, place in zip(around, _PLACES, strict=True))
    return Diagram(hands, any(hand.suits is not None for hand in hands))


def _hand(seat: Seat, place: str, board: Board, deal: Deal | None, own: Line | None) -> Hand:
    cards = None if deal is None else deal.hand(seat)
    suits = None if cards is None else tuple((suit, _ranks(cards, suit)) for suit in SUITS)
    return Hand(
        seat=seat.value,
        place=place,
        dealer=board.dealer is seat,
        vulnerable=board.vulnerability.includes(seat.side),
        player=None if own is None else own.players[seat.value],
        suits=suits,
        points=None if deal is None else deal.high_card_points(seat),
    )


def _ranks(cards: frozenset[str], suit: str) -> str:
    return " ".join(rank.replace("T", "10") for rank in RANKS if suit + rank in cards)
