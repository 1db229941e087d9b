"""Single values of PBN files."""

from datetime import date
from decimal import Decimal

import pytest

from server.bridge.contract import PASSED_OUT
from server.bridge.errors import BridgeError
from server.bridge.seats import Seat, Side, Vulnerability
from server.formats.pbn_values import (
    read_date,
    read_figure,
    read_figures,
    read_outcome,
    read_score,
    read_scoring,
    read_seat,
    read_tricks,
    read_vulnerability,
    whole_score,
)
from server.formats.records import Method


@pytest.mark.parametrize(
    ("text", "seat"), [("N", Seat.N), ("s", Seat.S), ("^W", Seat.W), ("", None), ("?", None), ("-", None)]
)
def test_seats(text: str, seat: Seat | None) -> None:
    assert read_seat(text) is seat


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("None", Vulnerability.NONE),
        ("Love", Vulnerability.NONE),
        ("-", Vulnerability.NONE),
        ("NS", Vulnerability.NS),
        ("EW", Vulnerability.EW),
        ("All", Vulnerability.BOTH),
        ("both", Vulnerability.BOTH),
        ("", None),
        ("?", None),
    ],
)
def test_vulnerability(text: str, who: Vulnerability | None) -> None:
    assert read_vulnerability(text) is who


@pytest.mark.parametrize(
    ("contract", "declarer", "result", "meant"),
    [
        ("4S", "N", "10", "4SN="),
        ("2N", "W", "9", "2NTW+1"),
        ("4H*", "E", "8", "4HXE-2"),
        ("3NTXX", "^S", "^9", "3NTXXS="),
        ("5C", "E", "NS 2", "5CE="),
        ("5C", "E", "EW 3 NS 10", "5CE-8"),
        ("5C", "N", "EW 3 NS 10", "5CN-1"),
    ],
)
def test_outcomes(contract: str, declarer: str, result: str, meant: str) -> None:
    assert str(read_outcome(contract, declarer, result)) == meant


@pytest.mark.parametrize("contract", ["Pass", "PASS", "pass", "P"])
@pytest.mark.parametrize("rest", ["", "-", "?"])
def test_passed_out(contract: str, rest: str) -> None:
    assert read_outcome(contract, rest, rest) is PASSED_OUT


@pytest.mark.parametrize(
    ("contract", "declarer", "result"),
    [
        ("", "", ""),
        ("?", "N", "9"),
        ("-", "-", "-"),
        ("4S", "?", "10"),
        ("4S", "N", "?"),
        ("4S", "N", ""),
        ("4S", "", ""),
    ],
)
def test_no_result_is_invented(contract: str, declarer: str, result: str) -> None:
    assert read_outcome(contract, declarer, result) is None


@pytest.mark.parametrize(
    ("contract", "declarer", "result"),
    [
        ("8S", "N", "10"),
        ("S", "N", "10"),
        ("4S", "X", "10"),
        ("4S", "N", "14"),
        ("4S", "N", "-1"),
        ("4S", "N", "9.5"),
        ("4S", "N", "ten"),
        ("4S", "N", "NS 10 EW 4"),
        ("4S", "N", "NS"),
        ("4S", "N", "١٠"),
    ],
)
def test_what_cannot_have_happened(contract: str, declarer: str, result: str) -> None:
    with pytest.raises(BridgeError):
        read_outcome(contract, declarer, result)


def test_tricks_of_the_other_side_are_taken_from_thirteen() -> None:
    assert (read_tricks("NS 10", Side.NS), read_tricks("NS 10", Side.EW)) == (10, 3)


@pytest.mark.parametrize(
    ("text", "declarer", "score"),
    [
        ("-50", Seat.E, 50),
        ("+480", Seat.W, -480),
        ("420", Seat.S, 420),
        ("NS 100", Seat.E, 100),
        ("EW 50", Seat.S, -50),
        ("EW -50", None, 50),
        ("NS -100 EW 100", None, -100),
        ("", Seat.N, None),
        ("?", None, None),
    ],
)
def test_a_score_without_a_side_is_declarers(text: str, declarer: Seat | None, score: int | None) -> None:
    assert read_score(text, declarer) == score


def test_a_score_of_nobody() -> None:
    assert read_score("0", None, passed_out=True) == 0
    with pytest.raises(BridgeError, match="declarer is not known"):
        read_score("50", None, passed_out=True)


@pytest.mark.parametrize(
    "text", ["NS 100 EW 100", "NS", "NS EW", "XY 100", "1e3", "9" * 5000, "7610", "12.5", "NS NS 1"]
)
def test_what_is_no_score(text: str) -> None:
    with pytest.raises(BridgeError):
        read_score(text, Seat.N)


def test_figures_keep_their_precision_and_side() -> None:
    assert read_figures("EW -38.20", None) == (None, Decimal("-38.20"))
    assert read_figures("0.94", Seat.E) == (None, Decimal("0.94"))
    assert read_figures("NS ^60 EW ^40", None) == (Decimal(60), Decimal(40))
    assert str(read_figure("87.50")) == "87.50"
    assert (read_figure("^40"), read_figure("62.5%"), read_figure("-")) == (
        Decimal(40),
        Decimal("62.5"),
        None,
    )


@pytest.mark.parametrize("text", ["1,5", "NaN", "Infinity", "1e9", "--1", "1.", ".5", "^", "12345678"])
def test_what_is_no_figure(text: str) -> None:
    with pytest.raises(BridgeError):
        read_figure(text)


@pytest.mark.parametrize("text", ["7601", "-7610", "100.0", "", "1_0"])
def test_what_no_contract_scores(text: str) -> None:
    with pytest.raises(BridgeError):
        whole_score(text)


@pytest.mark.parametrize(
    ("text", "method", "strange"),
    [
        ("", Method.NONE, ()),
        ("?", Method.NONE, ()),
        ("IMP", Method.IMPS, ()),
        ("IMP;Cross", Method.CROSS_IMPS, ()),
        ("Cross1;IMP", Method.CROSS_IMPS_PER_SCORE, ()),
        ("IMP;Cross2", Method.CROSS_IMPS_PER_COMPARISON, ()),
        ("IMP;Butler", Method.BUTLER_UNTRIMMED, ()),
        ("Butler-2", Method.BUTLER, ()),
        ("MatchPoints", Method.MP, ()),
        ("MP;MP1", Method.MATCHPOINTS, ()),
        ("MP;MP2", Method.MATCHPOINTS_HALVES, ()),
        ("MP;Ascherman", Method.ASCHERMAN, ()),
        ("Rubber", Method.NONE, ()),
        ("IMP;??", Method.IMPS, ("??",)),
        (";", Method.NONE, ("",)),
    ],
)
def test_names_of_scoring(text: str, method: Method, strange: tuple[str, ...]) -> None:
    assert read_scoring(text) == (method, strange)


def test_dates() -> None:
    assert read_date("1999.03.05") == date(1999, 3, 5)
    assert (read_date(""), read_date("1999.??.??")) == (None, None)
    for text in ("1999.13.01", "yesterday", "1999.3.5"):
        with pytest.raises(BridgeError):
            read_date(text)
