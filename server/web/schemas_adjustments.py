"""Bodies of answers about artificial scores of boards of events."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.web.fields import Figure, Moment

AverageName = Literal["A+", "A", "A-"]


class ScoreMove(Struct, kw_only=True):
    """A pair whose score of the round moves."""

    entry: int
    before: Figure
    after: Figure


class Artificial(Struct, kw_only=True):
    """A score that is awarded for a board; null on both sides: it was taken back."""

    table: int
    board: int
    ns: AverageName | None
    ew: AverageName | None
    basis: str | None
    infraction: str | None
    damage: str | None
    reason: str
    at: Moment
    version: Annotated[int, Meta(description="For the next ruling on this board at this table.")]


class ArtificialRuling(Struct, kw_only=True):
    """What awarding a score made of a round, or with `dry_run` would make of it."""

    event: str
    round: int
    ruling: Artificial
    moves: Annotated[list[ScoreMove], Meta(description="None before the round is scored.")]
    dry_run: bool
