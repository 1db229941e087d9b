"""How events are held, in numbers: those of the rules that hold where an event has none of its own."""

from dataclasses import dataclass

from server.bridge.event_rules import EventRules
from server.bridge.standings import VP_BAND
from server.bridge.swiss_clock import SECONDS_A_BOARD
from server.bridge.swiss_pairing import AT_ONCE
from server.bridge.swiss_scoring import AVERAGES, SIT_OUT_PERCENT, SIT_OUT_VPS
from server.bridge.swiss_tables import higher_sits_ns
from server.web.pages.event_awards import MARGIN_OF_ONE

_USUAL = EventRules(open_at=0, start_at=0, rounds=2)


@dataclass(frozen=True, slots=True)
class Conduct:
    """What the rules of events say in numbers."""

    usual: EventRules = _USUAL
    seconds_a_board: int = SECONDS_A_BOARD
    at_once: int = AT_ONCE  # what meeting again in the very next round counts for
    vps: int = SIT_OUT_VPS
    percent: int = SIT_OUT_PERCENT
    margin: float = MARGIN_OF_ONE  # IMPs over one board that are worth so many victory points
    percent_plus: float = float(AVERAGES.percent_plus)
    imps_plus: float = float(AVERAGES.imps_plus)
    band: float = VP_BAND / 100  # victory points that are less than a difference
    ranked: float = float(100 * _USUAL.ratio)  # per cent of the boards that a pair must finish
    tables: tuple[int, ...] = tuple(
        table for table in range(1, 11) if higher_sits_ns(table)
    )  # higher pair NS


CONDUCT = Conduct()
