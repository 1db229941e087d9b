"""Players, and which of their accounts belong to one person."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select, text, update

from server.storage import sets
from server.storage.tables import players


@dataclass(frozen=True, slots=True)
class Player:
    """A player as the platforms know him."""

    number: int
    id: str  # the platform's own
    name: str | None
    alias: str | None  # shown instead of the name
    hidden: bool
    member: bool  # may play pools for members
    person: int  # the smallest number among his linked accounts

    @property
    def public_id(self) -> str:
        """What lists name him by: hidden players have no id there."""
        return "hidden" if self.hidden else self.id

    @property
    def shown_name(self) -> str:
        """What people read: alias, else name, else id."""
        return self.alias or self.name or self.id


_SELECT = select(  # the members of a player, in their order
    players.c.number,
    players.c.id,
    players.c.name,
    players.c.alias,
    players.c.hidden,
    players.c.member,
    func.coalesce(players.c.person, players.c.number),
)


def find(connection: Connection, ids: Iterable[str]) -> dict[str, Player]:
    """The players with these ids, as far as there are any."""
    inside = sets.elements(connection, "ids", "text")
    statement = _SELECT.where(text(f"players.id IN {inside}"))
    rows = connection.execute(statement, {"ids": sets.as_json(sorted(set(ids)))})
    return {player.id: player for player in itertools.starmap(Player, rows.all())}


def by_number(connection: Connection, numbers: Iterable[int]) -> dict[int, Player]:
    """The players with these numbers."""
    inside = sets.elements(connection, "numbers")
    statement = _SELECT.where(text(f"players.number IN {inside}"))
    rows = connection.execute(statement, {"numbers": sets.as_json(sorted(set(numbers)))})
    return {player.number: player for player in itertools.starmap(Player, rows.all())}


def accounts(connection: Connection, persons: Iterable[int]) -> dict[int, int]:
    """Every account of these persons: number of the account to number of the person."""
    inside = sets.elements(connection, "persons")
    statement = text(f"SELECT number, person FROM players WHERE person IN {inside}")
    wanted = sorted(set(persons))
    rows = connection.execute(statement, {"persons": sets.as_json(wanted)})
    return {person: person for person in wanted} | {row.number: row.person for row in rows.all()}


def hidden(connection: Connection) -> list[int]:
    """Numbers of all hidden players."""
    statement = select(players.c.number).where(text("players.hidden")).order_by(players.c.number)
    return list(connection.execute(statement).scalars())


def add(connection: Connection, ids: Iterable[str], now: datetime) -> dict[str, Player]:
    """Make the players that do not exist yet, and return all of these.

    In order of id, so that two transactions that make the same players wait for each other in line.
    """
    wanted = sorted(set(ids))
    rows = [{"id": each, "created_at": now} for each in wanted]
    sets.insert(connection, players, rows, "ON CONFLICT (id) DO NOTHING")
    return find(connection, wanted)


def lock(connection: Connection, ids: Iterable[str]) -> dict[str, Player]:
    """The players with these ids, held until the transaction ends."""
    statement = _SELECT.where(players.c.id.in_(sorted(set(ids)))).order_by(players.c.number)
    rows = connection.execute(statement.with_for_update())
    return {player.id: player for player in itertools.starmap(Player, rows.all())}


def change(connection: Connection, number: int, **values: Any) -> None:
    """Set some columns of one player."""
    connection.execute(update(players).where(players.c.number == number).values(**values))


def link(connection: Connection, numbers: Iterable[int]) -> None:
    """Make these accounts one person; a single one becomes linked to none."""
    group = sorted(set(numbers))
    person = group[0] if len(group) > 1 else None
    connection.execute(update(players).where(players.c.number.in_(group)).values(person=person))


def linked(connection: Connection, player: Player) -> list[str]:
    """Ids of the other accounts of the same person."""
    same = func.coalesce(players.c.person, players.c.number) == player.person
    statement = select(players.c.id).where(same, players.c.number != player.number).order_by(players.c.id)
    return list(connection.execute(statement).scalars())
