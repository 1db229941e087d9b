"""Rules that hold for every board with adjusted, split or missing scores, by every method."""

from hypothesis import given
from hypothesis import strategies as st

from server.bridge.adjustments import (
    Artificial,
    Average,
    NotPlayed,
    Played,
    Split,
    Weighted,
)
from server.bridge.cross_imps import CrossImpsMode, cross_imps
from server.bridge.datum import TENTH, datum
from server.bridge.hcp_compensation import hcp_compensation
from server.bridge.imps import imps
from server.bridge.matchpoints import ascherman, matchpoints, percentages, top
from server.bridge.seats import Side
from server.bridge.uneven_board import (
    BothSides,
    board_ascherman,
    board_cross_imps,
    board_datum,
    board_datum_imps,
    board_hcp_compensation,
    board_matchpoints,
    board_percentages,
)
from tests.bridge import oracle
from tests.strategies import balanced_boards, fields, uneven_boards

EVERY_MODE = tuple(CrossImpsMode)
METHODS = {
    "matchpoints": board_matchpoints,
    "percentages": board_percentages,
    "ascherman": board_ascherman,
    **{f"cross_imps {mode}": lambda board, mode=mode: board_cross_imps(board, mode) for mode in EVERY_MODE},
    "datum_imps": board_datum_imps,
    "hcp_compensation": lambda board: board_hcp_compensation(board, 23),
}
methods = st.sampled_from(sorted(METHODS))
expected_tables = st.none() | st.integers(1, 60)


def ns(scores):
    return [score.ns for score in scores]


@given(fields())
def test_plain_results_come_out_as_by_the_plain_functions(field):
    board = [Played(score) for score in field]
    found = datum(field)
    assert ns(board_matchpoints(board)) == list(matchpoints(field))
    assert ns(board_percentages(board)) == list(percentages(field))
    assert ns(board_ascherman(board)) == [ascherman(m, len(field)) for m in matchpoints(field)]
    assert board_datum(board) == found
    assert ns(board_datum_imps(board)) == [imps(score - found.value) for score in field]
    assert ns(board_hcp_compensation(board, 23)) == [hcp_compensation(score, 23) for score in field]


@given(fields(), st.sampled_from(EVERY_MODE))
def test_plain_cross_imps_come_out_as_by_the_plain_function(field, mode):
    board = [Played(score) for score in field]
    assert ns(board_cross_imps(board, mode)) == [found.score(mode) for found in cross_imps(field)]


def recomputed(board, side, rule, artificial):
    """One side's scores, straight: ``rule(others, own)`` from outcomes signed for the side."""
    parts = [entry.part(side) for entry in board]
    real = [i for i, part in enumerate(parts) if part is not None and not isinstance(part, Average)]
    field = [parts[i].outcomes for i in real]
    scores = [None if part is None else part for part in parts]
    for place, i in enumerate(real):
        scores[i] = rule(field, place)
    return [artificial(score) if isinstance(score, Average) else score for score in scores]


def same(scores, by_side):
    assert [score and score.ns for score in scores] == [
        None if score is None or other is None else score
        for score, other in zip(by_side[Side.NS], by_side[Side.EW], strict=True)
    ]
    assert [score.ew for score in scores if score] == [
        score for score in by_side[Side.EW] if score is not None
    ]


@given(uneven_boards, expected_tables)
def test_percentages_as_recomputed(board, expected):
    tables = sum(not isinstance(entry, NotPlayed) for entry in board)
    tables = max(tables, expected or 0)

    def rule(field, place):
        points = oracle.against_others(field, place, oracle.versus)
        return oracle.neuberg_percent(points, tables, len(field))

    worth = {Average.PLUS: 60, Average.AVERAGE: 50, Average.MINUS: 40}
    same(
        board_percentages(board, expected),
        {side: recomputed(board, side, rule, worth.__getitem__) for side in Side},
    )


