"""Rounds of a pairs event: a round robin where there are rounds enough for it, else drawn from a seed."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from server.bridge.swiss_draw import PairedRound, SplitMix64
from server.bridge.swiss_pairing import Meeting, pair_round

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Plan(Generic[P]):
    """What the draw of a pairs event follows from; published with it."""

    pairs: tuple[P, ...]  # that started, in order of registration
    rounds: int
    seed: int

    @property
    def round_robin(self) -> bool:
        """Whether there are rounds enough for everybody to meet everybody."""
        return self.rounds >= rounds_of_all(len(self.pairs))


def rounds_of_all(pairs: int) -> int:
    """Rounds in which everybody meets everybody once; with an odd number each also sits out once."""
    return pairs - 1 + pairs % 2 if pairs else 0


def round_robin(pairs: Sequence[P], round_number: int) -> PairedRound[P]:
    """A round of the round robin of ``pairs``; after the last one it starts again.

    The first pair keeps its place and the others move on by one each round (the circle method); in an odd
    field whoever is to meet the place that is empty sits out.
    """
    ring: list[P | None] = [*pairs[1:], *([None] if len(pairs) % 2 else [])]
    shift = (round_number - 1) % max(len(ring), 1)
    circle = [*pairs[:1], *ring[shift:], *ring[:shift]]
    half = len(circle) // 2
    opposite = list(zip(circle[:half], reversed(circle), strict=False))
    matches = tuple((a, b) for a, b in opposite if a is not None and b is not None)
    sit_outs = (b if a is None else a for a, b in opposite if a is None or b is None)
    return PairedRound(matches, tuple(pair for pair in sit_outs if pair is not None))


def draw(
    plan: Plan[P],
    active: Sequence[P],
    round_number: int,
    meetings: Iterable[Meeting[P]],
    byes: Mapping[P, int],
) -> PairedRound[P]:
    """A round for the pairs that still play; ``meetings`` and ``byes`` as for `pair_round`.

    In a round robin the opponents of those who left sit out, so that all others still meet. When somebody
    enters who is not in it, the rest is drawn: a shuffle of the pairs stands in for their order, and the
    pairing by order sees to it that nobody meets the same opponents again where that can be helped.
    """
    if plan.round_robin and set(active) <= set(plan.pairs):
        whole = round_robin(plan.pairs, round_number)
        matches = tuple(match for match in whole.matches if set(match) <= set(active))
        playing = {pair for match in matches for pair in match}
        return PairedRound(
            matches, tuple(pair for pair in plan.pairs if pair in active and pair not in playing)
        )
    known = [pair for pair in plan.pairs if pair in active]
    others = [pair for pair in active if pair not in plan.pairs]
    source = SplitMix64((plan.seed + round_number) % 2**64)
    return pair_round(source.shuffled(known + others), meetings, byes, round_number)
