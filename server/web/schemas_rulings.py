"""What the API gives to those who rule: bodies of answers."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from server.web.fields import Moment, Sides
from server.web.schemas import BoardBrief, ResultStateName, SeatedPlayers
from server.web.schemas_adjustments import PairMove
from server.web.schemas_revisions import DisconnectStateName, Revision


class Scored(Struct):
    """Where a result stands, and what it has."""

    state: ResultStateName
    award: Sides | None
    field: Sides | None


class Move(Struct):
    """A result whose figures are moved."""

    id: str
    sequence: int
    table: str
    players: SeatedPlayers
    before: Scored
    after: Scored


class Ruling(Struct, kw_only=True):
    """What a ruling made of a result, or with `dry_run` would make of it."""

    id: str
    board: BoardBrief
    state: ResultStateName
    version: Annotated[int, Meta(description="Of the result, for the next ruling on it.")]
    ruling: Revision
    moves: Annotated[list[Move], Meta(description="Every result of the board whose figures move.")]
    pairs: Annotated[
        list[PairMove],
        Meta(
            description="Every pair of the board's event that moves, best first; "
            "none before the round is scored, and none of a board of a week."
        ),
    ]
    dry_run: bool


class RuledBy(Struct):
    """Why a director ruled so, and when."""

    reason: str
    at: Moment


class Disconnect(Struct, kw_only=True):
    """A disconnect. While its board may still be played, a director who plays sees id, board and state."""

    id: str
    board: str
    state: DisconnectStateName
    player: str | UnsetType = UNSET
    table: str | UnsetType | None = UNSET
    players: SeatedPlayers | UnsetType | None = UNSET
    result: Annotated[str, Meta(description="That it came with.")] | UnsetType | None = UNSET
    at: Moment | UnsetType | None = UNSET
    received_at: Moment | UnsetType = UNSET
    void: RuledBy | UnsetType = UNSET
    partner_lifted: (
        Annotated[RuledBy, Meta(description="Nobody finished, and the partner bears nothing of it.")]
        | UnsetType
    ) = UNSET


class DisconnectList(Struct):
    """A page of disconnects."""

    disconnects: list[Disconnect]
    cursor: Annotated[str | None, Meta(description="Where the next page begins; null on the last.")]


class TakenBack(Struct):
    """A disconnect that is void now."""

    id: str
    board: str


class Outage(Struct, kw_only=True):
    """What a declared outage took back, or with `dry_run` would take back."""

    since: Moment
    until: Moment
    reason: str
    disconnects: Annotated[list[TakenBack], Meta(description="In order of arrival.")]
    dry_run: bool


class AuditRow(Struct, kw_only=True):
    """What somebody did; players appear by internal numbers."""

    at: Moment
    client: Annotated[str | None, Meta(description="Null: the timetable did it, nobody asked for it.")]
    verb: str
    subject: str
    detail: Annotated[
        str | None,
        Meta(description="Null for a director who plays, about a board that he may still play."),
    ]


class AuditPage(Struct):
    """A page of the audit, newest first."""

    rows: list[AuditRow]
    cursor: Annotated[str | None, Meta(description="Where the next page begins; null on the last.")]
