"""Contract score (Law 77)."""

from hypothesis import given
from hypothesis import strategies as st

from server.bridge.contract import PASSED_OUT, Contract, Outcome, Risk, Strain
from server.bridge.score import ScoreParts, score_ns, score_parts
from server.bridge.seats import Seat, Side, Vulnerability
from tests.bridge import golden, oracle
from tests.strategies import contracts, played_outcomes, vulnerabilities

MULTIPLIER = {Risk.UNDOUBLED: 1, Risk.DOUBLED: 2, Risk.REDOUBLED: 4}
EVERY_CONTRACT = [
    Contract(level, strain, risk) for level in range(1, 8) for strain in Strain for risk in Risk
]
MIRROR = dict(zip(Vulnerability, map(Vulnerability, ("none", "EW", "NS", "both")), strict=True))


def test_every_golden_score():
    table = golden.rows("contract_scores.csv")
    got = [
        score_parts(
            Contract(int(row["level"]), Strain(row["strain"]), Risk(row["dbl"])),
            int(row["tricks"]),
            row["vul"] == "1",
        ).total
        for row in table
    ]
    assert got == [int(row["score"]) for row in table]
    assert len(got) == 2940


def test_golden_scores_are_every_contract_once():
    columns = ("level", "strain", "dbl", "vul", "tricks")
    seen = {tuple(row[column] for column in columns) for row in golden.rows("contract_scores.csv")}
    assert len(seen) == 7 * 5 * 3 * 2 * 14


def test_golden_results_are_tricks_over_or_under():
    for row in golden.rows("contract_scores.csv"):
        outcome = Outcome(
            Contract(int(row["level"]), Strain(row["strain"]), Risk(row["dbl"])), Seat.N, int(row["tricks"])
        )
        assert str(outcome).endswith("N=" if row["result"] == "0" else f"N{int(row['result']):+d}")


def test_every_score_as_recomputed_trick_by_trick():
    for contract in EVERY_CONTRACT:
        for tricks in range(14):
            for vulnerable in (False, True):
                assert score_parts(contract, tricks, vulnerable).total == oracle.contract_score(
                    contract.level, contract.strain.value, MULTIPLIER[contract.risk], tricks, vulnerable
                ), (contract, tricks, vulnerable)


def test_range_of_scores():
    every = [
        score_parts(contract, tricks, vulnerable).total
        for contract in EVERY_CONTRACT
        for tricks in range(14)
        for vulnerable in (False, True)
    ]
    assert (min(every), max(every)) == (-7600, 3160)
    assert score_parts(Contract(1, Strain.NOTRUMP, Risk.REDOUBLED), 13, True).total == 3160


def test_parts_of_a_redoubled_slam_with_an_overtrick():
    parts = score_parts(Contract(6, Strain.SPADES, Risk.REDOUBLED), 13, True)
    assert parts == ScoreParts(trick_points=720, overtricks=400, insult=100, bonus=500, slam=750)
    assert parts.total == 2470


@given(contracts, st.integers(0, 13), st.booleans())
def test_a_contract_is_made_or_down_never_both(contract, tricks, vulnerable):
    parts = score_parts(contract, tricks, vulnerable)
    made = (parts.trick_points, parts.overtricks, parts.insult, parts.bonus, parts.slam)
    if tricks < contract.tricks_needed:
        assert made == (0, 0, 0, 0, 0)
        assert parts.undertricks < 0
    else:
        assert parts.undertricks == 0
        assert parts.bonus == (50 if parts.trick_points < 100 else 500 if vulnerable else 300)


@given(contracts, st.booleans())
def test_one_more_trick_is_never_worth_less(contract, vulnerable):
    by_tricks = [score_parts(contract, tricks, vulnerable).total for tricks in range(14)]
    assert by_tricks == sorted(by_tricks)
    assert len(set(by_tricks)) == 14


@given(st.integers(1, 7), st.sampled_from(Strain), st.integers(0, 12), st.booleans())
def test_redoubled_undertricks_cost_exactly_twice_as_much(level, strain, tricks, vulnerable):
    if tricks < level + 6:
        doubled = score_parts(Contract(level, strain, Risk.DOUBLED), tricks, vulnerable).total
        redoubled = score_parts(Contract(level, strain, Risk.REDOUBLED), tricks, vulnerable).total
        assert redoubled == 2 * doubled


def test_passed_out_is_a_score_of_zero():
    assert {score_ns(PASSED_OUT, vulnerability) for vulnerability in Vulnerability} == {0}


@given(played_outcomes, vulnerabilities)
def test_only_the_vulnerability_of_declarers_side_counts(outcome, vulnerability):
    side = outcome.declarer.side
    alone = Vulnerability(side.value) if vulnerability.includes(side) else Vulnerability.NONE
    assert score_ns(outcome, vulnerability) == score_ns(outcome, alone)


@given(played_outcomes, vulnerabilities)
def test_declarers_score_is_signed_for_north_south(outcome, vulnerability):
    side = outcome.declarer.side
    own = score_parts(outcome.contract, outcome.tricks, vulnerability.includes(side)).total
    assert score_ns(outcome, vulnerability) == (own if side is Side.NS else -own)


@given(played_outcomes, vulnerabilities)
def test_turning_the_table_changes_the_sign(outcome, vulnerability):
    turned = Outcome(outcome.contract, outcome.declarer.next, outcome.tricks)
    assert score_ns(turned, MIRROR[vulnerability]) == -score_ns(outcome, vulnerability)


@given(played_outcomes, vulnerabilities)
def test_partner_declaring_makes_no_difference(outcome, vulnerability):
    partner = Outcome(outcome.contract, outcome.declarer.partner, outcome.tricks)
    assert score_ns(partner, vulnerability) == score_ns(outcome, vulnerability)
