"""The sums of the joint rating that a week builds upon, as they are kept, and computed again. Pure functions.

They are a cache: kept are those of the last weeks, and whatever is lost follows from the results.
"""

from collections.abc import Sequence

from server.bridge.rating import Rules
from server.bridge.rating_joint import NOTHING, JointState
from server.bridge.rating_packing import packed, unpacked
from server.bridge.rating_week import sums_after
from server.services.closing_figures import Before, Figures, WeekRead, figures, gathered
from server.storage.columns import Column


def opened(before: Before, parts: Sequence[bytes]) -> JointState | None:
    """The kept sums of the snapshot before a week; None without a joint rating. Raises Damaged."""
    if not before.joint:
        return None
    return unpacked(parts) if before.checksum else NOTHING


def parts_of(made: Figures) -> list[bytes]:
    """The sums of a week as they are kept; nothing without a joint rating."""
    state = made.rated.snapshot.joint
    return [] if state is None else list(packed(state))


def summed(
    before: Before, parts: Sequence[bytes], read: WeekRead, rated: Column, rules: Rules
) -> list[bytes]:
    """The sums of a week that was rated by these rules, as they are kept.

    ``rated``: board Rates that each of its players had ever had by its end. Raises Damaged.
    """
    sums = opened(before, parts)
    assert sums is not None
    return list(packed(sums_after(sums, gathered(before, read, rules).rows, rated, rules)))


def rated_upon(before: Before, parts: Sequence[bytes], read: WeekRead, rules: Rules) -> Figures:
    """The figures of a week from everything that was read. Raises Damaged, NotSolved."""
    return figures(before, opened(before, parts), gathered(before, read, rules), rules)
