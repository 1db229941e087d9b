"""What the API gives to explain results of events: bodies of answers."""

from typing import Annotated

from msgspec import Meta, Struct

from server.bridge.swiss_scoring import Scoring
from server.web.fields import Figure, Sides


class RoundExplained(Struct, kw_only=True):
    """The round of an event that a result counts in."""

    event: str
    round: int
    scoring: Scoring
    by_board: Annotated[Scoring, Meta(description="By which single boards are scored.")]
    tables: Annotated[int, Meta(description="Where both pairs appeared.")]
    boards: Annotated[int, Meta(description="Of a round.")]
    net: Annotated[Figure | None, Meta(description="IMPs of NS on all of them; null by matchpoints.")]
    artificial: Annotated[int, Meta(description="Tables with an artificial score on the board.")]
    score: Annotated[Sides, Meta(description="Of the whole round.")]
