"""What the API gives of rulings and disconnects on the rows of results."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.web.fields import Moment, Sides

DisconnectStateName = Literal["standing", "void"]


class RuledResult(Struct):
    """A result before or after a ruling."""

    result: Annotated[str, Meta(examples=["4SXN-1"])]
    score: Annotated[int, Meta(description="Total points, signed for NS.")]
    void: bool
    award: Sides | None


class Revision(Struct, kw_only=True):
    """What a director ruled about a result, and what it changed."""

    kind: Literal["void", "adjust"]
    reason: str
    basis: Literal["damage", "unplayable", "score_error"] | None
    infraction: str | None
    damage: str | None
    at: Moment
    before: RuledResult
    after: RuledResult


class Disconnected(Struct):
    """A player of the table who disconnected, or was replaced."""

    id: str
    player: str
    state: DisconnectStateName
