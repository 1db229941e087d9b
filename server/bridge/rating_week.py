"""One week of one pool rated: a pure function of the snapshot before it, the week's rows and the rules."""

from dataclasses import dataclass

import numpy as np

from server.bridge.rating import Algorithm, Rules
from server.bridge.rating_classic import NOBODY, ClassicState, ClassicWeek, rate_classic
from server.bridge.rating_columns import Flags, Floats, Numbers, WeekRows, leavings
from server.bridge.rating_islands import islands
from server.bridge.rating_joint import NOTHING, JointState, advanced, index, strengths
from server.bridge.rating_leavers import partners_with_zero
from server.bridge.rating_neighbours import error_bars, neighbours, pair_only
from server.bridge.rating_quartets import quartets


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """All that the next week needs to know of the past."""

    classic: ClassicState
    joint: JointState | None  # None in pools that are not scored in IMPs


@dataclass(frozen=True, slots=True, eq=False)
class JointWeek:
    """What the joint rating says at the end of a week, a row for each player."""

    index: Floats  # 50 is average; not clamped
    bar: Floats  # one standard deviation, in points of the index
    pair_only: Flags  # nobody can tell him from the partner he (nearly) always had
    island: Flags  # of a group that hardly meets anybody else


@dataclass(frozen=True, slots=True, eq=False)
class RatedWeek:
    """The snapshot at the end of a week and what it says, a row for each player."""

    snapshot: Snapshot
    classic: ClassicWeek
    joint: JointWeek | None
    provisional: Flags  # too few boards lately to rely on either index

    @property
    def players(self) -> Numbers:
        """Whom the rows are about, sorted."""
        return self.snapshot.classic.players


def beginning(joint: bool) -> Snapshot:
    """The snapshot before the first week; with or without the joint rating."""
    return Snapshot(NOBODY, NOTHING if joint else None)


def rate_week(before: Snapshot, rows: WeekRows, rules: Rules) -> RatedWeek:
    """The week after ``before``. Empty weeks are rated too: the past fades.

    ``rows.players`` holds everybody of ``before``; raises Impossible otherwise. The ties of ``before`` are
    read once.
    """
    found = leavings(rows.tables.key, rows.tables.seats, rows.disconnects)
    partners = partners_with_zero(rows.abandoned, rules)
    known = before.classic.grown(rows.players, rules.algorithm)
    classic = rate_classic(known, rows.tables, found, partners, rules)
    provisional = classic.state.recent < rules.algorithm.flags.provisional_below
    if before.joint is None:
        return RatedWeek(Snapshot(classic.state, None), classic, None, provisional)
    state = sums_after(before.joint, rows, classic.state.rated, rules)
    return RatedWeek(Snapshot(classic.state, state), classic, joint_week(state, rules.algorithm), provisional)


def sums_after(before: JointState, rows: WeekRows, rated: Numbers, rules: Rules) -> JointState:
    """The sums of the joint rating after the week alone, without what they say.

    ``rated``: board Rates that each player had ever had by the end of the week.
    """
    week = quartets(rows.tables, rules.algorithm)
    zeros = np.concatenate([rows.disconnects.player, partners_with_zero(rows.abandoned, rules)])
    return advanced(before, rows.players, week, zeros, rated >= rules.shield_boards, rules)


def joint_week(state: JointState, algorithm: Algorithm) -> JointWeek:
    """What the joint rating makes of its sums. Raises NotSolved."""
    near = neighbours(state)
    return JointWeek(
        index(strengths(state, algorithm), algorithm),
        error_bars(state, near, algorithm).points(algorithm),
        pair_only(near, algorithm),
        islands(state, algorithm),
    )
