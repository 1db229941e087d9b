"""Who enters an event, and what a table makes of one of its boards."""

from collections.abc import Mapping, Sequence
from random import Random

from server.bridge.deal import Deal
from server.bridge.seats import Seat, Vulnerability
from server.world.chance import stream
from server.world.people import Person, World
from server.world.play import Played, play
from server.world.sittings import Pair

_CHOOSY = 0.35  # IMPs a board by which people misjudge each other when they look for a partner


def entrants(world: World, number: int, week: int, most: int) -> list[Pair]:
    """The pairs of event ``number`` in a week (from 0), in the order in which they come; at most so many.

    Regular partners come together, the others find somebody of about their strength. They are of those who
    play little otherwise, so that hardly anybody sits at two tables at once.
    """
    rng = stream(world.seed, "event", number, "entrants")
    known = sorted((each for each in world.people if each.joined <= week), key=lambda each: each.sittings)
    coming = known[: max(2 * most, len(known) // 2)]
    rng.shuffle(coming)
    here = {person.number for person in coming}
    couples: list[Pair] = []
    alone: list[Person] = []
    for person in coming:
        if person.number not in here:
            continue
        here.discard(person.number)
        partner = None if person.partner is None else world.people[person.partner]
        if partner is not None and partner.number in here and rng.random() < person.loyalty:
            here.discard(partner.number)
            couples.append((person, partner))
        else:
            alone.append(person)
    pairs = couples + _by_strength(alone, week, rng)
    rng.shuffle(pairs)
    return pairs[:most]


def _by_strength(alone: Sequence[Person], week: int, rng: Random) -> list[Pair]:
    """Neighbours of about the same strength; whoever is left over watches."""
    order = sorted(alone, key=lambda person: person.skill(week) + rng.gauss(0, _CHOOSY))
    return list(zip(order[::2], order[1::2], strict=False))


def result(
    world: World,
    number: int,
    week: int,
    seated: Mapping[Seat, Person],
    board: int,
    deal: Deal,
    vulnerability: Vulnerability,
) -> Played:
    """What four people make of a board of event ``number``. The same whenever it is asked for."""
    rng = _table(world, number, seated, board, "cards")
    return play(deal, vulnerability, {seat: person.skill(week) for seat, person in seated.items()}, rng)


def pace(world: World, number: int, seated: Mapping[Seat, Person], board: int) -> float:
    """How long they take over it, as a share of the time that there is; seldom more than all of it."""
    return _table(world, number, seated, board, "pace").uniform(0.7, 1.03)


def _table(world: World, number: int, seated: Mapping[Seat, Person], board: int, about: str) -> Random:
    return stream(world.seed, "event", number, *(seated[seat].id for seat in Seat), board, about)
