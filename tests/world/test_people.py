"""Who lives in a world."""

from itertools import pairwise
from statistics import fmean, stdev

import pytest

from server.world.people import LEAST, SKILL, Form, Manner, make_world


@pytest.mark.parametrize("count", [LEAST, 41, 200])
def test_a_world_has_as_many_people_as_were_asked_for(count):
    people = make_world(1, count, 12).people
    assert [person.number for person in people] == list(range(count))
    assert len({person.id for person in people}) == len({person.name for person in people}) == count


def test_the_seed_says_everything():
    assert make_world(5, 60, 12) == make_world(5, 60, 12)
    assert make_world(5, 60, 12) != make_world(6, 60, 12)


def test_regular_partners_have_each_other():
    people = make_world(2, 120, 12).people
    coupled = [person for person in people if person.partner is not None]
    assert 60 < len(coupled) < 120
    for person in coupled:
        partner = people[person.partner]
        assert partner.partner == person.number != partner.number
        assert (partner.joined, partner.loyalty) == (person.joined, person.loyalty)


def test_partners_are_alike_and_skill_is_spread():
    people = make_world(3, 1000, 12).people
    assert abs(stdev(person.talent for person in people) - SKILL) < 0.05
    apart = [abs(one.talent - other.talent) for one, other in pairwise(people) if one.partner == other.number]
    strangers = [abs(one.talent - other.talent) for one, other in zip(people, people[500:], strict=False)]
    assert fmean(apart) < 0.85 * fmean(strangers)


def test_some_come_later_but_within_the_weeks_that_are_played():
    joined = [person.joined for person in make_world(4, 400, 6).people]
    assert set(joined) == set(range(6))
    assert joined.count(0) > 300
    assert {person.joined for person in make_world(4, 50, 1).people} == {0}


def test_one_leaves_and_a_few_have_bad_lines():
    for seed in range(20):
        world = make_world(seed, 120, 12)
        manners = [person.manner for person in world.people]
        assert manners.count(Manner.LEAVING) == 1
        assert 2 <= manners.count(Manner.DROPPING) <= 3
        assert world.leaver.manner is Manner.LEAVING
        assert world.leaver.joined == 0
        assert world.leaver.partner is not None
        assert world.leaver.sittings >= 4


def test_form_comes_and_goes():
    form = Form(swing=0.2, period=40, phase=0.25)
    assert form.at(0) == pytest.approx(0.2)
    assert form.at(10) == pytest.approx(0)
    assert form.at(20) == pytest.approx(-0.2)
    assert form.at(40) == pytest.approx(0.2)


def test_a_world_may_have_more_people_than_there_are_names():
    names = [person.name for person in make_world(1, 3000, 1).people]
    assert len(set(names)) == 3000
