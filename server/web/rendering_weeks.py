"""From weeks, ratings and leaderboards to what the API gives."""

from fractions import Fraction

from server.bridge.five_figures import POINT
from server.bridge.rating import Estimator
from server.services.closing import Closed
from server.services.figures import Figures, PlayedWeek
from server.services.grades import Merit
from server.services.leaderboards import Leaderboard
from server.storage.event_lists import Won
from server.storage.ids import event_id
from server.storage.leaderboards import Entry
from server.storage.ratings import ISLAND, PAIR_ONLY, PROVISIONAL
from server.storage.tallies import Total
from server.web import schemas_weeks as schemas


def points(ten_thousandths: int) -> float:
    """Points as JSON shows them."""
    whole, rest = divmod(ten_thousandths, POINT)
    return whole if not rest else ten_thousandths / POINT


def index(value: float) -> float:
    """An index to six decimals."""
    return round(value, 6)


def _error(bar: float | None) -> float | None:
    return None if bar is None else index(bar)


def average(value: Fraction | None) -> float | None:
    """Points a board, to six decimals."""
    return None if value is None else round(float(value), 6)


def joint(value: float | None, bar: float | None) -> schemas.JointIndex | None:
    """A joint index; None where there is none."""
    if value is None or bar is None:
        return None
    return schemas.JointIndex(index=index(value), error=index(bar))


def player(found: Figures, merit: Merit) -> schemas.PlayerView:
    """A player with his figures."""
    rating = None if found.last is None else found.last.rating
    duplicate = found.duplicate
    return schemas.PlayerView(
        id=found.player.id,
        name=found.player.shown_name,
        pool=found.pool,
        figures=schemas.FiveFigures(
            skill_index=index(found.skill_index),
            skill_error=_error(found.skill_error),
            week_points=points(found.week_points),
            week_boards=found.week_boards,
            total_boards=found.total_boards,
            last_week_average=average(found.last_week_average),
        ),
        last_week=None if found.last_week is None else _last_week(found.last_week),
        duplicate=schemas.DuplicateFigures(
            points=points(duplicate.points),
            won=duplicate.won,
            drawn=duplicate.drawn,
            lost=duplicate.lost,
            win_rate=average(duplicate.win_rate),
            weeks=[_duplicate_week(each) for each in found.totals if _has_duplicate(each)],
        ),
        joint=None if rating is None else joint(rating.joint_index, rating.joint_bar),
        provisional=found.provisional,
        pair_only=rating is not None and rating.pair_only,
        island=rating is not None and rating.island,
        grade=merit.grade,
        masterpoints=merit.masterpoints,
        masterpoints_by_event=[_event_points(each) for each in merit.won],
        member=found.player.member,
    )


def _event_points(found: Won) -> schemas.EventPoints:
    return schemas.EventPoints(
        event=event_id(found.event),
        name=found.name,
        rank=found.rank,
        pairs=found.pairs,
        points=found.points,
    )


def _last_week(found: Total) -> schemas.LastWeek:
    return schemas.LastWeek(week=found.week, points=points(found.points), boards=found.boards)


def _has_duplicate(found: Total) -> bool:
    return bool(found.duplicate or found.won or found.drawn or found.lost)


def _duplicate_week(found: Total) -> schemas.DuplicateWeek:
    return schemas.DuplicateWeek(
        week=found.week, points=points(found.duplicate), won=found.won, drawn=found.drawn, lost=found.lost
    )


def player_week(found: PlayedWeek) -> schemas.PlayerWeek:
    """A closed week of a player."""
    rating = found.rating
    return schemas.PlayerWeek(
        week=found.snapshot.week,
        revision=found.snapshot.revision or 0,
        skill_index=index(found.skill_index),
        weight=index(rating.weight),
        week_rate=None if rating.week_rate is None else index(rating.week_rate),
        points=points(rating.points),
        boards=rating.boards,
        rated_boards=rating.week_rated,
        disconnects=rating.disconnects,
        total_boards=rating.total_boards,
        average=average(found.average),
        rank=rating.skill_rank or None,
        movement=rating.skill_moved,
        joint=joint(rating.joint_index, rating.joint_bar),
    )


def leaderboard(found: Leaderboard, cursor: str | None) -> schemas.Leaderboard:
    """A page of a list."""
    return schemas.Leaderboard(
        week=str(found.status.week),
        pool=found.pool,
        rating=found.order.value,
        official=found.official.value,
        state=found.status.state.value,
        revision=found.revision,
        total=found.total,
        offset=found.offset,
        rows=[leaderboard_row(each, found.official) for each in found.entries],
        cursor=cursor,
    )


def leaderboard_row(entry: Entry, official: Estimator) -> schemas.LeaderboardRow:
    """A player on a list."""
    flags = PROVISIONAL if entry.flags is None else entry.flags
    by_joint = official is Estimator.JOINT and entry.joint_index is not None
    shown = entry.joint_index if by_joint else entry.rate
    last = Fraction(entry.last_points or 0, POINT * entry.last_boards) if entry.last_boards else None
    return schemas.LeaderboardRow(
        rank=entry.place,
        movement=entry.moved,
        player=schemas.Ranked(id=entry.id, name=entry.name),
        figures=schemas.FiveFigures(
            skill_index=index(50.0 if shown is None else shown),
            skill_error=_error(entry.joint_bar) if by_joint else None,
            week_points=points(entry.points),
            week_boards=entry.boards,
            total_boards=entry.total_boards,
            last_week_average=average(last),
        ),
        joint=joint(entry.joint_index, entry.joint_bar),
        provisional=bool(flags & PROVISIONAL),
        pair_only=bool(flags & PAIR_ONLY),
        island=bool(flags & ISLAND),
    )


def closed(found: Closed) -> schemas.RatedWeek:
    """What closing a week came to."""
    return schemas.RatedWeek(
        week=str(found.week),
        pool=found.pool,
        revision=found.revision,
        changed=found.changed,
        players=found.players,
        checksum=found.checksum,
    )
