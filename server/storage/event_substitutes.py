"""Who sits in for players of events, round by round, and who has done so before."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from server.storage import sets
from server.storage.event_tables import event_relieved, event_substitutes


@dataclass(frozen=True, slots=True)
class Substitution:
    """Somebody sits in for a player in a round, or has done so; both by the accounts they were named by."""

    round: int
    player: int  # who is missing
    substitute: int
    entry: int  # their pair
    standing: bool  # whether he still does, or did when the round was over


def of_event(connection: Connection, event: int, number: int | None = None) -> list[Substitution]:
    """Everybody who sits or has sat in, in a round or in all."""
    found = []
    for table, standing in ((event_substitutes, True), (event_relieved, False)):
        statement = select(table).where(table.c.event == event)
        if number is not None:
            statement = statement.where(table.c.round == number)
        ordered = statement.order_by(table.c.round, table.c.player, table.c.substitute)
        found += [
            Substitution(row.round, row.player, row.substitute, row.entry, standing)
            for row in connection.execute(ordered)
        ]
    return found


def current(connection: Connection, event: int, number: int) -> list[Substitution]:
    """Who sits in in a round now, or did when it was over."""
    return [each for each in of_event(connection, event, number) if each.standing]


def begin(connection: Connection, event: int, number: int, player: int, other: int, entry: int) -> None:
    """Have somebody sit in for a player, in place of whoever does."""
    end(connection, event, number, player)
    values = {"event": event, "round": number, "player": player, "substitute": other, "entry": entry}
    connection.execute(insert(event_substitutes).values(**values))


def end(connection: Connection, event: int, number: int, player: int) -> None:
    """Let nobody sit in for a player any more; who has is kept."""
    mine = (event_substitutes.c.event == event) & (event_substitutes.c.round == number)
    his = mine & (event_substitutes.c.player == player)
    rows = [dict(row._mapping) for row in connection.execute(select(event_substitutes).where(his))]
    sets.insert(connection, event_relieved, rows, "ON CONFLICT DO NOTHING")
    connection.execute(delete(event_substitutes).where(his))
