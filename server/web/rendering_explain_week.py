"""From the explanation of a player's week to what the API gives, and to sentences."""

from server.bridge.week import WeekState
from server.services.explain_duplicate import Duplicates
from server.services.explain_week import PublishedWeek, TableRated, WeekExplained
from server.services.explain_week_lines import LineSums
from server.services.explain_week_tables import SEATS, BoardLine
from server.storage.ids import board_id, disconnect_id, result_id
from server.web import schemas as base
from server.web import schemas_explain_week as schemas
from server.web import words
from server.web.numbers import many
from server.web.rendering_weeks import index, points
from server.web.schemas_weeks import Ranked

_SEATS = "NESW"
_PARTNER = {"N": "S", "S": "N", "E": "W", "W": "E"}


def week_explained(found: WeekExplained) -> schemas.WeekExplanation:
    """How a player's week came about."""
    published = found.published
    answer = schemas.WeekExplanation(
        player=Ranked(id=found.player.id, name=found.player.shown_name),
        week=str(found.status.week),
        pool=found.pool,
        state=found.status.state.value,
        revision=found.status.revision,
        changed_since=found.changed,
        lines=[_line(each) for each in found.lines],
        hidden_boards=found.hidden_boards,
        lines_sum=_line_sums(found.sums),
        other_zeros=sum(each.leaver is not None for each in found.lines),
        points=None,
        boards=None,
        board_rates=None,
        week_rate=None,
        old_rate=None,
        old_weight=None,
        past_weight=None,
        new_rate=None,
        new_weight=None,
        joint=None,
        duplicate=_duplicate(found.duplicate),
        text=_week_sentences(found),
    )
    if published is not None:
        rating = published.rating
        answer.points, answer.boards = points(rating.points), rating.boards
        answer.board_rates = rating.week_rated
        answer.week_rate = None if rating.week_rate is None else index(rating.week_rate)
        answer.old_rate, answer.old_weight = index(_old_rate(published)), index(_old_weight(published))
        answer.past_weight = index(_past_weight(published))
        answer.new_rate, answer.new_weight = index(rating.rate), index(rating.weight)
        answer.joint = _joint(published)
    return answer


def _line_sums(found: LineSums) -> schemas.LineSums:
    return schemas.LineSums(
        points=points(found.points),
        boards=found.boards,
        board_rates=found.board_rates,
        week_rate=None if found.week_rate is None else index(found.week_rate),
    )


def _duplicate(found: Duplicates) -> schemas.DuplicateExplained:
    return schemas.DuplicateExplained(
        lines=[
            schemas.DuplicateLine(
                board=board_id(line.board.id),
                number=line.board.number,
                result=None if line.sequence is None else result_id(line.board.id, line.sequence),
                disconnected=line.left,
                points=points(line.points),
            )
            for line in found.lines
        ],
        hidden_boards=found.hidden_boards,
        points=points(found.points),
    )


