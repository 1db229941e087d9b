"""What the weeks in a database must come to: straight from the raw rows, by rules of its own, in fractions.

Rows are read by plain SQL; of the product nothing computes here. The weekly rating itself is that of
``tests.bridge.rating_oracle``.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any, Protocol

import msgspec

from tests.bridge import oracle, rating_oracle
from tests.bridge.rating_oracle import Known
from tests.bridge.rating_worlds import Leaving, Played, Table
from tests.web.scoring import Judge, points_of_ns

LATE = timedelta(hours=48)
POINT = 10_000
TICK = timedelta(microseconds=1)  # what comes at the very moment of publishing is in time


class Rows(Protocol):
    """Reads by plain SQL."""

    async def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """What it finds."""
        ...


@dataclass
class Figures:
    """What a player's week comes to, in ten-thousandths."""

    points: int = 0
    boards: int = 0
    disconnects: int = 0
    duplicate: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass
class Raw:
    """A week of a pool as it is stored."""

    method: str = "datum"
    tables: list[Table] = field(default_factory=list)
    elsewhere: list[int] = field(default_factory=list)  # players who left where nothing is rated
    leavings: list[Leaving] = field(default_factory=list)  # boards that nobody finished
    figures: dict[int, Figures] = field(default_factory=lambda: defaultdict(Figures))

    @property
    def played(self) -> Played:
        """As the oracle of the rating has it."""
        return Played(tuple(self.tables), tuple(self.elsewhere), tuple(self.leavings))


@dataclass
class Row:
    """A live result."""

    sequence: int
    four: list[int]  # N, E, S, W; who was replaced at his seat
    score: int
    timely: bool


@dataclass
class RawBoard:
    """A board as it is stored."""

    judge: Judge
    rows: list[Row]
    left: dict[int, bool]  # who left, and whether it was reported in time
    abandoned: list[Leaving]  # of those, where nobody finished in time
    awards: dict[int, tuple[int, int]]

    def own(self, score: tuple[int, int], place: int) -> int:
        """Ten-thousandths of a point of a side's score in hundredths."""
        matchpoints = self.judge.method == "matchpoints"
        return 15 * (score[place % 2] - 5000) if matchpoints else 100 * score[place % 2]


async def weeks_of(rows: Rows, pool: str, closes: Mapping[str, datetime]) -> dict[str, Raw]:
    """Every week of the pool that is named in ``closes``: when it ended."""
    return {week: await _week(rows, pool, week, ended) for week, ended in sorted(closes.items())}


async def _week(rows: Rows, pool: str, week: str, ended: datetime) -> Raw:
    late = await _late_from(rows, pool, week, ended)
    boards = await rows.rows(
        "SELECT id, method, score_at, deal FROM boards "
        "WHERE week = :week AND pool = :pool AND withdrawn_at IS NULL ORDER BY id",
        week=week,
        pool=pool,
    )
    found = Raw()
    for number, method, score_at, deal in boards:
        found.method = method
        judge = Judge(method, score_at, None, points_of_ns(deal) if method == "hcp_compensation" else 20)
        board = await _board(rows, number, judge, late)
        _count_tables(board, found)
        _count_left(board, found)
    return found


async def _board(rows: Rows, board: int, judge: Judge, late: datetime | None) -> RawBoard:
    results = await rows.rows(
        "SELECT sequence, north, east, south, west, score, received_at, details FROM results "
        "WHERE board = :board AND live ORDER BY sequence",
        board=board,
    )
    left = "SELECT player, received_at FROM disconnects WHERE board = :board AND live"
    awards = "SELECT sequence, ns, ew FROM awards WHERE board = :board"
    return RawBoard(
        judge,
        [Row(row[0], _seated(row[1:5], row[7]), row[5], _in_time(row[6], late)) for row in results],
        {player: _in_time(at, late) for player, at in await rows.rows(left, board=board)},
        await _abandoned(rows, board, late),
        {sequence: (ns, ew) for sequence, ns, ew in await rows.rows(awards, board=board)},
    )


async def _abandoned(rows: Rows, board: int, late: datetime | None) -> list[Leaving]:
    alone = await rows.rows(
        "SELECT number, player, received_at, table_name, north, east, south, west FROM disconnects "
        "WHERE board = :board AND live AND sequence IS NULL",
        board=board,
    )
    lifted = await rows.rows(
        "SELECT disconnect FROM revisions WHERE board = :board AND kind = 'partner-lifted'", board=board
    )
    finished = await rows.rows(
        "SELECT table_name, received_at FROM results WHERE board = :board AND live", board=board
    )
    tables = {table for table, at in finished if _in_time(at, late)}
    found = []
    for number, player, at, table, *four in alone:
        if _in_time(at, late) and table not in tables:
            partner = four[(four.index(player) + 2) % 4]
            moment = int(_moment(at).timestamp() * 10**6)
            found.append(Leaving(board, moment, player, partner, (number,) in lifted))
    return found


def _seated(players: Sequence[int], details: str | None) -> list[int]:
    four = list(players)
    for seat, player in msgspec.json.decode(details or "{}").get("replaced", {}).items():
        four["NESW".index(seat)] = player
    return four


