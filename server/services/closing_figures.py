"""What a week comes to: from the rows that were read to the columns that are kept. A pure function."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from server.bridge.field_bulk import BoardTerms, FieldScores, field_scores
from server.bridge.five_figures import POINT
from server.bridge.pool import ScoringMethod
from server.bridge.rating import Estimator, Rules
from server.bridge.rating_classic import ClassicState
from server.bridge.rating_columns import (
    NO_RESULT,
    Abandoned,
    Disconnects,
    Numbers,
    Tables,
    WeekRows,
    positions,
    ratable,
    roster,
)
from server.bridge.rating_digest import input_digest, millionths, snapshot_checksum
from server.bridge.rating_joint import JointState
from server.bridge.rating_leavers import charged
from server.bridge.rating_points import FinishedTables, WeekTotals, week_totals
from server.bridge.rating_ranks import UNRANKED, Movement, movement, ranks
from server.bridge.rating_week import RatedWeek, Snapshot, rate_week
from server.storage.columns import Column
from server.storage.ratings import ISLAND, PAIR_ONLY, PROVISIONAL
from server.storage.week_rows import AbandonedRow, DisconnectRow, boards_of

Places = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]  # skill, points, joint

_SEQUENCES = 1 << 24  # more than a board will ever have results
GUESTS_PENALTY = 20  # points that a disconnect costs where boards are scored by their cards (D4.11)


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """The snapshot that a week builds upon, but for the sums of the joint rating."""

    checksum: str  # empty: none
    classic: ClassicState
    joint: bool  # whether there is a joint rating
    total_boards: Numbers  # a row for each player of the snapshot
    places: Places

    @property
    def players(self) -> Numbers:
        """Whom the rows are about, sorted."""
        return self.classic.players


@dataclass(frozen=True, slots=True)
class AbandonedBoard:
    """A board that nobody finished after a player left."""

    age: int  # weeks ago; 0: the week that is rated
    row: AbandonedRow


@dataclass(frozen=True, slots=True, eq=False)
class WeekRead:
    """Everything that was read of a week and pool."""

    method: ScoringMethod
    boards: str  # as `storage.week_rows.boards` has them
    results: Sequence[Numbers]  # parts: board, sequence, N, E, S, W, score, each a row
    disconnects: Sequence[DisconnectRow]
    abandoned: Sequence[AbandonedBoard]  # of this week and those before it that still matter
    hidden: Numbers  # players who hold no rank
    changes: int  # sum of the boards' change numbers


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """What a week is rated from, in columns."""

    rows: WeekRows
    totals: WeekTotals  # a row for each player
    hidden: Numbers
    input: str  # digest of all that

    @property
    def players(self) -> Numbers:
        """Everybody of the week and of the snapshot before, sorted."""
        return self.rows.players


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """What a week comes to, a row for each player."""

    rated: RatedWeek
    totals: WeekTotals
    total_boards: Numbers
    places: Places
    moved: tuple[Movement, Movement, Movement]
    input: str
    checksum: str

    def columns(self) -> list[Column]:
        """As `storage.ratings.COLUMNS` has them; NaN where there is nothing."""
        state, classic, joint = self.rated.snapshot.classic, self.rated.classic, self.rated.joint
        nothing = np.full(len(state.players), np.nan)
        flags = self.rated.provisional * PROVISIONAL
        if joint is not None:
            flags = flags + joint.pair_only * PAIR_ONLY + joint.island * ISLAND
        return [
            *(state.players, state.rate, state.weight, state.rated, state.recent, self.total_boards),
            *(classic.week_rate, classic.boards, self.totals.points, self.totals.boards),
            self.totals.disconnects,
            *((nothing, nothing) if joint is None else (joint.index, joint.bar)),
            flags.astype(np.int64),
            *self.places,
            *(np.where(each.known, each.places, np.nan) for each in self.moved),
        ]


def gathered(before: Before, read: WeekRead, rules: Rules) -> Gathered:
    """What the week after ``before`` is rated from."""
    terms = boards_of(read.boards)
    board, results, score, key = _sorted(read, list(terms))
    field = field_scores(board, score, list(terms.values()))
    left = np.array([each.player for each in read.disconnects], np.int64)
    leavers, partners = _pairs(read.abandoned)
    players = roster(before.players, *results, left, leavers, partners)
    seats = tuple(positions(players, column) for column in results)
    gone = Disconnects(positions(players, left), _keys_of(read))
    tables = _ratable(terms, board, key, seats, field)
    rows = WeekRows(players, tables, gone, abandoned_columns(read.abandoned, players))
    north, east, south, west = seats
    finished = FinishedTables(key, north, south, east, west, field.ns, field.ew, field.scored)
    totals = _totals(finished, gone, len(players), read.method, rules)
    told = input_digest(before.checksum, rows, rules, before.joint)
    return Gathered(rows, totals, read.hidden, _digest(told, totals.points, totals.boards, read.hidden))


def figures(before: Before, sums: JointState | None, week: Gathered, rules: Rules) -> Figures:
    """The week after ``before``, whose joint rating has these sums; raises Damaged, NotSolved."""
    return placed(before, rate_week(Snapshot(before.classic, sums), week.rows, rules), week, rules)


def placed(before: Before, rated: RatedWeek, week: Gathered, rules: Rules) -> Figures:
    """A rated week with everything that follows from it."""
    at = positions(week.players, before.players)
    total_boards = week.totals.boards.astype(np.int64)
    total_boards[at] += before.total_boards
    places = _places(rated, week.totals, week.hidden, rules)
    skill, points, joint = (
        movement(now, _moved(then, at, len(week.players)))
        for now, then in zip(places, before.places, strict=True)
    )
    checksum = _digest(snapshot_checksum(rated), week.totals.points, total_boards, *places)
    return Figures(rated, week.totals, total_boards, places, (skill, points, joint), week.input, checksum)


def _sorted(read: WeekRead, numbers: Sequence[int]) -> tuple[Numbers, Sequence[Numbers], Numbers, Numbers]:
    """Rows of these boards, by board and sequence: which board, players N E S W, score, key."""
    rows = np.concatenate(read.results, axis=1) if read.results else np.zeros((7, 0), np.int64)
    board = np.searchsorted(np.array(numbers, np.int64), rows[0])
    key = rows[0] * _SEQUENCES + rows[1]
    order = np.argsort(key, kind="stable")
    return board[order], [row[order] for row in rows[2:6]], rows[6][order], key[order]


def _keys_of(read: WeekRead) -> Numbers:
    keys = [
        NO_RESULT if each.sequence is None else each.board * _SEQUENCES + each.sequence
        for each in read.disconnects
    ]
    return np.array(keys, np.int64)


def _ratable(
    terms: Mapping[int, BoardTerms],
    board: Numbers,
    key: Numbers,
    seats: Sequence[npt.NDArray[np.int32]],
    field: FieldScores,
) -> Tables:
    counts = np.bincount(board, minlength=len(terms))
    least = np.array([each.terms.score_at for each in terms.values()], np.int64)
    north, east, south, west = seats
    normal = np.ones(len(key), np.bool_)
    kept = ratable(counts[board], least[board], normal, (north, south, east, west)) if len(key) else normal
    return Tables(key, north, south, east, west, field.x).where(kept)


def _totals(
    finished: FinishedTables, gone: Disconnects, players: int, method: ScoringMethod, rules: Rules
) -> WeekTotals:
    matchpoints = method is ScoringMethod.MATCHPOINTS
    found = week_totals(finished, gone, players, matchpoints, rules.algorithm)
    if method is not ScoringMethod.HCP_COMPENSATION:
        return found
    more = (GUESTS_PENALTY - rules.algorithm.leaving.points) * POINT
    return WeekTotals(found.points - more * found.disconnects, found.boards, found.disconnects)


def _places(rated: RatedWeek, totals: WeekTotals, hidden: Numbers, rules: Rules) -> Places:
    """Places on the lists of skill, week points and joint index."""
    state: ClassicState = rated.snapshot.classic
    shown = ~np.isin(rated.players, hidden)
    listed = shown & (state.rated > 0)
    nobody = np.full(len(rated.players), UNRANKED, np.int32)
    classic = millionths(state.rate)
    joint = None if rated.joint is None else millionths(rated.joint.index)
    official = classic if joint is None or rules.official is Estimator.CLASSIC else joint
    return (
        ranks(official, rated.provisional, listed),
        ranks(totals.points, np.zeros(len(nobody), np.bool_), shown & (totals.boards > 0)),
        nobody if joint is None else ranks(joint, rated.provisional, listed),
    )


def _moved(then: npt.NDArray[np.int32], at: npt.NDArray[np.int32], players: int) -> npt.NDArray[np.int32]:
    placed = np.full(players, UNRANKED, np.int32)
    placed[at] = then
    return placed


def _digest(first: str, *columns: npt.NDArray[np.generic]) -> str:
    digest = hashlib.sha256(first.encode())
    for column in columns:
        digest.update(np.ascontiguousarray(column.astype("<i8")).data)
    return digest.hexdigest()


def abandoned_columns(boards: Sequence[AbandonedBoard], players: Numbers) -> Abandoned:
    """The boards as columns, where ``players``, sorted, are everybody named in them."""
    leavers, partners = _pairs(boards)
    return Abandoned(
        np.array([each.age for each in boards], np.int64),
        np.array([each.row.board for each in boards], np.int64),
        np.array([int(each.row.at.timestamp() * 1e6) for each in boards], np.int64),
        positions(players, leavers),
        positions(players, partners),
        np.array([each.row.lifted for each in boards], np.bool_),
    )


def charged_boards(boards: Sequence[AbandonedBoard], rules: Rules) -> list[AbandonedRow]:
    """Those of the boards for which the leaver's partner gets a Rate of 0 in the week that is rated.

    ``boards``: at least all those of every pair that is asked about, of the weeks that still matter.
    """
    columns = abandoned_columns(boards, roster(*_pairs(boards)))
    return [boards[i].row for i in np.flatnonzero(charged(columns, rules)).tolist()]


def _pairs(boards: Sequence[AbandonedBoard]) -> tuple[Numbers, Numbers]:
    """Leavers of abandoned boards, and their partners."""
    rows = [each.row for each in boards]
    return np.array([row.leaver for row in rows], np.int64), np.array([row.partner for row in rows], np.int64)
