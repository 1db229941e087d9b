"""Pools: boards, scoring method, rating list and leaderboard that belong together."""

from dataclasses import dataclass
from enum import StrEnum

from server.bridge.datum import TENTH, TrimSchedule

DEFAULT_POOL = "imps"  # where nothing else is said


class ScoringMethod(StrEnum):
    """How a result of the pool is scored against its field."""

    DATUM = "datum"  # IMPs against the trimmed mean
    CROSS_IMPS = "cross_imps"  # mean IMPs against every other result
    MATCHPOINTS = "matchpoints"  # percent, 50 is average
    HCP_COMPENSATION = "hcp_compensation"  # IMPs against what the cards are worth


@dataclass(frozen=True, slots=True)
class Terms:
    """By what rules one board is scored. Fixed when the board is made, and kept with it."""

    method: ScoringMethod
    score_at: int  # results with which the board is scored for the first time
    retire_at: int | None  # results with which it is never dealt again; None: no end
    trim: TrimSchedule = TENTH


@dataclass(frozen=True, slots=True)
class Pool:
    """A named pool and the terms of the boards made for it."""

    name: str
    terms: Terms
    members_only: bool = True  # players who are no members may not play it
