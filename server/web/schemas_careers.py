"""Bodies of answers about all boards of a player."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.web.schemas_weeks import Points, Ranked

Mean = Annotated[float, Meta(description="Points a board.")]


class Partner(Struct, kw_only=True):
    """Somebody with whom the player played; all who are hidden are one without a name."""

    player: Ranked | None
    boards: int
    mean: Mean


class Role(Struct, kw_only=True):
    """The player's boards in a role."""

    role: Literal["declarer", "dummy", "defender"]
    boards: int
    mean: Mean


class CareerBoard(Struct, kw_only=True):
    """A board that was among his best or worst."""

    result: str
    board: str
    week: str
    number: int
    partner: Ranked | None
    points: Points


class Penalty(Struct, kw_only=True):
    """A board that he left."""

    board: str
    week: str
    number: int
    points: Points


class Career(Struct, kw_only=True):
    """A player's boards taken together; means, best and worst are of those that are revealed and scored."""

    player: Ranked
    pool: str
    boards: Annotated[int, Meta(description="Revealed boards looked at: the newest 500 at most.")]
    completion: Annotated[float | None, Meta(description="Finished of all boards; null without boards.")]
    partners: list[Partner]
    roles: list[Role]
    best: list[CareerBoard]
    worst: list[CareerBoard]
    penalties: Annotated[list[Penalty], Meta(description="The newest 20 disconnects that stand.")]
