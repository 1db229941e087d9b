"""The first start: what is settled then, and checked at every start after it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from server.services.tokens import Scope, create_in
from server.storage import installation, migrations
from server.storage.database import Database
from server.storage.errors import ConstraintViolated


class InstallationRefused(ValueError):
    """This database was made for other settings or another version"""


@dataclass(frozen=True, slots=True)
class Settled:
    """What the database was made with."""

    week_zone: str
    clock: str  # "<instant>,<speed>" of a simulated clock, or empty
    created_at: datetime  # the real moment
    admin_token: str | None  # made just now, on the first start


async def migrate(database: Database) -> None:
    """Bring the schema to the newest version. Raises InstallationRefused when it is newer than that."""
    _refuse_unknown(await database.read(migrations.revision))
    await database.alter(migrations.upgrade)


async def at_head(database: Database) -> bool:
    """Whether the schema is the one that this code needs."""
    return await database.read(migrations.revision) == migrations.head()


async def require_head(database: Database) -> None:
    """Raises InstallationRefused unless the schema is the one that this code needs."""
    revision = await database.read(migrations.revision)
    _refuse_unknown(revision)
    if revision != migrations.head():
        state = "the database is empty" if revision is None else "the schema is older than this version"
        raise InstallationRefused(f"{state}; run `crossruff migrate`")


def _refuse_unknown(revision: str | None) -> None:
    if revision is not None and not migrations.is_known(revision):
        raise InstallationRefused(
            f"the schema ({revision}) is newer than this version of Crossruff; run the version that made it"
        )


async def get_settled(database: Database) -> Settled | None:
    """What was settled at the first start; None before it."""
    known = await database.read(installation.get_all)
    return _settled(known) if known else None


async def settle(database: Database, week_zone: str, clock: str, now: datetime, with_token: bool) -> Settled:
    """Settle zone and clock at the first start, later refuse others; perhaps make the first admin token.

    ``now`` is the real time. Raises InstallationRefused.
    """
    verb = partial(_settle, week_zone, clock, now, with_token)
    try:
        return await database.write(verb)
    except ConstraintViolated:  # another process was first
        return await database.write(verb)


def _settle(week_zone: str, clock: str, now: datetime, with_token: bool, connection: Connection) -> Settled:
    known = installation.get_all(connection)
    token = None
    if not known:
        for name, value in (("week_zone", week_zone), ("clock", clock), ("created_at", now.isoformat())):
            installation.add(connection, name, value)
        known = installation.get_all(connection)
        if with_token:
            token = create_in(connection, "admin", frozenset([Scope.ADMIN]), now)
    if known["week_zone"] != week_zone:
        raise InstallationRefused(
            f"the weeks of this database run in {known['week_zone']}; set CROSSRUFF_WEEK_ZONE to that"
        )
    if known["clock"] != clock:
        made = f"with the clock {known['clock']!r}" if known["clock"] else "without a simulated clock"
        raise InstallationRefused(f"this database was made {made}; CROSSRUFF_CLOCK must say the same")
    return _settled(known, token)


def _settled(known: Mapping[str, str], token: str | None = None) -> Settled:
    created_at = datetime.fromisoformat(known["created_at"])
    return Settled(known["week_zone"], known["clock"], created_at, token)
