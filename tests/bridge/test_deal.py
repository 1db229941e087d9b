"""Deals and their PBN text, cards, high-card points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.deal import PACK, RANKS, SUITS, Deal, parse_card, parse_deal
from server.bridge.errors import Impossible, NotUnderstood
from server.bridge.seats import Seat
from tests.strategies import deals, seats

WHOLE = "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"
ONE_SUIT_EACH = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def written(deal, first):
    """PBN text of the deal that begins with ``first``, written here by hand."""
    seat, hands = first, []
    for _ in range(4):
        hand = deal.hand(seat)
        by_suit = ["".join(rank for rank in RANKS if suit + rank in hand) for suit in SUITS]
        hands.append(".".join(by_suit))
        seat = seat.next
    return f"{first}:{' '.join(hands)}"


def test_a_pack_has_fifty_two_cards():
    assert len(PACK) == 52
    assert {card[0] for card in PACK} == set("SHDC")


@pytest.mark.parametrize("card", sorted(PACK))
def test_cards_are_read_in_either_order_and_case(card):
    assert {parse_card(text) for text in (card, card[::-1], card.lower(), f" {card} ")} == {card}


def test_ten_has_two_spellings():
    assert [parse_card(text) for text in ("H10", "10H", "HT", "th", "h10")] == ["HT"] * 5


@pytest.mark.parametrize(
    "text", ["", "H", "HH", "H1", "1H", "HKK", "♥K", "NK", "H100", "K-H", "\u017fA", "A\u017f"]
)
def test_other_cards_are_refused(text):
    with pytest.raises(NotUnderstood) as refused:
        parse_card(text)
    assert (refused.value.text, refused.value.position) == (text, 0)


@given(deals, seats)
def test_a_deal_is_the_same_from_whichever_seat_it_is_written(deal, first):
    assert parse_deal(written(deal, first)) == deal


@given(deals)
def test_what_is_written_is_read_again(deal):
    assert str(deal) == written(deal, Seat.N)
    assert parse_deal(str(deal)) == deal


def test_clockwise_from_the_first_seat():
    deal = parse_deal(ONE_SUIT_EACH.replace("N:", "E:"))
    longest = {seat: {card[0] for card in deal.hand(seat)} for seat in Seat}
    assert longest == {Seat.E: {"S"}, Seat.S: {"H"}, Seat.W: {"D"}, Seat.N: {"C"}}


@pytest.mark.parametrize(
    "text", [WHOLE.lower(), f"  {WHOLE}  ", WHOLE.replace("T", "10"), WHOLE.replace(" ", "  ")]
)
def test_spellings_of_one_deal(text):
    assert parse_deal(text) == parse_deal(WHOLE)


@given(deals, st.sets(st.integers(0, 3), min_size=2))
def test_unknown_hands_stay_unknown(deal, unknown):
    partial = Deal(tuple(None if i in unknown else hand for i, hand in enumerate(deal.hands)))
    assert parse_deal(str(partial)) == partial
    assert not partial.complete
    assert [partial.high_card_points(seat) is None for seat in Seat] == [i in unknown for i in range(4)]


@given(deals, st.integers(0, 3))
def test_the_fourth_hand_is_what_is_left(deal, missing):
    text = str(Deal(tuple(None if i == missing else hand for i, hand in enumerate(deal.hands))))
    assert text.count("-") == 1
    assert parse_deal(text) == deal
    assert deal.complete


@given(deals)
def test_forty_points_are_dealt(deal):
    points = [deal.high_card_points(seat) for seat in Seat]
    assert sum(points) == 40
    assert max(points) <= 37


def test_high_card_points():
    deal = parse_deal(WHOLE)
    assert [deal.high_card_points(seat) for seat in Seat] == [10, 10, 10, 10]
    assert parse_deal(ONE_SUIT_EACH).high_card_points(Seat.N) == 10
    four_aces = parse_deal("N:AKQ.AKQ.AKQ.AKQJ - - -")
    assert four_aces.high_card_points(Seat.N) == 37


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", 0, "the first seat"),
        ("AKQJ.T98.765.432", 0, "the first seat"),
        ("X:- - - -", 0, "the first seat"),
        ("NN:- - - -", 0, "the first seat"),
        ("\u017f:- - - -", 0, "the first seat"),
        ("N - - - -", 0, "the first seat"),
        ("N:", 2, "four hands, not 0"),
        ("N:- - -", 2, "four hands, not 3"),
        ("N:- - - - -", 2, "four hands, not 5"),
        ("N:- AKQ.AKQ.AKQJAKQ - -", 4, "four suits"),
        ("N:AKQ.AKQ.AKQ.AKQJ.2 - - -", 2, "four suits"),
        ("N:AKX.AKQ.AKQ.AKQJ - - -", 2, "ranks"),
        ("N:1KQ.AKQ.AKQ.AKQJ - - -", 2, "ranks"),
    ],
)
def test_other_notations_are_refused_with_their_position(text, position, expected):
    with pytest.raises(NotUnderstood) as refused:
        parse_deal(text)
    assert refused.value.position == position
    assert refused.value.expected.startswith(expected)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("N:AKQ.AKQ.AKQ.AKQ - - -", "13 different cards"),
        ("N:AKQJ.AKQ.AKQ.AKQJ - - -", "13 different cards"),
        ("N:AAQ.AKQ.AKQ.AKQJ - - -", "13 different cards"),
        ("N:AKQ.AKQ.AKQ.AKQJ AJT.JT9.JT9.T987 - -", "dealt twice: SA"),
        ("N:AKQ.AKQ.AKQ.AKQJ AKT.JT9.JT9.T987 - -", "dealt twice: SA SK"),
    ],
)
def test_impossible_deals(text, reason):
    with pytest.raises(Impossible, match=reason) as refused:
        parse_deal(text)
    assert refused.value.member == "deal"


@given(deals, st.integers(0, 3), st.integers(0, 3))
def test_no_card_may_be_dealt_twice(deal, one, other):
    if one != other:
        hands = list(deal.hands)
        taken, given_up = min(hands[other]), min(hands[one])
        hands[one] = hands[one] - {given_up} | {taken}
        with pytest.raises(Impossible, match=f"dealt twice: {taken}"):
            parse_deal(str(Deal(tuple(hands))))
