"""Whole PBN files: boards, titles, what is grouped, what is left out; and files that are no PBN."""

import time
from contextlib import suppress
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.contract import PASSED_OUT
from server.bridge.deal import Deal, parse_deal
from server.bridge.seats import Seat, Vulnerability
from server.formats.errors import FileRefused
from server.formats.pbn import read_pbn
from server.formats.records import Method, Published
from tests.formats.pbn_files import FILES, game, played, read, refused, rows_of, table, warned, whole

OUR_FILES = sorted(FILES.glob("pbn_*.pbn"))


def test_a_tournament_with_inherited_tags() -> None:
    file = read_pbn((FILES / "pbn_cross_imps.pbn").read_bytes())

    assert (file.format, file.event, file.played_on) == ("pbn", "Harbour Tournament", date(2024, 3, 5))
    assert (file.method, file.warnings, file.refused) == (Method.IMPS, (), ())
    first, second = file.boards
    assert (first.line, first.number, first.dealer, first.vulnerability) == (4, 1, Seat.N, Vulnerability.NONE)
    assert isinstance(first.deal, Deal)
    assert first.deal.complete
    assert (second.dealer, second.vulnerability, second.deal) == (Seat.E, Vulnerability.NS, None)
    assert second.method is Method.IMPS
    assert [(row.ns, row.ew, row.score) for row in first.rows] == [
        ("11", "21", 420),
        ("12", "22", 0),
        ("13", "23", -50),
        ("14", "???", -400),
    ]
    assert [row.multiplicity for row in second.rows] == [1, 2, 1]
    assert [str(row.outcome) for row in second.rows] == ["2HXS=", "1NTW=", "3CN-1"]


def test_quotation_marks_sit_outs_and_windows_letters() -> None:
    file = read_pbn((FILES / "pbn_ascherman.pbn").read_bytes())

    assert (file.event, file.method, file.refused) == ("Soirée d'été", Method.MP, ())
    assert [warning.line for warning in file.warnings] == [5, 14, 19]
    [board] = file.boards
    assert [(row.line, row.ns, row.ew) for row in board.rows] == [
        (6, "1", "11"),
        (7, "2", "12"),
        (9, "3", "13"),
        (10, "4", "14"),
        (13, "6", "16"),
    ]
    assert board.rows[1].published == (Published("percent", Decimal("50.0"), Decimal("50.0")),)
    assert (board.rows[3].outcome, board.rows[3].score) == (PASSED_OUT, 0)
    assert board.rows[4].artificial == "^60 ^40"
    assert [total.names for total in file.totals] == [("René", "Zoë"), ('Jo "Ace" Smith', "Jones")]


def test_single_tables_of_one_board_make_one_traveller() -> None:
    file = read_pbn((FILES / "pbn_single_tables.pbn").read_bytes())

    assert (file.event, file.warnings, file.refused) == ("Winter Pairs", (), ())
    assert [(board.number, len(board.rows)) for board in file.boards] == [(1, 3), (2, 0)]
    assert [row.score for row in file.boards[0].rows] == [920, 300, 0]
    assert file.boards[0].rows[1].players == ("Elm", "Fir", "Gorse", "Holly")


def test_another_deal_or_vulnerability_is_another_board() -> None:
    deals = [(board.deal, board.vulnerability) for board in _boards_of_two_deals()]

    assert len(set(deals)) == len(deals) == 3


def _boards_of_two_deals():  # type: ignore[no-untyped-def]
    hand = "AKQJT98765432"
    one, two = f"N:{hand}... - - -", f"N:.{hand}.. - - -"
    games = [
        played(Deal=one),
        played(Deal=two),
        played(Deal=one),
        played(Deal=one, Vulnerable="All"),
    ]
    return whole(*games).boards


def test_each_score_table_is_a_board_of_its_own() -> None:
    file = whole(table("Score_NS", "100"), table("Score_NS", "110"))

    assert [[row.score for row in board.rows] for board in file.boards] == [[100], [110]]


def test_dealer_and_vulnerability_follow_from_the_number_unless_given() -> None:
    file = whole(game(Board="14", Deal="?"), game(Board="14", Deal="?", Dealer="S", Vulnerable="All"))

    assert [(board.dealer, board.vulnerability) for board in file.boards] == [
        (Seat.E, Vulnerability.NONE),
        (Seat.S, Vulnerability.BOTH),
    ]


def test_hand_records_have_no_results() -> None:
    deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    empty = {"Contract": "", "Declarer": "", "Result": "", "Scoring": ""}
    lines = ['[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]', "N NT 8"]

    [board] = whole(game(*lines, Board="1", Deal=deal, **empty)).boards

    assert (board.deal, board.rows, board.method) == (parse_deal(deal), (), Method.NONE)


@pytest.mark.parametrize("number", ["", "?", "0", "-1", "A", "1.5", "123456", "١"])
def test_a_result_without_board_number_is_refused(number: str) -> None:
    file = read(played(Board=number), played(Board="2"))

    assert [line for line, _ in refused(file)] == [1]
    assert [board.number for board in file.boards] == [2]


def test_a_deal_without_board_number_is_left_out_with_a_warning() -> None:
    file = read(game(Dealer="N", Deal="N:- - - -", Contract="6S"), game(Competition="Pairs"))

    assert [line for line, _ in warned(file)] == [1]
    assert file.boards == ()


