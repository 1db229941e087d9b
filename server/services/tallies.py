"""Counting what boards give to their players: week points and boards, and the older duplicate figures.

A board is counted whole: what it gives now less what it gave when it was last counted is added to the totals.
So any change of a board, by an arrival, a ruling or a disconnect taken back, is counted the same way.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import msgspec
from sqlalchemy import Connection

from server.bridge.five_figures import POINT, line
from server.bridge.pool import ScoringMethod
from server.bridge.rating import FIRST
from server.bridge.traveller import SideScores
from server.services.closing_figures import GUESTS_PENALTY
from server.services.weeks import late_from
from server.storage import boards, disconnects, results, tallies, weeks
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.results import Result
from server.storage.tallies import Line, Tally

AT_ONCE = 50  # boards counted in one transaction


@dataclass(frozen=True, slots=True)
class Played:
    """A board with everything that its players get something for."""

    board: Board
    results: Sequence[Result]  # in order of arrival, void ones included
    awards: Mapping[int, SideScores]  # by sequence
    left: Mapping[int, datetime]  # numbers of players who disconnected, and when that came in


async def refresh(database: Database, since: str) -> int:
    """Count some boards of weeks from ``since`` on that changed; how many."""
    behind = await database.read(lambda connection: tallies.behind(connection, since, AT_ONCE))
    if not behind:
        return 0
    return await database.write(partial(_count, behind))


def lines(board: Played, late: datetime) -> list[Line]:
    """What the board gives to each of its players, by number.

    What came from ``late`` on moves the duplicate figures alone.
    """
    method = board.board.terms.method
    found: dict[int, Line] = {}
    for result, field in _scored(board, late):
        award = board.awards.get(result.sequence)
        for seat, player in enumerate(rated_players(result)):
            own, awarded = _own(field, seat, method), _own(award, seat, method)
            found[player] = Line(
                player,
                own or 0,
                int(result.received_at < late),
                0,
                awarded or 0,
                *(int(awarded is not None and each) for each in _compared(awarded)),
            )
    if board.board.withdrawn_at is None:
        penalty = POINT * penalty_of(method)
        for player, at in board.left.items():
            kept = found.get(player, Line(player, boards=0))
            found[player] = (
                Line(player, -penalty, 1, 1, -penalty)
                if at < late
                else Line(player, kept.points, kept.boards, 0, -penalty)
            )
    return [found[player] for player in sorted(found)]


def _scored(board: Played, late: datetime) -> Iterator[tuple[Result, SideScores | None]]:
    """Live results with their field scores; nothing counts on a board that was withdrawn."""
    if board.board.withdrawn_at is not None:
        return
    live = [result for result in board.results if result.live]
    timely = [result for result in live if result.received_at < late]
    compared = board.board.after(scores=tuple(result.score for result in timely))
    scores = compared.traveller.field_scores()
    of = {} if scores is None else {r.sequence: score for r, score in zip(timely, scores, strict=True)}
    for result in live:
        yield result, of.get(result.sequence)


def rated_players(result: Result) -> tuple[int, ...]:
    """Who is rated in N, E, S, W: who was replaced in place of his substitute."""
    seats = dict(zip("NESW", result.players, strict=True))
    if result.details is not None:
        seats |= msgspec.json.decode(result.details).get("replaced", {})
    return tuple(seats[seat] for seat in "NESW")


def _own(score: SideScores | None, seat: int, method: ScoringMethod) -> int | None:
    """Points of the player's side, in ten-thousandths; seats are N, E, S, W."""
    if score is None:
        return None
    own = score.ns if seat % 2 == 0 else score.ew
    return line(own, method is ScoringMethod.MATCHPOINTS)


def _compared(points: int | None) -> tuple[bool, bool, bool]:
    given = points or 0
    return given > 0, given == 0, given < 0


def penalty_of(method: ScoringMethod) -> int:
    """Points that a disconnect costs on a board that is scored by this method."""
    return GUESTS_PENALTY if method is ScoringMethod.HCP_COMPENSATION else FIRST.leaving.points


def _count(behind: Iterable[int], connection: Connection) -> int:
    # Held, in ascending order: nobody else counts them or adds to them meanwhile.
    held = boards.lock(connection, behind)
    before = tallies.of_boards(connection, held)
    more: dict[tuple[str, str, int], list[int]] = {}
    counted: list[tuple[int, Tally]] = []
    for board in held.values():
        earlier = before.get(board.id, Tally(0, ()))
        if board.change <= earlier.change or board.week is None or board.pool is None:
            continue
        # Held, lest it is published between this reading and the end: from then on results may be late.
        row = weeks.hold(connection, str(board.week), board.pool)
        now = lines(played(connection, board), late_from(row))
        for sign, each in ((1, now), (-1, earlier.lines)):
            for given in each:
                total = more.setdefault((str(board.week), board.pool, given.player), [0] * len(given.figures))
                total[:] = [old + sign * new for old, new in zip(total, given.figures, strict=True)]
        counted.append((board.id, Tally(board.change, tuple(now))))
    tallies.keep(connection, counted)
    tallies.add(connection, {key: figures for key, figures in more.items() if any(figures)})
    return len(held)


def played(connection: Connection, board: Board) -> Played:
    """The board with everything that its players get something for."""
    return Played(
        board,
        results.of_board(connection, board.id),
        {number: award.score for number, award in results.awards_of(connection, board.id).items()},
        disconnects.left(connection, board.id),
    )
