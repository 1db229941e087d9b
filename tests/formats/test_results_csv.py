"""Our CSV of results: what spreadsheets do to it, and that a wrong row costs only itself."""

import codecs
import csv
import dataclasses
import re
from collections.abc import Sequence
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.contract import PASSED_OUT, Contract, Outcome, Risk, Strain
from server.bridge.seats import Seat
from server.formats.errors import FileRefused
from server.formats.records import Method, PostedRow
from server.formats.results_csv import COLUMNS, OPTIONAL, REQUIRED, read_results_csv, write_results_csv
from tests.strategies import PACK, outcomes

HEADER = ",".join(COLUMNS)
PLAIN = "2026-W11,17,T-1,ann,eve,sam,wes,4SX,N,9,HK,2026-03-09T19:30:00Z"
PLAIN_ROW = PostedRow(
    line=2,
    week="2026-W11",
    board="17",
    table="T-1",
    players=("ann", "eve", "sam", "wes"),
    outcome=Outcome(Contract(4, Strain.SPADES, Risk.DOUBLED), Seat.N, 9),
    lead="HK",
    played_at="2026-03-09T19:30:00Z",
)
PASSED_ROW = dataclasses.replace(
    PLAIN_ROW, line=3, week=None, board="18", outcome=PASSED_OUT, lead=None, played_at=None
)


def text_of(*lines: str) -> bytes:
    return "\n".join(lines).encode()


def changed(**cells: str) -> str:
    """The plain line with some of its cells changed."""
    values = dict(zip(COLUMNS, PLAIN.split(","), strict=True)) | cells
    return ",".join(values[name] for name in COLUMNS)


def refusals(data: bytes) -> list[tuple[int | None, str]]:
    return [(refusal.line, refusal.text) for refusal in read_results_csv(data).refused]


def test_what_is_written() -> None:
    assert write_results_csv([PLAIN_ROW, PASSED_ROW]) == codecs.BOM_UTF8 + (
        f"{HEADER}\r\n{PLAIN}\r\n,18,T-1,ann,eve,sam,wes,PASS,,,,\r\n"
    ).encode("ascii")


def test_what_is_written_is_read() -> None:
    file = read_results_csv(write_results_csv([PLAIN_ROW, PASSED_ROW]))

    assert file.posted == (PLAIN_ROW, PASSED_ROW)
    assert (file.format, file.method, file.boards) == ("csv", Method.NONE, ())
    assert (file.warnings, file.refused) == ((), ())


def test_nothing_to_write_is_a_header() -> None:
    data = write_results_csv([])

    assert data == codecs.BOM_UTF8 + f"{HEADER}\r\n".encode()
    assert read_results_csv(data).posted == ()


SAVED_BY_A_SPREADSHEET = {
    "semicolons": (";", "utf-8-sig", "\r\n"),
    "old Windows letters": (";", "cp1252", "\r\n"),
    "Unicode text": ("\t", "utf-16", "\r\n"),
    "old Macintosh": (",", "utf-8", "\r"),
    "plain": (",", "utf-8", "\n"),
}


@pytest.mark.parametrize("name", SAVED_BY_A_SPREADSHEET)
def test_as_spreadsheets_save_it(name: str) -> None:
    delimiter, encoding, end = SAVED_BY_A_SPREADSHEET[name]
    lines = [HEADER, changed(north="Zoë"), "," * 11, "", PLAIN.replace("17", "18", 1)]
    data = end.join(line.replace(",", delimiter) for line in lines).encode(encoding)

    file = read_results_csv(data)

    assert [(row.line, row.board, row.players[0]) for row in file.posted] == [
        (2, "17", "Zoë"),
        (5, "18", "ann"),
    ]
    assert (file.warnings, file.refused) == ((), ())


def test_columns_in_any_order_and_case_and_optional_ones_absent() -> None:
    data = text_of(
        " Tricks ;DECLARER;contract;west;south;east;north;table;board", "9;n;4sx;wes;sam;eve;ann;T-1;17"
    )

    [row] = read_results_csv(data).posted

    assert row == dataclasses.replace(PLAIN_ROW, week=None, lead=None, played_at=None)


def test_an_unknown_column_is_warned_about_and_an_empty_one_is_not() -> None:
    file = read_results_csv(text_of("", f"{HEADER},Score,,", f"{PLAIN},-100,,"))

    assert len(file.posted) == 1
    assert [(warning.line, warning.text) for warning in file.warnings] == [
        (2, "column 'score' is unknown; left out")
    ]


@pytest.mark.parametrize("name", REQUIRED)
def test_a_required_column_must_be_there(name: str) -> None:
    with pytest.raises(FileRefused, match=f"^line 1: no header: the columns {name} are missing$"):
        read_results_csv(text_of(HEADER.replace(name, "other"), PLAIN))


@pytest.mark.parametrize("name", OPTIONAL)
def test_an_optional_column_may_be_absent(name: str) -> None:
    [row] = read_results_csv(text_of(HEADER.replace(name, "other"), PLAIN)).posted

    assert getattr(row, name) is None


def test_a_column_given_twice_is_refused() -> None:
    with pytest.raises(FileRefused, match="line 1: columns given twice: board"):
        read_results_csv(text_of(f"{HEADER},Board", PLAIN))


@pytest.mark.parametrize("data", [b"", b"\r\n \n", codecs.BOM_UTF8])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(FileRefused, match="empty; expected a header line"):
        read_results_csv(data)


