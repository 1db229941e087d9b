"""Who enters events, and what is made of their boards."""

from random import Random

import pytest

from server.bridge.dealing import deal_at_random
from server.bridge.seats import Seat, Vulnerability
from server.world.events import entrants, pace, result
from server.world.people import make_world

WORLD = make_world(1, 120, 12)
DEAL = deal_at_random(Random(1).randrange)
FOUR = dict(zip(Seat, WORLD.people[:4], strict=True))


def test_the_field_of_an_event_follows_from_seed_and_number():
    assert entrants(WORLD, 1, 12, 13) == entrants(make_world(1, 120, 12), 1, 12, 13)
    assert entrants(WORLD, 1, 12, 13) != entrants(WORLD, 2, 12, 13)
    assert entrants(WORLD, 1, 12, 13) != entrants(make_world(2, 120, 12), 1, 12, 13)


@pytest.mark.parametrize("number", range(1, 30))
def test_nobody_enters_twice_and_none_who_is_not_there_yet(number):
    pairs = entrants(WORLD, number, 3, 13)
    people = [person for pair in pairs for person in pair]
    assert len(pairs) == 13
    assert len({person.number for person in people}) == 26
    assert all(person.joined <= 3 for person in people)


def test_many_come_with_their_regular_partners():
    pairs = [pair for number in range(1, 30) for pair in entrants(WORLD, number, 12, 13)]
    regular = sum(one.partner == other.number for one, other in pairs)
    assert 0.2 < regular / len(pairs) < 0.8


def test_a_small_world_enters_as_far_as_it_goes():
    assert 0 < len(entrants(make_world(1, 40, 1), 1, 0, 1000)) <= 20


def test_a_result_follows_from_who_sits_where_and_from_the_cards():
    def made(number=1, seated=FOUR, board=1):
        return result(WORLD, number, 12, seated, board, DEAL, Vulnerability.NONE)

    others = dict(zip(Seat, WORLD.people[4:8], strict=True))
    assert made() == made()
    different = {
        str(made(number, seated, board)) for number in (1, 2) for seated in (FOUR, others) for board in (1, 2)
    }
    assert len(different) > 3


def test_most_boards_are_over_in_their_time():
    shares = [pace(WORLD, number, FOUR, board) for number in range(1, 30) for board in range(1, 30)]
    assert min(shares) > 0.6
    assert 0.01 < sum(share > 1 for share in shares) / len(shares) < 0.2
