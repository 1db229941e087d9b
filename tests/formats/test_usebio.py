"""Whole USEBIO files: events, boards, totals, hands."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from server.bridge.contract import PASSED_OUT, Contract, Outcome, Risk, Strain
from server.bridge.deal import Deal
from server.bridge.score import score_ns
from server.bridge.seats import Seat, Vulnerability
from server.formats.errors import FileRefused
from server.formats.records import Complaint, Method, Published, Total
from server.formats.usebio import read_usebio
from tests.formats.usebio_files import board, element, event, leaves, line_of, rows_of, traveller

FILES = Path(__file__).parent / "files"


def test_a_mitchell_with_an_adjusted_score_in_windows_letters() -> None:
    data = (FILES / "usebio_mitchell_adjusted.xml").read_bytes()

    file = read_usebio(data)

    assert (file.format, file.event, file.played_on) == ("usebio", "Tuesday Café Pairs", date(2026, 2, 3))
    assert file.method is Method.MATCHPOINTS
    assert (file.warnings, file.refused) == ((), ())
    assert [(each.number, each.dealer, each.vulnerability) for each in file.boards] == [
        (1, Seat.N, Vulnerability.NONE),
        (2, Seat.E, Vulnerability.NS),
        (3, Seat.S, Vulnerability.EW),
    ]
    assert [len(each.rows) for each in file.boards] == [4, 4, 4]
    adjusted = file.boards[0].rows[3]
    assert (adjusted.artificial, adjusted.outcome, adjusted.score) == ("A6040", None, None)
    assert adjusted.published == (Published("matchpoints", Decimal("3.6"), Decimal("2.4")),)
    assert adjusted.line == line_of(data, "A6040") - 3
    passed = file.boards[1].rows[2]
    assert (passed.outcome, passed.score, passed.lead) == (PASSED_OUT, 0, None)
    assert [row.lead for row in file.boards[2].rows] == ["DK", "HA", "ST", "C7"]
    assert [(row.ns, row.ew) for row in file.boards[1].rows] == [
        ("1NS", "2EW"),
        ("2NS", "3EW"),
        ("3NS", "4EW"),
        ("4NS", "1EW"),
    ]


def test_every_score_of_our_files_is_the_contract_score() -> None:
    for path in FILES.glob("usebio_*.xml"):
        for each in read_usebio(path.read_bytes()).boards:
            for row in each.rows:
                if row.outcome is not None:
                    assert row.score == score_ns(row.outcome, each.vulnerability), (path.name, row.line)


def test_totals_with_names_from_windows_letters() -> None:
    data = (FILES / "usebio_mitchell_adjusted.xml").read_bytes()

    totals = read_usebio(data).totals

    assert len(totals) == 8
    assert totals[1] == Total(
        line=line_of(data, "1NS") - 1,
        pair="1NS",
        direction="NS",
        total=Decimal("8.00"),
        percent=Decimal("44.44"),
        place="3",
        names=("Ann O’Hara", "Bo Smith & Co"),
    )
    assert str(totals[1].total) == "8.00"  # printed precision is kept


def test_totals_equal_the_sums_of_published_figures() -> None:
    file = read_usebio((FILES / "usebio_mitchell_adjusted.xml").read_bytes())

    sums: dict[str | None, Decimal] = {}
    for row in rows_of(file):
        [figure] = row.published
        assert figure.ns is not None
        assert figure.ew is not None
        sums[row.ns] = sums.get(row.ns, Decimal(0)) + figure.ns
        sums[row.ew] = sums.get(row.ew, Decimal(0)) + figure.ew

    assert {total.pair: total.total for total in file.totals} == sums


def test_a_howell_at_cross_imps_with_bare_numbers() -> None:
    file = read_usebio((FILES / "usebio_cross_imps.xml").read_bytes())

    assert (file.event, file.played_on) == ("Cross-IMP Evening", date(2026, 2, 4))
    assert {each.method for each in file.boards} == {file.method} == {Method.CROSS_IMPS_PER_COMPARISON}
    assert [each.number for each in file.boards] == [1, 2, 17]
    assert file.boards[2].vulnerability is Vulnerability.NONE
    first = file.boards[0].rows[0]
    assert (first.ns, first.ew) == ("1", "2")
    assert first.outcome == Outcome(Contract(4, Strain.HEARTS), Seat.N, 10)
    assert first.published == (Published("imps", Decimal(4), Decimal(-4)),)
    redoubled = file.boards[2].rows[1].outcome
    assert redoubled == Outcome(Contract(1, Strain.SPADES, Risk.REDOUBLED), Seat.S, 7)
    assert {total.direction for total in file.totals} == {""}
    assert [each.deal for each in file.boards] == [None] * 3


def test_hands_become_deals_and_the_fourth_follows_from_three() -> None:
    deals = [each.deal for each in read_usebio((FILES / "usebio_mitchell_adjusted.xml").read_bytes()).boards]

    for deal in deals:
        assert isinstance(deal, Deal)
        assert deal.complete
    assert str(deals[0]).startswith("N:")
    assert len(set(map(str, deals))) == 3


# Events


def test_an_unknown_event_type_is_refused_by_name_with_its_line() -> None:
    data = event(board("1", traveller()), kind="INDIVIDUAL")

    file = read_usebio(data)

    [refusal] = file.refused
    assert refusal.line == line_of(data, "<EVENT ")
    assert "INDIVIDUAL" in refusal.text
    assert "BUTLER_PAIRS" in refusal.text  # says what would be supported
    assert (file.boards, file.totals) == ((), ())


def test_an_event_without_a_type_is_refused() -> None:
    data = event(board("1", traveller())).replace(b' EVENT_TYPE="MP_PAIRS"', b"")

    [refusal] = read_usebio(data).refused

    assert refusal.line == line_of(data, "<EVENT>")


def test_one_unknown_event_does_not_lose_the_other() -> None:
    second = element("EVENT", board("9", traveller()), EVENT_TYPE="PAIRS")
    file = read_usebio(event(board("1", traveller()), kind="RUBBER", after=second))

    assert [each.number for each in file.boards] == [9]
    assert len(file.refused) == 1


def test_a_file_without_event_says_so() -> None:
    file = read_usebio(b"<USEBIO>\n</USEBIO>")

    assert file.refused == (Complaint(1, "no EVENT"),)


def test_another_document_is_refused_by_name() -> None:
    with pytest.raises(FileRefused, match="line 2: the document is html, not USEBIO"):
        read_usebio(b"<!-- a page -->\n<html></html>")


@pytest.mark.parametrize("kind", ["mp_pairs", "Mp_Pairs", " MP_PAIRS "])
def test_event_types_are_compared_without_case(kind: str) -> None:
    assert len(rows_of(read_usebio(event(board("1", traveller()), kind=kind)))) == 1


@pytest.mark.parametrize(
    ("kind", "figure", "method"),
    [
        ("MP_PAIRS", "MATCH_POINTS", Method.MATCHPOINTS),
        ("PAIRS", "MATCH_POINTS", Method.MATCHPOINTS),
        ("PAIRS", "CROSS_IMP_POINTS", Method.CROSS_IMPS_PER_COMPARISON),
        ("PAIRS", "BUTLER_POINTS", Method.BUTLER),
        ("BUTLER_PAIRS", "BUTLER_POINTS", Method.BUTLER),
        ("CROSS_IMP", "CROSS_IMP_POINTS", Method.CROSS_IMPS_PER_COMPARISON),
        ("CROSS_IMPS", "CROSS_IMP_POINTS", Method.CROSS_IMPS_PER_COMPARISON),
        ("SWISS_PAIRS", "CROSS_IMP_POINTS", Method.CROSS_IMPS_PER_COMPARISON),
        ("SWISS_PAIRS", "MATCH_POINTS", Method.MATCHPOINTS),
        ("SWISS_PAIRS_CROSS_IMPS", "CROSS_IMP_POINTS", Method.CROSS_IMPS_PER_COMPARISON),
        ("SWISS_PAIRS_BUTLER_IMPS", "BUTLER_POINTS", Method.BUTLER),
        ("TEAMS", "CROSS_IMP_POINTS", Method.CROSS_IMPS_PER_COMPARISON),
        ("TEAMS", "OTHER", Method.NONE),
        ("SWISS_TEAMS", "OTHER", Method.NONE),
        ("PAIRS", "OTHER", Method.NONE),
        ("MP_PAIRS", "OTHER", Method.MATCHPOINTS),
        ("MP_PAIRS", "CROSS_IMP_POINTS", Method.CROSS_IMPS_PER_COMPARISON),
    ],
)
def test_the_method_follows_from_type_and_figures(kind: str, figure: str, method: Method) -> None:
    figures = {f"NS_{figure}": "3", f"EW_{figure}": "-3"}
    line = (
        traveller("NS_MATCH_POINTS", "EW_MATCH_POINTS", **figures)
        if figure != "MATCH_POINTS"
        else traveller()
    )

    [each] = read_usebio(event(board("1", line), kind=kind)).boards

    assert each.method is method


@pytest.mark.parametrize(
    ("name", "text", "method"),
    [
        ("SCORING_METHOD", "MATCH_POINTS", Method.MATCHPOINTS),
        ("BOARD_SCORING_METHOD", "CROSS_IMPS", Method.CROSS_IMPS_PER_COMPARISON),
        ("BOARD_SCORING_METHOD", "Butler_Imps", Method.BUTLER),
        ("PAIRWISE_SCORING_METHOD", "CROSS_IMPS", Method.CROSS_IMPS_PER_COMPARISON),
        ("SCORING_METHOD", "IMPS", Method.MATCHPOINTS),  # names no method: the figures tell
    ],
)
def test_scoring_method_decides_between_several_figures(name: str, text: str, method: Method) -> None:
    figures = {"NS_CROSS_IMP_POINTS": "2.5", "NS_BUTLER_POINTS": "2", "NS_MATCH_POINTS": "4"}
    if text == "IMPS":
        figures = {"NS_MATCH_POINTS": "4"}
    data = event(*leaves(**{name: text}), board("1", traveller(**figures)), kind="PAIRS")

    file = read_usebio(data)

    assert {file.method, file.boards[0].method} == {method}
    [figure] = file.boards[0].rows[0].published
    assert (
        figure.ns
        == {
            Method.BUTLER: Decimal(2),
            Method.MATCHPOINTS: Decimal(4),
            Method.CROSS_IMPS_PER_COMPARISON: Decimal("2.5"),
        }[method]
    )


@pytest.mark.parametrize("kind", ["TEAMS", "SWISS_TEAMS"])
def test_teams_compare_two_tables_whatever_they_call_it(kind: str) -> None:
    line = traveller("NS_MATCH_POINTS", "EW_MATCH_POINTS")
    data = event(*leaves(BOARD_SCORING_METHOD="CROSS_IMPS"), board("1", line), kind=kind)

    file = read_usebio(data)

    assert (file.method, file.boards[0].method) == (Method.NONE, Method.NONE)


@pytest.mark.parametrize(
    ("highest", "method"),
    [("24", Method.CROSS_IMPS_PER_COMPARISON), ("-25", Method.CROSS_IMPS), ("25", Method.CROSS_IMPS)],
)
def test_more_than_24_imps_can_only_be_a_sum(highest: str, method: Method) -> None:
    boards = [board(str(n), traveller(NS_CROSS_IMP_POINTS=text)) for n, text in enumerate(("3", highest), 1)]

    file = read_usebio(event(*boards, kind="CROSS_IMPS"))

    assert [each.method for each in file.boards] == [method, method]
    assert file.method is method
    assert rows_of(file)[0].published == (Published("imps", Decimal(3), None),)


def test_a_board_may_have_a_type_of_its_own() -> None:
    lines = traveller(NS_BUTLER_POINTS="5", EW_BUTLER_POINTS="-5")
    known, unknown = (
        board(str(n), lines, EVENT_TYPE=kind) for n, kind in ((1, "Butler_Pairs"), (2, "CHESS"))
    )
    data = event(known, unknown, board("3", lines))

    file = read_usebio(data)

    assert [(each.number, each.method) for each in file.boards] == [
        (1, Method.BUTLER),
        (3, Method.MATCHPOINTS),
    ]
    [refusal] = file.refused
    assert (refusal.line, "CHESS" in refusal.text) == (line_of(data, '<BOARD EVENT_TYPE="CHESS">'), True)


@pytest.mark.parametrize(
    ("text", "day"),
    [("03/02/2026", date(2026, 2, 3)), ("3/2/2026", date(2026, 2, 3)), ("2026-02-03", date(2026, 2, 3))],
)
def test_the_day_is_read(text: str, day: date) -> None:
    assert read_usebio(event(*leaves(DATE=text), board("1", traveller()))).played_on == day


@pytest.mark.parametrize("text", ["31/02/2026", "02/2026", "Tuesday", "1/1/26"])
def test_no_day_is_warned_about(text: str) -> None:
    data = event(*leaves(DATE=text), board("1", traveller()))

    file = read_usebio(data)

    assert file.played_on is None
    assert [complaint.line for complaint in file.warnings] == [line_of(data, "<DATE>")]


def test_an_event_without_boards_is_warned_about() -> None:
    assert [complaint.text for complaint in read_usebio(event()).warnings] == ["no boards"]
