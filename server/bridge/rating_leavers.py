"""Boards that a pair abandoned: what they cost the leaver's partner."""

import numpy as np

from server.bridge.rating import Leaving, Rules
from server.bridge.rating_columns import Abandoned, Flags, Numbers, Positions


def partners_with_zero(abandoned: Abandoned, rules: Rules) -> Positions:
    """Partners of leavers who get a Rate of 0 this week, once for each such board; in no special order."""
    return abandoned.partner[charged(abandoned, rules)]


def charged(abandoned: Abandoned, rules: Rules) -> Flags:
    """For which of the rows the leaver's partner gets a Rate of 0 this week.

    A pair has one abandoned board in four weeks without cost to the partner; whichever of the two left, and
    on whichever board, the earliest is the free one. From the second on the partner gets the Rate that the
    leaver has, though never his penalty points. Who left himself has his 0 already. A board that a director
    lifted costs the partner nothing and is still one of the pair's.
    """
    if not rules.partner_of_leaver or not len(abandoned):
        return np.zeros(len(abandoned), np.bool_)
    turn = _turns(abandoned, rules.algorithm.leaving)
    found: Flags = (turn >= rules.algorithm.leaving.partner_free) & (abandoned.age == 0) & ~abandoned.lifted
    found &= ~_left_too(abandoned)
    return found


def pairs_of(abandoned: Abandoned) -> Numbers:
    """One number for leaver and partner, whichever of the two left."""
    low = np.minimum(abandoned.leaver, abandoned.partner).astype(np.int64)
    high = np.maximum(abandoned.leaver, abandoned.partner).astype(np.int64)
    return (low << 32) | high


def _turns(abandoned: Abandoned, leaving: Leaving) -> Numbers:
    """Which of its pair's boards each row is about, from 0 and the oldest; -1: too long ago to count."""
    turn = np.full(len(abandoned), -1, np.int64)
    rows = np.flatnonzero((abandoned.age >= 0) & (abandoned.age < leaving.partner_weeks))
    pair, board = pairs_of(abandoned)[rows], abandoned.board[rows]
    age, at = abandoned.age[rows], abandoned.at[rows]
    order = np.lexsort((at, board, pair))
    first = _starts(pair[order], board[order])
    earliest = at[order][first]  # of the two, where both left the same board
    same_board = np.cumsum(_marks(first, len(rows))) - 1
    boards = np.lexsort((board[order][first], earliest, -age[order][first], pair[order][first]))
    of_pair = _starts(pair[order][first][boards])
    place = np.empty(len(first), np.int64)
    place[boards] = np.arange(len(first)) - np.repeat(of_pair, np.diff(np.append(of_pair, len(first))))
    turn[rows[order]] = place[same_board]
    return turn


def _left_too(abandoned: Abandoned) -> Flags:
    """Rows whose partner disconnected on the same board as well."""
    count = len(abandoned)
    boards = np.concatenate([abandoned.board, abandoned.board])
    people = np.concatenate([abandoned.leaver, abandoned.partner]).astype(np.int64)
    _, name = np.unique(np.stack([boards, people], axis=1), axis=0, return_inverse=True)
    found: Flags = np.isin(name[count:], name[:count])
    return found


def _starts(*columns: Numbers) -> Numbers:
    """Rows of sorted columns where something differs from the row before; the first one too."""
    new = np.zeros(len(columns[0]), np.bool_)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(new)


def _marks(rows: Numbers, length: int) -> Numbers:
    marks = np.zeros(length, np.int64)
    marks[rows] = 1
    return marks
