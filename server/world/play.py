"""A table's result on a board: the contract it reaches, the tricks that declarer takes, the lead."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from server.bridge.contract import PASSED_OUT, Outcome, Strain
from server.bridge.deal import RANKS, SUITS, Deal
from server.bridge.seats import Seat, Vulnerability
from server.world.auction import bid
from server.world.cards import PAIRS, prospects

_LUCK = 1.0  # tricks, standard deviation of what happens at one table beside skill and cards
_TRICKS = 0.58  # that one IMP a board of skill is worth in the play
_DUMMY = 0.2  # share of dummy's skill that shows in the play


@dataclass(frozen=True, slots=True)
class Played:
    """What a table reports."""

    outcome: Outcome
    lead: str | None  # a card such as HK; None when passed out


def play(deal: Deal, vulnerability: Vulnerability, skills: Mapping[Seat, float], rng: Random) -> Played:
    """One table's result on a complete deal. ``skills``: IMPs a board that each player adds."""
    cards = prospects(deal)
    reached = bid(cards, vulnerability, skills, rng)
    if reached is None:
        return Played(PASSED_OUT, None)
    declarer, strain = reached.declarer, reached.contract.strain
    defence = sum(skills[seat] for seat in PAIRS[declarer.side.other])
    edge = skills[declarer] + _DUMMY * skills[declarer.partner] - defence * (1 + _DUMMY) / 2
    tricks = cards.worth[declarer.side][strain].tricks + _TRICKS * edge + rng.gauss(0, _LUCK)
    outcome = Outcome(reached.contract, declarer, max(0, min(13, round(tricks))))
    return Played(outcome, _lead(deal, declarer.next, strain, rng))


def _lead(deal: Deal, leader: Seat, strain: Strain, rng: Random) -> str:
    """The top of a sequence, the fourth highest or the highest of a long suit; seldom a trump."""
    hand = deal.hand(leader) or frozenset()
    suits = {suit: [rank for rank in RANKS if suit + rank in hand] for suit in SUITS}
    weights = {
        suit: (0.1 if suit == strain.value else 1.0) * len(ranks) ** 2 for suit, ranks in suits.items()
    }
    suit = rng.choices(list(suits), list(weights.values()))[0]
    ranks = suits[suit]
    touching = len(ranks) > 1 and RANKS.index(ranks[1]) - RANKS.index(ranks[0]) == 1
    if len(ranks) < 4 or (touching and ranks[0] in "AKQJ"):
        return suit + ranks[0]
    return suit + ranks[3]
