"""Tables as CSV that a spreadsheet may open, change and save without harm.

Written in UTF-8 with byte order mark, commas and CRLF, as spreadsheets expect. Read with commas, semicolons
or tabs, whichever fits the header, and with any line ends.

A spreadsheet takes a text that begins with ``=``, ``+``, ``-``, ``@``, tab or a line end for a formula, and a
formula can run commands. Such a text is written with an apostrophe before it, as people type it in a
spreadsheet, and read without. Negative numbers are left alone.
"""

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from server.formats.complaints import Complaints
from server.formats.errors import FileRefused

_FORMULA = frozenset("=+-@＝＋－＠\t\r\n")
_PROTECTED = _FORMULA | {"'"}  # so that an apostrophe of the text's own is not taken for ours
_NUMBER = re.compile(r"-[0-9]+(?:\.[0-9]+)?")
_DELIMITERS = ",;\t"
_QUOTED = frozenset('",\r\n')


@dataclass(frozen=True, slots=True)
class Record:
    """One row below the header."""

    line: int  # on which it begins
    cells: dict[str, str]  # by column, in small letters; a cell that the row lacks is empty


def write_table(columns: Sequence[str], rows: Iterable[Sequence[str | int]]) -> bytes:
    """A table with its header. Numbers stay numbers; texts come back from ``read_table`` as they were."""
    lines = [columns, *rows]
    text = "".join(",".join(_cell(value) for value in line) + "\r\n" for line in lines)
    return BOM_UTF8 + text.encode()


def read_table(
    text: str, required: Sequence[str], optional: Sequence[str], complaints: Complaints
) -> Iterator[Record]:
    """The rows of a table, empty ones left out.

    Unknown columns are warned about; a row whose cells cannot be told apart is refused. Raises FileRefused
    when the first line that is not empty is no header with all ``required`` columns, each once.
    """
    lines = list(StringIO(text, newline=""))
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is None:
        raise FileRefused("empty; expected a header line")
    known = {*required, *optional}
    delimiter = max(_DELIMITERS, key=lambda mark: len(known & set(_names(lines[first], mark))))
    columns = _names(lines[first], delimiter)
    _check(columns, required, first + 1)
    for column in columns:
        if column and column not in known:  # spreadsheets leave empty columns at the end
            complaints.warn(first + 1, f"column {column!r} is unknown; left out")
    for line, cells in _records(lines, first + 1, delimiter, len(columns), complaints):
        if any(cells[len(columns) :]):
            complaints.refuse(line, f"{len(cells)} cells in {len(columns)} columns")
        elif any(cell.strip() for cell in cells):
            filled = cells + [""] * (len(columns) - len(cells))
            yield Record(line, dict(zip(columns, filled, strict=False)))


def _cell(value: str | int) -> str:
    text = _protect(value) if isinstance(value, str) else str(value)
    return '"' + text.replace('"', '""') + '"' if _QUOTED & set(text) else text


def _protect(text: str) -> str:
    formula = text[:1] in _FORMULA and not _NUMBER.fullmatch(text)
    return f"'{text}" if formula or (text[:1] == "'" and text[1:2] in _PROTECTED) else text


def _unprotect(text: str) -> str:
    return text[1:] if text[:1] == "'" and text[1:2] in _PROTECTED else text


def _names(line: str, delimiter: str) -> list[str]:
    return [name.strip().lower() for name in _cells([line], delimiter) or []]


def _check(columns: list[str], required: Sequence[str], line: int) -> None:
    twice = sorted({name for name in columns if name and columns.count(name) > 1})
    if twice:
        raise FileRefused(f"columns given twice: {', '.join(twice)}", line)
    missing = [name for name in required if name not in columns]
    if missing:
        raise FileRefused(f"no header: the columns {', '.join(missing)} are missing", line)


def _records(
    lines: list[str], at: int, delimiter: str, width: int, complaints: Complaints
) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each record from ``lines[at]`` on.

    A quoted cell may hold line ends. But when what a quotation mark opens never closes, or closes into a row
    of the wrong width, the mark is a slip: its line is refused, and reading goes on with the very next one.
    """
    while at < len(lines):
        end = _end(lines, at)
        cells = None if end is None else _cells(lines[at:end], delimiter)
        if end is None or cells is None or (end > at + 1 and len(cells) != width):
            complaints.refuse(at + 1, "a quotation mark too many or too few")
            at += 1
        else:
            yield at + 1, cells
            at = end


def _end(lines: list[str], at: int) -> int | None:
    """Where the record that begins at ``at`` ends: quotation marks come in pairs."""
    marks = 0
    for end in range(at, len(lines)):
        marks += lines[end].count('"')
        if marks % 2 == 0:
            return end + 1
    return None


def _cells(lines: list[str], delimiter: str) -> list[str] | None:
    """The cells of the one record in ``lines``; None when its quotation marks are wrong."""
    try:
        records = list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return [_unprotect(cell) for cell in records[0]] if len(records) == 1 else None
