"""From weeks, ratings and leaderboards to what the API gives."""

from fractions import Fraction

from server.bridge.five_figures import POINT
from server.bridge.rating import Estimator
from server.services.closing import Closed
from server.services.explain_week import SEATS, BoardLine, TableRated, WeekExplained
from server.services.figures import Figures, PlayedWeek
from server.services.grades import Merit
from server.services.leaderboards import Leaderboard
from server.storage.ids import board_id, result_id
from server.storage.leaderboards import Entry
from server.storage.ratings import ISLAND, PAIR_ONLY, PROVISIONAL
from server.web import schemas as base
from server.web import schemas_weeks as schemas

_SEATS = "NESW"


def points(ten_thousandths: int) -> float:
    """Points as JSON shows them."""
    whole, rest = divmod(ten_thousandths, POINT)
    return whole if not rest else ten_thousandths / POINT


def index(value: float) -> float:
    """An index to six decimals."""
    return round(value, 6)


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
            week_points=points(found.week_points),
            week_boards=found.week_boards,
            total_boards=found.total_boards,
            last_week_average=average(found.last_week_average),
        ),
        duplicate=schemas.DuplicateFigures(
            points=points(duplicate.points),
            won=duplicate.won,
            drawn=duplicate.drawn,
            lost=duplicate.lost,
            win_rate=average(duplicate.win_rate),
        ),
        joint=None if rating is None else joint(rating.joint_index, rating.joint_bar),
        provisional=found.provisional,
        pair_only=rating is not None and rating.pair_only,
        island=rating is not None and rating.island,
        grade=merit.grade,
        masterpoints=merit.masterpoints,
        member=found.player.member,
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
    shown = entry.joint_index if official is Estimator.JOINT and entry.joint_index is not None else entry.rate
    last = Fraction(entry.last_points or 0, POINT * entry.last_boards) if entry.last_boards else None
    return schemas.LeaderboardRow(
        rank=entry.place,
        movement=entry.moved,
        player=schemas.Ranked(id=entry.id, name=entry.name),
        figures=schemas.FiveFigures(
            skill_index=index(50.0 if shown is None else shown),
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


def week_explained(found: WeekExplained) -> schemas.WeekExplanation:
    """How a player's week came about."""
    rating, classic = found.rating, found.rules.algorithm.classic
    old = classic.start if found.before is None else found.before.rate
    past = rating.weight - rating.week_rated
    return schemas.WeekExplanation(
        player=schemas.Ranked(id=found.player.id, name=found.player.shown_name),
        week=found.snapshot.week,
        pool=found.snapshot.pool,
        revision=found.snapshot.revision or 0,
        lines=[_line(each) for each in found.lines],
        other_zeros=found.other_zeros,
        points=points(rating.points),
        boards=rating.boards,
        board_rates=rating.week_rated,
        week_rate=None if rating.week_rate is None else index(rating.week_rate),
        old_rate=index(old),
        past_weight=index(past),
        new_rate=index(rating.rate),
        new_weight=index(rating.weight),
        text=_week_sentences(found, old, past),
    )


def table_rated(found: TableRated | None) -> base.ResultRating | None:
    """How the ratings of its week see a result."""
    if found is None:
        return None
    return base.ResultRating(
        week=found.snapshot.week,
        revision=found.snapshot.revision or 0,
        table=_table(found.lines[0]),
        seats=[
            base.SeatRating(
                seat=seat,
                player=line.people[i].public_id,
                board_rate=None if line.board_rate is None else index(line.board_rate),
                reason=None if line.reason is None else line.reason.value,
            )
            for i, (seat, line) in enumerate(zip(SEATS, found.lines, strict=True))
        ],
    )


def _line(line: BoardLine) -> schemas.WeekLine:
    named = zip(_SEATS, (each.public_id for each in line.people), strict=False)
    return schemas.WeekLine(
        board=board_id(line.board.id),
        number=line.board.number,
        result=None if line.sequence is None else result_id(line.board.id, line.sequence),
        seat=line.seat,
        players=dict(named),
        disconnected=line.left,
        points=points(line.points),
        table=_table(line),
        board_rate=None if line.board_rate is None else index(line.board_rate),
        rated=line.board_rate is not None,
        reason=None if line.reason is None else line.reason.value,
        text=_line_sentence(line),
    )


def _table(line: BoardLine) -> base.TableRates | None:
    if line.rates is None or line.x is None:
        return None
    return base.TableRates(
        x=index(line.x),
        p_ns=index(line.rates.p_ns),
        p_ew=index(1 - line.rates.p_ns),
        s4=index(line.rates.s4),
        rates=_by_seat(line.rates.rates),
        board_rates=_by_seat(line.rates.board_rates),
    )


def _by_seat(values: tuple[float, float, float, float]) -> dict[str, float]:
    return {seat: index(value) for seat, value in zip("NSEW", values, strict=True)}


def _line_sentence(line: BoardLine) -> str:
    if line.left:
        return f"Disconnected: {points(line.points):g} points, board Rate 0."
    if line.board_rate is None or line.rates is None or line.seat is None:
        return f"{points(line.points):+g} points; no board Rate: {line.reason}."
    rates = dict(zip("NSEW", line.rates.rates, strict=True))
    partner = {"N": "S", "S": "N", "E": "W", "W": "E"}[line.seat]
    share = line.rates.p_ns if line.seat in "NS" else 1 - line.rates.p_ns
    own, both = rates[line.seat], rates[line.seat] + rates[partner]
    product = f"{share:.4f} x {line.rates.s4:.2f} x {own:.2f} / {both:.2f}"
    return f"{points(line.points):+g} points; board Rate {product} = {line.board_rate:.2f}."


def _week_sentences(found: WeekExplained, old: float, past: float) -> list[str]:
    rating = found.rating
    said = [f"{points(rating.points):+g} points on {rating.boards} boards."]
    if rating.week_rate is None:
        return [*said, f"No board Rate this week: the Rate stays {rating.rate:.6f}."]
    n = rating.week_rated
    said.append(f"Week Rate: the mean of {n} board Rates is {rating.week_rate:.6f}.")
    said.append(
        f"New Rate: ({past:.4f} x {old:.6f} + {n} x {rating.week_rate:.6f}) / ({past:.4f} + {n}) "
        f"= {rating.rate:.6f}."
    )
    return said
