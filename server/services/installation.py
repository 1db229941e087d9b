"""The first start: what is settled then, and checked at every start after it."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.services.tokens import Scope, create_in
from server.storage import installation, migrations
from server.storage.database import Database


class InstallationRefused(ValueError):
    """This database was made for other settings"""


@dataclass(frozen=True, slots=True)
class Settled:
    """What the database was made with."""

    week_zone: str
    clock: str  # "<instant>,<speed>" of a simulated clock, or empty
    created_at: datetime  # the real moment
    admin_token: str | None  # made just now, on the first start


async def migrate(database: Database) -> None:
    """Bring the schema to the newest version."""
    await database.alter(migrations.upgrade)


async def at_head(database: Database) -> bool:
    """Whether the schema is the one that this code needs."""
    return await database.read(migrations.revision) == migrations.head()


async def require_head(database: Database) -> None:
    """Raises InstallationRefused unless the schema is the one that this code needs."""
    if not await at_head(database):
        raise InstallationRefused("the schema is not the one of this version; run `crossruff migrate`")


async def settle(database: Database, week_zone: str, clock: str, now: datetime, with_token: bool) -> Settled:
    """Settle zone and clock at the first start, later refuse others; perhaps make the first admin token.

    ``now`` is the real time. Raises InstallationRefused.
    """
    return await database.write(lambda connection: _settle(connection, week_zone, clock, now, with_token))


def _settle(connection: Connection, week_zone: str, clock: str, now: datetime, with_token: bool) -> Settled:
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
    return Settled(week_zone, clock, datetime.fromisoformat(known["created_at"]), token)
