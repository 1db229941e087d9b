"""Tables of a round: their numbers, who sits North-South, and the boards that are played."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Generic, TypeVar

P = TypeVar("P", bound=Hashable)


class Seating(StrEnum):
    """Who sits North-South. Both lines should be equally strong, as results are compared along them."""

    TABLE_RULE = "table_rule"  # the higher ranked at tables 1, 2, 5, 6, 9, 10, …
    BALANCED = "balanced"  # who has sat there less; the table rule among equals


@dataclass(frozen=True, slots=True)
class Table(Generic[P]):
    """A table of a round and the pairs at it."""

    number: int
    ns: P
    ew: P
    sits_first: P  # the lower ranked: where seats are taken by hand and neither wants to be the first


def higher_sits_ns(table: int) -> bool:
    """The table rule: whether the higher ranked pair sits North-South."""
    return (table - 1) // 2 % 2 == 0


def seat(
    matches: Sequence[tuple[P, P]],
    seating: Seating = Seating.TABLE_RULE,
    ns_less_ew: Mapping[P, int] | None = None,
    numbers: Iterable[int] | None = None,
) -> tuple[Table[P], ...]:
    """Tables 1, 2, …, or those with these ``numbers``, for matches with the higher ranked pair first.

    ``ns_less_ew``: by how much a pair has sat North-South more often than East-West, for balanced seating; 0
    where it says nothing.
    """
    before = ns_less_ew or {}
    tables = []
    for number, (higher, lower) in zip(count(1) if numbers is None else numbers, matches, strict=False):
        lean = before.get(higher, 0) - before.get(lower, 0)
        if seating is Seating.TABLE_RULE or lean == 0:
            ns, ew = (higher, lower) if higher_sits_ns(number) else (lower, higher)
        else:
            ns, ew = (higher, lower) if lean < 0 else (lower, higher)
        tables.append(Table(number, ns, ew, lower))
    return tuple(tables)


def lean_to_ns(tables: Iterable[Table[P]]) -> dict[P, int]:
    """By how much each pair has sat North-South more often than East-West at these tables."""
    lean: dict[P, int] = {}
    for table in tables:
        lean[table.ns] = lean.get(table.ns, 0) + 1
        lean[table.ew] = lean.get(table.ew, 0) - 1
    return lean


def boards_of_round(round_number: int, boards: int) -> range:
    """Numbers of the boards that every table plays in a round of ``boards`` boards; rounds count from 1."""
    return range((round_number - 1) * boards + 1, round_number * boards + 1)
