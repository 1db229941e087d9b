"""Bodies of answers about penalties for discipline, as directors read them."""

from typing import Annotated

from msgspec import Meta, Struct

from server.web.fields import Figure, Moment
from server.web.schemas_rulings import RuledBy


class ImposedPenalty(Struct, kw_only=True):
    """A penalty for discipline with its reason."""

    id: Annotated[int, Meta(description="Its number in the event.")]
    entry: int
    kind: Annotated[str, Meta(description="`warning`, `deduction` or `suspension`.")]
    amount: Annotated[Figure, Meta(description="Off the total; 0 unless it is a deduction.")]
    until_round: Annotated[int | None, Meta(description="Of a suspension, that round included.")]
    until_at: Annotated[Moment | None, Meta(description="Of a suspension.")]
    reason: str
    at: Moment
    lifted: Annotated[RuledBy | None, Meta(description="Null: it stands.")]


class PenaltyList(Struct):
    """The penalties of an event, in the order in which they were imposed."""

    penalties: list[ImposedPenalty]
