"""What becomes of a board at a table: a result, or nothing when somebody leaves."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from server.bridge.datum import datum_value
from server.bridge.deal import Deal
from server.bridge.imps import imps
from server.bridge.score import score_ns
from server.bridge.seats import Side, Vulnerability
from server.world.cards import SEATS
from server.world.chance import stream
from server.world.people import Manner, World
from server.world.play import Played, play
from server.world.sittings import Sitting

BAD = -8  # IMPs at which a board stands that whoever leaves does not play on
_DROPS = 0.04  # how often a bad line breaks, a board
_COMPARED = 12  # tables of average players whose datum tells how a board stands


@dataclass(frozen=True, slots=True)
class Finished:
    """A result, and the people whose line was gone at its end: a robot played on for them."""

    played: Played
    dropped: tuple[str, ...] = ()  # their ids


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Somebody left, and the others could not finish."""

    leaver: str  # his id


Report = Finished | Abandoned


def report(
    world: World, week: int, sitting: Sitting, number: int, deal: Deal, vulnerability: Vulnerability
) -> Report:
    """Board ``number`` (from 0) of a sitting in a week (from 0). The same whenever it is asked for."""
    rng = stream(world.seed, "table", week, sitting.table, number)
    skills = {seat: person.skill(week) for seat, person in sitting.people.items()}
    played = play(deal, vulnerability, skills, rng)
    for seat, person in sitting.people.items():
        if person.manner is Manner.LEAVING and _goes_badly(played, seat.side, deal, vulnerability):
            return Abandoned(person.id)
    bad_lines = [person.id for person in sitting.people.values() if person.manner is Manner.DROPPING]
    return Finished(played, tuple(name for name in bad_lines if rng.random() < _DROPS))


def _goes_badly(played: Played, side: Side, deal: Deal, vulnerability: Vulnerability) -> bool:
    over = score_ns(played.outcome, vulnerability) - _usual(deal, vulnerability)
    return imps(over if side is Side.NS else -over) <= BAD


@lru_cache(4096)
def _usual(deal: Deal, vulnerability: Vulnerability) -> int:
    """What average players score on a board, in total points for NS."""
    average, rng = dict.fromkeys(SEATS, 0.0), Random(str(deal))
    scores = [
        score_ns(play(deal, vulnerability, average, rng).outcome, vulnerability) for _ in range(_COMPARED)
    ]
    return datum_value(scores)
