"""How far the tables of a round are: whether anything of it can still be played, or told."""

from collections.abc import Iterable, Set
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableSoFar:
    """A table of a round that is played, or closed just now."""

    boards: tuple[int, ...]  # that it is to play, in order
    told: Set[int]  # with a result, or with a score that a director awarded
    dealt: int = 0  # so many of its boards, the first ones, it has asked for; 0 where nobody asks
    waits: bool = False  # for somebody who has not come, and nothing was played


def over(table: TableSoFar, dealing: bool) -> bool:
    """Whether nothing more can come from a table. ``dealing``: boards of the round are still dealt.

    All its boards are told; or none is dealt any more and it has told those that it asked for, or nobody is
    there to play one.
    """
    if table.told >= set(table.boards):
        return True
    if dealing:
        return False
    asked = table.boards[: table.dealt]
    return table.waits or (bool(asked) and table.told >= set(asked))


def all_over(tables: Iterable[TableSoFar], dealing: bool) -> bool:
    """As ``over``, of all tables of a round."""
    return all(over(table, dealing) for table in tables)
