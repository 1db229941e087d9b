"""PBN that we write: what it looks like, and that it is read again as it was."""

import dataclasses
from decimal import Decimal

from hypothesis import given

from server.bridge.contract import PASSED_OUT, parse_result
from server.bridge.deal import parse_deal
from server.bridge.seats import Seat, Vulnerability
from server.formats.pbn import read_pbn
from server.formats.pbn_writer import write_pbn
from server.formats.records import FileBoard, Method, Published, ResultFile, Row
from tests.formats.written_files import HOSTILE, files, known, named, without_lines

DEAL = "N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9"
METHODS = {
    Method.IMPS: "imps",
    Method.BUTLER: "imps",
    Method.BUTLER_UNTRIMMED: "imps",
    Method.CROSS_IMPS: "imps",
    Method.CROSS_IMPS_PER_COMPARISON: "imps",
    Method.MATCHPOINTS: "percent",
    Method.MP: "matchpoints",
}
ROW = Row(0, "1", "2", parse_result("4SXN-1"), -100, lead="HK", players=("ann", "eve", "sam", "wes"))
FIGURES = (Published("imps", Decimal("-2.50"), Decimal("2.50")),)
BOARD = FileBoard(0, 7, Seat.S, Vulnerability.BOTH, parse_deal(DEAL), Method.CROSS_IMPS_PER_COMPARISON)


def written(*rows: Row, event: str = "2026-W48 imps") -> bytes:
    board = dataclasses.replace(BOARD, rows=rows)
    return write_pbn(ResultFile("", event, board.method, (board,)))


def test_what_is_written() -> None:
    passed = dataclasses.replace(ROW, outcome=PASSED_OUT, score=0, lead=None, players=("a b", "", "c", "d"))
    assert written(dataclasses.replace(ROW, published=FIGURES), passed).decode().split("\r\n") == [
        "% PBN 2.1",
        "% EXPORT",
        "%",
        '[Event "2026-W48 imps"]',
        '[Site ""]',
        '[Date ""]',
        '[Board "7"]',
        '[West ""]',
        '[North ""]',
        '[East ""]',
        '[South ""]',
        '[Dealer "S"]',
        '[Vulnerable "All"]',
        f'[Deal "{DEAL}"]',
        '[Scoring "IMP;Cross2"]',
        '[Declarer "?"]',
        '[Contract "?"]',
        '[Result "?"]',
        '[ScoreTable "PlayerId_North\\5L;PlayerId_East\\3L;PlayerId_South\\3L;PlayerId_West\\3L;'
        'PairId_NS\\1R;PairId_EW\\1R;Contract\\4L;Declarer\\1L;Result\\1R;Lead\\2L;Score_NS\\4R;IMP_NS\\5R;IMP_EW\\4R"]',
        "ann   eve sam wes 1 2 4SX  N 9 HK -100 -2.50 2.50",
        '"a b" -   c   d   1 2 Pass - - -     0     -    -',
        "",
        "",
    ]


def test_without_results_there_is_the_deal() -> None:
    file = read_pbn(written())
    assert without_lines(file.boards) == [BOARD]
    assert (file.warnings, file.refused) == ((), ())


@given(files(METHODS))
def test_what_is_written_is_read(file: ResultFile) -> None:
    found = read_pbn(write_pbn(file))
    assert without_lines(found.boards) == without_lines(file.boards)
    assert found.refused == ()
    assert all(len(line) <= 255 for line in write_pbn(file).decode().split("\r\n"))


@given(named)
def test_players_keep_their_names_but_for_marks_that_tables_lack(four: tuple[str, str, str, str]) -> None:
    data = written(dataclasses.replace(ROW, players=four), ROW)
    first, second = read_pbn(data).boards[0].rows
    assert first.players == tuple(as_written(name) for name in four)
    assert second.players == ROW.players
    assert all(len(line) <= 255 for line in data.decode().split("\r\n"))


def as_written(name: str) -> str:
    """A name as a table has it: `-` is none, and `Bye` would say that nobody sits there."""
    plain = name.replace('"', "'").replace("\\", "/")
    return f"'{plain}'" if plain.lower() == "bye" else plain if known(plain) else ""


def test_no_name_breaks_out_of_its_place() -> None:
    for text in (*HOSTILE, "x" * 64, '"' * 64, "\\" * 64, '\\"' * 300):
        file = read_pbn(written(dataclasses.replace(ROW, players=(text,) * 4), event=text * 9))
        assert [len(board.rows) for board in file.boards] == [1]
        assert file.boards[0].rows[0].outcome == ROW.outcome
        assert file.refused == ()
