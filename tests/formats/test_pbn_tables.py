"""Rows of PBN tables: widths, split rows, quotation marks, misspelt columns."""

import pytest

from server.formats.complaints import Complaints
from server.formats.pbn_games import Tag
from server.formats.pbn_tables import Column, Table, read_table


def read(columns: str, *rows: str) -> tuple[Table, list[int | None], list[int | None]]:
    """A table that begins in line 1, the lines of its warnings, and those of rows that do not fit."""
    complaints = Complaints()
    below = tuple(enumerate(rows, 2))
    found = read_table(Tag(1, "ScoreTable", columns, below), complaints, complaints.refuse)
    return (
        found,
        [warning.line for warning in complaints.warnings],
        [refusal.line for refusal in complaints.refused],
    )


def cells(columns: str, *rows: str) -> list[tuple[str, ...]]:
    """The rows of a table without fault."""
    found, warnings, refused = read(columns, *rows)
    assert (warnings, refused) == ([], [])
    return [row.texts for row in found.rows]


def test_columns_with_order_and_width() -> None:
    found, _, _ = read(r"-Rank\3R;+Score_NS\5R;Names\45;Lead\2L;My own")

    assert found.columns == (
        Column("rank", "-"),
        Column("score_ns", "+"),
        Column("names", ""),
        Column("lead", ""),
        Column("my own", ""),
    )


def test_widths_are_minimums() -> None:
    assert cells(r"A\1R;B\1L", "12345 x", "  1     yyyyyyy  ") == [("12345", "x"), ("1", "yyyyyyy")]


@pytest.mark.parametrize(
    "rows",
    [
        ["1 2 3", "4 5 6"],
        ["1 2", "3", "4 5 6"],
        ["1", "2", "3", "4 5", "6"],
        ["1 2 3 4 5 6"],
        ["1 2 3 4", "5 6"],
    ],
)
def test_rows_may_be_split_over_lines(rows: list[str]) -> None:
    assert cells("A;B;C", *rows) == [("1", "2", "3"), ("4", "5", "6")]


def test_a_split_row_has_the_line_of_its_first_cell() -> None:
    found, _, _ = read("A;B;C", "1 2", "3 4", "5 6")

    assert [row.line for row in found.rows] == [2, 3]


@pytest.mark.parametrize("broken", ["1 2", "1 2 3 4", "1", "1 2 ; 3"])
def test_a_row_that_does_not_fit_costs_nothing_else(broken: str) -> None:
    found, _, refused = read("A;B;C", "a b c", broken, "d e f", "g h i")

    assert [row.texts for row in found.rows if row.line != 3] == [tuple("abc"), tuple("def"), tuple("ghi")]
    assert refused == [3]


def test_broken_rows_do_not_join_over_a_whole_one() -> None:
    found, _, refused = read("A;B;C", "1", "a b c", "2 3", "d e f")

    assert [row.texts for row in found.rows] == [tuple("abc"), tuple("def")]
    assert refused == [2, 4]


def test_a_quotation_mark_that_does_not_close_is_a_sign_of_the_word() -> None:
    found, warnings, _ = read("A;B;C", '1 "2 3')

    assert ([row.texts for row in found.rows], warnings) == ([("1", '"2', "3")], [2])


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('"Ann Fox  ;Bob Hill "', "Ann Fox  ;Bob Hill"),
        (r'"Jo \"Ace\" Fox"', 'Jo "Ace" Fox'),
        ('"O"Hara"', 'O"Hara'),
        ('""', ""),
        ('"{no} [comment]; %"', "{no} [comment]; %"),
        ("O'Hara", "O'Hara"),
        ("a;b", "a;b"),
    ],
)
def test_quotation_marks(text: str, meant: str) -> None:
    assert cells("A;B;C", f"1 {text} 3") == [("1", meant, "3")]


@pytest.mark.parametrize("sign", list("[]{};%"))
def test_signs_that_cannot_stand_in_a_table(sign: str) -> None:
    _, warnings, _ = read("A;B", "1 2", f"3 {sign} 4")

    assert warnings == [3]


@pytest.mark.parametrize("columns", ["A\\;B", "A\\L;B", "A\\5X;B", "A;;B", "A;+"])
def test_wrong_columns_are_warned_about(columns: str) -> None:
    _, warnings, _ = read(columns)

    assert warnings == [1]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Percentge_NS", "percentage_ns"),
        ("Precentage_EW", "percentage_ew"),
        ("Contrct", "contract"),
        ("PairIds_NS", "pairid_ns"),
        ("Multiplicty", "multiplicity"),
        ("Declares", "declarer"),
    ],
)
def test_a_misspelt_column_is_known_again(written: str, meant: str) -> None:
    found, warnings, _ = read(f"Rank;{written}")

    assert found.columns[1].name == meant
    assert warnings == [1]


@pytest.mark.parametrize(
    "name", ["Percentage_NE", "TotalVP", "Experts", "NrBoards", "Result", "MP_NS", "VP_NS", "Table"]
)
def test_other_columns_are_left_as_they_are(name: str) -> None:
    found, warnings, _ = read(f"Rank;{name}")

    assert found.columns[1].name == name.lower()
    assert warnings == []


def test_a_table_of_absurd_width_is_refused() -> None:
    found, _, refused = read(";".join("A" * 200), "1 2 3")

    assert (found.rows, refused) == ((), [1])