def _joint(published: PublishedWeek) -> schemas.JointArithmetic | None:
    """How the joint index follows from the strength that was fitted."""
    rating, algorithm = published.rating, published.rules.algorithm
    if rating.joint_index is None or rating.joint_bar is None:
        return None
    start, scale = algorithm.classic.start, algorithm.joint.points_per_imp
    return schemas.JointArithmetic(
        index=index(rating.joint_index),
        error=index(rating.joint_bar),
        start=start,
        scale=index(scale),
        strength=index((rating.joint_index - start) / scale),
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


def _old_rate(published: PublishedWeek) -> float:
    classic = published.rules.algorithm.classic
    return classic.start if published.before is None else published.before.rate


def _old_weight(published: PublishedWeek) -> float:
    classic = published.rules.algorithm.classic
    return classic.start_weight if published.before is None else published.before.weight


def _past_weight(published: PublishedWeek) -> float:
    return published.rating.weight - published.rating.week_rated


def _line(line: BoardLine) -> schemas.WeekLine:
    named = zip(_SEATS, (each.public_id for each in line.people), strict=False)
    return schemas.WeekLine(
        board=board_id(line.board.id),
        number=line.board.number,
        result=None if line.sequence is None else result_id(line.board.id, line.sequence),
        seat=line.seat,
        players=dict(named),
        disconnected=line.left,
        disconnect=None if line.disconnect is None else disconnect_id(line.disconnect.number),
        leaver=None if line.leaver is None else line.leaver.public_id,
        points=points(line.points),
        boards=line.boards,
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
    gained = _gained(line.points)
    if line.left:
        return f"Disconnected: {gained}{'' if line.board_rate is None else ', board Rate 0'}."
    if line.leaver is not None and line.disconnect is not None:
        return (
            f"The partner {line.leaver.public_id} abandoned the board, the pair's second or later one within "
            f"four weeks: board Rate 0, no points. A director may lift it "
            f"({disconnect_id(line.disconnect.number)})."
        )
    if line.reason is not None:
        return f"{gained}; {words.REASONS[line.reason.value]}."
    if line.board_rate is None or line.rates is None or line.seat is None:
        return f"{gained}; no board Rate before the week is rated."
    rates = dict(zip("NSEW", line.rates.rates, strict=True))
    share = line.rates.p_ns if line.seat in "NS" else 1 - line.rates.p_ns
    own, both = rates[line.seat], rates[line.seat] + rates[_PARTNER[line.seat]]
    product = f"{share:.4f} x {line.rates.s4:.2f} x {own:.2f} / {both:.2f}"
    return f"{gained}; board Rate {product} = {line.board_rate:.2f}."


def _week_sentences(found: WeekExplained) -> list[str]:
    published, revision = found.published, found.status.revision
    said = _state_sentences(found)
    if found.hidden_boards:
        one = found.hidden_boards == 1
        still = "it may still be played" if one else "they may still be played"
        said.append(f"{many(found.hidden_boards, 'board')} {'is' if one else 'are'} left out: {still}.")
    zeros = sum(each.leaver is not None for each in found.lines)
    if zeros:
        what = "line is a Rate of 0 for a board" if zeros == 1 else "lines are Rates of 0 for boards"
        said.append(f"{zeros} {what} that a partner abandoned, again within four weeks.")
    if published is not None:
        rating = published.rating
        whose = f"Revision {revision}: " if found.changed or found.hidden_boards else ""
        said.append(f"{whose}{_gained(rating.points)} on {many(rating.boards, 'board')}.")
        said += _rate_sentences(published)
    return said


def _state_sentences(found: WeekExplained) -> list[str]:
    """Where the week stands and what its lines come to, unless the published figures say the same."""
    revision, sums = found.status.revision, found.sums
    if not revision:
        state = "open" if found.status.state is WeekState.OPEN else "over, and not rated yet"
        return [f"The week is {state}: there are no Rates. The lines are as of now: {_summed(sums)}."]
    if found.changed:
        return [
            f"Something has changed in this week, or in one before it, since revision {revision} was made. "
            f"The lines are as of now: {_summed(sums)}. The figures of revision {revision} are replaced when "
            "the week is rated again."
        ]
    return [f"The lines: {_summed(sums)}."] if found.hidden_boards else []


def _summed(sums: LineSums) -> str:
    told = f"{_gained(sums.points)} on {many(sums.boards, 'board')}"
    if sums.week_rate is None:
        return told
    return f"{told}; {_mean(sums.board_rates)} is {sums.week_rate:.6f}"


def _rate_sentences(published: PublishedWeek) -> list[str]:
    rating, n = published.rating, published.rating.week_rated
    if rating.week_rate is None:
        return [f"No board Rate this week: the Rate stays {rating.rate:.6f}."]
    old, past = _old_rate(published), _past_weight(published)
    return [
        f"Week Rate: {_mean(n)} is {rating.week_rate:.6f}.",
        _weight_sentence(published),
        f"New Rate: ({past:.4f} x {old:.6f} + {n} x {rating.week_rate:.6f}) / ({past:.4f} + {n}) "
        f"= {rating.rate:.6f}.",
    ]


def _weight_sentence(published: PublishedWeek) -> str:
    """How the weight of the past follows from what it was before the week."""
    classic, past = published.rules.algorithm.classic, _past_weight(published)
    before = _old_weight(published)
    faded = f"{before:.4f} x {classic.fade:g} = {classic.fade * before:.4f}"
    held = f", held at {past:.4f}" if classic.fade * before > classic.most_past else ""
    return f"Weight of the past in boards: {faded}{held}."


def _mean(board_rates: int) -> str:
    return "the one board Rate" if board_rates == 1 else f"the mean of {board_rates} board Rates"


def _gained(ten_thousandths: int) -> str:
    """Points with their sign."""
    number = f"{abs(points(ten_thousandths)):.4f}".rstrip("0").rstrip(".")
    sign = "+" if ten_thousandths > 0 else "-" if ten_thousandths else ""
    return f"{sign}{number} {'point' if number == '1' else 'points'}"
