"""A round that is paired anew while it is played: what becomes of boards that were dealt.

Every table is dealt the same boards in the same order, so that who has seen some has seen the first ones. A
table that stays as it was plays on. At any other nobody is dealt a board again that somebody there has seen;
nor is a board reported there that was dealt under its number before, as a result may be under way.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from server.bridge.swiss_by_hand import Fault, Objection
from server.bridge.swiss_tables import Seating, Table, seat


def tables_anew(
    before: Iterable[Table[int]],
    matches: Sequence[tuple[int, int]],
    seating: Seating,
    ns_less_ew: Mapping[int, int],
) -> tuple[Table[int], ...]:
    """The tables of a round that is paired anew. Who meets as before stays where he sits.

    The other tables, whose numbers are the lowest that are free, are seated as in `seat`.
    """
    met = {frozenset((table.ns, table.ew)): table for table in before}
    stay = [met[frozenset(match)] for match in matches if frozenset(match) in met]
    others = [match for match in matches if frozenset(match) not in met]
    taken = {table.number for table in stay}
    free = (number for number in count(1) if number not in taken)
    new = seat(others, seating, ns_less_ew, free)
    return tuple(sorted([*stay, *new], key=lambda table: table.number))


@dataclass(frozen=True, slots=True)
class Dealt:
    """How far a table of the round is that is played."""

    boards: int = 0  # so many, the first ones, are dealt to it no more
    skipped: int = 0  # so many of these it may not play


def torn(before: Mapping[Table[int], Dealt], after: Iterable[Table[int]]) -> tuple[Objection[int], ...]:
    """What speaks against new tables: boards were dealt at old ones that do not stay as they are."""
    stay = set(after)
    return tuple(
        Objection(Fault.BOARDS_DEALT, (table.ns, table.ew))
        for table, dealt in before.items()
        if dealt.boards > dealt.skipped and table not in stay
    )


def reseated(
    before: Mapping[Table[int], Dealt], after: Sequence[Table[int]], seen: Mapping[int, int]
) -> tuple[Dealt, ...]:
    """What is dealt to the new tables. ``seen``: how many boards each pair has seen, at whatever table."""
    numbered = {table.number: dealt.boards for table, dealt in before.items()}
    found = []
    for table in after:
        lost = max(seen.get(table.ns, 0), seen.get(table.ew, 0), numbered.get(table.number, 0))
        found.append(before.get(table) or Dealt(lost, lost))
    return tuple(found)


def idle(
    before: Iterable[Table[int]], after: Sequence[Table[int]], dealt: Sequence[Dealt], boards: int
) -> tuple[Objection[int], ...]:
    """What speaks against new tables, with what `reseated` deals them: some have no board left to play.

    ``boards``: how many the round has.
    """
    stay = set(before)
    return tuple(
        Objection(Fault.NOTHING_TO_PLAY, (table.ns, table.ew))
        for table, so_far in zip(after, dealt, strict=True)
        if table not in stay and so_far.skipped >= boards
    )