@given(uneven_boards, expected_tables, st.sampled_from(EVERY_MODE[:3]))
def test_cross_imps_as_recomputed(board, expected, mode):
    tables = sum(not isinstance(entry, NotPlayed) for entry in board)
    tables = max(tables, expected or 0)

    def rule(field, place):
        total = oracle.against_others(field, place, oracle.imps)
        divisor = {"sum": 1, "per_comparison": len(field) - 1, "per_table": tables - 1}[mode.value]
        return total / divisor if divisor else 0

    times = tables - 1 if mode is CrossImpsMode.SUM else 1
    worth = {Average.PLUS: 3 * times, Average.AVERAGE: 0, Average.MINUS: -3 * times}
    same(
        board_cross_imps(board, mode, expected),
        {side: recomputed(board, side, rule, worth.__getitem__) for side in Side},
    )


@given(uneven_boards)
def test_datum_imps_as_recomputed(board):
    def rule(field, place):
        means = [sum(weight * score for weight, score in outcomes) for outcomes in field]
        against = oracle.datum(means, TENTH.drop(len(means)))
        return sum(weight * oracle.imps(score - against) for weight, score in field[place])

    worth = {Average.PLUS: 3, Average.AVERAGE: 0, Average.MINUS: -3}
    same(
        board_datum_imps(board),
        {side: recomputed(board, side, rule, worth.__getitem__) for side in Side},
    )


@given(balanced_boards, methods)
def test_results_alone_balance(board, method):
    scores = [score for score in METHODS[method](board) if score]
    whole = {"matchpoints": top(len(scores)), "percentages": 100, "ascherman": 100}.get(method, 0)
    assert all(score.ns + score.ew == whole for score in scores)


@given(balanced_boards)
def test_cross_imps_of_results_add_up_to_nothing(board):
    assert sum(score.ns for score in board_cross_imps(board) if score) == 0


@given(balanced_boards)
def test_matchpoints_of_results_are_two_for_each_comparison(board):
    scores = [score for score in board_matchpoints(board) if score]
    assert sum(score.ns for score in scores) == len(scores) * (len(scores) - 1)


@given(st.data(), uneven_boards, methods)
def test_order_of_arrival_does_not_matter(data, board, method):
    order = data.draw(st.permutations(range(len(board))))
    scores = METHODS[method](board)
    assert METHODS[method]([board[i] for i in order]) == tuple(scores[i] for i in order)


def turned(entry):
    """The entry with the two sides changed over."""
    if isinstance(entry, Split | Artificial):
        return (
            Split(turned(entry.ew), turned(entry.ns))
            if isinstance(entry, Split)
            else Artificial(entry.ew, entry.ns)
        )
    return entry if isinstance(entry, NotPlayed | Average) else entry.part(Side.EW)


@given(uneven_boards, st.sampled_from(sorted(set(METHODS) - {"hcp_compensation"})))
def test_turning_every_table_changes_the_sides_over(board, method):
    scores = METHODS[method]([turned(entry) for entry in board])
    assert scores == tuple(score and BothSides(score.ew, score.ns) for score in METHODS[method](board))


@given(uneven_boards, methods)
def test_only_tables_that_did_not_play_have_no_score(board, method):
    scores = METHODS[method](board)
    assert [score is None for score in scores] == [isinstance(entry, NotPlayed) for entry in board]


@given(uneven_boards, st.sampled_from(["datum_imps", "cross_imps per_comparison", "ascherman"]))
def test_artificial_scores_are_compared_with_by_nobody(board, method):
    without = [entry for entry in board if not isinstance(entry, Artificial | NotPlayed)]
    scores = METHODS[method](board)
    kept = [
        s for s, entry in zip(scores, board, strict=True) if not isinstance(entry, Artificial | NotPlayed)
    ]
    assert list(METHODS[method](without)) == kept


@given(uneven_boards)
def test_percentages_stay_between_nothing_and_everything(board):
    for score in board_percentages(board, 20):
        assert score is None or (0 <= score.ns <= 100 and 0 <= score.ew <= 100)


@given(uneven_boards)
def test_the_datum_drops_results_only(board):
    found = board_datum(board)
    real = [isinstance(entry.part(Side.NS), Played | Weighted) for entry in board]
    if found is None:
        assert not any(real)
    else:
        assert all(real[i] for i, dropped in enumerate(found.dropped) if dropped)
        assert found.kept == sum(real) - found.dropped.count(True)
