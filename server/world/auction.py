"""An auction's outcome: which contract a table reaches, from the cards and from how well it judges them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from server.bridge.contract import Contract, Risk, Strain
from server.bridge.score import score_parts
from server.bridge.seats import Seat, Side, Vulnerability
from server.world.cards import PAIRS, Prospects

STRAINS = tuple(Strain)  # in ascending rank
_GAME = {Strain.CLUBS: 5, Strain.DIAMONDS: 5, Strain.HEARTS: 4, Strain.SPADES: 4, Strain.NOTRUMP: 3}
_OPTIMISM = 0.30  # of a trick, beyond what is judged, that bidders count on
_COMMON, _EACH = 0.55, 0.45  # tricks, standard deviations of misjudging a side's cards, and one strain more
_CARE = 0.35  # share by which a pair of one IMP a board and player misjudges less
_CAUTION = 0.5  # of a trick that is to be beyond doubt before a slam is bid
_OPENING = 12  # points of a hand that opens for certain
_LEAST_FIT = 7  # trumps of a side, to play in a suit
_SACRIFICES = 0.5  # how often a cheap one is found
_PUSHES = 0.25  # how often a side goes one higher than it should


@dataclass(frozen=True, slots=True)
class Reached:
    """What was bid."""

    contract: Contract
    declarer: Seat


@dataclass(frozen=True, slots=True)
class _Goal:
    """What a side would like to play."""

    side: Side
    strain: Strain
    level: int  # 0: it has nothing to say
    tricks: float  # that it counts on
    game: bool

    @property
    def rank(self) -> tuple[int, int]:
        return self.level, STRAINS.index(self.strain)


def bid(
    cards: Prospects, vulnerability: Vulnerability, skills: Mapping[Seat, float], rng: Random
) -> Reached | None:
    """The contract of one table; None when it is passed out. ``skills``: IMPs a board that each adds."""
    if max(cards.points.values()) + rng.random() < _OPENING:
        return None
    ns, ew = (_goal(cards, side, vulnerability.includes(side), skills, rng) for side in Side)
    high, low = (ns, ew) if ns.rank > ew.rank else (ew, ns)
    if high.level == 0:
        return None
    if high.game:
        return _over(high, low, cards, vulnerability, rng)
    return _part_score(high, low, cards, rng)


def _goal(cards: Prospects, side: Side, vulnerable: bool, skills: Mapping[Seat, float], rng: Random) -> _Goal:
    skill = sum(skills[seat] for seat in PAIRS[side]) / 2
    care = max(0.3, 1 - _CARE * skill)
    common = _OPTIMISM + care * rng.gauss(0, _COMMON)
    best, value = _Goal(side, Strain.CLUBS, 0, 0.0, False), 0
    for strain, worth in cards.worth[side].items():
        judged = worth.expected + common + care * rng.gauss(0, _EACH)
        if strain is not Strain.NOTRUMP and worth.fit < _LEAST_FIT:
            continue
        level, points = _level(strain, min(13, int(judged)), min(13, int(judged - _CAUTION)), vulnerable)
        if points > value:
            best, value = _Goal(side, strain, level, judged, level >= _GAME[strain]), points
    return best


@lru_cache(None)
def _level(strain: Strain, tricks: int, certain: int, vulnerable: bool) -> tuple[int, int]:
    """How high so many tricks are bid, and what they score so; as high as they go below game."""
    if tricks < 7:
        return 0, 0
    level = certain - 6 if certain >= 12 else min(tricks - 6, _GAME[strain])
    return level, score_parts(Contract(level, strain), tricks, vulnerable).total


def _part_score(high: _Goal, low: _Goal, cards: Prospects, rng: Random) -> Reached:
    """As low as the other side lets it be played."""
    level = 1 if high.strain is Strain.NOTRUMP or high.level == 1 else 2
    if low.level and (low.level > 1 or cards.points_of(low.side) >= 17):
        while (level, STRAINS.index(high.strain)) < low.rank:
            level += 1
    if rng.random() < _PUSHES and level < 4:
        level += 1
    return Reached(Contract(level, high.strain), _declarer(cards, high, rng))


def _over(high: _Goal, low: _Goal, cards: Prospects, vulnerability: Vulnerability, rng: Random) -> Reached:
    """A game or slam, or what the other side bids over it because that costs less."""
    made = score_parts(Contract(high.level, high.strain), 6 + high.level, vulnerability.includes(high.side))
    level = high.level + (STRAINS.index(low.strain) < STRAINS.index(high.strain))
    if low.level >= 2 and low.strain is not Strain.NOTRUMP and level <= 5:
        instead = Contract(level, low.strain, Risk.DOUBLED)
        cost = score_parts(instead, min(int(low.tricks), level + 5), vulnerability.includes(low.side)).total
        if -cost < made.total - 50 and rng.random() < _SACRIFICES:
            return Reached(instead, _declarer(cards, low, rng))
    return Reached(Contract(high.level, high.strain), _declarer(cards, high, rng))


def _declarer(cards: Prospects, goal: _Goal, rng: Random) -> Seat:
    """Who of the side named the strain first: mostly the one with more cards in it, or more points."""
    pair = PAIRS[goal.side]
    if goal.strain is Strain.NOTRUMP:
        longer = [float(cards.points[seat]) for seat in pair]
    else:
        suit = "SHDC".index(goal.strain.value)
        longer = [4.0 * cards.lengths[seat][suit] for seat in pair]
    return pair[0] if longer[0] + rng.gauss(0, 2.5) > longer[1] else pair[1]
