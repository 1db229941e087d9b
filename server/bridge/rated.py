"""Which results count for the ratings, and why the others do not."""

from dataclasses import dataclass
from enum import StrEnum


class NotRated(StrEnum):
    """Why a result, or a player's part in it, has no board Rate."""

    VOID = "void"
    EVENT = "event"  # a board of an event has no week
    WITHDRAWN = "withdrawn"
    ADJUSTED = "adjusted"  # an artificial or otherwise adjusted score
    FOULED_GROUP = "fouled-group"  # its form of a fouled board was played too rarely
    LATE = "late"  # came after the window for late results
    PENDING = "pending"  # too few results so far
    TOO_FEW_RESULTS = "too-few-results"  # and the week is over
    SUBSTITUTE = "substitute"  # he sat in for somebody who had left
    NEWCOMER_AT_TABLE = "newcomer-at-table"  # rated for the newcomers only


@dataclass(frozen=True, slots=True)
class Standing:
    """What decides whether a result is rated."""

    live: bool  # not void
    weekly: bool  # on a board of a weekly pool
    withdrawn: bool
    adjusted: bool
    fouled: bool  # its board was played in several forms
    results: int  # live results that it is compared with, itself included
    score_at: int  # of them, with which they are scored
    late: bool
    week_over: bool


def not_rated(standing: Standing) -> NotRated | None:
    """Why a result is not rated for anybody, the weightiest reason; None when it is."""
    few = standing.results < standing.score_at
    reasons = (
        (not standing.live, NotRated.VOID),
        (not standing.weekly, NotRated.EVENT),
        (standing.withdrawn, NotRated.WITHDRAWN),
        (standing.adjusted, NotRated.ADJUSTED),
        (standing.late, NotRated.LATE),
        (few and standing.fouled, NotRated.FOULED_GROUP),
        (few, NotRated.TOO_FEW_RESULTS if standing.week_over else NotRated.PENDING),
    )
    return next((reason for applies, reason in reasons if applies), None)


def not_rated_for(
    reason: NotRated | None, substitute: bool, newcomer: bool, newcomer_at_table: bool
) -> NotRated | None:
    """Why one of the players of a result has no board Rate for it; None when he has one.

    ``reason``: why nobody has one; ``newcomer``: he is below the shield's number of rated boards himself;
    ``newcomer_at_table``: he or somebody else there is.
    """
    if reason is None and substitute:
        return NotRated.SUBSTITUTE
    if reason is None and newcomer_at_table and not newcomer:
        return NotRated.NEWCOMER_AT_TABLE
    return reason
