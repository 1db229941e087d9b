"""Bodies of answers about how a player's week came about."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from server.web.fields import SeatName, Sides
from server.web.schemas import TableRates
from server.web.schemas_weeks import Index, Points, Ranked, WeekStateName


class JointArithmetic(Struct, kw_only=True):
    """How a joint index follows from what the fit over all tables found: `start` + `scale` x `strength`."""

    index: Index
    error: Annotated[float, Meta(description="One standard deviation.")]
    start: float
    scale: Annotated[float, Meta(description="Of the index, for one IMP a board.")]
    strength: Annotated[float, Meta(description="IMPs a board that the player adds.")]


class WeekLine(Struct, kw_only=True):
    """What one board did to a player's week."""

    board: str
    number: int
    result: str | None
    seat: SeatName | None
    players: Annotated[dict[str, str], Meta(description="By seat.")]
    disconnected: Annotated[bool, Meta(description="He left the board himself.")]
    disconnect: Annotated[
        str | None, Meta(description="Behind a Rate of 0: his own disconnect, or his partner's.")
    ]
    leaver: Annotated[
        str | None,
        Meta(
            description="The partner who abandoned the board, again within four weeks: that is a Rate of 0 "
            "without loss of points, which a director may lift."
        ),
    ]
    points: Points
    boards: Annotated[int, Meta(description="What it adds to the boards of the week: 1 or 0.")]
    field: Sides | UnsetType | None = UNSET
    table: TableRates | None
    board_rate: Annotated[float | None, Meta(description="That enters the mean.")]
    rated: bool
    reason: Annotated[
        str | None, Meta(description="Why there is no board Rate; null also before the week is rated.")
    ]
    text: str


class LineSums(Struct, kw_only=True):
    """What the lines come to, as of now."""

    points: Points
    boards: int
    board_rates: int
    week_rate: Annotated[float | None, Meta(description="Mean of the board Rates; null without any.")]


class DuplicateLine(Struct, kw_only=True):
    """What one board gave to a player's duplicate points."""

    board: str
    number: int
    result: Annotated[str | None, Meta(description="Whose award it is; null: nobody finished.")]
    disconnected: Annotated[bool, Meta(description="He left the board, and has the loss instead.")]
    points: Points


class DuplicateExplained(Struct, kw_only=True):
    """What a player's duplicate points of the week add up from, as they were counted last."""

    lines: list[DuplicateLine]
    hidden_boards: Annotated[int, Meta(description="Boards left out: somebody may still play them.")]
    points: Annotated[Points, Meta(description="Of all boards, those left out too.")]


class WeekExplanation(Struct, kw_only=True):
    """How a player's week came about.

    The lines are as of now and add up to `lines_sum`. That is what was published, unless `changed_since` is
    true or boards are left out. What was published is null before the week is rated.
    """

    player: Ranked
    week: str
    pool: str
    state: WeekStateName
    revision: Annotated[int, Meta(description="Whose figures are told; 0: the week is not rated yet.")]
    changed_since: Annotated[
        bool,
        Meta(
            description="Something changed in this week, or in one before it, since the revision was made: "
            "its figures are replaced when the week is rated again."
        ),
    ]
    lines: list[WeekLine]
    hidden_boards: Annotated[int, Meta(description="Boards left out: somebody may still play them.")]
    lines_sum: LineSums
    other_zeros: Annotated[
        int, Meta(description="Of the lines, Rates of 0 for boards that a partner abandoned.")
    ]
    points: Points | None
    boards: int | None
    board_rates: int | None
    week_rate: float | None
    old_rate: Index | None
    old_weight: Annotated[
        float | None,
        Meta(description="Boards that the past weighed before the week; of a newcomer, his beginning."),
    ]
    past_weight: Annotated[
        float | None, Meta(description="What the past weighs this week, faded and capped.")
    ]
    new_rate: Index | None
    new_weight: float | None
    joint: Annotated[JointArithmetic | None, Meta(description="Where the pool has a joint rating.")]
    duplicate: DuplicateExplained
    text: list[str]
