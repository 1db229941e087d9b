"""Results of tables of events, and who played them."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, select, text

from server.storage import sets
from server.storage.results import Result, from_row
from server.storage.tables import results


def of_tables(connection: Connection, boards: Iterable[int], tables: Iterable[str]) -> list[Result]:
    """What these tables have on these boards, void results aside; one of each at most."""
    on_boards = text(f"results.board IN {sets.elements(connection, 'boards')}")
    at_tables = text(f"results.table_name IN {sets.elements(connection, 'tables', 'text')}")
    statement = select(results).where(on_boards, at_tables, results.c.live)
    wanted = {"boards": sets.as_json(sorted(set(boards))), "tables": sets.as_json(sorted(set(tables)))}
    return [from_row(row) for row in connection.execute(statement, wanted)]


@dataclass(frozen=True, slots=True)
class Lineup:
    """Who played a board at a table of a round."""

    round: int
    table: str
    board: int
    ns: tuple[int, int]  # players
    ew: tuple[int, int]


_LINEUPS = """
SELECT b.round AS round, r.table_name AS name, b.number AS number,
    r.north AS n, r.east AS e, r.south AS s, r.west AS w
FROM event_boards AS b JOIN results AS r ON r.board = b.board WHERE b.event = :event AND r.live
"""


def lineups(connection: Connection, event: int) -> list[Lineup]:
    """Who played each live result of an event."""
    rows = connection.execute(text(_LINEUPS), {"event": event})
    return [Lineup(row.round, row.name, row.number, (row.n, row.s), (row.e, row.w)) for row in rows]
