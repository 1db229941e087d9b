"""Traveller lines of USEBIO files: each quirk, and that a wrong line loses nothing but itself."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.contract import PASSED_OUT, Contract, Outcome, Risk, Strain
from server.bridge.score import score_ns
from server.bridge.seats import Seat, vulnerability_of
from server.formats.records import Published
from server.formats.usebio import read_usebio
from tests.formats.usebio_files import board, event, line_of, only_row, rows_of, traveller
from tests.strategies import outcomes


def one(*without: str, **changed: str) -> bytes:
    return event(board("1", traveller(*without, **changed)))


def test_an_ordinary_line() -> None:
    data = one()

    row = only_row(data)

    assert row.outcome == Outcome(Contract(4, Strain.SPADES), Seat.N, 10)
    assert (row.line, row.ns, row.ew) == (line_of(data, "<TRAVELLER_LINE>"), "1", "2")
    assert (row.score, row.lead, row.artificial, row.multiplicity) == (420, "DK", None, 1)
    assert row.published == (Published("matchpoints", Decimal(1), Decimal(1)),)


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("3NT", Contract(3, Strain.NOTRUMP)),
        ("3N", Contract(3, Strain.NOTRUMP)),
        ("4 H", Contract(4, Strain.HEARTS)),
        ("2dx", Contract(2, Strain.DIAMONDS, Risk.DOUBLED)),
        ("7C**", Contract(7, Strain.CLUBS, Risk.REDOUBLED)),
    ],
)
def test_contracts_by_the_one_grammar(text: str, contract: Contract) -> None:
    outcome = only_row(one(CONTRACT=text)).outcome

    assert outcome is not None
    assert outcome.contract == contract


@pytest.mark.parametrize("text", ["PASS", "pass", "Passed out", "PASSED", "All Pass", "AP"])
@pytest.mark.parametrize(
    "rest",
    [
        {"PLAYED_BY": "N", "TRICKS": ""},
        {"PLAYED_BY": "N", "TRICKS": "0"},
        {"PLAYED_BY": "", "TRICKS": ""},
        {"PLAYED_BY": "-", "TRICKS": "13"},
    ],
)
def test_passed_out_whatever_declarer_and_tricks_say(text: str, rest: dict[str, str]) -> None:
    row = only_row(one("LEAD", CONTRACT=text, SCORE="0", **rest))

    assert (row.outcome, row.score) == (PASSED_OUT, 0)


def test_a_pass_needs_no_other_element() -> None:
    row = only_row(one("LEAD", "PLAYED_BY", "TRICKS", "SCORE", CONTRACT="PASS"))

    assert (row.outcome, row.score) == (PASSED_OUT, None)


@pytest.mark.parametrize("text", ["A6040", "A5050", "a6060", "A40/60"])
def test_artificial_scores_are_kept_as_printed(text: str) -> None:
    row = only_row(one("CONTRACT", "PLAYED_BY", "TRICKS", "LEAD", SCORE=text))

    assert (row.artificial, row.outcome, row.score) == (text, None, None)
    assert row.published[0].ns == 1


def test_an_artificial_score_overrules_a_contract() -> None:
    row = only_row(one(SCORE="A6040"))

    assert (row.artificial, row.outcome) == ("A6040", None)


@pytest.mark.parametrize("text", ["NP", "np", "N/P", "Not played"])
def test_a_board_not_played_is_no_result_and_no_zero(text: str) -> None:
    data = event(board("1", traveller(SCORE=text), traveller(NS_PAIR_NUMBER="3", EW_PAIR_NUMBER="4")))

    file = read_usebio(data)

    assert [row.ns for row in rows_of(file)] == ["3"]
    [warning] = file.warnings
    assert (warning.line, warning.text) == (line_of(data, "<TRAVELLER"), "1 against 2: no result; left out")
    assert file.refused == ()


def test_a_sit_out_is_no_result() -> None:
    file = read_usebio(one("CONTRACT", "PLAYED_BY", "TRICKS", "LEAD", SCORE="", EW_PAIR_NUMBER=""))

    assert rows_of(file) == []
    assert [warning.text for warning in file.warnings] == ["1 against ?: no result; left out"]


@pytest.mark.parametrize("without", ["CONTRACT", "PLAYED_BY", "TRICKS"])
def test_what_is_not_given_is_not_guessed_and_the_score_stays(without: str) -> None:
    file = read_usebio(one(without))

    [row] = rows_of(file)
    assert (row.outcome, row.score) == (None, 420)
    assert [f"no {without};" in warning.text for warning in file.warnings] == [True]


def test_without_contract_and_score_nothing_is_known() -> None:
    assert rows_of(read_usebio(one("TRICKS", SCORE=""))) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CONTRACT", "8H"),
        ("CONTRACT", "4HXXX"),
        ("CONTRACT", "?"),
        ("PLAYED_BY", "Q"),
        ("PLAYED_BY", "ſ"),
        ("TRICKS", "14"),
        ("TRICKS", "-1"),
        ("TRICKS", "+1"),
        ("TRICKS", "١٠"),
        ("SCORE", "A60"),
        ("SCORE", "4x0"),
        ("SCORE", "1e3"),
        ("SCORE", "١٠٠"),
        ("SCORE", "420000"),
    ],
)
def test_a_wrong_line_is_refused_with_its_line_and_the_others_stay(name: str, text: str) -> None:
    lines = [
        traveller(NS_PAIR_NUMBER="3", EW_PAIR_NUMBER="4"),
        traveller(**{name: text}),
        traveller(NS_PAIR_NUMBER="5", EW_PAIR_NUMBER="6"),
    ]
    data = event(board("1", *lines), board("2", traveller()))

    file = read_usebio(data)

    assert [row.ns for row in rows_of(file)] == ["3", "5", "1"]
    [refusal] = file.refused
    assert refusal.line == line_of(data, f"<{name}>{text}<")
    assert refusal.text.startswith(f"1 against 2: {name} ")
    assert repr(text) in refusal.text


@pytest.mark.parametrize("text", ["N", "n", "North", "NORTH"])
def test_declarers_by_letter_or_name(text: str) -> None:
    outcome = only_row(one(PLAYED_BY=text)).outcome

    assert outcome is not None
    assert outcome.declarer is Seat.N


@pytest.mark.parametrize(
    ("text", "card"), [("KD", "DK"), ("DK", "DK"), ("10h", "HT"), ("TS", "ST"), ("", None), ("-", None)]
)
def test_leads_in_either_order(text: str, card: str | None) -> None:
    assert only_row(one(LEAD=text)).lead == card


def test_a_wrong_lead_spoils_only_itself() -> None:
    data = one(LEAD="ZZ")

    file = read_usebio(data)

    assert [row.lead for row in rows_of(file)] == [None]
    assert [warning.line for warning in file.warnings] == [line_of(data, "<LEAD>")]


@pytest.mark.parametrize("text", ["425", "-7610", "7610"])
def test_a_score_that_no_contract_gives_is_suspicious(text: str) -> None:
    data = one(SCORE=text)

    file = read_usebio(data)

    assert [row.score for row in rows_of(file)] == [int(text)]
    assert [warning.line for warning in file.warnings] == [line_of(data, "<SCORE>")]


@pytest.mark.parametrize("text", ["-7600", "+420", "0", "7600"])
def test_a_score_at_the_edge_is_not(text: str) -> None:
    assert only_row(one(SCORE=text)).score == int(text)


@pytest.mark.parametrize(
    ("text", "figure"),
    [("12", "12"), ("-2.67", "-2.67"), ("19.0", "19.0"), ("+3", "3"), (" 7 ", "7"), ("55.00%", "55.00")],
)
def test_figures_keep_their_printed_precision(text: str, figure: str) -> None:
    [published] = only_row(one(NS_MATCH_POINTS=text)).published

    assert str(published.ns) == figure


@pytest.mark.parametrize("text", ["x", "1,5", "1e5", "NaN", "Infinity", "1.", "9" * 20, "٣"])
def test_a_wrong_figure_spoils_only_itself(text: str) -> None:
    data = one(NS_MATCH_POINTS=text)

    file = read_usebio(data)

    assert [row.published for row in rows_of(file)] == [(Published("matchpoints", None, Decimal(1)),)]
    assert [warning.line for warning in file.warnings] == [line_of(data, "<NS_MATCH_POINTS>")]


@pytest.mark.parametrize("texts", [{"NS_MATCH_POINTS": "", "EW_MATCH_POINTS": "-"}, {}])
def test_a_line_without_figures_publishes_nothing(texts: dict[str, str]) -> None:
    without = () if texts else ("NS_MATCH_POINTS", "EW_MATCH_POINTS")

    assert only_row(one(*without, **texts)).published == ()


@given(st.integers(1, 32), st.lists(outcomes, min_size=1, max_size=8))
def test_any_results_come_back(number: int, played: list[Outcome]) -> None:
    lines = [
        traveller(
            CONTRACT=str(outcome.contract or "PASS"),
            PLAYED_BY=str(outcome.declarer or ""),
            TRICKS="" if outcome.tricks is None else str(outcome.tricks),
            SCORE=str(score_ns(outcome, vulnerability_of(number))),
            NS_PAIR_NUMBER=f"{table}NS",
            EW_PAIR_NUMBER=f"{table}EW",
        )
        for table, outcome in enumerate(played, 1)
    ]

    file = read_usebio(event(board(str(number), *lines)))

    assert (file.warnings, file.refused) == ((), ())
    [each] = file.boards
    assert [row.outcome for row in each.rows] == played
    assert all(row.score == score_ns(row.outcome, each.vulnerability) for row in each.rows if row.outcome)
