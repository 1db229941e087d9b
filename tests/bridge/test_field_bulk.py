"""Field scores of many boards at once are those of each board alone."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.cross_imps import cross_imps
from server.bridge.datum import ACBLSCORE, TENTH
from server.bridge.field_bulk import BoardTerms, field_scores
from server.bridge.matchpoints import percentages
from server.bridge.pool import ScoringMethod, Terms
from server.bridge.traveller import Traveller

SCORES = st.integers(-760, 316).map(lambda tens: 10 * tens)
TERMS = st.builds(
    Terms,
    st.sampled_from(ScoringMethod),
    st.integers(1, 6),
    st.none(),
    st.sampled_from([TENTH, ACBLSCORE]),
)
BOARDS = st.lists(st.tuples(TERMS, st.integers(0, 40), st.lists(SCORES, max_size=42)), max_size=8)


def exact(terms: Terms, scores: list[int], index: int, shown: int) -> Fraction:
    """What a result enters the ratings with."""
    if terms.method is ScoringMethod.CROSS_IMPS:
        return cross_imps(scores)[index].mean
    if terms.method is ScoringMethod.MATCHPOINTS:
        return (percentages(scores)[index] - 50) * Fraction(15, 100)
    return Fraction(shown, 100)


@given(BOARDS)
def test_every_result_is_scored_as_on_its_board_alone(boards):
    board = np.array([i for i, (_, _, scores) in enumerate(boards) for _ in scores], dtype=np.int64)
    score = np.array([each for _, _, scores in boards for each in scores], dtype=np.int64)
    found = field_scores(board, score, [BoardTerms(terms, points) for terms, points, _ in boards])
    row = 0
    for terms, points, scores in boards:
        alone = Traveller(terms, tuple(scores), ns_points=points).field_scores()
        for index in range(len(scores)):
            assert found.scored[row] == (alone is not None)
            if alone is not None:
                assert (found.ns[row], found.ew[row]) == (alone[index].ns, alone[index].ew)
                x = exact(terms, scores, index, alone[index].ns)
                assert abs(Fraction(float(found.x[row])) - x) < Fraction(1, 10**12)
            else:
                assert (found.ns[row], found.ew[row], found.x[row]) == (0, 0, 0)
            row += 1


@pytest.mark.parametrize("method", ScoringMethod)
def test_a_lone_result_is_average_where_there_is_a_field(method):
    terms = Terms(method, 1, None, TENTH)
    found = field_scores(np.zeros(1, np.int64), np.array([0]), [BoardTerms(terms, 20)])
    alone = Traveller(terms, (0,), ns_points=20).field_scores()
    assert [(found.ns[0], found.ew[0])] == [(each.ns, each.ew) for each in alone]
    assert found.x[0] == 0
