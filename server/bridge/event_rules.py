"""The rules of an event as one value, from which those of its clock and of its scoring follow."""

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from server.bridge.datum import parse_schedule
from server.bridge.errors import Impossible
from server.bridge.standings import VP_BAND
from server.bridge.swiss_clock import SECONDS_A_BOARD, Timing
from server.bridge.swiss_draw import FirstRound
from server.bridge.swiss_field import latest_entry
from server.bridge.swiss_scoring import Scoring, ScoringRules
from server.bridge.swiss_tables import Seating
from server.bridge.vp_scale import VpScale

ABSENT_S = 300
"""After the start of a round: who is not at his table by then is marked absent."""


class Kind(StrEnum):
    """What an event is."""

    SWISS_PAIRS = "swiss_pairs"  # opponents by the standings
    PAIRS = "pairs"  # opponents by a round robin or a draw; its organiser publishes the results


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRules:
    """By what rules an event is held; instants are seconds since 1970 in UTC. Raises Impossible."""

    kind: Kind = Kind.SWISS_PAIRS
    open_at: float  # registration
    start_at: float
    rounds: int
    boards: int = 8  # of a round
    round_s: float | None = None  # None: seven and a half minutes a board
    closing_s: float = 120
    min_pairs: int = 4
    early_close: bool = False
    last_board_s: float = 120
    absent_s: float | None = None  # None: five minutes, or all of a round that is shorter
    hold_s: float = 20  # how long both hands must be up in the registration room
    late_until: int = 0  # the last round until whose end pairs may still enter; 0: none
    first_round: FirstRound = FirstRound.REGISTRATION
    seating: Seating = Seating.TABLE_RULE
    scoring: Scoring = Scoring.CROSS_IMPS
    vp_scale: VpScale = VpScale.BETHE2003
    vp_from: Scoring = Scoring.CROSS_IMPS
    trim: str = "tenth"
    completed: tuple[int, int] = (1, 2)  # share of the boards that a pair must finish to be ranked
    band: int = 0  # hundredths of a victory point: less than that apart is a tie
    places: int = 0  # that qualify by score; 0: nobody does
    protected_places: int = 0  # pairs that the organiser names, of which so many qualify

    def __post_init__(self) -> None:
        _check(self, self.timing, self.scores)

    def postponed(self, by: float, opened: bool) -> "EventRules":
        """The same rules with a later start; ``opened``: registration is open, and stays as it was opened."""
        return replace(self, start_at=self.start_at + by, open_at=self.open_at + (0 if opened else by))

    @property
    def timing(self) -> Timing:
        """When it happens."""
        round_s = self.boards * SECONDS_A_BOARD if self.round_s is None else self.round_s
        return Timing(
            self.open_at,
            self.start_at,
            self.rounds,
            round_s,
            self.closing_s,
            self.min_pairs,
            self.early_close,
            self.last_board_s,
            min(ABSENT_S, round_s) if self.absent_s is None else self.absent_s,
        )

    @property
    def scores(self) -> ScoringRules:
        """How its rounds are scored."""
        return ScoringRules(self.scoring, self.boards, self.vp_scale, self.vp_from, parse_schedule(self.trim))

    @property
    def tie(self) -> int:
        """Hundredths: pairs less than that below the last place that qualifies tie with it, and qualify too.

        That is the band, where there is one. Else of victory points 0.05, however places are told apart; of
        anything else a tie is the same score.
        """
        return self.band or (VP_BAND if self.scoring is Scoring.VP else 1)

    @property
    def ratio(self) -> Fraction:
        """The share of the boards that a pair must finish to be ranked."""
        return Fraction(*self.completed)


_YEAR_9000 = 221_845_392_000  # what calendars can say ends soon after, and pauses may come


def _check(rules: EventRules, timing: Timing, scores: ScoringRules) -> None:
    """What the rules of its clock and of its scoring do not see."""
    if timing.start_at + timing.rounds * (timing.round_s + timing.closing_s) > _YEAR_9000:
        raise Impossible("start_at", "the event would not be over before the year 9000")
    if scores.boards < 1:
        raise Impossible("boards", "a round has at least one board")
    if rules.late_until > latest_entry(rules.rounds):
        last = latest_entry(rules.rounds)
        raise Impossible("late_until", f"more than half of the rounds: with {rules.rounds} at most {last}")
    share, of = rules.completed
    if not 0 <= share <= of or of == 0:
        raise Impossible("completed", f"{share} of {of} is no share between 0 and 1")
    if rules.last_board_s >= timing.round_s:
        raise Impossible("last_board_s", "no board could be dealt, as a round is no longer than that")
