"""Makeable contracts and par, worked out by a real solver in a process of its own."""

import asyncio
import sys

import pytest

from server.bridge.contract import Strain
from server.bridge.deal import parse_deal
from server.bridge.score import score_ns
from server.bridge.seats import Seat, Vulnerability
from server.services.analysis import Analyst

SUITS_APART = parse_deal("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
BALANCED = parse_deal("N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9")
ORDINARY = parse_deal("N:A43.43.J8432.K64 J82.KQ8752.T6.52 K76.JT6.A97.AJ98 QT95.A9.KQ5.QT73")
NONE, BOTH = Vulnerability.NONE, Vulnerability.BOTH
LONG = 60.0
solver = pytest.mark.skipif(not Analyst().available, reason="endplay is not installed")


async def analyse(deal, dealer=Seat.N, vulnerability=NONE, analyst=None, patience=LONG):
    """Work it out."""
    return await (analyst or Analyst()).analyse(deal, dealer, vulnerability, patience)


@solver
async def test_who_holds_a_whole_suit_makes_everything_in_it():
    found = await analyse(SUITS_APART)
    for seat, strain in zip(Seat, (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS), strict=True):
        assert found.tricks[seat][strain] == found.tricks[seat.partner][strain] == 13
        assert found.tricks[seat][Strain.NOTRUMP] == 0
    assert found.par == 1510
    assert {str(outcome) for outcome in found.contracts} == {"7SN=", "7SS="}


@solver
@pytest.mark.parametrize("deal", [BALANCED, ORDINARY, SUITS_APART])
@pytest.mark.parametrize("vulnerability", Vulnerability)
async def test_par_is_the_score_of_its_contracts_played_to_their_tricks(deal, vulnerability):
    found = await analyse(deal, Seat.E, vulnerability)
    for outcome in found.contracts:
        assert score_ns(outcome, vulnerability) == found.par
        if outcome.contract is not None:
            assert outcome.tricks == found.tricks[outcome.declarer][outcome.contract.strain]


@solver
async def test_whoever_asks_again_is_answered_from_memory():
    analyst = Analyst()
    first, second = await asyncio.gather(*(analyse(ORDINARY, analyst=analyst) for _ in range(2)))
    assert first is second
    assert await analyse(ORDINARY, analyst=analyst, patience=0) is first


@solver
async def test_whoever_cannot_wait_gets_it_later():
    analyst = Analyst()
    assert await analyse(ORDINARY, analyst=analyst, patience=0.001) is None
    assert await analyse(ORDINARY, analyst=analyst) is not None


async def test_a_deal_that_is_not_known_is_not_worked_out():
    assert await analyse(parse_deal("N:AK2.QJT9.543.876 - - -")) is None


@solver
@pytest.mark.parametrize(
    "code", ["import time; time.sleep(60)", "print('{}')", "print('[')", "raise SystemExit(3)"]
)
async def test_a_solver_that_hangs_or_fails_leaves_nothing_behind(code):
    analyst = Analyst(seconds=0.5, program=(sys.executable, "-c", code))
    assert await analyse(ORDINARY, analyst=analyst) is None
    assert await analyse(ORDINARY, analyst=analyst, patience=0) is None


@solver
async def test_stopping_ends_what_is_under_way():
    analyst = Analyst(program=(sys.executable, "-c", "import time; time.sleep(60)"))
    waiting = asyncio.create_task(analyse(ORDINARY, analyst=analyst))
    await asyncio.sleep(0.2)
    async with asyncio.timeout(5):
        await analyst.stop()
        with pytest.raises(asyncio.CancelledError):
            await waiting
