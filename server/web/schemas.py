"""What the API takes and gives, as types: they validate, render, and make the API document."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

# No control characters, no characters that turn the direction of writing, no line separators. The tail
# `(?![\s\S])` is the end of the text, which `$` is not when a line feed follows.
_PLAIN = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069{}]{{{}}}(?![\s\S])"
Id = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=_PLAIN.format("/", "1,64"),
        description="An id of the platform's own: case-sensitive, without slash and control characters.",
        examples=["ann"],
    ),
]
Name = Annotated[str, Meta(min_length=1, max_length=100, pattern=_PLAIN.format("", "1,100"))]
Alias = Annotated[str, Meta(max_length=100, pattern=_PLAIN.format("", "0,100"))]
Key = Annotated[str, Meta(min_length=1, max_length=255, pattern=_PLAIN.format("", "1,255"))]
Call = Annotated[str, Meta(min_length=1, max_length=64, pattern=_PLAIN.format("", "1,64"))]
WeekText = Annotated[str, Meta(pattern=r"^[0-9]{4}-W[0-9]{2}(?![\s\S])", examples=["2026-W48"])]
PoolName = Annotated[str, Meta(min_length=1, max_length=64)]
ContractText = Annotated[str, Meta(min_length=1, max_length=24, examples=["4SX", "3NT", "PASS"])]
BoardNumberField = Annotated[int, Meta(ge=1, le=1_000_000)]
Moment = Annotated[datetime, Meta(tz=True)]
SeatName = Literal["N", "E", "S", "W"]
Figure = int | float


class Taken(Struct, forbid_unknown_fields=True):
    """Members that a request may have; others are refused."""


class Seated(Taken):
    """Four players by seat."""

    N: Id
    E: Id
    S: Id
    W: Id


class Replaced(Taken):
    """Who was replaced, by the seat at which he was."""

    N: Id | UnsetType = UNSET
    E: Id | UnsetType = UNSET
    S: Id | UnsetType = UNSET
    W: Id | UnsetType = UNSET


class NumberedBoard(Taken):
    """A board named by its week, pool and number."""

    week: WeekText
    number: BoardNumberField
    pool: PoolName = "imps"


class ResultBody(Taken):
    """One table's outcome on a board: contract, declarer and tricks, or the three together as `result`."""

    board: Annotated[str, Meta(min_length=1, max_length=64)] | NumberedBoard
    table: Annotated[Id, Meta(description="One sitting; unique on its board.")]
    players: Seated
    contract: ContractText | None = None
    declarer: SeatName | None = None
    tricks: Annotated[int, Meta(description="Taken by declarer, 0 to 13.")] | None = None
    result: Annotated[str, Meta(max_length=24, examples=["4SXN-1"])] | None = None
    lead: Annotated[str, Meta(max_length=8, examples=["HK"])] | None = None
    played_at: Moment | None = None
    auction: Annotated[list[Call], Meta(max_length=400)] | None = None
    play: Annotated[list[Call], Meta(max_length=52)] | None = None
    disconnects: Annotated[list[Id], Meta(max_length=4)] = []
    substitutes: Replaced | None = None


class BatchRow(ResultBody, kw_only=True):
    """A result of a batch, with its own key."""

    idempotency_key: Key | UnsetType = UNSET


class BoardBody(Taken):
    """A board to be made. What is left out follows from the number; without deal it stays unknown."""

    number: BoardNumberField
    deal: Annotated[str, Meta(max_length=200)] | None = None
    dealer: SeatName | None = None
    vulnerability: Literal["none", "NS", "EW", "both"] | None = None


class BoardSetBody(Taken):
    """Boards for a week: so many fresh ones, or those given."""

    week: WeekText
    pool: PoolName = "imps"
    count: Annotated[int, Meta(ge=1, le=1000)] | None = None
    boards: Annotated[list[BoardBody], Meta(min_length=1, max_length=1000)] | None = None


class AssignmentBody(Taken):
    """Four players who want a board."""

    table: Id
    players: Seated
    pool: PoolName = "imps"


class PlayerBody(Taken):
    """What to set of a player; what is left out stays as it is."""

    name: Name | None = None
    alias: Alias | None = None
    hidden: bool | None = None
    member: bool | None = None
    linked: Annotated[list[Id], Meta(max_length=20)] | None = None


class Sides(Struct):
    """A score of each side: IMPs, or in matchpoint pools per cent."""

    ns: Figure
    ew: Figure


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
    played_at: datetime | UnsetType | None = UNSET
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


class ResultDetail(ResultRow, kw_only=True):
    """One result with its board, and auction and play where they were reported."""

    board: BoardBrief | UnsetType = UNSET
    datum: int | UnsetType | None = UNSET
    auction: list[str] | UnsetType = UNSET
    play: list[str] | UnsetType = UNSET


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


class Assignment(Struct):
    """The board that a table was dealt."""

    id: str
    board: MadeBoard
    deal: str | None
    expires_at: datetime


class Week(Struct):
    """A week and where it stands."""

    week: str
    opens_at: datetime
    closes_at: datetime
    state: Literal["future", "open", "ended"]


class Player(Struct, kw_only=True):
    """A player. Linked accounts are shown to platforms only."""

    id: str
    name: str
    member: bool
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
    matchpoints: int | UnsetType = UNSET
    top: int | UnsetType = UNSET
    ns_high_card_points: int | UnsetType = UNSET
    score: Sides
    text: Annotated[str, Meta(description="The same in a sentence.")]


class Explanation(Struct, kw_only=True):
    """Every step from the contract to the scores of a result."""

    result: ResultDetail
    contract_score: ScoreParts | None
    method: Literal["datum", "cross_imps", "matchpoints", "hcp_compensation"]
    award: Comparison | None
    field: Comparison | None
    text: list[str]


class BatchItem(Struct):
    """The answer to one row of a batch: what the row alone would have been answered."""

    status: int
    body: dict[str, object]
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
