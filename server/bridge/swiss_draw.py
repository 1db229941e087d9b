"""The first round of a Swiss pairs: by order of registration, or drawn from a published seed."""

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from server.bridge.errors import Impossible

P = TypeVar("P", bound=Hashable)
T = TypeVar("T")

_WORD = 2**64


class SplitMix64:
    """Steele, Lea and Flood's generator: short enough for anybody to repeat a draw from its seed by hand."""

    def __init__(self, seed: int) -> None:
        """``seed`` is the first state, 0 to 2^64 - 1."""
        if not 0 <= seed < _WORD:
            raise Impossible("seed", f"a seed is a number from 0 to 2^64 - 1, not {seed}")
        self._state = seed

    def next(self) -> int:
        """The next number, 0 to 2^64 - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) % _WORD
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % _WORD
        return mixed ^ mixed >> 31

    def below(self, count: int) -> int:
        """The next number modulo ``count``."""
        return self.next() % count

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """``items`` in another order (Fisher and Yates, from the end)."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found


@dataclass(frozen=True, slots=True)
class PairedRound(Generic[P]):
    """Who meets whom in a round, and who sits out."""

    matches: tuple[tuple[P, P], ...]  # in order of tables; the higher ranked of a match is named first
    sit_outs: tuple[P, ...] = ()  # at most one, unless pairs of a round robin have withdrawn
    rematch_cost: int = 0  # 0 when nobody meets the same opponents again


class FirstRound(StrEnum):
    """How an event pairs its first round."""

    REGISTRATION = "registration"
    SEEDED_DRAW = "seeded_draw"


def first_round(
    how: FirstRound, order: Sequence[P], seeded: Collection[P] = (), seed: int = 0
) -> PairedRound[P]:
    """The first round of pairs given in order of registration; a draw follows from ``seed`` alone."""
    if how is FirstRound.SEEDED_DRAW:
        return seeded_draw(order, seeded, seed)
    return in_order_of_registration(order)


def in_order_of_registration(order: Sequence[P]) -> PairedRound[P]:
    """First against second, third against fourth, …; in an odd field the last to register sits out."""
    return PairedRound(tuple(_neighbours(order)), tuple(order[len(order) // 2 * 2 :]))


def seeded_draw(order: Sequence[P], seeded: Collection[P], seed: int) -> PairedRound[P]:
    """A draw in which seeded pairs do not meet, or as few of them as possible when more than half are seeded.

    ``order`` is that of registration, ``seed`` what is published with the round. Seeded pairs are shuffled,
    then the others; in an odd field the last of the others sits out (the last seeded where all are). Each
    seeded pair meets the other at the same place and is named first; neighbours among those left over meet;
    then the tables are shuffled.
    """
    source = SplitMix64(seed)
    seeds = source.shuffled([pair for pair in order if pair in seeded])
    others = source.shuffled([pair for pair in order if pair not in seeded])
    sit_out = [(others or seeds).pop()] if len(order) % 2 else []
    both = min(len(seeds), len(others))
    matches = list(zip(seeds[:both], others[:both], strict=True))
    matches += _neighbours(seeds[both:] or others[both:])
    return PairedRound(tuple(source.shuffled(matches)), tuple(sit_out))


def _neighbours(pairs: Sequence[P]) -> Iterator[tuple[P, P]]:
    """The first and the second, the third and the fourth, …; an odd one at the end is left out."""
    return zip(pairs[::2], pairs[1::2], strict=False)
