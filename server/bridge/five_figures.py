"""The five figures of a player, and the older duplicate figures beside them, one player at a time.

Points are counted in ten-thousandths, so that IMPs and per cent, both known to a hundredth, add up exactly.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from server.bridge.rating import FIRST, Algorithm

POINT = 10_000
AVERAGE = 5_000  # hundredths of a per cent


@dataclass(frozen=True, slots=True)
class FiveFigures:
    """Skill index, week points, week boards, total boards, last week's average."""

    skill_index: float  # of the end of last week; changes once a week
    provisional: bool  # the index rests on few boards
    week_points: int  # ten-thousandths; follows every further result
    week_boards: int  # tables finished or disconnected this week, unscored ones included
    total_boards: int  # of all weeks, this one included
    last_week_average: Fraction | None  # points a board; None without boards


@dataclass(frozen=True, slots=True)
class DuplicateFigures:
    """What the awards of a player add up to; moved by arrivals and rulings alone."""

    points: int  # ten-thousandths
    won: int
    drawn: int
    lost: int

    @property
    def win_rate(self) -> Fraction | None:
        """Boards won as a share of all; None without boards."""
        boards = self.won + self.drawn + self.lost
        return Fraction(self.won, boards) if boards else None


def line(own: int, matchpoints: bool = False, algorithm: Algorithm = FIRST) -> int:
    """Points of one board in ten-thousandths, from the own side's score in hundredths.

    They are the IMPs themselves; where the method is matchpoints each per cent above 50 is 0.15 points, so
    that 15 points are 100 % as in the board Rate.
    """
    return unit(matchpoints, algorithm) * (own - AVERAGE if matchpoints else own)


def unit(matchpoints: bool, algorithm: Algorithm = FIRST) -> int:
    """Ten-thousandths of a point that a hundredth of an IMP, or of a per cent, is worth."""
    return int((algorithm.per_cent if matchpoints else 1) * POINT / 100)


def week_points(
    own: Iterable[int], disconnects: int, matchpoints: bool = False, algorithm: Algorithm = FIRST
) -> int:
    """Week points in ten-thousandths.

    ``own``: field scores of the own side, in hundredths, on the scored boards of the week that the player did
    not leave; 16 points go for each of the ``disconnects``.
    """
    return sum(line(score, matchpoints, algorithm) for score in own) - penalty(disconnects, algorithm)


def penalty(disconnects: int, algorithm: Algorithm = FIRST) -> int:
    """Ten-thousandths of a point that so many disconnects cost."""
    return disconnects * algorithm.leaving.points * POINT


def average(points: int, boards: int) -> Fraction | None:
    """A week's points (given in ten-thousandths) for each of its boards; None without boards."""
    return Fraction(points, POINT * boards) if boards else None


def duplicate_figures(
    awards: Iterable[int], disconnects: int, matchpoints: bool = False, algorithm: Algorithm = FIRST
) -> DuplicateFigures:
    """Duplicate points, boards won, drawn and lost.

    ``awards``: standing awards of the own side, in hundredths, on boards that the player did not leave.
    """
    lines = [line(award, matchpoints, algorithm) for award in awards]
    return DuplicateFigures(
        sum(lines) - penalty(disconnects, algorithm),
        sum(points > 0 for points in lines),
        sum(points == 0 for points in lines),
        sum(points < 0 for points in lines),
    )
