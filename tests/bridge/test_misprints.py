"""The documents that describe the platform contradict the Laws in places: here the Laws are right.

``data/source_conflicts.csv`` lists every place. Each row of a topic that is tested here is one case.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import pytest

from server.bridge.adjustments import STANDARD, Average, Averages, NotPlayed, Played
from server.bridge.contract import Risk, Strain, parse_contract
from server.bridge.cross_imps import CrossImpsMode
from server.bridge.datum import TENTH
from server.bridge.hcp_compensation import hcp_compensation
from server.bridge.imps import imps
from server.bridge.score import score_parts
from server.bridge.uneven_board import board_cross_imps
from tests.bridge import golden

TESTED_HERE = {"contract_score", "imps", "datum", "cross_imps", "adjusted_scores", "hcp_compensation"}
TESTED_WITH_THEIR_MODULES = {"vp", "rating", "masterpoints"}

ROWS = {row["case"]: row for row in golden.rows("source_conflicts.csv")}
CONCERNED = [case for case, row in ROWS.items() if row["topic"] in TESTED_HERE]
WITH_A_NUMBER = {"wrong_number", "corrupt_number"}


def parts(contract, tricks, vulnerable=False):
    return score_parts(parse_contract(contract), tricks, vulnerable)


def totals(contract, tricks):
    """Not vulnerable and vulnerable."""
    return tuple(parts(contract, tricks, vulnerable).total for vulnerable in (False, True))


def overtrick(contract, vulnerable):
    needed = parse_contract(contract).tricks_needed
    one, none = (parts(contract, needed + over, vulnerable).total for over in (1, 0))
    return one - none


def part_score_bonuses():
    """Every bonus that a contract made for less than 100 trick points can have."""
    made = [
        parts(f"{level}{strain}{risk}", level + 6, vulnerable)
        for level in range(1, 8)
        for strain in Strain
        for risk in Risk
        for vulnerable in (False, True)
    ]
    return {part.bonus for part in made if part.trick_points < 100}


def down(contract, vulnerable, tricks):
    needed = parse_contract(contract).tricks_needed
    return tuple(-parts(contract, needed - short, vulnerable).total for short in tricks)


def denominators():
    """One board with four results of five tables: the first table's score by default and per table."""
    board = [Played(620), Played(170), Played(140), Played(-100), NotPlayed()]
    by_default = board_cross_imps(board, expected=5)
    per_table = board_cross_imps(board, CrossImpsMode.PER_TABLE, expected=5)
    return by_default[0].ns, per_table[0].ns


@dataclass(frozen=True)
class Case:
    """What we compute, what is right, and what the document says (None: no number of its own)."""

    compute: Callable[[], object]
    right: object
    misprinted: object = None


def imps_at(*differences):
    return lambda: tuple(imps(difference) for difference in differences)


