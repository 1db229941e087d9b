"""Dealing from a given source of randomness."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from server.bridge.deal import PACK, parse_deal
from server.bridge.dealing import deal_at_random
from server.bridge.seats import Seat

seeds = st.integers(0, 2**64 - 1)


def test_every_card_is_asked_for_its_place_once():
    asked = []

    def below(n):
        asked.append(n)
        return n - 1

    deal_at_random(below)
    # 52 x 51 x … x 2 equally likely answers are the 52! orders of the pack.
    assert asked == list(range(52, 1, -1))


def test_without_a_change_the_pack_is_dealt_as_it_lies():
    in_order = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    assert deal_at_random(lambda n: n - 1) == parse_deal(in_order)


@given(seeds)
def test_a_deal_is_the_whole_pack_in_four_hands(seed):
    deal = deal_at_random(Random(seed).randrange)
    assert [len(hand) for hand in deal.hands] == [13, 13, 13, 13]
    assert frozenset().union(*deal.hands) == PACK


@given(seeds)
def test_the_same_answers_give_the_same_deal(seed):
    assert deal_at_random(Random(seed).randrange) == deal_at_random(Random(seed).randrange)


def test_every_card_comes_to_every_seat_equally_often():
    source = Random(20_260_101)
    deals = 2000
    seen = Counter()
    for _ in range(deals):
        deal = deal_at_random(source.randrange)
        seen.update((seat, card) for seat in Seat for card in deal.hand(seat))
    expected = deals / 4
    chi_squared = sum((seen[seat, card] - expected) ** 2 / expected for seat in Seat for card in PACK)
    # 208 cells, of which 51 x 3 = 153 are free: 99.99 % of fair dealers stay below.
    assert chi_squared < 226
    assert len(seen) == 208
