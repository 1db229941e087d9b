"""The transactions of closing a week, each short: what was found, what is kept, what is published."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

import msgspec
import numpy as np
from sqlalchemy import Connection

from server.bridge.pool import Pool, ScoringMethod
from server.bridge.rating import FIRST, Estimator, Rules, algorithm
from server.bridge.rating_classic import NOBODY, ClassicState
from server.bridge.week import Week, parse_week
from server.services.bulletins import BulletinKind, week_channel
from server.services.closing_figures import AbandonedBoard, Before, Figures, WeekRead
from server.services.weeks import late_from
from server.storage import bulletins, players, ratings, week_rows, weeks
from server.storage.bulletins import Bulletin
from server.storage.columns import Column
from server.storage.ratings import SnapshotRow
from server.storage.weeks import WeekRow

SUMS_KEPT = 4  # weeks whose sums of the joint rating are kept
_STATE = ("player", "rate", "weight", "rated", "recent", "total_boards")
_PLACES = ("skill_rank", "points_rank", "joint_rank")


class Superseded(Exception):
    """Somebody else published meanwhile"""


@dataclass(frozen=True, slots=True)
class Moment:
    """When a week is published, and from when on what comes for it is late."""

    now: Callable[[], datetime]
    late: datetime  # unless it is published for the first time later: then whatever comes after that


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a week is built upon."""

    snapshot: int | None  # None: it is the first
    known: Before


@dataclass(frozen=True, slots=True, eq=False)
class AsRated:
    """How a week was rated."""

    snapshot: int
    rules: Rules
    rated: Column  # board Rates that each player had ever had by its end


def begin(connection: Connection, week: Week, pool: str, now: datetime) -> WeekRow:
    """Note that somebody is closing the week; as it is then."""
    row = weeks.lock(connection, str(week), pool)
    weeks.mark(connection, row, closing_at=now)
    return row


def has_joint(pool: Pool) -> bool:
    """Whether a joint rating is computed: where boards are scored in IMPs against the field."""
    return pool.terms.method in (ScoringMethod.DATUM, ScoringMethod.CROSS_IMPS)


def clean(connection: Connection, week: Week, pool: str) -> bool:
    """Whether nothing has changed since the week was rated: neither in it nor before it."""
    row = weeks.get(connection, str(week), pool)
    if row.snapshot is None or row.before != _upon(connection, row):
        return False
    return weeks.changes(connection, pool, row.week, row.week).get(row.week, 0) <= row.changes


def nothing_before(joint: bool) -> Before:
    """What the first week of a pool is built upon; with or without the joint rating."""
    none = np.zeros(0, np.int32)
    return Before("", NOBODY, joint, np.zeros(0, np.int64), (none, none, none))


def earlier(connection: Connection, week: Week, pool: Pool) -> Earlier:
    """The snapshot before the week."""
    row, joint = weeks.published(connection, pool.name, str(week)), has_joint(pool)
    if row is None or row.snapshot is None:
        return Earlier(None, nothing_before(joint))
    player, rate, weight, rated, recent, boards_ever, skill, points, third = ratings.columns_of(
        connection, row.snapshot, (*_STATE, *_PLACES)
    )
    checksum = ratings.get(connection, row.snapshot).checksum
    state = ClassicState(player, rate, weight, rated, recent)
    places = (skill.astype(np.int32), points.astype(np.int32), third.astype(np.int32))
    return Earlier(row.snapshot, Before(checksum, state, joint, boards_ever, places))


def without_sums(connection: Connection, week: Week, pool: Pool) -> list[WeekRow]:
    """Weeks right before this one, oldest first, the sums of whose joint rating are not kept any more."""
    found: list[WeekRow] = []
    row = weeks.published(connection, pool.name, str(week)) if has_joint(pool) else None
    while row is not None and row.snapshot is not None and not ratings.has_sums(connection, row.snapshot):
        found.append(row)
        row = weeks.published(connection, pool.name, row.week)
    return found[::-1]


def sums_before(connection: Connection, week: Week, pool: Pool) -> list[bytes]:
    """The sums of the joint rating that the week builds upon, as they are kept."""
    row = weeks.published(connection, pool.name, str(week)) if has_joint(pool) else None
    return [] if row is None or row.snapshot is None else ratings.sums(connection, row.snapshot)


def as_rated(connection: Connection, row: WeekRow) -> AsRated:
    """How a published week was rated."""
    assert row.snapshot is not None
    (rated,) = ratings.columns_of(connection, row.snapshot, ("rated",))
    return AsRated(row.snapshot, rules_of(ratings.get(connection, row.snapshot)), rated)


def read(connection: Connection, row: WeekRow, pool: Pool) -> WeekRead:
    """Everything that the week is rated from: what came before it was late."""
    before = late_from(row)
    return WeekRead(
        pool.terms.method,
        week_rows.boards(connection, row.week, pool.name),
        list(week_rows.results(connection, row.week, pool.name, before)),
        week_rows.disconnects(connection, row.week, pool.name, before),
        abandoned_boards(connection, row),
        np.array(players.hidden(connection), np.int64),
        weeks.changes(connection, pool.name, row.week, row.week).get(row.week, 0),
    )