HALF_THREE = Fraction(5, 2)
CASES = {
    # Contract score (Law 77)
    "d1-part-score-bonus": Case(lambda: parts("2C", 8).total, 90, 40),
    "d1-doubled-overtrick-not-vulnerable": Case(lambda: overtrick("2SX", False), 100, 200),
    "d1-redoubled-overtrick-not-vulnerable": Case(lambda: overtrick("2SXX", False), 200, 400),
    "d1-doubled-overtrick-vulnerable": Case(lambda: overtrick("2SX", True), 200, 300),
    "d1-redoubled-overtrick-vulnerable": Case(lambda: overtrick("2SXX", True), 400, 600),
    "d1-mnemonic-doubled-overtricks": Case(
        lambda: (overtrick("3DX", False), overtrick("3DX", True)), (100, 200), (200, 300)
    ),
    "d1-questions-redoubled-overtricks": Case(
        lambda: (overtrick("1NXX", False), overtrick("1NXX", True)), (200, 400), (400, 600)
    ),
    "d1-questions-doubled-into-game": Case(lambda: totals("2HX", 8), (470, 670), (220, 220)),
    "d1-closing-part-score-bonus": Case(part_score_bonuses, {50}),
    "d1-doubled-undertricks": Case(
        lambda: (down("4SX", False, (1, 2, 3, 4)), down("4SX", True, (1, 2, 3, 4))),
        ((100, 300, 500, 800), (200, 500, 800, 1100)),
        ((50, 100, 150, 200), (100, 200, 300, 400)),
    ),
    "d4-six-spades-redoubled": Case(
        lambda: (parts("6SXX", 12).trick_points, *totals("6SXX", 12)), (720, 1620, 2070), (730, 1630, 2080)
    ),
    "d4-doubled-overtrick-not-vulnerable": Case(lambda: overtrick("4HX", False), 100, 101),
    "d4-grand-slam-not-vulnerable": Case(lambda: parts("7C", 13).slam, 1000, 1010),
    "d4-redoubled-insult": Case(lambda: parts("1CXX", 7).insult, 100, 101),
    "d4-undertrick-vulnerable": Case(lambda: down("4S", True, (1,)), (100,), (101,)),
    "d4-doubled-undertricks": Case(
        lambda: (*down("4SX", False, (3,)), *down("4SX", True, (3,)), *down("4SXX", False, (3,))),
        (500, 800, 1000),
        (300, 600, 600),
    ),
    "d4-notrump-basic-score": Case(lambda: parts("3NT", 9).trick_points, 100, 120),
    # IMPs (Law 78B)
    "d1-imps-2000-2490": Case(imps_at(2000, 2240, 2250, 2490), (19, 19, 20, 20), (20, 20, 20, 20)),
    "d1-imps-3000-3590": Case(imps_at(3000, 3490, 3500, 3590), (22, 22, 23, 23), (22, 22, 22, 22)),
    "d1-imps-3600-4190": Case(imps_at(3600, 3990, 4000, 4190), (23, 23, 24, 24), (23, 23, 23, 23)),
    "d1-imps-4200-4890": Case(imps_at(4000, 4190, 4200, 4890), (24, 24, 24, 24), (23, 23, 24, 24)),
    "d1-imps-4900-5990": Case(imps_at(4900, 5990), (24, 24), (25, 25)),
    "d1-imps-6000-7490": Case(imps_at(6000, 7490), (24, 24), (26, 26)),
    "d1-imps-7500-8990": Case(imps_at(7500, 8990), (24, 24), (27, 27)),
    "d1-imps-9000-10990": Case(imps_at(9000, 10990), (24, 24), (28, 28)),
    "d1-imps-11000-12990": Case(imps_at(11000, 12990), (24, 24), (29, 29)),
    "d1-imps-13000-up": Case(imps_at(13000, 15200), (24, 24), (30, 30)),
    "d1-imps-footnote": Case(lambda: max(map(imps, range(0, 20_000, 10))), 24, 30),
    # Field scores and adjustments
    "d4-number-dropped": Case(
        lambda: [TENTH.drop(results) for results in (6, 10, 11, 20, 21, 30, 31, 40)], [1, 1, 2, 2, 3, 3, 4, 4]
    ),
    "d3-rule-3-denominator": Case(denominators, (Fraction(32, 3), 8), (8, 8)),
    "d3-rule-4-average-plus": Case(lambda: STANDARD.imps(Average.PLUS), 3, HALF_THREE),
    "d4-compensation-base": Case(lambda: hcp_compensation(420, 25), 9 - 5, 9 - 25),
}


@pytest.mark.parametrize("case", CONCERNED)
def test_the_right_value_is_computed_and_not_the_misprinted_one(case):
    expected = CASES[case]
    computed = expected.compute()
    assert computed == expected.right
    assert computed != expected.misprinted


def numbers(value):
    if isinstance(value, tuple):
        return {number for item in value for number in numbers(item)}
    return {str(value)}


@pytest.mark.parametrize("case", [case for case in CONCERNED if ROWS[case]["kind"] in WITH_A_NUMBER])
def test_the_numbers_tested_are_those_of_the_list(case):
    row = ROWS[case]
    assert any(number in row["right"] for number in numbers(CASES[case].right)), row
    if row["quoted"] != "same as above":
        assert any(number in row["quoted"] for number in numbers(CASES[case].misprinted)), row


def test_conditions_of_contest_may_choose_what_d3_chose():
    assert Averages(imps_plus=HALF_THREE).imps(Average.PLUS) == HALF_THREE


def test_every_row_has_a_known_topic_and_those_of_ours_have_a_case():
    assert {row["topic"] for row in ROWS.values()} <= TESTED_HERE | TESTED_WITH_THEIR_MODULES
    assert set(CASES) == set(CONCERNED)


def test_the_list_is_whole():
    documents = [row["document"] for row in golden.rows("source_conflicts.csv")]
    assert [documents.count(name) for name in ("D0", "D1", "D2", "D3", "D4")] == [43, 22, 6, 8, 11]
    assert len(ROWS) == len(documents) == 90
