"""What the API takes about events."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from server.bridge.swiss_draw import FirstRound
from server.bridge.swiss_scoring import Scoring
from server.bridge.swiss_tables import Seating
from server.bridge.vp_scale import VpScale
from server.web.fields import BoardNumberField, Call, ContractText, Id, Key, Moment, Name, Reason, SeatName
from server.web.requests import Replaced, Seated, Taken

Seconds = Annotated[int, Meta(ge=0, le=1_000_000)]
Count = Annotated[int, Meta(ge=0, le=10_000)]
Number = Annotated[int, Meta(ge=1, le=1_000_000)]


class EventBody(Taken, kw_only=True):
    """An event with its rules; what is left out is as the standard rules have it."""

    kind: Literal["swiss_pairs", "pairs"]
    name: Name
    open_at: Annotated[Moment, Meta(description="Of registration; now by default.")] | None = None
    start_at: Moment
    rounds: Annotated[int, Meta(ge=1, le=100)]
    boards: Annotated[int, Meta(ge=1, le=64, description="Of a round.")] = 8
    round_s: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    closing_s: Seconds = 120
    min_pairs: Annotated[int, Meta(ge=2, le=10_000)] = 4
    early_close: bool = False
    last_board_s: Seconds = 120
    absent_s: Annotated[Seconds, Meta(description="300, or all of a shorter round, by default.")] | None = (
        None
    )
    hold_s: Seconds = 20
    late_until: Count = 0
    first_round: FirstRound = FirstRound.REGISTRATION
    seating: Seating = Seating.TABLE_RULE
    scoring: Scoring = Scoring.CROSS_IMPS
    vp_scale: VpScale = VpScale.BETHE2003
    vp_from: Scoring = Scoring.CROSS_IMPS
    trim: Annotated[str, Meta(min_length=1, max_length=200)] = "tenth"
    completed: tuple[Count, Count] = (1, 2)  # share of the boards, as a fraction
    band: Annotated[
        int, Meta(ge=0, le=10_000, description="Hundredths of a VP: less than that apart is a tie.")
    ] = 0
    places: Annotated[int, Meta(ge=0, le=10_000, description="That qualify by score, ties included.")] = 0
    protected_places: Count = 0
    seeded: Annotated[
        tuple[Id, ...], Meta(max_length=2000, description="Players, for a first round that is a seeded draw.")
    ] = ()
    protected: Annotated[tuple[Id, ...], Meta(max_length=2000)] = ()
    carry_over_from: (
        Annotated[
            str, Meta(max_length=64, description="A qualification that is over; this is its final, in VPs.")
        ]
        | None
    ) = None


class PlayerOnly(Taken):
    """A player."""

    player: Id


class SeatBody(Taken):
    """A seat in the registration room."""

    player: Id
    table: Annotated[int, Meta(ge=1, le=10_000)]
    seat: SeatName


class PairBody(Taken):
    """A pair that is entered."""

    players: Annotated[list[Id], Meta(min_length=2, max_length=2)]


class SubstituteBody(Taken):
    """Who sits in for whom."""

    player: Annotated[Id, Meta(description="Who is missing.")]
    substitute: Annotated[Id, Meta(description="Who sits in; the player himself when he is back.")]


class NothingBody(Taken):
    """An empty object."""


class ReasonBody(Taken):
    """Why a director does it."""

    reason: Reason


class WithdrawBody(Taken):
    """A pair that leaves."""

    entry: Number
    reason: Reason


class PenaltyBody(Taken):
    """A penalty for discipline."""

    entry: Number
    reason: Reason
    kind: Literal["warning", "deduction", "suspension"] = "warning"
    amount: Annotated[float, Meta(ge=0, le=1000, description="Off the total, to 0.01.")] = 0
    until_round: Annotated[int, Meta(ge=1, le=100, description="That round included.")] | None = None
    until_at: Moment | None = None


Awarded = Annotated[
    Literal["A+", "A", "A-"], Meta(description="In no way at fault, partly, or directly (Law 12C2).")
]


class ArtificialBody(Taken, kw_only=True):
    """A score awarded to both sides of a table for a board without result; none for either takes it back."""

    round: Annotated[int, Meta(ge=1, le=100)]
    table: Annotated[int, Meta(ge=1, le=10_000)]
    board: BoardNumberField
    ns: Awarded | None = None
    ew: Awarded | None = None
    basis: Annotated[str, Meta(description="`damage` or `unplayable`.")] | None = None
    infraction: Reason | None = None
    damage: Reason | None = None
    reason: Reason


class RanksBody(Taken):
    """Where a pair has come in earlier qualifications, once for each."""

    ranks: Annotated[tuple[Annotated[int, Meta(ge=1, le=10_000)], ...], Meta(max_length=50)]


class PairingBody(Taken):
    """A round as a director wants it."""

    round: Annotated[
        Number,
        Meta(
            description="The one that is played, before its first result, or the next. That is dropped "
            "when it starts if something speaks against it that did not when it was taken."
        ),
    ]
    matches: Annotated[list[Annotated[list[Number], Meta(min_length=2, max_length=2)]], Meta(max_length=5000)]
    reason: Reason
    sit_outs: Annotated[tuple[Number, ...], Meta(max_length=5000)] = ()
    force: Annotated[bool, Meta(description="Despite objections that do not make it impossible.")] = False


class EventResultBody(Taken, kw_only=True):
    """The outcome of a board at a table of a round."""

    round: Annotated[int, Meta(ge=1, le=100)]
    table: Annotated[int, Meta(ge=1, le=10_000)]
    board: Annotated[
        BoardNumberField | Annotated[str, Meta(min_length=1, max_length=64)],
        Meta(description="By its number in the event, or its id."),
    ]
    players: Annotated[
        Seated | None, Meta(description="Those who sit there, unless somebody sat otherwise in his pair.")
    ] = None
    contract: ContractText | None = None
    declarer: SeatName | None = None
    tricks: int | None = None
    result: Annotated[str, Meta(max_length=24, examples=["4SXN-1"])] | None = None
    lead: Annotated[str, Meta(max_length=8, examples=["HK"])] | None = None
    played_at: Moment | None = None
    auction: Annotated[list[Call], Meta(max_length=400)] | None = None
    play: Annotated[list[Call], Meta(max_length=52)] | None = None
    disconnects: Annotated[tuple[Id, ...], Meta(max_length=4)] = ()
    substitutes: Replaced | None = None


class EventBatchRow(EventResultBody, kw_only=True):
    """A result of a batch, with its own key."""

    idempotency_key: Key | UnsetType = UNSET