@pytest.mark.parametrize(
    "deal",
    [
        "N:AKQ - - -",
        "Q:- - - -",
        "N:- - -",
        "N:AAKQJT9876543... - - -",
        "N:AKQJT98765432... AKQJT98765432... - -",
    ],
)
def test_a_wrong_deal_is_refused_and_the_result_kept(deal: str) -> None:
    file = read(played(Deal=deal))

    assert [line for line, _ in refused(file)] == [6]
    assert (file.boards[0].deal, len(file.boards[0].rows)) == (None, 1)


@pytest.mark.parametrize(
    ("tag", "value"), [("Dealer", "Q"), ("Vulnerable", "some"), ("Scoring", "IMP;??"), ("Date", "now")]
)
def test_other_wrong_values_are_warned_about(tag: str, value: str) -> None:
    file = read(played(**{tag: value}))

    assert len(warned(file)) == 1
    assert len(rows_of(file)) == 1


@pytest.mark.parametrize(
    ("columns", "row", "method"),
    [
        ("Score_NS;IMP_NS", "100 1", Method.IMPS),
        ("Score_NS;MP_NS", "100 1", Method.MP),
        ("Score_NS;Percentage_EW", "100 1", Method.MP),
        ("Score_NS", "100", Method.NONE),
    ],
)
def test_without_scoring_the_figures_name_the_method(columns: str, row: str, method: Method) -> None:
    file = whole(table(columns, row))

    assert (file.boards[0].method, file.method) == (method, method)


def test_what_is_said_wins_over_the_figures() -> None:
    assert whole(table("Score_NS;MP_NS", "100 1", Scoring="MP;MP2")).method is Method.MATCHPOINTS_HALVES


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"hello", b"\0" * 100, b"{[Board]}", b'%[Board "1"]', bytes(range(256))]
)
def test_what_is_no_pbn(data: bytes) -> None:
    with pytest.raises(FileRefused, match="no PBN"):
        read_pbn(data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str) -> None:
    assert read_pbn('[Event "Ålesund"]\n[Board "1"]'.encode(encoding)).event == "Ålesund"


WORDS = [
    '[Board "',
    '"]',
    "[",
    "]",
    "{",
    "}",
    ";",
    "%",
    "\n",
    "\r",
    "\n\n",
    '"',
    "\\",
    "#",
    "##",
    " ",
    "\t",
    "^",
    "-",
    "\0",
]
WORDS += [
    '[Event "#"]',
    '[ScoreTable "Rank;Contract;Declarer;Result;Score_NS;IMP_NS;Multiplicity"]',
    '[Play "N"]',
    "+",
]
WORDS += [
    "1",
    "4S",
    "N",
    "10",
    "420",
    "9" * 30,
    "^60",
    "Bye",
    "Pass",
    "?",
    "4HX",
    "DA",
    '[TotalScoreTable "PairId;MP"]',
]
WORDS += [
    '[Deal "N:',
    '[Scoring "',
    '[Contract "4S"]',
    '[Declarer "N"]',
    '[Result "',
    '[Score "',
    "٣",
    "ſ",
    "\x85",
    "\u2028",
]
garbled = st.lists(st.sampled_from(WORDS), max_size=60).map("".join)


@given(garbled | st.text(max_size=200))
def test_garbled_files_are_read_or_refused(text: str) -> None:
    data = text.encode("utf-8", errors="replace")
    try:
        file = read_pbn(data)
    except FileRefused:
        return
    lines = 1 + data.decode().replace("\r\n", "\n").replace("\r", "\n").count("\n")
    for complaint in (*file.warnings, *file.refused):
        assert complaint.line is None or 1 <= complaint.line <= lines
    assert all(1 <= row.line <= lines for row in rows_of(file))


@given(st.sampled_from(OUR_FILES), st.data())
def test_damaged_files_are_read_or_refused(path, data) -> None:  # type: ignore[no-untyped-def]
    content = path.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 40)))
    damaged = content[:start] + data.draw(st.binary(max_size=8)) + content[end:]
    with suppress(FileRefused):
        read_pbn(damaged)


TABLE = '[Board "1"]\n[ScoreTable "PairId_NS;Contract;Score_NS"]\n'
LONG = {
    "comments": '[Board "1"]\n' + "{\n" * 100_000,
    "brackets": '[Board "1"]\n' + "[ " * 100_000,
    "tags": '[Board "1"]\n' + '[A "' * 50_000,
    "marks": TABLE + '"a ' * 70_000,
    "escapes": TABLE + '"\\" ' * 50_000,
    "signs": TABLE + "1 % { ; " * 25_000,
    "split": TABLE + "1\n" * 100_000,
    "spaces": TABLE + " " * 200_000,
    "columns": '[Board "1"]\n[ScoreTable "' + "Percentge_NS;" * 15_000 + '"]',
    "defaults": "".join(f'[T{i} "##x"]\n\n' for i in range(14_000)),
}


@pytest.mark.parametrize("kind", LONG)
def test_reading_takes_time_in_proportion(kind: str) -> None:
    # Linear reading takes well under half a second for each; anything quadratic takes minutes.
    data = LONG[kind].encode()
    began = time.process_time()
    read_pbn(data)
    assert time.process_time() - began < 5
