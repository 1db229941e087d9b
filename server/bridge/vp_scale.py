"""The victory-point scales by name."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache

from server.bridge.vp_bethe import bethe2003
from server.bridge.vp_curve import Margin, VictoryPoints, blitz
from server.bridge.vp_tables import OLD25_LAST, acbl20, acbl30, linear, old25
from server.bridge.vp_wbf import wbf, wbf_discrete, wbf_formula


class VpScale(StrEnum):
    """How an IMP margin becomes victory points."""

    BETHE2003 = "bethe2003"  # the formula of 2003, down to -2
    WBF = "wbf"  # the WBF's official table of 2013
    WBF_FORMULA = "wbf_formula"  # its formula, rounded once
    WBF_DISCRETE = "wbf_discrete"  # in whole points
    LINEAR = "linear"  # six IMPs a point
    ACBL20 = "acbl20"
    ACBL30 = "acbl30"
    OLD25 = "old25"  # eight boards, 15-15 to 24-6


PAIRS_SCALES = (VpScale.BETHE2003, VpScale.WBF, VpScale.WBF_FORMULA, VpScale.WBF_DISCRETE, VpScale.LINEAR)
"""Those that a Swiss pairs may choose: 10-10 for a draw, and a line for every margin and number of boards."""


_SCALES: Mapping[VpScale, Callable[[Margin, int], VictoryPoints]] = {
    VpScale.BETHE2003: bethe2003,
    VpScale.WBF: wbf,
    VpScale.WBF_FORMULA: wbf_formula,
    VpScale.WBF_DISCRETE: wbf_discrete,
    VpScale.LINEAR: lambda margin, _boards: linear(margin),
    VpScale.ACBL20: acbl20,
    VpScale.ACBL30: acbl30,
    VpScale.OLD25: old25,
}


def victory_points(scale: VpScale, margin: Margin, boards: int) -> VictoryPoints:
    """Victory points for a margin in IMPs over ``boards`` boards; ``ours`` are those of the side it is for.

    Formulas take a fractional margin as it is and round afterwards; tables round it to whole IMPs first,
    halves away from zero. Raises UnknownConversion where a table ends.
    """
    return _SCALES[scale](margin, boards)


@lru_cache(256)
def conversion_table(scale: VpScale, boards: int) -> tuple[VictoryPoints, ...]:
    """What 0, 1, 2, … IMPs are worth to the winner, to the first margin after which nothing changes.

    This is the table that stands on an event's page; all answers about an event in VPs have it: it is kept.
    An old25 table ends where what is known ends.
    """
    last = OLD25_LAST if scale is VpScale.OLD25 else 2 * max(blitz(boards), 57)
    table = [victory_points(scale, margin, boards) for margin in range(last + 1)]
    while scale is not VpScale.OLD25 and len(table) > 1 and table[-1] == table[-2]:
        table.pop()
    return tuple(table)
