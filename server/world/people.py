"""Who lives in a world: how well, how often and with whom they play, and how they behave."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from server.world.chance import stream

LEAST, MOST = 40, 2_000  # people of a world: fewer make no field, more no demonstration
SKILL = 0.42  # IMPs a board that a player adds, standard deviation between players
_FORM = 0.15  # that his form moves it at most, either way
_COUPLED = 0.7  # how often somebody who comes brings a regular partner
_ALIKE = 0.5  # share of the variance of skill that regular partners have in common
_SITTINGS = (1.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 6.0, 8.0)  # a week; each as likely
_LATER = 0.15  # how often somebody comes in a later week
_DROPPING = 40  # of so many people one has a bad line


class Manner(StrEnum):
    """How somebody ends his boards."""

    STEADY = "steady"
    DROPPING = "dropping"  # his line breaks now and then
    LEAVING = "leaving"  # he goes when a board goes badly


@dataclass(frozen=True, slots=True)
class Form:
    """Good and bad times: they come and go."""

    swing: float  # IMPs a board, at most, either way
    period: float  # weeks
    phase: float  # share of a period

    def at(self, week: int) -> float:
        """IMPs a board in this week."""
        return self.swing * math.sin(2 * math.pi * (week / self.period + self.phase))


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays."""

    number: int  # from 0
    name: str
    talent: float  # IMPs a board that he adds, in the long run
    form: Form
    sittings: float  # a week, on average
    joined: int  # his first week; weeks count from 0
    partner: int | None  # whom he plays with regularly
    loyalty: float  # share of the sittings with him, of those that both have
    manner: Manner

    @property
    def id(self) -> str:
        """As a platform names him."""
        return f"p{self.number + 1:03}"

    def skill(self, week: int) -> float:
        """IMPs a board that he adds in this week: the truth, which ratings are to find out."""
        return self.talent + self.form.at(week)


@dataclass(frozen=True, slots=True)
class World:
    """A seed and the people that follow from it."""

    seed: int
    people: tuple[Person, ...]

    @property
    def leaver(self) -> Person:
        """The one who leaves boards that go badly."""
        return next(person for person in self.people if person.manner is Manner.LEAVING)


def make_world(seed: int, people: int, weeks: int) -> World:
    """So many people; some of them come only in the course of the first ``weeks``.

    Of those who are there from the beginning and have a regular partner, one of the busiest leaves boards.
    """
    rng = stream(seed, "people")
    names = _names(rng)
    found: list[Person] = []
    while len(found) < people:
        found += _company(rng, names, len(found), alone=len(found) + 1 == people, weeks=weeks)
    leaver = min(found, key=lambda person: (person.joined, person.partner is None, -person.sittings)).number
    found[leaver] = replace(found[leaver], manner=Manner.LEAVING)
    return World(seed, tuple(found))


def _company(rng: Random, names: Iterator[str], number: int, alone: bool, weeks: int) -> list[Person]:
    """The next to come, with his regular partner if he has one."""
    coupled = rng.random() < _COUPLED and not alone
    joined = rng.randrange(1, weeks) if weeks > 1 and rng.random() < _LATER else 0
    alike = rng.gauss(0, SKILL * math.sqrt(_ALIKE))
    loyalty = rng.uniform(0.4, 1.0)
    numbers = (number, number + 1) if coupled else (number,)
    return [
        Person(
            number=each,
            name=next(names),
            talent=alike + rng.gauss(0, SKILL * math.sqrt(1 - _ALIKE)),
            form=Form(rng.uniform(0, _FORM), rng.uniform(30, 90), rng.random()),
            sittings=rng.choice(_SITTINGS),
            joined=joined,
            partner=other if coupled else None,
            loyalty=loyalty,
            manner=Manner.DROPPING if each % _DROPPING == _DROPPING // 2 else Manner.STEADY,
        )
        for each, other in zip(numbers, reversed(numbers), strict=True)
    ]


def _names(rng: Random) -> Iterator[str]:
    """Names without end, all different."""
    pairs = [f"{given} {family}" for given in _GIVEN.split() for family in _FAMILY.split()]
    rng.shuffle(pairs)
    return itertools.chain(pairs, (f"{name} {turn}" for turn in itertools.count(2) for name in pairs))


_GIVEN = (
    "Ada Amir Ana Anna Bao Boris Carla Chen Clara Dan Dora Emil Eva Feng Finn Greta Hana Hugo Ines Ivan Jan "
    "Jing Jonas Kai Lars Lea Lin Luis Mara Mei Mila Nora Omar Otto Paula Pia Qing Rosa Sami Tao Tess Uma "
    "Vera Wei Xia Yan Zoe"
)
_FAMILY = (
    "Adler Bauer Berg Castro Chan Costa Dahl Duan Engel Fang Farkas Gao Hall Hansen Huang Ito Jansen Keller "
    "Khan Kim Kos Lang Li Liu Lopez Marin Meyer Moreau Novak Olsen Park Petrov Quist Rossi Sato Silva Sun "
    "Tamm Unger Vidal Wang Weber Wu Xu Yang Zhao Zhu"
)
