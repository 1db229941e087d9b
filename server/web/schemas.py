"""What the API gives: the bodies of answers."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from server.web.fields import Figure, Moment, SeatName, Sides
from server.web.schemas_explained import RoundExplained
from server.web.schemas_revisions import Disconnected, Revision


class Percent(Struct):
    """Matchpoints of each side as percentages of the top."""

    ns_percent: Figure
    ew_percent: Figure


class SeatedPlayers(Struct):
    """Four players by seat; a hidden one shows as `hidden`."""

    N: str
    E: str
    S: str
    W: str


BoardStateName = Literal["pending", "scoring", "retired", "withdrawn"]
ResultStateName = Literal["pending", "scored", "void"]


class BoardBrief(Struct):
    """The board of a result."""

    id: str
    number: int
    state: BoardStateName
    results: int


class Result(Struct, kw_only=True):
    """A result as it was taken in."""

    id: str
    board: BoardBrief
    sequence: int
    table: str
    score: Annotated[int, Meta(description="Total points, signed for NS.")]
    state: ResultStateName
    datum: int | None
    award: Sides | None
    field: Sides | None
    rated: bool
    reason: str | None
    version: int


class ResultRow(Struct, kw_only=True):
    """A result on a traveller. While the board may still be played the public sees id, sequence, state."""

    id: str
    sequence: int
    state: ResultStateName
    table: str | UnsetType = UNSET
    players: SeatedPlayers | UnsetType = UNSET
    contract: str | UnsetType = UNSET
    declarer: SeatName | UnsetType | None = UNSET
    tricks: int | UnsetType | None = UNSET
    lead: str | UnsetType | None = UNSET
    played_at: Moment | UnsetType | None = UNSET
    score: int | UnsetType = UNSET
    dropped: bool | UnsetType | None = UNSET
    award: Sides | UnsetType | None = UNSET
    field: Sides | UnsetType | None = UNSET
    datum_imps: Sides | UnsetType | None = UNSET
    cross_imps: Sides | UnsetType | None = UNSET
    matchpoints: Percent | UnsetType | None = UNSET
    rated: bool | UnsetType = UNSET
    reason: str | UnsetType | None = UNSET
    version: int | UnsetType = UNSET
    rulings: list[Revision] | UnsetType = UNSET


class ResultDetail(ResultRow, kw_only=True):
    """One result with its board, and with auction, play and leavers where there are any."""

    board: BoardBrief | UnsetType = UNSET
    datum: int | UnsetType | None = UNSET
    auction: list[str] | UnsetType = UNSET
    play: list[str] | UnsetType = UNSET
    substitutes: Annotated[dict[SeatName, str], Meta(description="Who was replaced.")] | UnsetType = UNSET
    disconnects: list[Disconnected] | UnsetType = UNSET


class MadeBoard(Struct):
    """A board that was made."""

    id: str
    number: int
    dealer: SeatName
    vulnerability: Literal["none", "NS", "EW", "both"]


class BoardSet(Struct):
    """Boards made together."""

    week: str
    pool: str
    boards: list[MadeBoard]


class Board(Struct, kw_only=True):
    """A board; its deal is there once nobody can still be playing it."""

    id: str
    number: int
    dealer: SeatName
    vulnerability: Literal["none", "NS", "EW", "both"]
    week: str | None
    pool: str | None
    state: BoardStateName
    results: int
    score_at: int
    retire_at: int | None
    version: int
    deal: str | UnsetType | None = UNSET


class BoardList(Struct):
    """A page of boards."""

    boards: list[Board]
    cursor: Annotated[str | None, Meta(description="Where the next page begins; null on the last.")]


class Traveller(Struct):
    """A board with all its results in order of arrival."""

    board: Board
    datum: int | None
    results: list[ResultRow]
    position: Annotated[int, Meta(description="Follow the channel of the board from here on.")]


class Assignment(Struct):
    """The board that a table was dealt."""

    id: str
    board: MadeBoard
    deal: str | None
    expires_at: Moment


class Week(Struct):
    """A week and where it stands."""

    week: str
    opens_at: Moment
    closes_at: Moment
    state: Literal["future", "open", "ended", "closing", "closed", "dirty"]
    revision: Annotated[int, Meta(description="Of its ratings; 0: none yet.")]


class Player(Struct, kw_only=True):
    """A player. What was set of him beside his name is shown to platforms only."""

    id: str
    name: Annotated[str, Meta(description="What people read: alias, else name, else id.")]
    member: bool
    full_name: str | UnsetType | None = UNSET
    alias: str | UnsetType | None = UNSET
    hidden: bool | UnsetType = UNSET
    linked: list[str] | UnsetType = UNSET


class ScoreParts(Struct):
    """The contract score in its parts, for declarer's side (Law 77)."""

    vulnerable: bool
    trick_points: int
    overtricks: int
    insult: int
    bonus: int
    slam: int
    undertricks: int
    total: int


