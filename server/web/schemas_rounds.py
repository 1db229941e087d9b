"""Bodies of answers about rounds, standings, boards and scorecards of events."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.bridge.swiss_clock import State
from server.bridge.swiss_round import Kind as ScoreKind
from server.web.fields import Figure, Moment, SeatName, Sides
from server.web.schemas import MadeBoard, SeatedPlayers
from server.web.schemas_adjustments import Artificial, AverageName
from server.web.schemas_events import Players


class RoundTable(Struct, kw_only=True):
    """A table of a round."""

    table: int
    ns: int
    ew: int
    sits_first: int
    players: SeatedPlayers
    score: Annotated[
        Sides | None,
        Meta(
            description="Once the round is scored and its results are public; "
            "null also where by matchpoints no board of it counts."
        ),
    ]


class Round(Struct, kw_only=True):
    """A round: pairings, seats, boards."""

    round: int
    started_at: Moment
    ended_at: Moment | None
    scored: bool
    seed: Annotated[str | None, Meta(description="Of the draw, 64 bits; null: nothing was drawn.")]
    by_hand: bool
    tables: list[RoundTable]
    sit_outs: list[int]
    boards: list[MadeBoard]


class EntryList(Struct):
    """The pairs of an event."""

    entries: list["EntryRow"]


class EntryRow(Struct, kw_only=True):
    """A pair of an event, with who plays in it."""

    entry: int
    players: Players
    names: list[str]
    registered_at: Moment
    first_round: int
    withdrawn: bool
    seeded: bool
    protected: bool


class StandingRow(Struct, kw_only=True):
    """A line of the standings."""

    rank: Annotated[int | None, Meta(description="Null: it has not finished enough boards.")]
    entry: int
    players: Players
    names: list[str]
    score: Figure
    boards: int
    rounds: Annotated[
        list[Figure | None],
        Meta(description="Round by round; null: not played, or by matchpoints without a board that counts."),
    ]
    deduction: Figure
    carried: Annotated[Figure, Meta(description="VPs brought from an earlier event; in the score.")]
    masterpoints: Annotated[int | None, Meta(description="Of each player, once the event is over.")]
    qualified: Literal["by_score", "protected"] | None


class Prizes(Struct, kw_only=True):
    """What places are worth in master points."""

    pairs: Annotated[int, Meta(description="That finished enough boards to be ranked.")]
    places: Annotated[list[int], Meta(description="Of each player of the first, second, … pair.")]


class Standings(Struct, kw_only=True):
    """The standings after the rounds that are scored."""

    state: State
    scored_rounds: int
    rows: list[StandingRow]
    prizes: Annotated[Prizes | None, Meta(description="Once master points are given.")]


class BoardRow(Struct, kw_only=True):
    """A table's result on a board of an event."""

    id: str
    table: str
    ns: int | None
    ew: int | None
    players: SeatedPlayers
    contract: str
    declarer: SeatName | None
    tricks: int | None
    lead: str | None
    score: int
    field: Annotated[Sides | None, Meta(description="By the method of the event, by board.")]


class BoardComparison(Struct, kw_only=True):
    """A board of an event; its cards and results are there once its round is closed."""

    board: MadeBoard
    round: int
    deal: str | None
    results: list[BoardRow]
    adjustments: Annotated[list[Artificial], Meta(description="Scores awarded where there is no result.")]


class CardBoard(Struct, kw_only=True):
    """A board on a scorecard."""

    number: int
    score: Figure | None
    played: bool
    artificial: Annotated[AverageName | None, Meta(description="Awarded, not compared.")]


class CardPart(Struct):
    """What a board gives to the sum of its round."""

    number: int
    value: Annotated[int, Meta(description="Times the divisor: a whole number.")]


class CardSum(Struct, kw_only=True):
    """How the boards of a round add up: the parts come to `total`; that divided by `divisor` is `margin`."""

    parts: list[CardPart]
    total: int
    divisor: int
    margin: Annotated[Figure, Meta(description="IMPs, or per cent of all boards together.")]


class CardRound(Struct, kw_only=True):
    """A round on a scorecard."""

    round: int
    kind: ScoreKind
    table: int | None
    side: Literal["NS", "EW"] | None
    opponents: int | None
    score: Annotated[Figure | None, Meta(description="Null: by matchpoints, where no board of it counts.")]
    finished: int
    boards: list[CardBoard]
    sum: Annotated[
        CardSum | None, Meta(description="Null: the round was awarded as a whole, or no board of it counts.")
    ]


class Scorecard(Struct, kw_only=True):
    """What a pair has from each round and board."""

    entry: int
    players: Players
    names: list[str]
    rank: int | None
    score: Annotated[Figure | None, Meta(description="Null: not published.")]
    boards: Annotated[int | None, Meta(description="Finished; null: not published.")]
    deduction: Figure
    carried: Figure
    rounds: list[CardRound]


class QualifierRow(Struct, kw_only=True):
    """A pair that goes on."""

    entry: int
    players: Players
    names: list[str]
    rank: int
    score: Figure
    qualified: Literal["by_score", "protected"]
    earlier_ranks: list[int]
    carry_over: Annotated[Figure, Meta(description="VPs that it takes into the final.")]


class Qualifiers(Struct, kw_only=True):
    """Who goes on: as it stands, and for good once the event is over."""

    state: State
    places: int
    protected_places: int
    rows: Annotated[list[QualifierRow], Meta(description="As they stand; protected ones last.")]


class GradeRow(Struct):
    """A grade."""

    grade: int
    english: str
    chinese: str
    masterpoints: Annotated[int, Meta(description="From which on a player has it.")]


class GradeList(Struct):
    """The twelve grades."""

    grades: list[GradeRow]
