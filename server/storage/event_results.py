"""Results of some tables of events."""

from collections.abc import Iterable

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