@pytest.mark.parametrize("data", [PLAIN.encode(), b"\x00\xff\xfe", b"<USEBIO/>", b'"'])
def test_a_file_without_header_is_refused(data: bytes) -> None:
    with pytest.raises(FileRefused, match="line 1: no header"):
        read_results_csv(data)


@pytest.mark.parametrize(
    ("column", "cell", "reason"),
    [
        ("board", "", "empty"),
        ("table", " ", "empty"),
        ("west", "", "empty"),
        ("south", "ann", "'ann' sits in two seats"),
        ("contract", "8H", "a level"),
        ("contract", "", "a level"),
        ("contract", "4SN", "X, XX or the end"),
        ("declarer", "", "expected N, E, S or W"),
        ("declarer", "NS", "expected N, E, S or W"),
        ("declarer", "ſ", "expected N, E, S or W"),
        ("tricks", "", "expected 0 to 13"),
        ("tricks", "14", "expected 0 to 13"),
        ("tricks", "-1", "expected 0 to 13"),
        ("tricks", "٣", "expected 0 to 13"),
        ("tricks", "9.0", "expected 0 to 13"),
        ("lead", "1H", "a card"),
        ("played_at", "yesterday", "a time with offset"),
        ("played_at", "2026-03-09T19:30:00", "a time with offset"),
        ("played_at", "2026-03-09", "a time with offset"),
    ],
)
def test_a_wrong_row_is_refused_with_line_and_column_and_the_rest_is_read(
    column: str, cell: str, reason: str
) -> None:
    file = read_results_csv(text_of(HEADER, PLAIN, changed(**{column: cell}), PLAIN))

    assert [row.line for row in file.posted] == [2, 4]
    [refusal] = file.refused
    assert refusal.line == 3
    assert refusal.text.startswith(f"column {column}: ")
    assert reason in refusal.text


@pytest.mark.parametrize("column", ["declarer", "tricks", "lead"])
def test_a_passed_out_board_has_nothing_else(column: str) -> None:
    cells = {"contract": "PASS", "declarer": "", "tricks": "", "lead": ""}
    assert refusals(text_of(HEADER, changed(**cells))) == []

    [(line, text)] = refusals(text_of(HEADER, changed(**(cells | {column: "9"}))))

    assert (line, text) == (2, f"column {column}: '9' on a passed-out board; expected nothing")


def test_spaces_around_an_id_are_kept_and_warned_about() -> None:
    file = read_results_csv(text_of(HEADER, changed(north=" ann", contract=" 4SX ", tricks=" 9")))

    assert [row.players[0] for row in file.posted] == [" ann"]
    assert [warning.text for warning in file.warnings] == [
        "column north: ' ann' begins or ends with white space"
    ]


def test_too_many_cells_are_refused_and_too_few_are_empty() -> None:
    file = read_results_csv(text_of(HEADER, f"{PLAIN},,", f"{PLAIN},more", "2026-W11,17,T-1", PLAIN[:-24]))

    assert [row.line for row in file.posted] == [2, 5]
    assert [(refusal.line, refusal.text) for refusal in file.refused] == [
        (3, "13 cells in 12 columns"),
        (4, "column north: empty"),
    ]


def cells_of(data: bytes) -> list[str]:
    """Every cell as a spreadsheet sees it."""
    return [cell for row in csv.reader(StringIO(data.decode("utf-8-sig"), newline="")) for cell in row]


ids = st.text(min_size=1, max_size=8) | st.text("=+-@'\t\r\n;,\"a1. ", min_size=1, max_size=8)
filled = ids.filter(lambda text: bool(text.strip()))
leads = st.none() | st.sampled_from(PACK)
moments = st.none() | st.datetimes(timezones=st.timezones()).map(lambda moment: moment.isoformat())


@st.composite
def posted_rows(draw: st.DrawFn) -> PostedRow:
    outcome = draw(outcomes)
    north, east, south, west = draw(st.lists(filled, min_size=4, max_size=4, unique=True))
    return PostedRow(
        line=0,
        week=draw(st.none() | ids),
        board=draw(filled),
        table=draw(filled),
        players=(north, east, south, west),
        outcome=outcome,
        lead=None if outcome.passed_out else draw(leads),
        played_at=draw(moments),
    )


def without_line(rows: Sequence[PostedRow]) -> list[PostedRow]:
    return [dataclasses.replace(row, line=0) for row in rows]


@given(st.lists(posted_rows(), max_size=5))
def test_any_rows_come_back_and_no_cell_is_a_formula(rows: list[PostedRow]) -> None:
    data = write_results_csv(rows)

    file = read_results_csv(data)

    assert file.refused == ()
    assert without_line(file.posted) == rows
    for cell in cells_of(data):
        assert cell[:1] not in ("=", "+", "@", "\t", "\r", "\n")
        assert cell[:1] != "-" or re.fullmatch(r"-[0-9.]+", cell)


@given(st.binary(max_size=300))
def test_any_bytes_below_a_header_are_read_or_refused_row_by_row(data: bytes) -> None:
    file = read_results_csv(text_of(HEADER, PLAIN, "") + data)

    assert file.posted[:1] == (PLAIN_ROW,)
    assert all(complaint.line and complaint.line > 2 for complaint in (*file.warnings, *file.refused))


@given(st.text(max_size=200), st.sampled_from(",;\t"))
def test_any_text_as_a_row_never_loses_the_next(text: str, delimiter: str) -> None:
    lines = [HEADER.replace(",", delimiter), text.replace('"', ""), PLAIN.replace(",", delimiter)]

    [last] = read_results_csv(text_of(*lines)).posted[-1:]

    assert dataclasses.replace(last, line=2) == PLAIN_ROW
