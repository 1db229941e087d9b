"""Whether the rest of a small pairs event can be played without a rematch: tried out plainly.

It knows nothing of how rounds are drawn. Everybody plays in every round; in an odd field one sits out, who
has not sat out before.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

Two = frozenset[int]
NOBODY = -1  # whoever meets him sits out


def rounds_of(field: frozenset[int]) -> Iterator[frozenset[Two]]:
    """Every way in which these can meet two by two."""
    if not field:
        yield frozenset()
        return
    first = min(field)
    for other in sorted(field - {first}):
        for rest in rounds_of(field - {first, other}):
            yield rest | {frozenset((first, other))}


def completed(pairs: frozenset[int]) -> frozenset[int]:
    """The field with somebody to meet for everybody."""
    return pairs | {NOBODY} if len(pairs) % 2 else pairs


def possible(pairs: frozenset[int], met: frozenset[Two], rounds: int) -> bool:
    """Whether so many rounds can still be played in which nobody meets whom he has met; ``met`` names with
    NOBODY who has sat out.
    """
    field = completed(pairs)
    left = frozenset(two for two in map(frozenset, combinations(sorted(field), 2)) if two not in met)
    return _possible(field, left, rounds)


@cache
def _possible(field: frozenset[int], left: frozenset[Two], rounds: int) -> bool:
    if not rounds:
        return True
    return any(each <= left and _possible(field, left - each, rounds - 1) for each in _rounds_of(field))


@cache
def _rounds_of(field: frozenset[int]) -> tuple[frozenset[Two], ...]:
    return tuple(rounds_of(field))
