"""USEBIO that we write: what it looks like, and that it is read again as it was."""

import dataclasses
from datetime import date
from decimal import Decimal
from xml.etree import ElementTree

from hypothesis import given

from server.bridge.contract import PASSED_OUT, parse_result
from server.bridge.deal import parse_deal
from server.bridge.seats import Seat, Vulnerability, dealer_of, vulnerability_of
from server.formats.records import FileBoard, Method, Published, ResultFile, Row, Total
from server.formats.usebio import read_usebio
from server.formats.usebio_writer import write_usebio
from tests.formats.written_files import HOSTILE, files, without_lines

DEAL = "N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9"
METHODS = {
    Method.BUTLER: "imps",
    Method.CROSS_IMPS_PER_COMPARISON: "imps",
    Method.MATCHPOINTS: "matchpoints",
}
ROW = Row(
    0,
    "1",
    "2",
    parse_result("4SXN-1"),
    -100,
    lead="HK",
    published=(Published("imps", Decimal(-2), Decimal(2)),),
)
BOARD = FileBoard(0, 4, Seat.W, Vulnerability.BOTH, parse_deal(DEAL), Method.BUTLER, (ROW,))
PAIR = Total(0, "1", "NS", Decimal("-2"), None, "1=", names=("Ann & Bo", "<Sam>"))
FILE = ResultFile("", "Monday", Method.BUTLER, (BOARD,), (PAIR,), played_on=date(2026, 3, 9))


def test_what_is_written() -> None:
    root = ElementTree.fromstring(write_usebio(FILE))
    assert (root.tag, [child.tag for child in root]) == ("USEBIO", ["CLUB", "EVENT", "HANDSET"])
    event = root[1]
    assert event.attrib == {"EVENT_TYPE": "BUTLER_PAIRS"}
    assert [(child.tag, child.text) for child in event[:3]] == [
        ("EVENT_DESCRIPTION", "Monday"),
        ("PROGRAM_NAME", "Crossruff"),
        ("DATE", "09/03/2026"),
    ]
    (line,) = event.iter("TRAVELLER_LINE")
    assert {child.tag: child.text for child in line} == {
        "NS_PAIR_NUMBER": "1",
        "EW_PAIR_NUMBER": "2",
        "CONTRACT": "4SX",
        "PLAYED_BY": "N",
        "LEAD": "KH",
        "TRICKS": "9",
        "SCORE": "-100",
        "NS_BUTLER_POINTS": "-2",
        "EW_BUTLER_POINTS": "2",
    }
    north = next(root.iter("HAND"))
    assert {child.tag: child.text for child in north} == {
        "DIRECTION": "North",
        "CLUBS": "876",
        "DIAMONDS": "543",
        "HEARTS": "QJT9",
        "SPADES": "AK2",
    }


def test_pairs_are_read_again() -> None:
    found = read_usebio(write_usebio(FILE))
    assert [dataclasses.replace(total, line=0) for total in found.totals] == [PAIR]
    assert (found.event, found.played_on, found.method) == ("Monday", FILE.played_on, Method.BUTLER)
    assert (found.warnings, found.refused) == ((), ())


def test_a_board_that_was_passed_out_is_one() -> None:
    row = dataclasses.replace(ROW, outcome=PASSED_OUT, score=0, lead=None)
    file = dataclasses.replace(FILE, boards=(dataclasses.replace(BOARD, rows=(row,)),))
    assert read_usebio(write_usebio(file)).boards[0].rows[0].outcome == PASSED_OUT


@given(files(METHODS))
def test_what_is_written_is_read(file: ResultFile) -> None:
    """Dealer and vulnerability follow from the number there."""
    boards = tuple(
        dataclasses.replace(
            board, dealer=dealer_of(board.number), vulnerability=vulnerability_of(board.number)
        )
        for board in file.boards
    )
    found = read_usebio(write_usebio(dataclasses.replace(file, boards=boards)))
    assert without_lines(found.boards) == without_lines(boards)
    assert found.refused == ()


def test_no_text_breaks_out_of_its_place() -> None:
    for text in (*HOSTILE, "\x00\x1f\ufffe", "&#0;", "<!--", "<![CDATA["):
        total = dataclasses.replace(PAIR, names=(text, text))
        found = read_usebio(write_usebio(dataclasses.replace(FILE, event=text, totals=(total,))))
        assert [len(board.rows) for board in found.boards] == [1]
        assert found.totals[0].pair == "1"
        assert found.refused == ()
