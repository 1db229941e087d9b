"""Seats, sides, dealer and vulnerability."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.seats import Seat, Side, Vulnerability, dealer_of, vulnerability_of
from tests.strategies import seats

# As printed on the sixteen boards of a set (Law 2).
PRINTED = """
1 N none   2 E NS     3 S EW     4 W both
5 N NS     6 E EW     7 S both   8 W none
9 N EW    10 E both  11 S none  12 W NS
13 N both 14 E none  15 S NS    16 W EW
"""
WORDS = PRINTED.split()
BOARDS = list(zip(map(int, WORDS[::3]), WORDS[1::3], WORDS[2::3], strict=True))


@pytest.mark.parametrize(("number", "dealer", "vulnerability"), BOARDS)
def test_dealer_and_vulnerability_are_those_printed_on_the_board(number, dealer, vulnerability):
    assert (dealer_of(number), vulnerability_of(number)) == (Seat(dealer), Vulnerability(vulnerability))


@given(st.integers(1, 10_000))
def test_boards_repeat_after_sixteen(number):
    assert dealer_of(number + 4) is dealer_of(number)
    assert vulnerability_of(number + 16) is vulnerability_of(number)


@given(st.integers(1, 10_000))
def test_vulnerability_moves_on_one_place_every_four_boards(number):
    # 1-4 are none, NS, EW, both; each further group of four starts one later.
    in_order = tuple(Vulnerability)
    place = number - 1 + (number - 1) // 4
    assert vulnerability_of(number) is in_order[place % 4]


def test_sides():
    assert [seat.side for seat in Seat] == [Side.NS, Side.EW, Side.NS, Side.EW]
    assert (Side.NS.other, Side.EW.other) == (Side.EW, Side.NS)


@given(seats)
def test_play_goes_round_the_table(seat):
    assert "NESW".index(seat.next) == ("NESW".index(seat) + 1) % 4
    assert seat.next.side is seat.side.other
    assert seat.next.next.next.next is seat


@given(seats)
def test_partner_sits_opposite(seat):
    assert seat.partner is not seat
    assert seat.partner.side is seat.side
    assert seat.partner.partner is seat


def test_who_is_vulnerable():
    assert {v: (v.includes(Side.NS), v.includes(Side.EW)) for v in Vulnerability} == {
        Vulnerability.NONE: (False, False),
        Vulnerability.NS: (True, False),
        Vulnerability.EW: (False, True),
        Vulnerability.BOTH: (True, True),
    }
