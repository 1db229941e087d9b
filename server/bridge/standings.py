"""Orders of a field: for pairing, and the final one with its ranks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import count, pairwise

HALF = Fraction(1, 2)
VP_BAND = 5  # hundredths of a victory point: less than that apart is a tie, where an event has it so


@dataclass(frozen=True, slots=True)
class Standing:
    """What decides the place of a pair."""

    pair: int  # the number of its registration: earlier is smaller
    score: int  # its total, in hundredths
    boards: int  # finished
    newcomer: bool = False  # entered late and has not been paired yet


@dataclass(frozen=True, slots=True)
class Placing:
    """A line of the final standings."""

    pair: int
    rank: int | None  # 1, 2, … without gaps or sharing; None: it did not finish enough boards


class TieBreak(StrEnum):
    """What put pairs whose scores tie into their order."""

    BOARDS = "boards"  # more of them finished
    REGISTRATION = "registration"  # earlier


def pairing_order(field: Iterable[Standing]) -> list[int]:
    """The order in which a field is paired: exact score, then boards finished, then registration.

    Late entries start at the bottom whatever the score. A band in which scores tie has no say here: it is not
    transitive.
    """
    return [each.pair for each in sorted(field, key=lambda each: (each.newcomer, *_key(each)))]


def completed(boards: int, of: int, ratio: Fraction = HALF) -> bool:
    """Whether ``boards`` finished boards are enough of those that the rounds scored so far had; inclusive."""
    return boards >= ratio * of


def final_standings(
    field: Iterable[Standing], of: int, ratio: Fraction = HALF, band: int = 0
) -> tuple[Placing, ...]:
    """The final order: pairs that finished at least ``ratio`` of ``of`` boards ranked, the others below them.

    Score, then more boards finished, then earlier registration. ``band``, in hundredths: everybody less than
    that below the first of a group belongs to it, and within the group scores do not count.
    """
    ranked: list[Standing] = []
    others: list[Standing] = []
    for each in field:
        (ranked if completed(each.boards, of, ratio) else others).append(each)
    ranks = count(1)
    return (
        *(Placing(each.pair, next(ranks)) for each in _ordered(ranked, band)),
        *(Placing(each.pair, None) for each in _ordered(others, band)),
    )


def tie_breaks(
    placings: Sequence[Placing], standings: Mapping[int, Standing], band: int = 0
) -> dict[int, TieBreak]:
    """What decided about each pair of a final order whose score ties with that of a neighbour.

    Between two neighbours it is what tells the upper from the lower one; of a pair that ties with both, what
    keeps it below the upper one. ``standings`` by pair, ``band`` as in `final_standings`. Pairs that tie with
    nobody have no entry, nor have those without a rank.
    """
    ranked = [standings[each.pair] for each in placings if each.rank is not None]
    found: dict[int, TieBreak] = {}
    for upper, lower in _tied(ranked, band):
        decided = TieBreak.BOARDS if upper.boards != lower.boards else TieBreak.REGISTRATION
        found.setdefault(upper.pair, decided)
        found[lower.pair] = decided
    return found


def _tied(ranked: Sequence[Standing], band: int) -> Iterator[tuple[Standing, Standing]]:
    """Neighbours in a final order of the same group."""
    highest = 0  # score of the group that the last pair belongs to
    below = sorted((each.score for each in ranked), reverse=True)
    groups: dict[int, int] = {}  # by score: the first score of its group
    for score in below:
        if not groups or (highest - score >= band and score != highest):
            highest = score
        groups[score] = highest
    for upper, lower in pairwise(ranked):
        if groups[upper.score] == groups[lower.score]:
            yield upper, lower


def _ordered(field: Sequence[Standing], band: int) -> list[Standing]:
    found: list[Standing] = []
    group: list[Standing] = []
    for each in sorted(field, key=_key):
        if group and group[0].score - each.score >= band:
            found += sorted(group, key=_within)
            group = []
        group.append(each)
    return found + sorted(group, key=_within)


def _key(each: Standing) -> tuple[int, int, int]:
    return (-each.score, *_within(each))


def _within(each: Standing) -> tuple[int, int]:
    return (-each.boards, each.pair)
