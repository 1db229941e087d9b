"""The boards of a Swiss pairs by each method of scoring, and what a round without play is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from server.bridge.adjustments import Averages, Entry
from server.bridge.cross_imps import CrossImpsMode
from server.bridge.datum import TENTH, TrimSchedule
from server.bridge.errors import Impossible
from server.bridge.uneven_board import Scores, board_cross_imps, board_datum_imps, board_percentages
from server.bridge.vp_curve import margin_worth, nearest
from server.bridge.vp_scale import PAIRS_SCALES, VpScale


class Scoring(StrEnum):
    """How an event is scored."""

    CROSS_IMPS = "cross_imps"  # IMPs against every other table, divided by the tables less one
    DATUM = "datum"  # IMPs against the trimmed mean
    TOTAL_IMP = "total_imp"  # IMPs against every other table, added up
    MATCHPOINTS = "matchpoints"  # per cent
    VP = "vp"  # the IMPs of a round, as victory points


AVERAGES = Averages(imps_plus=Fraction(5, 2))
"""60-40 is 2.5 IMPs at this form of scoring, as scores are smaller than in a team match."""

SIT_OUT_VPS = 12
SIT_OUT_PERCENT = 60


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """By what rules the rounds of an event are scored."""

    scoring: Scoring = Scoring.CROSS_IMPS
    boards: int = 8  # of a round
    vp_scale: VpScale = VpScale.BETHE2003
    vp_from: Scoring = Scoring.CROSS_IMPS  # the IMPs that become victory points: these or datum
    trim: TrimSchedule = TENTH
    averages: Averages = AVERAGES

    def __post_init__(self) -> None:
        if self.vp_from not in (Scoring.CROSS_IMPS, Scoring.DATUM):
            raise Impossible("vp_from", "victory points are made of cross-IMPs or of IMPs against a datum")
        if self.vp_scale not in PAIRS_SCALES:
            raise Impossible("vp_scale", f"{self.vp_scale} has no line for every match of a pairs event")

    @property
    def by_board(self) -> Scoring:
        """The method by which single boards are scored."""
        return self.vp_from if self.scoring is Scoring.VP else self.scoring


def board_scores(rules: ScoringRules, entries: Sequence[Entry], tables: int) -> Scores:
    """Exact scores of a board: IMPs, or by matchpoints per cent.

    ``entries``: of the tables of the round where both pairs appeared, ``tables`` in number; a board not
    played, or cut off, has no score and nobody is compared with it.
    """
    match rules.by_board:
        case Scoring.MATCHPOINTS:
            return board_percentages(entries, averages=rules.averages)
        case Scoring.DATUM:
            return board_datum_imps(entries, rules.trim, rules.averages)
        case Scoring.TOTAL_IMP:
            return board_cross_imps(entries, CrossImpsMode.SUM, tables, rules.averages)
        case _:
            return board_cross_imps(entries, CrossImpsMode.PER_TABLE, tables, rules.averages)


def award_imps(rules: ScoringRules, tables: int) -> Fraction:
    """What a sit-out is worth in IMPs: the margin that is worth 12 victory points over a round, to 0.01.

    Where cross-IMPs are not divided it is that for each of the other tables.
    """
    margin = Fraction(nearest(margin_worth(SIT_OUT_VPS, rules.boards)), 100)
    return margin * max(tables - 1, 0) if rules.by_board is Scoring.TOTAL_IMP else margin
