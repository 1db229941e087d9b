"""What a pair was given for a round that it did not play: how much, and why."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.bridge.swiss_round import Kind, RoundScore
from server.bridge.swiss_scoring import SIT_OUT_PERCENT, SIT_OUT_VPS, Scoring, ScoringRules, award_imps
from server.bridge.traveller import hundredths
from server.bridge.vp_curve import margin_worth, nearest
from server.web.rendering import figure

MARGIN_OF_ONE = nearest(margin_worth(SIT_OUT_VPS), 10_000) / 10_000
"""IMPs over one board that are worth as much as a sit-out; over n boards √n times as many."""


@dataclass(frozen=True, slots=True)
class Award:
    """What a round is worth to a pair that sat out, waited in vain or stayed away."""

    kind: str
    score: float  # of the round
    vps: int = SIT_OUT_VPS
    percent: int = SIT_OUT_PERCENT
    unit: float = (
        nearest(margin_worth(SIT_OUT_VPS), 10_000) / 10_000
    )  # IMPs that are worth so many, of one board
    boards: int = 0  # of the round
    margin: float = 0.0  # the same of all its boards
    others: int | None = None  # other tables, where each of them counts for itself


def award(rules: ScoringRules, score: RoundScore, tables: int) -> Award | None:
    """What was given for a round with so many tables where both appeared; None where the pair played."""
    if score.kind is Kind.PLAYED:
        return None
    by_table = rules.by_board is Scoring.TOTAL_IMP
    one = award_imps(rules, 2)
    return Award(
        score.kind.value,
        figure(score.score),
        boards=rules.boards,
        margin=figure(hundredths(one)),
        others=max(tables - 1, 0) if by_table else None,
    )


def tables_of(scores: Mapping[int, Mapping[int, RoundScore]], number: int) -> int:
    """Tables of a scored round where both pairs appeared."""
    return sum(of_pair[number].kind is Kind.PLAYED for of_pair in scores.values() if number in of_pair) // 2
