"""Bodies of answers about artificial scores of boards of events."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.web.fields import Figure, Moment

AverageName = Literal["A+", "A", "A-"]


class PairPlace(Struct, kw_only=True):
    """Where a pair of an event stands."""

    score: Annotated[Figure | None, Meta(description="Of the round that is ruled on; null: none counts.")]
    total: Figure
    boards: Annotated[int, Meta(description="Finished, of all rounds that are scored.")]
    rank: Annotated[int | None, Meta(description="Null: it has not finished enough boards.")]


class PairMove(Struct, kw_only=True):
    """A pair of an event that stands elsewhere after a ruling."""

    entry: int
    before: PairPlace
    after: PairPlace


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
    moves: Annotated[
        list[PairMove],
        Meta(description="Every pair that moves, best first; none before the round is scored."),
    ]
    dry_run: bool
