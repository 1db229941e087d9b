"""The course of a board with rulings: its results and revisions told to the laws, and what these say."""

from collections.abc import Sequence
from dataclasses import replace

from server.bridge.rulings import Course, RuledScore, replay
from server.storage.boards import Board
from server.storage.results import Result
from server.storage.rulings import Revision


def arrivals(results: Sequence[Result], revisions: Sequence[Revision]) -> list[int]:
    """The scores with which these results arrived, before anything was ruled.

    ``results`` are all of a board, void ones included, ``revisions`` all of it, both in order.
    """
    scores = {result.sequence: result.score for result in results}
    for revision in reversed(revisions):
        if revision.sequence is not None:
            scores[revision.sequence] = revision.before.score
    return list(scores.values())


def course(board: Board, arrived: Sequence[int], revisions: Sequence[Revision]) -> Course:
    """Where the results that arrived on ``board`` with these scores, and these revisions, leave it.

    Raises TravellerFull when a result came too many.
    """
    ruled = [_ruled(revision) for revision in revisions if revision.sequence is not None]
    empty = replace(board.traveller, scores=(), retired=False)
    found = replay(empty, arrived, ruled)
    # Boards of events have no awards: their rounds are scored as a whole when they are over.
    return replace(found, awards={}) if board.week is None else found


def _ruled(revision: Revision) -> RuledScore:
    score = revision.after.score if revision.after.live else None
    return RuledScore(revision.sequence or 0, revision.arrived, score)
