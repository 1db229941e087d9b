"""Boards with adjusted, split or missing scores: the golden boards, and examples for what these leave out."""

from fractions import Fraction

import pytest

from server.bridge.adjustments import (
    STANDARD,
    Artificial,
    Average,
    Averages,
    NotPlayed,
    Played,
    Split,
    Weighted,
)
from server.bridge.cross_imps import CrossImpsMode
from server.bridge.datum import TENTH, UNTRIMMED
from server.bridge.matchpoints import top
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
from tests.bridge import golden

VECTORS = {vector["id"]: vector for vector in golden.vectors("board_vectors.json")}


def read(entry):
    """An entry as it stands in the golden file."""
    if entry == "NP":
        return NotPlayed()
    if isinstance(entry, int):
        return Played(entry)
    if "w" in entry:
        return Weighted(tuple((Fraction(weight), score) for weight, score in entry["w"]))
    return Artificial(Average(entry["ns"]), Average(entry["ew"]))


def both_sides(rows):
    """Scores as they stand in the golden file."""
    return tuple(row and BothSides(Fraction(row["ns"]), Fraction(row["ew"])) for row in rows)


def printed(scores, places):
    return [score and f"{float(score.ns):.{places}f}" for score in scores]


@pytest.fixture(params=list(VECTORS))
def vector(request):
    return VECTORS[request.param]


@pytest.fixture
def board(vector):
    return [read(entry) for entry in vector["board"]]


def test_golden_matchpoints(vector, board):
    golden_points = vector["matchpoints"]
    expected = vector["expected_results"]
    assert golden_points["scale"] == "2/1/0"
    assert board_matchpoints(board, expected) == both_sides(golden_points["rows"])
    assert printed(board_percentages(board, expected), 4) == golden_points["ns_percent"]
    assert top(expected or len(board)) == golden_points["top"]


@pytest.mark.parametrize(
    ("mode", "column"),
    [
        (CrossImpsMode.PER_COMPARISON, "cross_imps_mean"),
        (CrossImpsMode.SUM, "cross_imps_sum"),
        (CrossImpsMode.PER_TABLE, "cross_imps_fixed_denominator"),
    ],
)
def test_golden_cross_imps(vector, board, mode, column):
    assert board_cross_imps(board, mode, vector["expected_results"]) == both_sides(vector[column])


def test_golden_cross_imps_of_the_ebu(vector, board):
    found = board_cross_imps(board, CrossImpsMode.EBU, vector["expected_results"])
    assert printed(found, 6) == vector["cross_imps_ebu_ximpq"]


def test_golden_datum_and_imps_against_it(vector, board):
    butler = vector["butler"]
    schedule = UNTRIMMED if vector["trim_override"] == 0 else TENTH
    found = board_datum(board, schedule)
    assert found.value == butler["datum"]
    assert Fraction(found.kept_total) / found.kept == Fraction(butler["exact_mean"])
    assert found.dropped.count(True) == 2 * butler["trim_each_end"]
    assert board_datum_imps(board, schedule) == both_sides(butler["rows"])


def test_the_golden_file_is_read_whole():
    assert len(VECTORS) == 31
    columns = {"id", "board", "expected_results", "trim_override", "matchpoints", "butler"}
    columns |= {"cross_imps_mean", "cross_imps_sum", "cross_imps_fixed_denominator", "cross_imps_ebu_ximpq"}
    assert all(set(vector) == columns for vector in VECTORS.values())
    assert {vector["trim_override"] for vector in VECTORS.values()} == {None, 0}


def test_a_board_of_artificial_scores_alone():
    board = [Artificial(Average.PLUS, Average.MINUS), Artificial(Average.AVERAGE, Average.PLUS)]
    three = (BothSides(3, -3), BothSides(0, 3))
    assert board_datum(board) is None
    assert board_datum_imps(board) == board_cross_imps(board) == three
    assert board_percentages(board) == (BothSides(60, 40), BothSides(50, 60))
    assert board_matchpoints(board) == (
        BothSides(Fraction(6, 5), Fraction(4, 5)),
        BothSides(1, Fraction(6, 5)),
    )


def test_averages_of_the_event_are_used():
    board = [Played(620), Played(-100), Artificial(Average.PLUS, Average.MINUS)]
    ours = Averages(percent_plus=55, imps_plus=Fraction(5, 2))
    for scores in (board_percentages(board, averages=ours), board_ascherman(board, ours)):
        assert scores[2] == BothSides(55, 45)
    half = Fraction(5, 2)
    assert board_datum_imps(board, averages=ours)[2] == BothSides(half, -half)
    assert board_hcp_compensation(board, 20, ours)[2] == BothSides(half, -half)
    assert board_cross_imps(board, CrossImpsMode.SUM, averages=ours)[2] == BothSides(5, -5)
    assert STANDARD.imps_plus == 3


def test_split_scores_are_two_fields():
    # Down for NS, made for EW: neither side profits, and the others each meet their own side's figure.
    board = [Played(-50), Played(420), Split(ns=Played(-50), ew=Played(420))]
    assert board_matchpoints(board) == (BothSides(1, 4), BothSides(4, 1), BothSides(1, 1))
    assert board_cross_imps(board, CrossImpsMode.SUM) == (
        BothSides(-10, 20),
        BothSides(20, -10),
        BothSides(-10, -10),
    )


def test_half_a_split_may_be_artificial():
    board = [Played(-50), Played(420), Split(ns=Average.PLUS, ew=Played(420))]
    assert board_cross_imps(board, CrossImpsMode.SUM) == (
        BothSides(-10, 20),
        BothSides(10, -10),
        BothSides(6, -10),
    )
