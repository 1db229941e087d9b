"""Seasons of simulated worlds as columns, their ratings, and what they were if somebody left boards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from server.bridge.dealing import deal_at_random
from server.bridge.field_bulk import BoardTerms, field_scores
from server.bridge.pool import ScoringMethod, Terms
from server.bridge.rating import Rules
from server.bridge.rating_columns import (
    NO_RESULT,
    Abandoned,
    Disconnects,
    Floats,
    Numbers,
    Tables,
    WeekRows,
    no_abandoned,
    no_disconnects,
)
from server.bridge.rating_week import RatedWeek, beginning, rate_week
from server.bridge.score import score_ns
from server.bridge.seats import Seat, vulnerability_of
from server.world.chance import stream
from server.world.people import World
from server.world.play import play
from server.world.sittings import BOARDS, Sitting, sittings

TERMS = Terms(ScoringMethod.DATUM, score_at=6, retire_at=40)
SEATS = (Seat.N, Seat.S, Seat.E, Seat.W)
SIGNS = (1, 1, -1, -1)
_WEEK = 10_000  # more boards than a week has


@dataclass(frozen=True, slots=True, eq=False)
class Week:
    """Everything that was played in a week, a row for each table of a board."""

    board: npt.NDArray[np.int64]  # rising
    seats: npt.NDArray[np.int32]  # shape (4, rows): N, S, E, W
    score: npt.NDArray[np.int64]  # total points for NS

    @property
    def x(self) -> Floats:
        """Field scores of NS in IMPs; not a number where a board has too few results."""
        boards, at = np.unique(self.board, return_inverse=True)
        field = field_scores(at, self.score, [BoardTerms(TERMS)] * len(boards))
        return np.where(field.scored, field.x, np.nan)

    def without(self, rows: npt.NDArray[np.bool_]) -> "Week":
        """The same week where some tables never finished."""
        return Week(self.board[~rows], self.seats[:, ~rows], self.score[~rows])


@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """Boards that somebody left in one week and that nobody finished."""

    board: npt.NDArray[np.int64]
    leaver: int
    partner: npt.NDArray[np.int32]  # his, on each


@dataclass(frozen=True, slots=True, eq=False)
class Season:
    """The weeks that a world has played."""

    people: int
    weeks: Sequence[Week]


def season(world: World, weeks: int, boards: int) -> Season:
    """Play so many weeks with so many boards each."""
    return Season(len(world.people), [_played(world, week, boards) for week in range(weeks)])


def _played(world: World, week: int, boards: int) -> Week:
    below = stream(world.seed, "deals", week).randrange
    deals = [deal_at_random(below) for _ in range(boards)]
    seen: list[set[int]] = [set() for _ in deals]
    rows: list[tuple[int, int, list[int]]] = []
    counts = [0] * boards
    for sitting in sittings(world, week, matchpoints=0.0):
        who = {person.number for person in sitting.people.values()}
        skills = {seat: person.skill(week) for seat, person in sitting.people.items()}
        for number in range(BOARDS):
            board = _next(counts, seen, who)
            if board is None:
                break
            seen[board] |= who
            counts[board] += 1
            vulnerability = vulnerability_of(board + 1)
            rng = stream(world.seed, "table", week, sitting.table, number)
            played = play(deals[board], vulnerability, skills, rng)
            rows.append((board, score_ns(played.outcome, vulnerability), _numbers(sitting)))
    rows.sort(key=lambda row: row[0])
    return Week(
        np.array([week * _WEEK + board for board, _, _ in rows], np.int64),
        np.array([seats for _, _, seats in rows], np.int32).T.copy(),
        np.array([score for _, score, _ in rows], np.int64),
    )


def _next(counts: Sequence[int], seen: Sequence[set[int]], who: set[int]) -> int | None:
    """The board that the server would deal: those short of six results first, then the fullest."""
    free = [
        board
        for board, count in enumerate(counts)
        if count < (TERMS.retire_at or 0) and who.isdisjoint(seen[board])
    ]
    return max(free, key=lambda board: (counts[board] < TERMS.score_at, counts[board], -board), default=None)


def _numbers(sitting: Sitting) -> list[int]:
    return [sitting.people[seat].number for seat in SEATS]


def raw_means(played: Season) -> Floats:
    """Mean field score of everybody, in IMPs a board; not a number for who had none."""
    total, count = np.zeros(played.people), np.zeros(played.people)
    for week in played.weeks:
        x = week.x
        scored = ~np.isnan(x)
        for seat, sign in zip(week.seats, SIGNS, strict=True):
            total += sign * np.bincount(seat[scored], x[scored], played.people)
            count += np.bincount(seat[scored], minlength=played.people)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def leave(played: Season, leaver: int, bad: float) -> tuple[Season, list[Left]]:
    """The same season where somebody leaves every board that stands at ``bad`` IMPs or worse for him."""
    weeks, left = [], []
    for week in played.weeks:
        x, gone = week.x, np.zeros(len(week.board), np.bool_)
        partner = np.zeros(len(week.board), np.int32)
        for seat, mate, sign in zip(week.seats, week.seats[[1, 0, 3, 2]], SIGNS, strict=True):
            here = (seat == leaver) & (sign * x <= bad)
            gone |= here
            partner[here] = mate[here]
        weeks.append(week.without(gone))
        left.append(Left(week.board[gone], leaver, partner[gone]))
    return Season(played.people, weeks), left


def rate(played: Season, rules: Rules, left: Sequence[Left] = ()) -> RatedWeek:
    """The ratings at the end of a season; without ``left``, boards that nobody finished cost nothing."""
    players: Numbers = np.arange(played.people, dtype=np.int64)
    before, rated = beginning(joint=True), None
    for number, week in enumerate(played.weeks):
        x = week.x
        scored = ~np.isnan(x)
        seats = (np.ascontiguousarray(seat[scored]) for seat in week.seats)
        tables = Tables(np.arange(scored.sum(), dtype=np.int64), *seats, x[scored])
        gone, abandoned = _gone(left, number, rules)
        rated = rate_week(before, WeekRows(players, tables, gone, abandoned), rules)
        before = rated.snapshot
    if rated is None:
        raise ValueError("a season has weeks")
    return rated


def _gone(left: Sequence[Left], number: int, rules: Rules) -> tuple[Disconnects, Abandoned]:
    """Disconnects of a week, and boards abandoned in it and in those before that still matter."""
    if not left:
        return no_disconnects(), no_abandoned()
    now = left[number]
    weeks = list(_lately(left, number, rules.algorithm.leaving.partner_weeks))
    board = np.concatenate([each.board for _, each in weeks])
    return (
        Disconnects(np.full(len(now.board), now.leaver, np.int32), np.full(len(now.board), NO_RESULT)),
        Abandoned(
            age=np.concatenate([np.full(len(each.board), age) for age, each in weeks]),
            board=board,
            at=board,
            leaver=np.full(len(board), now.leaver, np.int32),
            partner=np.concatenate([each.partner for _, each in weeks]),
            lifted=np.zeros(len(board), np.bool_),
        ),
    )


def _lately(left: Sequence[Left], number: int, weeks: int) -> Iterator[tuple[int, Left]]:
    """A week and some before it, with their ages."""
    for age in range(min(weeks, number + 1)):
        yield age, left[number - age]
