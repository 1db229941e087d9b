"""Results of simulated tables: possible, plausible, and better for the better."""

from collections import Counter
from functools import cache
from random import Random
from statistics import fmean, stdev

import pytest

from server.bridge.contract import Outcome, Risk, parse_result
from server.bridge.datum import datum_value
from server.bridge.deal import Deal
from server.bridge.dealing import deal_at_random
from server.bridge.imps import imps
from server.bridge.score import score_ns
from server.bridge.seats import Seat, Side, vulnerability_of
from server.world.play import play

BOARDS, TABLES = 400, 12
AVERAGE = dict.fromkeys(Seat, 0.0)


@cache
def field(strong: float = 0.0) -> tuple[list[tuple[Deal, Outcome, str | None]], list[int]]:
    """Outcomes of average tables, and IMPs of NS against the datum; at the first table NS are stronger."""
    rng, outcomes, won = Random(7), [], []
    better = {seat: strong if seat.side is Side.NS else 0.0 for seat in Seat}
    for number in range(1, BOARDS + 1):
        deal, vulnerability = deal_at_random(rng.randrange), vulnerability_of(number)
        found = [play(deal, vulnerability, AVERAGE if i else better, rng) for i in range(TABLES)]
        scores = [score_ns(played.outcome, vulnerability) for played in found]
        outcomes += [(deal, played.outcome, played.lead) for played in found]
        won.append(imps(scores[0] - datum_value(scores)))
    return outcomes, won


def kind(outcome: Outcome) -> str:
    """Pass, part-score, game or slam."""
    contract = outcome.contract
    if contract is None:
        return "pass"
    if contract.level >= 6:
        return "slam"
    needed = {"N": 3, "S": 4, "H": 4, "D": 5, "C": 5}[contract.strain.value]
    return "game" if contract.level >= needed else "part-score"


def test_the_same_source_gives_the_same_result():
    deal = deal_at_random(Random(1).randrange)
    one, other = (play(deal, vulnerability_of(1), AVERAGE, Random(3)) for _ in range(2))
    assert one == other
    assert len({str(play(deal, vulnerability_of(1), AVERAGE, Random(i)).outcome) for i in range(40)}) > 3


def test_every_result_can_be_written_and_read():
    for _, outcome, _ in field()[0]:
        assert parse_result(str(outcome)) == outcome


def test_the_lead_is_a_card_of_the_hand_to_the_left_of_declarer():
    for deal, outcome, lead in field()[0]:
        if outcome.declarer is None:
            assert lead is None
        else:
            assert lead in deal.hand(outcome.declarer.next)


@pytest.mark.parametrize(
    ("what", "least", "most"),
    [("pass", 0.01, 0.06), ("part-score", 0.35, 0.6), ("game", 0.3, 0.55), ("slam", 0.01, 0.09)],
)
def test_contracts_are_as_frequent_as_in_any_club(what, least, most):
    kinds = Counter(kind(outcome) for _, outcome, _ in field()[0])
    assert least < kinds[what] / kinds.total() < most


def test_three_notrump_is_the_most_frequent_contract_and_doubles_are_rare():
    played = [outcome.contract for _, outcome, _ in field()[0] if outcome.contract is not None]
    assert Counter(map(str, played)).most_common(1)[0][0] == "3NT"
    assert 0.005 < fmean(contract.risk is not Risk.UNDOUBLED for contract in played) < 0.1


def test_most_contracts_are_made_and_not_by_much():
    over = [
        outcome.tricks - outcome.contract.tricks_needed for _, outcome, _ in field()[0] if outcome.contract
    ]
    assert 0.55 < fmean(each >= 0 for each in over) < 0.8
    assert abs(fmean(over)) < 0.5
    assert 1 < stdev(over) < 2


def test_both_sides_bid_and_score_alike():
    declared = Counter(outcome.declarer.side for _, outcome, _ in field()[0] if outcome.declarer)
    assert 0.4 < declared[Side.NS] / declared.total() < 0.6
    assert abs(fmean(field()[1])) < 1


def test_imps_spread_as_in_real_fields():
    """Five IMPs or so around the datum, and often none."""
    assert 4.3 < stdev(field()[1]) < 6.2
    assert 0.05 < fmean(each == 0 for each in field()[1]) < 0.25


def test_players_add_about_what_their_skill_says():
    """A pair of one IMP a board and player more than the others wins two IMPs a board or so."""
    gained = fmean(field(1.0)[1]) - fmean(field()[1])
    assert 1.2 < gained < 2.8
    lost = fmean(field(-1.0)[1]) - fmean(field()[1])
    assert -2.8 < lost < -1.2