def abandoned_boards(connection: Connection, row: WeekRow, player: int | None = None) -> list[AbandonedBoard]:
    """Boards that nobody finished, of this week and those before it that still matter.

    ``player``: only those of tables where he sat.
    """
    found: list[AbandonedBoard] = []
    for age in range(FIRST.leaving.partner_weeks):
        week = weeks.get(connection, str(parse_week(row.week).plus(-age)), row.pool)
        # What came too late for its own week is none of the pair's boards in later ones either.
        late = late_from(week if age else row)
        rows = week_rows.abandoned(connection, week.week, week.pool, late, player)
        found += [AbandonedBoard(age, each) for each in rows]
    return found


def unchanged(
    connection: Connection, row: WeekRow, before: int | None, changes: int, made_from: str
) -> SnapshotRow | None:
    """The published snapshot when it was made from the same; then only what was read is noted.

    Raises Superseded.
    """
    current = _held(connection, row, before)
    if current.snapshot is None:
        return None
    snapshot = ratings.get(connection, current.snapshot)
    if snapshot.input != made_from:
        return None
    if snapshot.before != before:  # another revision with the same figures
        ratings.rest(connection, snapshot.id, before)
    weeks.mark(connection, current, changes=changes, closing_at=None)
    return snapshot


def stage(
    connection: Connection, row: WeekRow, before: int | None, made: Figures, rules: Rules, now: datetime
) -> int:
    """Begin a snapshot that nobody sees yet; its number."""
    return ratings.stage(
        connection,
        week=row.week,
        pool=row.pool,
        before=before,
        algorithm=rules.algorithm.number,
        rules=_rules_text(rules),
        input=made.input,
        checksum=made.checksum,
        players=len(made.rated.players),
        made_at=now,
    )


def keep(
    connection: Connection, row: WeekRow, snapshot: int, columns: Sequence[Column], now: datetime
) -> None:
    """Keep some rows of the snapshot, and note that somebody is still at it. Raises Superseded."""
    alive(connection, row, snapshot, now)
    ratings.add(connection, snapshot, columns)


def alive(connection: Connection, row: WeekRow, snapshot: int, now: datetime) -> None:
    """Note that somebody is still making the snapshot. Raises Superseded when it was given up."""
    weeks.mark(connection, row, closing_at=now)
    if not ratings.touch(connection, snapshot, now):
        raise Superseded


def publish(
    connection: Connection, row: WeekRow, before: int | None, changes: int, snapshot: int, moment: Moment
) -> int:
    """Let the snapshot be the week's current one; the number of the revision. Raises Superseded."""
    current = _held(connection, row, before)
    # Told only now that the week is held: whatever was counted before came before this moment.
    now = moment.now()
    revision = current.revision + 1
    if not ratings.publish(connection, snapshot, revision, now):
        raise Superseded
    weeks.mark(
        connection,
        current,
        revision=revision,
        snapshot=snapshot,
        late_from=current.late_from or max(now + timedelta.resolution, moment.late),
        changes=changes,
        closing_at=None,
    )
    body = msgspec.json.encode({"week": row.week, "pool": row.pool, "revision": revision}).decode()
    # The week after it begins with these indexes.
    for week in (parse_week(row.week), parse_week(row.week).plus(1)):
        bulletins.add(connection, [Bulletin(week_channel(week), None, BulletinKind.RATED, body)], now)
    return revision


def old_sums(connection: Connection, pool: str) -> list[int]:
    """Snapshots whose sums need not be kept: all but those of the last weeks."""
    kept = [each.snapshot for each in weeks.of_pool(connection, pool) if each.snapshot is not None]
    return ratings.old_sums(connection, pool, kept[-SUMS_KEPT:])


def _held(connection: Connection, row: WeekRow, before: int | None) -> WeekRow:
    """The week, held, as it was when we began; raises Superseded when somebody published meanwhile."""
    current = weeks.lock(connection, row.week, row.pool)
    if current.revision != row.revision or _upon(connection, row) != before:
        raise Superseded
    return current


def _upon(connection: Connection, row: WeekRow) -> int | None:
    """The current snapshot of the newest week before."""
    found = weeks.published(connection, row.pool, row.week)
    return None if found is None else found.snapshot


def _rules_text(rules: Rules) -> str:
    kept = {key: value for key, value in asdict(rules).items() if key != "algorithm"}
    return msgspec.json.encode(kept).decode()


def rules_of(snapshot: SnapshotRow) -> Rules:
    """The rules that a snapshot was made by."""
    kept = msgspec.json.decode(snapshot.rules)
    return Rules(algorithm(snapshot.algorithm), **{**kept, "official": Estimator(kept["official"])})
