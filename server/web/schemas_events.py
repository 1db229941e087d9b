"""Bodies of answers about events."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from server.bridge.registration import Doors
from server.bridge.swiss_by_hand import Fault
from server.bridge.swiss_clock import State
from server.bridge.swiss_draw import FirstRound
from server.bridge.swiss_scoring import Scoring
from server.bridge.swiss_tables import Seating
from server.bridge.vp_scale import VpScale
from server.web.fields import Figure, Moment, Sides
from server.web.schemas import MadeBoard

EventKind = Literal["swiss_pairs", "pairs"]
Players = Annotated[list[str], Meta(description="Ids; a hidden player shows as `hidden`.")]


class EventRulesView(Struct, kw_only=True):
    """By what rules the event is held."""

    open_at: Moment
    start_at: Moment
    rounds: int
    boards: int
    round_s: int
    closing_s: int
    min_pairs: int
    early_close: bool
    last_board_s: int
    absent_s: int
    hold_s: int
    late_until: int
    first_round: FirstRound
    seating: Seating
    scoring: Scoring
    vp_scale: VpScale
    vp_from: Scoring
    trim: str
    completed: tuple[int, int]
    band: int
    places: int
    protected_places: int
    pairs_needed: Annotated[
        int,
        Meta(
            description="So many pairs, one more where their number is odd, can play all rounds of a Swiss "
            "pairs without a rematch, whatever happens; see `always_pairable`."
        ),
    ]
    vps: Annotated[
        list[Sides] | UnsetType,
        Meta(description="What 0, 1, 2, … IMPs in a round are worth, where it is scored in VPs."),
    ] = UNSET


class EventBrief(Struct, kw_only=True):
    """An event in a list."""

    id: str
    kind: EventKind
    name: str
    state: State
    round: int | None
    open_at: Moment
    start_at: Moment
    rounds: int


class EventList(Struct):
    """A page of events, newest first."""

    events: list[EventBrief]
    cursor: Annotated[str | None, Meta(description="Where the next page begins; null on the last.")]


class RoomSeat(Struct):
    """Somebody in the registration room."""

    player: str
    hand_up_since: Moment | UnsetType = UNSET


class Room(Struct):
    """The registration room; seats by table and letter, such as `1N`."""

    doors: Doors
    seats: dict[str, RoomSeat]


class EventEntry(Struct, kw_only=True):
    """A pair of an event."""

    players: Players
    first_round: Annotated[int, Meta(description="In which it can play.")]
    withdrawn: bool | UnsetType = UNSET
    absent_in: Annotated[int | UnsetType, Meta(description="Not paired since, unless ready.")] = UNSET
    ready: bool | UnsetType = UNSET
    earlier_ranks: Annotated[list[int] | UnsetType, Meta(description="In earlier qualifications.")] = UNSET


class RoundSpan(Struct):
    """A round to come, if nothing stops the clock."""

    round: int
    starts_at: Moment
    ends_at: Moment


class SitsIn(Struct):
    """Somebody who sits in for a player."""

    player: str
    substitute: str


class LiveTable(Struct, kw_only=True):
    """A table of the round that is played."""

    ns: int
    ew: int
    sits_first: int
    arrived: Players
    dealt: Annotated[
        int,
        Meta(description="So many boards, the first ones, it is dealt no more: it has asked, or may not."),
    ]
    skipped: Annotated[
        int | UnsetType,
        Meta(description="So many of these it may not play: they were seen at another table of the round."),
    ] = UNSET
    results: Annotated[dict[str, bool], Meta(description="Boards that it has reported, by number.")]
    substitutes: list[SitsIn] | UnsetType = UNSET


class PublicPenalty(Struct, kw_only=True):
    """A penalty for discipline."""

    id: Annotated[int, Meta(description="Its number in the event.")]
    entry: int
    kind: Literal["warning", "deduction", "suspension"]
    amount: Figure | UnsetType = UNSET
    until_round: int | UnsetType = UNSET
    until_at: Moment | UnsetType = UNSET
    lifted_at: Annotated[Moment | UnsetType, Meta(description="It counts no more since then.")] = UNSET


class Event(Struct, kw_only=True):
    """An event as it stands. Bulletins of its channel are JSON merge patches (RFC 7396) of this."""

    id: str
    kind: EventKind
    name: str
    state: State
    round: int | UnsetType = UNSET
    ends_at: Annotated[Moment | UnsetType, Meta(description="Of the state it is in.")] = UNSET
    appear_by: Moment | UnsetType = UNSET
    paused_at: Moment | UnsetType = UNSET
    paused_in: State | UnsetType = UNSET
    pause_reason: str | UnsetType = UNSET
    room: Room
    entries: Annotated[dict[str, EventEntry], Meta(description="Pairs by their numbers.")]
    always_pairable: Annotated[
        int,
        Meta(
            description="Up to this round the pairs that play on meet nobody twice in a Swiss pairs, "
            "whatever happens; those that left, or stay away unheard of, are not counted."
        ),
    ]
    schedule: list[RoundSpan]
    scored_rounds: int
    published: bool
    rulings: Annotated[
        int, Meta(description="So often directors have ruled on boards; scores may move with each.")
    ]
    penalties: list[PublicPenalty]
    tables: dict[str, LiveTable] | UnsetType = UNSET
    sit_outs: list[int] | UnsetType = UNSET
    dropped: Annotated[
        list["PairingObjection"] | UnsetType,
        Meta(description="Why the round was not paired by hand, where a director had wanted that."),
    ] = UNSET
    rules: EventRulesView
    position: Annotated[int, Meta(description="Follow the channel of the event from here on.")]


class RoomOutcome(Struct, kw_only=True):
    """What came of something in the registration room."""

    what: Literal["registered", "cancelled"]
    at: Moment
    entry: int
    players: Players


class RoomOutcomes(Struct):
    """What came of it; registrations that were complete before are told too."""

    outcomes: list[RoomOutcome]


class MadeEntry(Struct):
    """A pair that is entered."""

    entry: int


class Done(Struct):
    """It is done."""

    done: Literal[True]


class DealtBoard(Struct):
    """The board that a table plays next."""

    board: MadeBoard
    deal: str


class MadePenalty(Struct, kw_only=True):
    """A penalty that was imposed."""

    id: int
    entry: int
    kind: Literal["warning", "deduction", "suspension"]


class PairingObjection(Struct, kw_only=True):
    """Something that speaks against a pairing."""

    fault: Fault
    pairs: list[int]
    rounds: Annotated[list[int] | UnsetType, Meta(description="In which they have met.")] = UNSET


class Pairing(Struct):
    """A pairing that is taken, with what speaks against it."""

    objections: list[PairingObjection]


class WantedPairing(Struct, kw_only=True):
    """A round as a director wants it."""

    round: int
    matches: list[tuple[int, int]]
    sit_outs: list[int]
    started: Annotated[bool, Meta(description="It was paired so.")]
    objections: Annotated[
        list[PairingObjection], Meta(description="What spoke against it when it was taken despite that.")
    ]
    arisen: Annotated[
        list[PairingObjection],
        Meta(description="What would have it dropped if it started now, as it has arisen since."),
    ]
    dropped: Annotated[
        list[PairingObjection],
        Meta(description="What had arisen when the round started, so that it was dropped; else none."),
    ]


class PairingList(Struct):
    """The rounds of an event that are paired by hand, in order."""

    pairings: list[WantedPairing]
