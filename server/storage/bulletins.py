"""Bulletins: live messages as rows, written in the transaction that caused them.

Those of a channel are numbered from 1 without gaps. A board's channel is numbered at once, by the board's
row, which every arrival locks anyway. Rows of channels that everybody shares are inserted without number, so
that commits do not queue for them; `number_shared` numbers them a moment later.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, text

from server.storage import sets, wakeups
from server.storage.bulletin_tables import bulletins, channels


@dataclass(frozen=True, slots=True)
class Bulletin:
    """One live message."""

    channel: str
    number: int | None  # None: a shared channel, numbered later
    kind: str
    body: str  # JSON


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a channel: numbers of its oldest and newest bulletin, 0 when there is none."""

    first: int
    last: int


def add(into: sets.Into, rows: Sequence[Bulletin], now: datetime) -> None:
    """Write bulletins, and have the followers of numbered ones woken when the transaction commits."""
    values = [
        {"channel": row.channel, "number": row.number, "kind": row.kind, "body": row.body, "at": now}
        for row in rows
    ]
    sets.insert(into, bulletins, values)
    wakeups.note(into, (row.channel for row in rows if row.number is not None))


def after(connection: Connection, positions: Mapping[str, int], limit: int) -> list[Bulletin]:
    """Numbered bulletins of these channels beyond their positions, in order, at most ``limit`` in all."""
    asked = sets.record_set(connection, "asked", channel="text", position="bigint")
    statement = text(
        f"SELECT b.channel, b.number, b.kind, b.body FROM {asked} JOIN bulletins AS b "
        "ON b.channel = asked.channel AND b.number > asked.position ORDER BY b.channel, b.number LIMIT :most"
    )
    rows = [{"channel": name, "position": position} for name, position in sorted(positions.items())]
    found = connection.execute(statement, {"asked": sets.as_json(rows), "most": limit})
    return [Bulletin(row.channel, row.number, row.kind, row.body) for row in found]


def kept(connection: Connection, channel: str) -> Kept:
    """Which bulletins of the channel are kept."""
    numbers = select(func.min(bulletins.c.number), func.max(bulletins.c.number))
    first, last = connection.execute(numbers.where(bulletins.c.channel == channel)).one()
    return Kept(first or 0, last or 0)


def number_shared(connection: Connection, limit: int) -> int:
    """Number the rows that have none yet, oldest first; how many. Whoever else does it at once waits."""
    unnumbered = (
        select(bulletins.c.id, bulletins.c.channel)
        .where(bulletins.c.number.is_(None))
        .order_by(bulletins.c.id)
        .limit(limit)
    )
    names = {row.channel for row in connection.execute(unnumbered)}
    if not names:
        return 0
    last = _lock_counters(connection, names)
    # Read again under the lock: another process may have numbered them meanwhile.
    rows = connection.execute(unnumbered).all()
    numbered = []
    for row in rows:
        if row.channel in last:
            last[row.channel] += 1
            numbered.append({"number": last[row.channel], "id": row.id})
    sets.update(connection, bulletins, ("id",), numbered)
    counters = [{"last": number, "name": name} for name, number in sorted(last.items())]
    sets.update(connection, channels, ("name",), counters)
    wakeups.note(connection, last)
    return len(numbered)


def any_unnumbered(connection: Connection) -> bool:
    """Whether a row waits for its number."""
    waiting = select(bulletins.c.id).where(bulletins.c.number.is_(None)).limit(1)
    return connection.execute(waiting).first() is not None


def unnumbered_before(connection: Connection, moment: datetime) -> int:
    """How many rows written before this moment still have no number."""
    late = select(func.count()).where(bulletins.c.number.is_(None), bulletins.c.at < moment)
    found: int = connection.execute(late).scalar_one()
    return found


def forget(connection: Connection, before: datetime) -> int:
    """Drop numbered bulletins written before this moment; how many. The newest of each channel stays."""
    newest = (
        select(func.max(bulletins.c.id)).where(bulletins.c.number.is_not(None)).group_by(bulletins.c.channel)
    )
    old = delete(bulletins).where(
        bulletins.c.at < before, bulletins.c.number.is_not(None), bulletins.c.id.not_in(newest)
    )
    return connection.execute(old).rowcount


def _lock_counters(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    wanted = sorted(names)
    rows = [{"name": name, "last": 0} for name in wanted]
    sets.insert(connection, channels, rows, "ON CONFLICT DO NOTHING")
    statement = select(channels).where(channels.c.name.in_(wanted)).order_by(channels.c.name)
    return {row.name: row.last for row in connection.execute(statement.with_for_update())}
