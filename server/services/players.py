"""Naming players, and saying which accounts are one person."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.bridge.seats import Seat
from server.services import search
from server.services.errors import (
    AccountLinkedElsewhere,
    InvalidResult,
    MembersOnly,
    PlayerNotFound,
    UnknownPlayer,
)
from server.storage import audit, players
from server.storage.database import Database
from server.storage.players import Player


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """What to set of a player; None leaves it as it is."""

    name: str | None = None
    alias: str | None = None  # empty: none any more
    hidden: bool | None = None
    member: bool | None = None
    linked: tuple[str, ...] | None = None  # all other accounts of the same person


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player with his linked accounts."""

    player: Player
    linked: list[str]


async def get(database: Database, name: str, hidden_too: bool) -> PlayerCard:
    """The player with this id. Raises PlayerNotFound, for a hidden one too unless ``hidden_too``."""

    def query(connection: Connection) -> PlayerCard:
        player = players.find(connection, [name]).get(name)
        if player is None or (player.hidden and not hidden_too):
            raise PlayerNotFound(name)
        return PlayerCard(player, players.linked(connection, player))

    return await database.read(query)


def seated(
    connection: Connection,
    names: tuple[str, str, str, str],
    pool: Pool | None,
    create: bool,
    now: datetime,
    anybody: bool = False,
) -> Mapping[str, Player]:
    """Four players (ids of N, E, S, W) who sit down to a board of ``pool``; who is new is made, if he may be.

    ``anybody``: whoever they are, members or not.

    Within a transaction. Raises UnknownPlayer, InvalidResult (somebody sits twice), MembersOnly.
    """
    known = players.find(connection, names)
    if create and len(known) < len(set(names)):
        known = players.add(connection, names, now)
    persons: set[int] = set()
    for seat, name in zip(Seat, names, strict=True):
        if name not in known:
            raise UnknownPlayer(f"/players/{seat}", f"no player has the id {name!r}")
        if known[name].person in persons:
            raise InvalidResult(f"/players/{seat}", f"{name!r} or a linked account sits twice at the table")
        if not (anybody or known[name].member) and (pool is None or pool.members_only):
            raise MembersOnly(name)
        persons.add(known[name].person)
    return known


async def change(
    database: Database, client: int, name: str, wanted: PlayerChange, create: bool, now: datetime
) -> PlayerCard:
    """Set what is given of a player, made when he is new; his linked accounts only where ``create`` allows.

    Raises UnknownPlayer for a linked account, AccountLinkedElsewhere.
    """
    return await database.write(lambda connection: _change(connection, client, name, wanted, create, now))


def _change(
    connection: Connection, client: int, name: str, wanted: PlayerChange, create: bool, now: datetime
) -> PlayerCard:
    everybody = {name, *(wanted.linked or ())}
    players.add(connection, everybody if create else [name], now)
    known = players.lock(connection, everybody)
    for i, other in enumerate(wanted.linked or ()):
        if other not in known:
            raise UnknownPlayer(f"/linked/{i}", f"no player has the id {other!r}")
    values: dict[str, str | bool | None] = {
        column: value
        for column, value in (
            ("name", wanted.name),
            ("alias", wanted.alias),
            ("hidden", wanted.hidden),
            ("member", wanted.member),
        )
        if value is not None
    }
    if values.get("alias") == "":
        values["alias"] = None
    if values:
        players.change(connection, known[name].number, **values)
    if wanted.linked is not None:
        _link(connection, known[name], known)
    audit.add(connection, [_entry(client, known[name], wanted, known)], now)
    player = players.find(connection, [name])[name]
    if {"name", "alias"} & values.keys():
        search.keep(connection, player)
    return PlayerCard(player, players.linked(connection, player))


def _link(connection: Connection, player: Player, group: dict[str, Player]) -> None:
    """Make ``group`` the whole list of the person's accounts; those no longer in it are another person."""
    for other in group.values():
        for third in players.linked(connection, other):
            if third not in group and other.person != player.person:
                raise AccountLinkedElsewhere(other.id, third)
    dropped = [each for each in players.linked(connection, player) if each not in group]
    # Nobody said that these are several persons: together they have seen what they have seen.
    players.link(connection, (each.number for each in players.find(connection, dropped).values()))
    players.link(connection, (each.number for each in group.values()))


def _entry(client: int, player: Player, wanted: PlayerChange, known: dict[str, Player]) -> audit.Entry:
    # By number only: erasing a player must touch no row of the audit.
    numbers = sorted(known[other].number for other in wanted.linked or ())
    said = [
        f"linked={','.join(map(str, numbers))}" if wanted.linked is not None else "",
        "name" if wanted.name is not None else "",
        "alias" if wanted.alias is not None else "",
        f"hidden={wanted.hidden}" if wanted.hidden is not None else "",
        f"member={wanted.member}" if wanted.member is not None else "",
    ]
    return audit.Entry(client, "player", str(player.number), " ".join(filter(None, said)))
