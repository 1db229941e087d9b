"""Tables as CSV: texts that spreadsheets take for formulas, and quotation marks that do not pair up."""

import codecs
import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.formats.complaints import Complaints
from server.formats.csv_table import read_table, write_table


def read(text: str) -> tuple[list[int], list[int | None]]:
    """Lines of the rows that were read, and lines of those that were refused."""
    complaints = Complaints()
    lines = [record.line for record in read_table(text, ["a", "b"], [], complaints)]
    return lines, [refusal.line for refusal in complaints.refused]


def cells_of(data: bytes) -> list[str]:
    """Every cell as a spreadsheet sees it."""
    return [cell for row in csv.reader(StringIO(data.decode("utf-8-sig"), newline="")) for cell in row]


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+49 171", "'+49 171"),
        ("-ann", "'-ann"),
        ("@sum", "'@sum"),
        ("＝1", "'＝1"),
        ("\tann", "'\tann"),
        ("\rann", '"\'\rann"'),
        ("\nann", '"\'\nann"'),
        ("-420", "-420"),
        ("-4.5", "-4.5"),
        ("-4-5", "'-4-5"),
        ("-4\n", '"\'-4\n"'),
        ("'ann", "'ann"),
        ("'=1", "''=1"),
        ("''", "'''"),
        ("'", "'"),
        ("a=b", "a=b"),
        ("a,=b", '"a,=b"'),
        ('a"b', '"a""b"'),
        ("", ""),
    ],
)
def test_a_formula_is_made_harmless_and_comes_back(text: str, cell: str) -> None:
    data = write_table(["a", "b"], [["x", text]])

    assert data == codecs.BOM_UTF8 + f"a,b\r\nx,{cell}\r\n".encode()
    [record] = read_table(data.decode("utf-8-sig"), ["a", "b"], [], Complaints())
    assert record.cells == {"a": "x", "b": text}


def test_numbers_stay_numbers() -> None:
    assert write_table(["a", "b"], [[-420, 17]]) == codecs.BOM_UTF8 + b"a,b\r\n-420,17\r\n"


@pytest.mark.parametrize(
    "odd",
    ['"1,2', '1,"2', '1,2"', '1,2"2', '1,"2"2', '1,"2"x"', '1,2,"', '"', f'"{"x" * 140_000}",2'],
)
def test_a_stray_quotation_mark_costs_only_its_line(odd: str) -> None:
    assert read("\n".join(["a,b", "1,2", odd, "1,2", odd, "1,2"])) == ([2, 4, 6], [3, 5])


def test_a_cell_may_hold_line_ends() -> None:
    assert read('a,b\n1,"2\r\n\n"\n"\r",""""\n1,2') == ([2, 5, 7], [])


def test_many_stray_quotation_marks_do_not_take_for_ever() -> None:
    lines, refused = read("a,b\n" + '"\n' * 20_000 + "1,2")

    assert (lines, len(refused)) == ([20_002], 20_000)


texts = st.text() | st.text("=+-@＝'\t\r\n,\"a1. ")


@given(st.lists(st.tuples(texts, texts), max_size=5))
def test_any_texts_come_back_and_no_cell_is_a_formula(rows: list[tuple[str, str]]) -> None:
    data = write_table(["a", "b"], rows)

    complaints = Complaints()
    records = list(read_table(data.decode("utf-8-sig"), ["a", "b"], [], complaints))

    assert complaints.refused == ()
    kept = [row for row in rows if any(text.strip() for text in row)]
    assert [(record.cells["a"], record.cells["b"]) for record in records] == kept
    for cell in cells_of(data):
        assert cell[:1] not in ("=", "+", "@", "\t", "\r", "\n")
        assert cell[:1] != "-" or cell[1:].replace(".", "", 1).isdigit()
