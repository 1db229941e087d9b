"""Bodies of answers about weeks, ratings and leaderboards."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from server.web.schemas import ResultDetail

WeekStateName = Literal["future", "open", "ended", "closing", "closed", "dirty"]
PoolName = Annotated[str, Meta(description="The pool.")]
Index = Annotated[float, Meta(description="50 is average. Pages show one decimal.")]
Points = Annotated[float, Meta(description="IMPs, or 0.15 for each per cent above 50; 16 less a disconnect.")]


class FiveFigures(Struct, kw_only=True):
    """The five figures of a player."""

    skill_index: Index
    skill_error: Annotated[
        float | None,
        Meta(description="One standard deviation of it; null where it is the classic index, which has none."),
    ]
    week_points: Points
    week_boards: int
    total_boards: int
    last_week_average: Annotated[float | None, Meta(description="Points a board; null without boards.")]


class DuplicateWeek(Struct, kw_only=True):
    """What a week added to the older figures."""

    week: str
    points: Points
    won: int
    drawn: int
    lost: int


class LastWeek(Struct, kw_only=True):
    """What last week's average is the quotient of."""

    week: str
    points: Points
    boards: int


class DuplicateFigures(Struct, kw_only=True):
    """The older figures, moved by arrivals and rulings alone."""

    points: Points
    won: int
    drawn: int
    lost: int
    win_rate: Annotated[float | None, Meta(description="Won by all; null when there are none.")]
    weeks: Annotated[list[DuplicateWeek], Meta(description="They add up to these; newest first.")]


class JointIndex(Struct, kw_only=True):
    """The joint index with its error bar, one standard deviation."""

    index: Index
    error: float


class EventPoints(Struct, kw_only=True):
    """Master points that a player has of an event."""

    event: str
    name: str
    rank: int
    pairs: Annotated[int, Meta(description="That finished enough boards to be ranked.")]
    points: int


class PlayerView(Struct, kw_only=True):
    """A player with his figures. What was set of him beside his name is shown to platforms only."""

    id: str
    name: Annotated[str, Meta(description="What people read: alias, else name, else id.")]
    pool: PoolName
    figures: FiveFigures
    last_week: Annotated[LastWeek | None, Meta(description="Null: no boards last week.")]
    duplicate: DuplicateFigures
    joint: JointIndex | None
    provisional: Annotated[bool, Meta(description="The index rests on few boards.")]
    pair_only: Annotated[bool, Meta(description="Nobody can tell him from his one partner.")]
    island: Annotated[bool, Meta(description="Of a group that hardly meets anybody else.")]
    grade: Annotated[int, Meta(description="1 to 12, by master points; see `/grades`.")]
    masterpoints: Annotated[int, Meta(description="Won in events.")]
    masterpoints_by_event: Annotated[
        list[EventPoints], Meta(description="They add up to these; the newest event first.")
    ]
    member: bool
    full_name: str | UnsetType | None = UNSET
    alias: str | UnsetType | None = UNSET
    hidden: bool | UnsetType = UNSET
    linked: list[str] | UnsetType = UNSET


class PlayerWeek(Struct, kw_only=True):
    """A closed week of a player. Indexes have six decimals."""

    week: str
    revision: int
    skill_index: Index
    weight: Annotated[float, Meta(description="Boards that the past weighs after the week.")]
    week_rate: Annotated[float | None, Meta(description="Mean of the board Rates; null without any.")]
    points: Points
    boards: int
    rated_boards: int
    disconnects: int
    total_boards: int
    average: Annotated[float | None, Meta(description="Points a board; null without boards.")]
    rank: Annotated[int | None, Meta(description="On the list of skill; null: not listed.")]
    movement: Annotated[int | None, Meta(description="Places won since the week before.")]
    joint: JointIndex | None


class PlayerWeeks(Struct):
    """Every closed week of a player, newest first."""

    weeks: list[PlayerWeek]


class PlayerResults(Struct):
    """A page of a player's results, newest boards first."""

    results: list[ResultDetail]
    cursor: str | None


class Ranked(Struct, kw_only=True):
    """Who stands on a list."""

    id: str
    name: str


class LeaderboardRow(Struct, kw_only=True):
    """A player on a list. Equal figures share a rank; filters renumber nobody."""

    rank: int
    movement: Annotated[
        int | None,
        Meta(
            description="Places won since the week before, by the list of the same order; null: not on that "
            "list, or by an index while the week is not rated: until then nobody moves."
        ),
    ]
    player: Ranked
    figures: FiveFigures
    joint: JointIndex | None
    provisional: bool
    pair_only: bool
    island: bool


class Leaderboard(Struct, kw_only=True):
    """A page of a leaderboard."""

    week: str
    pool: str
    rating: Literal["skill", "points", "joint"]
    official: Annotated[Literal["classic", "joint"], Meta(description="Which index is the skill index.")]
    state: WeekStateName
    revision: Annotated[int, Meta(description="That is shown; 0: the week is not closed.")]
    total: Annotated[int, Meta(description="Players on the list who pass the filters.")]
    offset: Annotated[int, Meta(description="Players before the first row.")]
    rows: list[LeaderboardRow]
    cursor: str | None


class RatedWeek(Struct, kw_only=True):
    """What closing a week and pool came to."""

    week: str
    pool: str
    revision: int
    changed: Annotated[bool, Meta(description="False: the same was published before.")]
    players: int
    checksum: str


class RatedWeeks(Struct):
    """What closing weeks came to."""

    weeks: list[RatedWeek]


class WatchLine(Struct, kw_only=True):
    """Something out of the ordinary. It accuses nobody."""

    why: Literal["same-opponents", "novices", "abandoned"]
    players: Annotated[list[Ranked], Meta(description="One, or the pair.")]
    opponents: Annotated[list[Ranked], Meta(description="The two; none where it is about many or nobody.")]
    boards: int
    excess: Annotated[float | None, Meta(description="IMPs above expectation, of all these boards together.")]
    z: Annotated[float | None, Meta(description="The same in standard deviations.")]


class WatchReport(Struct, kw_only=True):
    """What is out of the ordinary in the last weeks."""

    week: str
    pool: str
    weeks: Annotated[list[str], Meta(description="That were looked at, oldest first.")]
    lines: list[WatchLine]
