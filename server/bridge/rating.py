"""The numbers of the weekly rating: numbered versions of the algorithm, and the settings beside them.

Two estimators are computed in the same run, on one scale on which 50 is average: **classic** is the literal
weekly cycle with a board Rate for each player of each table; **joint** is a ridge least-squares fit over all
tables, with an error bar. A number of an algorithm never changes: another number is another algorithm, and
every snapshot names the one that made it.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from server.bridge.errors import Impossible


class Estimator(StrEnum):
    """Which of the two is the skill index that players see first."""

    CLASSIC = "classic"
    JOINT = "joint"


@dataclass(frozen=True, slots=True)
class Classic:
    """The weekly cycle: Rates of the boards, their mean, and how it is merged with the past."""

    start: float = 50.0  # Rate of whoever never had a board Rate
    start_weight: float = 25.0  # boards that this beginning weighs
    fade: float = 0.95  # what is left of the past's weight a week later: a half after 13.5 weeks
    most_past: float = 150.0  # boards that the past may weigh at most
    lowest: float = 1.0  # stored Rates stay between these two
    highest: float = 99.0


@dataclass(frozen=True, slots=True)
class Joint:
    """The ridge fit: each player adds so many clamped IMPs a board; the past fades by weeks."""

    fade: float = 0.985  # weight of a table, for each week of its age
    residual_variance: float = 18.0  # of one clamped score around what was to be expected, square IMPs
    prior_variance: float = 0.2  # of what players add, square IMPs; the same for everybody
    points_per_imp: float = 80 / 3  # of the index, for one IMP a board
    tolerance: float = 1e-10  # of the residual, as a share of the right-hand side
    bar_widening: float = 1.1  # of the error that a player and his strongest neighbour alone would have
    bar_drift: float = 0.02  # square IMPs that a fully known player still moves
    interval: float = 1.645  # error bars either way that hold 90 %


@dataclass(frozen=True, slots=True)
class FlagBounds:
    """When an index is marked as one to be read with care."""

    provisional_below: float = 150.0  # boards, each weighing `Joint.fade` for each week of its age
    pair_only_from: float = 0.95  # share of the boards with one partner
    island_below: float = 0.02  # share of a group's boards against outsiders


@dataclass(frozen=True, slots=True)
class Leaving:
    """What leaving a board costs."""

    points: int = 16  # week points and duplicate points
    partner_weeks: int = 4  # within which a pair has some abandoned boards without cost to the partner …
    partner_free: int = 1  # … namely so many


@dataclass(frozen=True, slots=True)
class WatchBounds:
    """What the weekly report for directors names. It accuses nobody."""

    weeks: int = 4  # looked at, the last one included
    boards: int = 8  # fewer against the same opponents say nothing
    novice_boards: int = 150  # opponents with fewer rated boards are taken together
    deviation: float = 5.3  # IMPs, of one board around what was to be expected
    score: float = 4.0  # standard deviations above expectation from which it is told
    abandoned: int = 2  # abandoned boards of a pair that are not told yet


@dataclass(frozen=True, slots=True)
class Algorithm:
    """Every number of the rating. Scores are clamped alike in both estimators."""

    number: int
    clamp: float = 7.5  # IMPs either way that one board may count
    per_cent: Fraction = Fraction(15, 100)  # IMPs that a per cent is worth where the method is matchpoints
    classic: Classic = field(default_factory=Classic)
    joint: Joint = field(default_factory=Joint)
    flags: FlagBounds = field(default_factory=FlagBounds)
    leaving: Leaving = field(default_factory=Leaving)
    watch: WatchBounds = field(default_factory=WatchBounds)


FIRST = Algorithm(1)
ALGORITHMS = {each.number: each for each in (FIRST,)}


@dataclass(frozen=True, slots=True)
class Rules:
    """An algorithm and what an installation may settle itself; kept with each snapshot."""

    algorithm: Algorithm = FIRST
    shield_boards: int = 50  # a table with somebody below so many rated boards moves only such; 0: no shield
    partner_of_leaver: bool = True  # whether repeated leaving costs the leaver's partner a Rate of 0
    official: Estimator = Estimator.CLASSIC


def algorithm(number: int) -> Algorithm:
    """The algorithm of that number; raises Impossible when there is none."""
    if number not in ALGORITHMS:
        raise Impossible("algorithm", f"no rating algorithm has the number {number}")
    return ALGORITHMS[number]