class Comparison(Struct, kw_only=True):
    """How the result became a score against some results of its board."""

    results: int
    scores: Annotated[list[int], Meta(description="What was compared, by arrival; total points for NS.")]
    dropped: list[int] | UnsetType = UNSET
    kept: int | UnsetType = UNSET
    kept_total: int | UnsetType = UNSET
    datum: int | UnsetType = UNSET
    difference: int | UnsetType = UNSET
    imps: list[int] | UnsetType = UNSET
    others: Annotated[int | UnsetType, Meta(description="By which IMPs are divided; left out: not.")] = UNSET
    matchpoints: int | UnsetType = UNSET
    top: int | UnsetType = UNSET
    worse: int | UnsetType = UNSET
    equal: int | UnsetType = UNSET
    high_card_points: int | UnsetType = UNSET
    imps_of_score: int | UnsetType = UNSET
    score: Sides
    text: Annotated[str, Meta(description="The same in a sentence.")]


class TableRates(Struct, kw_only=True):
    """The arithmetic of one table: board Rate of N = P_NS x S4 x r_N / (r_N + r_S), and so on."""

    x: Annotated[float, Meta(description="Field score of NS in IMPs, as it is rated.")]
    p_ns: float
    p_ew: float
    s4: float
    rates: Annotated[dict[str, float], Meta(description="By seat, before the week.")]
    board_rates: Annotated[dict[str, float], Meta(description="By seat; may pass 100.")]


class SeatRating(Struct, kw_only=True):
    """What a result is to the rating of one of its players."""

    seat: SeatName
    player: str
    board_rate: Annotated[float | None, Meta(description="That enters the mean of his week.")]
    reason: str | None


class ResultRating(Struct, kw_only=True):
    """How the ratings of its week see a result."""

    week: str
    revision: int
    table: TableRates | None
    seats: list[SeatRating]


class Explanation(Struct, kw_only=True):
    """Every step from the contract to the scores of a result."""

    result: ResultDetail
    contract_score: ScoreParts | None
    method: Literal["datum", "cross_imps", "matchpoints", "hcp_compensation"]
    award: Comparison | None
    field: Comparison | None
    rating: ResultRating | None
    event: Annotated[RoundExplained | None, Meta(description="Once the round of an event is scored.")]
    text: list[str]


class BatchItem(Struct):
    """The answer to one row of a batch: what the row alone would have been answered."""

    status: int
    body: Annotated[
        dict[str, Any],
        Meta(
            extra_json_schema={
                "anyOf": [
                    {"$ref": "#/components/schemas/Result"},
                    {"$ref": "#/components/schemas/Problem"},
                ]
            }
        ),
    ]
    replayed: bool | UnsetType = UNSET


class BatchAnswer(Struct):
    """Answers to the rows of a batch, in their order."""

    results: list[BatchItem]


class FieldProblem(Struct):
    """What is wrong with one member of the body."""

    pointer: str
    detail: str


class Problem(Struct, kw_only=True):
    """A problem (RFC 9457). Some kinds have members of their own."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: list[FieldProblem] | UnsetType = UNSET


class Health(Struct):
    """Whether it works."""

    status: Literal["ok"]
