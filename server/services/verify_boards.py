"""One board computed again: from the results as they arrived, and the revisions of those who ruled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from server.bridge.rulings import Course
from server.bridge.score import score_ns
from server.bridge.traveller import TravellerFull
from server.services.courses import arrivals, course
from server.storage.checks import StoredBoard
from server.storage.ids import board_id, disconnect_id, result_id
from server.storage.results import StandingAward
from server.storage.rulings import Revision, Stand, stand


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A stored figure that is not what the results give."""

    where: str  # id of the board or result
    what: str
    stored: str
    computed: str


def check(stored: StoredBoard) -> Iterator[Discrepancy]:
    """Everything about one board that is not what its results give."""
    board = stored.board
    named = board_id(board.id)
    live = [result for result in stored.results if result.live]
    for result in stored.results:
        score = score_ns(result.outcome, board.vulnerability)
        yield from differ(result_id(board.id, result.sequence), "score", result.score, score)
    yield from differ(named, "scores", board.scores, tuple(result.score for result in live))
    sequences = [result.sequence for result in stored.results]
    yield from differ(named, "last sequence", board.last_sequence, max(sequences, default=0))
    played = frozenset((player, result.sequence) for result in live for player in result.people)
    yield from differ(named, "plays", sorted(stored.plays), sorted(played))
    yield from differ(named, "players and clients that are none", sorted(stored.strangers), [])
    orphans = sorted(stored.awards.keys() - set(sequences))
    yield from differ(named, "awards of no result", orphans, [])
    broken = list(_check_revisions(stored))
    yield from broken
    if not broken:  # else nobody can say what was ruled
        yield from _check_course(stored)


def _check_revisions(stored: StoredBoard) -> Iterator[Discrepancy]:
    """Whether the revisions lead from one another to what is stored, and nothing was changed but by them."""
    board, revisions = stored.board, stored.revisions
    named = board_id(board.id)
    sequences = [result.sequence for result in stored.results]
    yield from differ(named, "sequences", sequences, list(range(1, 1 + len(sequences))))
    yield from differ(named, "version", board.version, 1 + len(revisions))
    numbers = [revision.number for revision in revisions]
    yield from differ(named, "revisions", numbers, list(range(2, 2 + len(revisions))))
    ruled = any(revision.sequence is not None for revision in revisions)
    yield from differ(named, "ruled", board.ruled, ruled)
    arrived = 0
    for revision in revisions:
        possible = max(arrived, revision.sequence or 0) <= revision.arrived <= board.last_sequence
        yield from differ(f"{named}, revision {revision.number}", "its place is possible", possible, True)
        arrived = revision.arrived
    for result in stored.results:
        its = [revision for revision in revisions if revision.sequence == result.sequence]
        where = result_id(board.id, result.sequence)
        yield from differ(where, "version", result.version, 1 + len(its))
        yield from _check_chain(where, its, _bare(stand(result, None)))
    for disconnect in stored.disconnects:
        its = [revision for revision in revisions if revision.disconnect == disconnect.number]
        yield from _check_chain(disconnect_id(disconnect.number), its, Stand(live=disconnect.live))


def _check_chain(where: str, revisions: Sequence[Revision], now: Stand) -> Iterator[Discrepancy]:
    """Each revision begins where the one before has ended, the last ends where its subject stands now."""
    if not revisions:
        yield from differ(where, "void", not now.live, False)
        return
    starts = [_bare(revision.before) for revision in revisions]
    ends = [_bare(revision.after) for revision in revisions]
    for start in starts:
        yield from differ(where, "void before it was ruled upon", not start.live, False)
    yield from differ(where, "what was ruled", [*starts[1:], now], ends)


def _bare(found: Stand) -> Stand:
    """Without its award, which may have been given between two rulings."""
    return Stand(
        live=found.live,
        contract=found.contract,
        declarer=found.declarer,
        tricks=found.tricks,
        score=found.score,
    )


def _check_course(stored: StoredBoard) -> Iterator[Discrepancy]:
    board = stored.board
    named = board_id(board.id)
    arrived = arrivals(stored.results, stored.revisions)
    try:
        found = course(board, arrived, stored.revisions)
    except TravellerFull:
        yield Discrepancy(named, "results", str(len(arrived)), "fewer: the board was full")
        return
    if board.week is not None:  # the end of its round closes a board of an event, not a number of results
        yield from differ(named, "retired", board.retired_at is not None, found.traveller.retired)
    for result in stored.results:
        where = result_id(board.id, result.sequence)
        award = stored.awards.get(result.sequence)
        yield from differ(where, "award", award, _award(found, result.sequence))
    for index, revision in enumerate(stored.revisions):
        if revision.sequence is None:
            continue
        before, after = (
            course(board, arrived[: revision.arrived], stored.revisions[: index + i]) for i in (0, 1)
        )
        where = f"{result_id(board.id, revision.sequence)}, revision {revision.number}"
        yield from differ(where, "award before", revision.before.award, _award(before, revision.sequence))
        yield from differ(where, "award after", revision.after.award, _award(after, revision.sequence))


def _award(found: Course, sequence: int) -> StandingAward | None:
    fixed = found.awards.get(sequence)
    return None if fixed is None else StandingAward(fixed.award.score, fixed.award.datum, fixed.award.results)


def differ(where: str, what: str, stored: object, computed: object) -> Iterator[Discrepancy]:
    """A discrepancy when the two are not the same."""
    if stored != computed:
        yield Discrepancy(where, what, str(stored), str(computed))
