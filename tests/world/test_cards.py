"""What cards are worth: points and lengths as they are, tricks as bridge players know them."""

from functools import cache
from random import Random
from statistics import fmean, stdev

import pytest

from server.bridge.contract import Strain
from server.bridge.deal import parse_deal
from server.bridge.dealing import deal_at_random
from server.bridge.seats import Seat, Side
from server.world.cards import prospects

# All honours with NS, who have nine spades.
STRONG = parse_deal("N:AKQJ2.AK2.AK2.A2 8765.654.543.543 T943.QJ3.QJT.KQJ .T987.9876.T9876")


@cache
def some_prospects(count: int = 2500):
    """Of deals at random."""
    below = Random(1).randrange
    return [prospects(deal_at_random(below)) for _ in range(count)]


def test_points_and_lengths_are_those_of_the_hands():
    cards = prospects(STRONG)
    assert [cards.points[seat] for seat in Seat] == [28, 0, 12, 0]
    assert cards.lengths[Seat.N] == (5, 3, 3, 2)
    assert cards.lengths[Seat.W] == (0, 4, 4, 5)
    assert (cards.points_of(Side.NS), cards.points_of(Side.EW)) == (40, 0)
    assert cards.worth[Side.NS][Strain.SPADES].fit == 9
    assert cards.worth[Side.EW][Strain.CLUBS].fit == 8


def test_all_the_honours_are_worth_a_slam_and_none_of_them_nothing():
    worth = prospects(STRONG).worth
    assert worth[Side.NS][Strain.SPADES].expected > 12.5
    assert worth[Side.NS][Strain.NOTRUMP].expected > 12.5
    assert max(each.expected for each in worth[Side.EW].values()) < 4


def test_a_side_with_half_of_the_points_makes_about_half_of_the_tricks():
    even = [
        cards.worth[side] for cards in some_prospects() for side in Side if 19 <= cards.points_of(side) <= 21
    ]
    assert 6 < fmean(worth[Strain.NOTRUMP].expected for worth in even) < 7.5
    fits = [worth[Strain(suit)] for worth in even for suit in "SHDC" if worth[Strain(suit)].fit == 8]
    assert 7 < fmean(worth.expected for worth in fits) < 8.5


@pytest.mark.parametrize(("points", "strain", "tricks"), [(26, "N", 9), (26, "S", 10), (33, "N", 12)])
def test_points_that_make_game_or_slam_are_worth_its_tricks(points, strain, tricks):
    """Twenty-six points for 3NT and for four spades with eight of them, thirty-three for 6NT."""
    found = [
        cards.worth[side][Strain(strain)]
        for cards in some_prospects()
        for side in Side
        if abs(cards.points_of(side) - points) <= 1
    ]
    fitting = [worth.expected for worth in found if strain == "N" or worth.fit == 8]
    assert len(fitting) > 10
    assert abs(fmean(fitting) - tricks) < 0.75


def test_the_layout_is_luck_that_evens_out():
    """It moves a trick or so, in favour as often as against."""
    moved = [
        worth.tricks - worth.expected
        for cards in some_prospects()
        for side in Side
        for worth in cards.worth[side].values()
        if worth.fit >= 8
    ]
    assert abs(fmean(moved)) < 0.1
    assert 0.5 < stdev(moved) < 1.5


def test_a_finesse_succeeds_when_the_king_is_played_before_the_queen():
    """North has ace and queen of spades; the king is with East, then with West; nothing else differs."""
    under = "N:AQ2.432.432.5432 K43.AKQ.AKQ.AKQJ JT5.765.765.T987 9876.JT98.JT98.6"
    over = "N:AQ2.432.432.5432 943.AKQ.AKQ.AKQJ JT5.765.765.T987 K876.JT98.JT98.6"
    east, west = (prospects(parse_deal(text)).worth[Side.NS][Strain.NOTRUMP] for text in (under, over))
    assert east.tricks - east.expected < west.tricks - west.expected


def test_bad_breaks_cost_tricks():
    """Eight spades of NS; the other five are three and two, then all with East."""
    even = "N:AKQJ.432.432.432 T98.AKQ.AKQ.AKQJ 5432.765.765.T98 76.JT98.JT98.765"
    uneven = "N:AKQJ.432.432.432 T9876.AKQ.AKQ.AK 5432.765.765.T98 .JT98.JT98.QJ765"
    good, bad = (prospects(parse_deal(text)).worth[Side.NS][Strain.SPADES] for text in (even, uneven))
    assert good.expected == bad.expected
    assert bad.tricks < good.tricks - 0.5
