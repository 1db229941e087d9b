"""What the API takes: bodies that validate themselves."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from server.web.fields import (
    Alias,
    BoardNumberField,
    Call,
    ContractText,
    Id,
    Key,
    Moment,
    Name,
    PoolName,
    Reason,
    SeatName,
    WeekText,
)


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


class DisconnectBody(Taken):
    """Somebody left a table before the board was finished."""

    player: Id
    board: Annotated[str, Meta(min_length=1, max_length=64)] | NumberedBoard
    table: Id
    players: Seated
    at: Moment | None = None


class VoidBody(Taken):
    """Why a result is void."""

    reason: Reason


class LiftBody(Taken):
    """Why the partner of who left bears nothing."""

    reason: Reason


class OutageBody(Taken):
    """When something was down, and why it is believed."""

    since: Moment
    until: Annotated[Moment, Meta(description="Belongs to it no more.")]
    reason: Reason


class AdjustBody(Taken):
    """Another result assigned: contract, declarer and tricks, or the three together as `result`."""

    reason: Reason
    basis: Annotated[str, Meta(description="`damage`, `unplayable` or `score_error`.")] | None = None
    infraction: Reason | None = None
    damage: Reason | None = None
    kind: Literal["assigned"] = "assigned"
    contract: ContractText | None = None
    declarer: SeatName | None = None
    tricks: Annotated[int, Meta(description="Taken by declarer, 0 to 13.")] | None = None
    result: Annotated[str, Meta(max_length=24, examples=["4SXN-1"])] | None = None


class PlayerBody(Taken):
    """What to set of a player; what is left out stays as it is."""

    name: Name | None = None
    alias: Alias | None = None
    hidden: bool | None = None
    member: bool | None = None
    linked: Annotated[list[Id], Meta(max_length=20)] | None = None
