"""Who sits down with whom, and when."""

from collections import Counter
from datetime import timedelta
from itertools import combinations
from statistics import fmean

import pytest

from server.bridge.seats import Seat
from server.world.people import make_world
from server.world.sittings import BOARDS, sittings

WEEK = timedelta(weeks=1)
WORLD = make_world(1, 120, 12)
WEEKS = [sittings(WORLD, week) for week in range(14)]
ALL = [sitting for week in WEEKS for sitting in week]


def test_the_seed_says_everything():
    assert sittings(WORLD, 3) == WEEKS[3]
    assert sittings(make_world(2, 120, 12), 3) != WEEKS[3]
    assert WEEKS[3] != WEEKS[4]


def test_four_different_people_sit_down_within_the_week_in_order():
    for week in WEEKS:
        assert [sitting.begins for sitting in week] == sorted(sitting.begins for sitting in week)
        assert len({sitting.table for sitting in week}) == len(week) > 20
        for sitting in week:
            assert list(sitting.people) == list(Seat)
            assert len({person.number for person in sitting.people.values()}) == 4
            assert timedelta(0) <= sitting.dealt_at(0) < sitting.ends_at(BOARDS - 1) <= WEEK


def test_nobody_sits_at_two_tables_at_once():
    for week in WEEKS:
        for one, other in combinations(week, 2):
            if {p.number for p in one.people.values()} & {p.number for p in other.people.values()}:
                ends = min(one.ends_at(BOARDS - 1), other.ends_at(BOARDS - 1))
                assert ends <= max(one.begins, other.begins)


def test_a_board_is_reported_when_the_next_is_dealt():
    sitting = ALL[0]
    assert sitting.dealt_at(0) == sitting.begins
    assert [sitting.ends_at(i) for i in range(3)] == [sitting.dealt_at(i + 1) for i in range(3)]


def test_nobody_plays_before_he_has_come():
    for number, week in enumerate(WEEKS):
        assert all(person.joined <= number for sitting in week for person in sitting.people.values())


def test_people_play_about_as_often_as_they_like():
    played = Counter(person.number for sitting in ALL for person in sitting.people.values())
    busy = [played[p.number] / (14 - p.joined) / p.sittings for p in WORLD.people if p.sittings >= 4]
    assert 0.6 < fmean(busy) <= 1.05
    assert len(played) == len(WORLD.people)


def test_regular_partners_mostly_play_together_and_sometimes_with_others():
    together = apart = 0
    for sitting in ALL:
        for seat, person in sitting.people.items():
            if person.partner is not None:
                same = sitting.people[seat.partner].number == person.partner
                together, apart = together + same, apart + (not same)
    assert together > apart > 0


def test_the_strong_meet_the_strong():
    """The difference between the pairs of a table is smaller than between pairs at random."""

    def strength(sitting, *seats):
        return sum(sitting.people[seat].talent for seat in seats)

    pairs = [(strength(s, Seat.N, Seat.S), strength(s, Seat.E, Seat.W)) for s in ALL]
    meeting = fmean(abs(one - other) for one, other in pairs)
    random = fmean(
        abs(one[0] - other[1]) for one, other in zip(pairs, pairs[len(pairs) // 2 :], strict=False)
    )
    assert meeting < 0.95 * random


@pytest.mark.parametrize(("share", "least", "most"), [(0.0, 0, 0), (0.15, 0.08, 0.25), (1.0, 1, 1)])
def test_a_share_of_the_tables_plays_matchpoints(share, least, most):
    pools = [sitting.pool for week in range(6) for sitting in sittings(WORLD, week, share)]
    assert set(pools) <= {"imps", "mp"}
    assert least <= fmean(pool == "mp" for pool in pools) <= most


def test_evenings_are_busier_than_mornings():
    hours = Counter(int(sitting.begins / timedelta(hours=8)) % 3 for sitting in ALL)
    assert hours[0] < hours[1] < hours[2]