def _count_tables(board: RawBoard, found: Raw) -> None:
    timely = [row for row in board.rows if row.timely]
    scores = [row.score for row in timely]
    for row in board.rows:
        scored = board.judge.field(scores, timely.index(row)) if row.timely else None
        for place, player in enumerate(row.four):
            figures = found.figures[player]
            if player not in board.left and row.sequence in board.awards:
                given = board.own(board.awards[row.sequence], place)
                figures.duplicate += given
                figures.won += given > 0
                figures.drawn += given == 0
                figures.lost += given < 0
            if row.timely and not board.left.get(player):
                figures.boards += 1
                figures.points += 0 if scored is None else board.own(scored, place)
        if scored is not None:
            north, east, south, west = row.four
            gone = frozenset(player for player in row.four if board.left.get(player))
            x = exact(board.judge, scores, timely.index(row))
            found.tables.append(Table((north, south, east, west), x, gone))


def _count_left(board: RawBoard, found: Raw) -> None:
    cost = POINT * (20 if board.judge.method == "hcp_compensation" else 16)
    scores = [row.score for row in board.rows if row.timely]
    rated = board.judge.field(scores, 0) is not None if scores else False
    found.leavings += board.abandoned
    nobody_finished = {each.leaver for each in board.abandoned}
    at_rated_tables = {player for row in board.rows if row.timely and rated for player in row.four}
    for player, timely in board.left.items():
        figures = found.figures[player]
        figures.duplicate -= cost
        if timely:
            figures.points -= cost
            figures.boards += 1
            figures.disconnects += 1
            if player not in at_rated_tables | nobody_finished:
                found.elsewhere.append(player)


def exact(judge: Judge, scores: Sequence[int], index: int) -> Fraction:
    """What a result enters the ratings with: IMPs for NS, not rounded."""
    if judge.method == "cross_imps":
        total = sum(oracle.imps(scores[index] - other) for other in scores)
        return Fraction(total, len(scores) - 1) if len(scores) > 1 else Fraction(0)
    if judge.method == "matchpoints":
        points = Fraction(sum(oracle.versus(scores[index] - other) for other in scores) - 1)
        return (oracle.neuberg_percent(points, len(scores), len(scores)) - 50) * Fraction(15, 100)
    return Fraction(judge.score(scores, index)[0], 100)


async def _late_from(rows: Rows, pool: str, week: str, ended: datetime) -> datetime | None:
    """When results began to be late: 48 hours after the end, or after it was first published, if later."""
    published = await rows.rows(
        "SELECT published_at FROM snapshots WHERE week = :week AND pool = :pool AND revision = 1",
        week=week,
        pool=pool,
    )
    return max(_moment(published[0][0]) + TICK, ended + LATE) if published else None


def _in_time(at: Any, late: datetime | None) -> bool:
    """Whether what was received then is rated."""
    return late is None or _moment(at) < late


def _moment(at: Any) -> datetime:
    found = datetime.fromisoformat(at) if isinstance(at, str) else at
    return found.replace(tzinfo=found.tzinfo or UTC)


@dataclass
class Expected:
    """A player's row at the end of a week."""

    known: Known
    index: Fraction | None
    figures: Figures
    total_boards: int

    @property
    def provisional(self) -> bool:
        """Fewer than 150 boards, faded."""
        return self.known.recent < 150


def closed(weeks: Sequence[Raw], shield: int, joint: bool) -> list[dict[int, Expected]]:
    """Everybody's row at the end of each of some weeks that follow one another."""
    played = [week.played for week in weeks]
    classic = rating_oracle.classic(played, shield)
    found: list[dict[int, Expected]] = []
    total: dict[int, int] = defaultdict(int)
    everybody: set[int] = set()
    for number, week in enumerate(weeks):
        fit = rating_oracle.joint(played[: number + 1], shield) if joint else None
        # Whoever has nothing but late results is not there.
        everybody |= {player for player, figures in week.figures.items() if figures.boards}
        # The partner of whoever left a board that nobody finished.
        everybody |= {each.partner for each in week.leavings}
        for player, figures in week.figures.items():
            total[player] += figures.boards
        found.append(
            {
                player: Expected(
                    classic[number].get(player, Known()),
                    None if fit is None else 50 + Fraction(80, 3) * fit.s.get(player, Fraction(0)),
                    week.figures.get(player, Figures()),
                    total[player],
                )
                for player in everybody
            }
        )
    return found


def ranked(rows: Mapping[int, Expected], hidden: set[int], joint: bool) -> dict[int, int]:
    """Places on the list of skill: provisional players stand behind, equal indexes share a place."""
    listed = {p: row for p, row in rows.items() if p not in hidden and row.known.rated}
    value = {
        p: (not row.provisional, round((row.index if joint else row.known.rate) * 10**6))  # type: ignore[operator]
        for p, row in listed.items()
    }
    return {p: 1 + sum(other > mine for other in value.values()) for p, mine in value.items()}


def ranked_by_points(rows: Mapping[int, Expected], hidden: set[int]) -> dict[int, int]:
    """Places on the list of week points."""
    value = {p: r.figures.points for p, r in rows.items() if p not in hidden and r.figures.boards}
    return {p: 1 + sum(other > mine for other in value.values()) for p, mine in value.items()}
