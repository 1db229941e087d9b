"""Who sits down with whom in a week, when, and for how many boards.

A week has some spells of the day in which people come. Regular partners come together, the others find
somebody of about their strength; then pairs find opponents of about theirs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TypeVar

from server.bridge.seats import Seat
from server.world.cards import SEATS
from server.world.chance import stream
from server.world.people import Person, World

BOARDS = 8  # of a sitting
BOARD_TIME = timedelta(minutes=7, seconds=30)
SPELL = timedelta(hours=8)
_BUSY = (0.6, 0.9, 1.5)  # how many come in each spell of a day, from midnight on; 1: the average
SPELLS = 7 * len(_BUSY)  # of a week
_CHOOSY = 0.35  # IMPs a board by which people misjudge each other when they look for company
_MATCHPOINTS = 0.2  # share of the sittings in the pool ``mp``

Pair = tuple[Person, Person]
Group = TypeVar("Group", bound=tuple[Person, ...])


@dataclass(frozen=True, slots=True)
class Sitting:
    """Four people at a table for some boards in a row."""

    table: str  # unique in its week
    pool: str
    people: Mapping[Seat, Person]
    begins: timedelta  # after the opening of the week

    def dealt_at(self, number: int) -> timedelta:
        """When the table is dealt its board ``number`` (from 0), after the opening of the week."""
        return self.begins + number * BOARD_TIME

    def ends_at(self, number: int) -> timedelta:
        """When it reports that board."""
        return self.dealt_at(number + 1)


def sittings(world: World, week: int, matchpoints: float = _MATCHPOINTS) -> list[Sitting]:
    """Everything that is played in a week (from 0), in the order in which it begins."""
    rng = stream(world.seed, "week", week)
    found: list[Sitting] = []
    for spell in range(SPELLS):
        pairs = _pairs(_present(world, week, _BUSY[spell % len(_BUSY)] / SPELLS, rng), week, rng)
        for i, (one, other) in enumerate(zip(pairs[::2], pairs[1::2], strict=False), 1):
            begins = spell * SPELL + rng.uniform(0, 1) * (SPELL - BOARDS * BOARD_TIME)
            pool = "mp" if rng.random() < matchpoints else "imps"
            found.append(Sitting(f"T{spell + 1:02}{i:02}", pool, _seated(one, other, rng), begins))
    return sorted(found, key=lambda sitting: sitting.begins)


@dataclass(slots=True)
class _Present:
    couples: list[Pair]
    alone: list[Person]


def _present(world: World, week: int, share: float, rng: Random) -> _Present:
    """Who comes in a spell that has this share of the week."""
    found = _Present([], [])
    here: set[int] = set()
    for person in world.people:
        if person.joined > week or person.number in here:
            continue
        partner = None if person.partner is None else world.people[person.partner]
        together = 0.0 if partner is None else person.loyalty * min(person.sittings, partner.sittings)
        drawn = rng.random()
        if partner is not None and partner.number > person.number and drawn < together * share:
            found.couples.append((person, partner))
            here |= {person.number, partner.number}
        elif rng.random() < (person.sittings - together) * share:
            found.alone.append(person)
    return found


def _pairs(present: _Present, week: int, rng: Random) -> list[Pair]:
    """All pairs, neighbours of about the same strength; who finds nobody watches."""
    alone = _by_strength([(person,) for person in present.alone], week, rng)
    picked = [(one, other) for (one,), (other,) in zip(alone[::2], alone[1::2], strict=False)]
    return _by_strength([*present.couples, *picked], week, rng)


def _by_strength(groups: Sequence[Group], week: int, rng: Random) -> list[Group]:
    def seen(group: Group) -> float:
        return sum(person.skill(week) for person in group) / len(group) + rng.gauss(0, _CHOOSY)

    return sorted(groups, key=seen)


def _seated(one: Pair, other: Pair, rng: Random) -> dict[Seat, Person]:
    """North, East, South, West; who sits where is chance."""
    first, second = (one, other) if rng.random() < 0.5 else (other, one)
    north, south = rng.sample(first, 2)
    east, west = rng.sample(second, 2)
    return dict(zip(SEATS, (north, east, south, west), strict=True))
