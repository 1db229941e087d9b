"""The transactions of closing a week, each short: what was found, what is kept, what is published."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

import msgspec
import numpy as np
from sqlalchemy import Connection

from server.bridge.pool import Pool, ScoringMethod
from server.bridge.rating import FIRST, Estimator, Rules, algorithm
from server.bridge.rating_classic import ClassicState
from server.bridge.rating_packing import unpacked
from server.bridge.rating_week import Snapshot, beginning
from server.bridge.week import Week, parse_week
from server.services.bulletins import BulletinKind, week_channel
from server.services.closing_figures import AbandonedBoard, Before, Figures, WeekRead
from server.storage import boards, bulletins, players, ratings, week_rows, weeks
from server.storage.bulletins import Bulletin
from server.storage.ratings import Column, SnapshotRow
from server.storage.weeks import WeekRow

SUMS_KEPT = 4  # weeks whose sums of the joint rating are kept
_STATE = ("player", "rate", "weight", "rated", "recent", "total_boards")
_PLACES = ("skill_rank", "points_rank", "joint_rank")


class Superseded(Exception):
    """Somebody else published meanwhile"""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a week is built upon."""

    snapshot: int | None  # None: it is the first
    known: Before


def begin(connection: Connection, week: Week, pool: str, now: datetime) -> WeekRow:
    """Note that somebody is closing the week; as it is then."""
    row = weeks.lock(connection, str(week), pool)
    weeks.mark(connection, row, closing_at=now)
    return row


def has_joint(pool: Pool) -> bool:
    """Whether a joint rating is computed: where boards are scored in IMPs against the field."""
    return pool.terms.method in (ScoringMethod.DATUM, ScoringMethod.CROSS_IMPS)


def earlier(connection: Connection, week: Week, pool: Pool) -> Earlier:
    """The snapshot before the week."""
    row, joint = weeks.published(connection, pool.name, str(week)), has_joint(pool)
    if row is None or row.snapshot is None:
        none = np.zeros(0, np.int32)
        return Earlier(None, Before("", beginning(joint), np.zeros(0, np.int64), (none, none, none)))
    player, rate, weight, rated, recent, boards_ever = ratings.columns(connection, row.snapshot, _STATE)
    state = ClassicState(
        player.astype(np.int64),
        rate.astype(np.float64),
        weight.astype(np.float64),
        rated.astype(np.int64),
        recent.astype(np.float64),
    )
    sums = unpacked(ratings.sums(connection, row.snapshot)) if joint else None
    skill, points, third = ratings.columns(connection, row.snapshot, _PLACES)
    places = (skill.astype(np.int32), points.astype(np.int32), third.astype(np.int32))
    checksum = ratings.get(connection, row.snapshot).checksum
    return Earlier(
        row.snapshot, Before(checksum, Snapshot(state, sums), boards_ever.astype(np.int64), places)
    )


def without_sums(connection: Connection, week: Week, pool: Pool) -> Week | None:
    """The week that this one is built upon, when the sums of its joint rating are not kept any more."""
    row = weeks.published(connection, pool.name, str(week))
    if row is None or row.snapshot is None or not has_joint(pool):
        return None
    return None if ratings.has_sums(connection, row.snapshot) else parse_week(row.week)


def read(connection: Connection, row: WeekRow, pool: Pool, before: datetime) -> WeekRead:
    """Everything that the week is rated from: what came before a moment."""
    terms = boards.terms_of_week(connection, row.week, pool.name)
    return WeekRead(
        pool.terms.method,
        terms,
        list(week_rows.results(connection, list(terms), before)),
        week_rows.disconnects(connection, row.week, pool.name, before),
        _abandoned(connection, row, before),
        np.array(players.hidden(connection), np.int64),
        weeks.changes(connection, pool.name, row.week).get(row.week, 0),
    )


def _abandoned(connection: Connection, row: WeekRow, before: datetime) -> list[AbandonedBoard]:
    """Boards that nobody finished, of this week and those before it that still matter."""
    week = parse_week(row.week)
    weeks_back = {str(week.plus(-age)): age for age in range(FIRST.leaving.partner_weeks)}
    found = week_rows.abandoned(connection, min(weeks_back), row.week, row.pool)
    return [
        AbandonedBoard(weeks_back[each.week], each.board, each.at, each.leaver, each.partner)
        for each in found
        if each.at < before
    ]


def unchanged(
    connection: Connection, row: WeekRow, before: int | None, found: WeekRead, made: Figures
) -> SnapshotRow | None:
    """The published snapshot when it was made from the same; then only what was read is noted.

    Raises Superseded.
    """
    current = _held(connection, row, before)
    if current.snapshot is None:
        return None
    snapshot = ratings.get(connection, current.snapshot)
    if snapshot.input != made.input:
        return None
    if snapshot.before != before:  # another revision with the same figures
        ratings.rest(connection, snapshot.id, before)
    weeks.mark(connection, current, changes=found.changes, closing_at=None)
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
    """Keep some rows of the snapshot, and note that somebody is still at it."""
    ratings.add(connection, snapshot, columns)
    weeks.mark(connection, row, closing_at=now)


def publish(
    connection: Connection, row: WeekRow, before: int | None, found: WeekRead, snapshot: int, now: datetime
) -> int:
    """Let the snapshot be the week's current one; the number of the revision. Raises Superseded."""
    current = _held(connection, row, before)
    revision = current.revision + 1
    ratings.publish(connection, snapshot, revision, now)
    weeks.mark(
        connection,
        current,
        revision=revision,
        snapshot=snapshot,
        first_published_at=current.first_published_at or now,
        changes=found.changes,
        closing_at=None,
    )
    kept = [each.snapshot for each in weeks.of_pool(connection, row.pool) if each.snapshot is not None]
    ratings.forget_sums(connection, row.pool, {snapshot, *kept[-SUMS_KEPT:]})
    body = msgspec.json.encode({"week": row.week, "pool": row.pool, "revision": revision}).decode()
    told = Bulletin(week_channel(parse_week(row.week)), None, BulletinKind.RATED, body)
    bulletins.add(connection, [told], now)
    return revision


def _held(connection: Connection, row: WeekRow, before: int | None) -> WeekRow:
    """The week, held, as it was when we began; raises Superseded when somebody published meanwhile."""
    current = weeks.lock(connection, row.week, row.pool)
    upon = weeks.published(connection, row.pool, row.week)
    if current.revision != row.revision or (upon.snapshot if upon else None) != before:
        raise Superseded
    return current


def _rules_text(rules: Rules) -> str:
    kept = {key: value for key, value in asdict(rules).items() if key != "algorithm"}
    return msgspec.json.encode(kept).decode()


def rules_of(snapshot: SnapshotRow) -> Rules:
    """The rules that a snapshot was made by."""
    kept = msgspec.json.decode(snapshot.rules)
    return Rules(algorithm(snapshot.algorithm), **{**kept, "official": Estimator(kept["official"])})
