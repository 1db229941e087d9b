"""What a ruling on a board moves in its event: scores of the round, totals, boards finished and ranks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from server.bridge.swiss_round import RoundScore
from server.services.event_field import Field


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pair stands. Figures in hundredths."""

    score: int | None  # of the round that is ruled on; None: it has none
    total: int
    boards: int  # finished, of all rounds
    rank: int | None  # None: it did not finish enough boards


@dataclass(frozen=True, slots=True)
class PairMove:
    """A pair that stands elsewhere after a ruling."""

    pair: int
    before: Place
    after: Place


def moves(field: Field, number: int, ruled: Iterable[RoundScore]) -> tuple[PairMove, ...]:
    """Every pair that moves when round ``number``, which is scored, has the scores ``ruled``; best first.

    Those above and below whom others pass move too, by their rank alone.
    """
    scores = {pair: dict(mine) for pair, mine in field.scores.items()}
    for each in ruled:
        scores.setdefault(each.pair, {})[number] = each
    # Cached orders and totals belong to the field as it is: the copy makes its own.
    then = dict(_places(replace(field, scores=scores), number))
    now = dict(_places(field, number))
    return tuple(PairMove(pair, now[pair], after) for pair, after in then.items() if now[pair] != after)


def _places(field: Field, number: int) -> Iterator[tuple[int, Place]]:
    """By pair, best first."""
    for placing in field.placings:
        standing = field.standings[placing.pair]
        yield (
            placing.pair,
            Place(field.worth(placing.pair, number), standing.score, standing.boards, placing.rank),
        )
