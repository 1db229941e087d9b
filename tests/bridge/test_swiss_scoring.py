"""Boards of a Swiss pairs by every method, and what a sit-out is worth."""

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.adjustments import Artificial, Average, NotPlayed, Played
from server.bridge.datum import datum
from server.bridge.errors import Impossible
from server.bridge.imps import imps
from server.bridge.swiss_round import Kind, round_scores
from server.bridge.swiss_scoring import Scoring, ScoringRules, award_imps, board_scores
from server.bridge.vp_scale import VpScale
from tests.bridge import golden
from tests.strategies import fields

CASES = golden.vectors("swiss/scoring.json")["cases"]
METHODS = {"cross_imps": Scoring.CROSS_IMPS, "datum_imps": Scoring.DATUM, "mp": Scoring.MATCHPOINTS}


def of_kind(*kinds):
    return pytest.mark.parametrize("case", [case for case in CASES if case["kind"] in kinds], ids=str)


@of_kind("cross_imps", "datum_imps", "mp")
def test_every_golden_board(case):
    entries = [NotPlayed() if score is None else Played(score) for score in case["scores"].values()]
    found = board_scores(ScoringRules(METHODS[case["kind"]]), entries, case.get("tables", len(entries)))
    percent = 100 if case["kind"] == "mp" else 1
    for score, expected in zip(found, case["expected"].values(), strict=True):
        if expected is None:
            assert score is None
            continue
        assert score.ns == Fraction(expected) * percent
        assert score.ew == (100 - score.ns if case["kind"] == "mp" else -score.ns)
    if "datum" in case:
        assert datum([entry.score for entry in entries if isinstance(entry, Played)]).value == case["datum"]


@of_kind("datum")
def test_every_golden_datum(case):
    assert datum(case["values"]).value == case["datum"]


@of_kind("imp")
def test_every_golden_difference(case):
    assert imps(case["diff"]) == case["expected"]


@of_kind("bye_award")
def test_every_golden_sit_out(case):
    scoring = METHODS.get(case["scoring"], Scoring.VP)
    rules = ScoringRules(scoring, boards=case["boards"])
    (found,) = round_scores(rules, range(1, case["boards"] + 1), [], [7])
    assert (found.pair, found.kind, found.finished) == (7, Kind.SIT_OUT, case["boards"])
    if scoring is Scoring.MATCHPOINTS:  # the golden figure is the sum of the boards as shares of 1
        assert sum(score.value for score in found.boards.values()) / 100 == Fraction(case["expected"])
        assert found.score == 6000
    else:
        assert found.score == 100 * Fraction(case["expected"])


def test_no_other_kind_of_case_is_left_out():
    assert {case["kind"] for case in CASES} == {"cross_imps", "datum_imps", "mp", "datum", "imp", "bye_award"}


@given(fields(), st.integers(0, 5))
def test_cross_imps_are_divided_by_the_other_tables_played_or_not(field, unplayed):
    entries = [Played(score) for score in field] + [NotPlayed()] * unplayed
    tables = len(entries)
    found = board_scores(ScoringRules(), entries, tables)
    added = board_scores(ScoringRules(Scoring.TOTAL_IMP), entries, tables)
    assert found[len(field) :] == (None,) * unplayed
    for score, total in zip(found[: len(field)], added, strict=False):
        assert score.ns == (total.ns / (tables - 1) if tables > 1 else 0)
        assert score.ew == -score.ns


@pytest.mark.parametrize(
    ("scoring", "plus"),
    [
        (Scoring.CROSS_IMPS, Fraction(5, 2)),
        (Scoring.DATUM, Fraction(5, 2)),
        (Scoring.TOTAL_IMP, Fraction(5, 2) * 3),
        (Scoring.MATCHPOINTS, 60),
        (Scoring.VP, Fraction(5, 2)),
    ],
)
def test_sixty_forty(scoring, plus):
    entries = [Played(420), Played(-50), Artificial(Average.PLUS, Average.MINUS), NotPlayed()]
    found = board_scores(ScoringRules(scoring), entries, 4)[2]
    assert found.ns == plus
    assert found.ew == (40 if scoring is Scoring.MATCHPOINTS else -plus)


def test_an_artificial_score_makes_neuberg_at_matchpoints():
    entries = [
        Played(420),
        Played(420),
        Played(450),
        Played(-50),
        Artificial(Average.AVERAGE, Average.AVERAGE),
    ]
    found = board_scores(ScoringRules(Scoring.MATCHPOINTS), [*entries, NotPlayed()], 6)
    # 3, 3, 6 and 0 among four become (M + 1) 5/4 - 1 on a top of 8.
    assert [score and score.ns for score in found] == [50, 50, Fraction(775, 8), Fraction(25, 8), 50, None]


def test_what_victory_points_are_made_of():
    entries = [Played(420), Played(-50), Played(170)]
    by_cross_imps, by_datum = (
        board_scores(ScoringRules(Scoring.VP, vp_from=source), entries, 3)
        for source in (Scoring.CROSS_IMPS, Scoring.DATUM)
    )
    assert by_cross_imps == board_scores(ScoringRules(), entries, 3)
    assert by_datum == board_scores(ScoringRules(Scoring.DATUM), entries, 3)
    assert by_cross_imps != by_datum


@pytest.mark.parametrize(
    "wrong",
    [
        *({"vp_from": source} for source in (Scoring.MATCHPOINTS, Scoring.TOTAL_IMP, Scoring.VP)),
        *({"vp_scale": scale} for scale in (VpScale.OLD25, VpScale.ACBL20, VpScale.ACBL30)),
    ],
    ids=str,
)
def test_rules_that_cannot_score_every_match_are_refused(wrong):
    with pytest.raises(Impossible) as refused:
        ScoringRules(Scoring.VP, **wrong)
    assert refused.value.member in wrong


@given(st.integers(1, 40), st.integers(0, 100))
def test_a_sit_out_is_worth_the_margin_of_12_victory_points(boards, tables):
    award = award_imps(ScoringRules(boards=boards), tables)
    assert award == Fraction(round(100 * 1.7228 * sqrt(boards)), 100)
    in_all = award_imps(ScoringRules(Scoring.TOTAL_IMP, boards=boards), tables)
    assert in_all == award * max(tables - 1, 0)
