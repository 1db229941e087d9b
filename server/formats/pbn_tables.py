r"""Tables of a PBN file: ``[ScoreTable "Rank\3R;Contract\5L;…"]`` and the rows below it.

Columns come in any number and order, widths are only minimums, and rows may be split over lines. A row that
does not fit its columns is left out with its line; the next lines that do fit are read again.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from server.formats.complaints import Complaints
from server.formats.pbn_games import Line, Tag, excerpt

_BARE = re.compile(r"\S+")
_CLOSING = re.compile(r'(?<!\\)"(?=\s|$)')  # quotation marks inside a name have a letter behind them
_WIDTH = re.compile(r"[0-9]{1,4}[LR]?")
_FORBIDDEN = '[]{};%"'
_MOST_COLUMNS = 100
_FURTHEST = 12  # lines that one split row may take
_KNOWN = (
    *("pairid", "names", "contract", "declarer", "result", "lead", "multiplicity", "score", "percentage"),
    *("totalimp", "totalmp", "totalvp", "totalpercentage"),
)

Complain = Callable[[int | None, str], None]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str  # in lower case, misspelling put right
    order: str  # "+": best is highest, "-": best is lowest, "": not sorted by it


@dataclass(frozen=True, slots=True)
class Cells:
    """One row of a table."""

    line: int  # of its first cell
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of a table and those of its rows that fit them."""

    columns: tuple[Column, ...]
    rows: tuple[Cells, ...]


def read_table(tag: Tag, complaints: Complaints, complain: Complain) -> Table:
    """A table with its whole rows; what does not fit goes to ``complain``."""
    columns = _columns(tag, complaints)
    if len(columns) > _MOST_COLUMNS:
        complain(tag.line, f"{tag.name} has more than {_MOST_COLUMNS} columns")
        return Table((), ())
    lines = [_tokens(line, complaints) for line in tag.below]
    width = len(columns)
    rows: list[Cells] = []
    at = 0
    while at < len(lines):
        end = at + 1 if len(lines[at]) == width else _row_end(lines, at, width)
        if end is None:
            number, text = tag.below[at]
            complain(number, f"{len(lines[at])} cells where the table has {width} columns: {excerpt(text)}")
        else:
            rows += _cut(tag.below[at:end], lines[at:end], width)
        at = end or at + 1
    return Table(columns, tuple(rows))


def _row_end(lines: list[list[str]], at: int, width: int) -> int | None:
    """Where the rows that begin in line ``at``, and go on in the next, are complete; None if nowhere near."""
    count = 0
    for end in range(at, min(at + _FURTHEST, len(lines))):
        if end > at and len(lines[end]) == width:
            return None  # a whole row of its own: what came before is broken
        count += len(lines[end])
        if count % width == 0:
            return end + 1
    return None


def _cut(numbered: tuple[Line, ...], lines: list[list[str]], width: int) -> list[Cells]:
    """Rows of ``width`` cells out of lines that hold a whole number of them."""
    flow = [(number, cell) for (number, _), cells in zip(numbered, lines, strict=True) for cell in cells]
    rows = [flow[i : i + width] for i in range(0, len(flow), width)]
    return [Cells(row[0][0], tuple(cell for _, cell in row)) for row in rows]


def _tokens(line: Line, complaints: Complaints) -> list[str]:
    """The cells on a line: words, or texts in quotation marks."""
    number, text = line
    tokens: list[str] = []
    closing = True  # whether a quotation mark may still close
    sound = True
    at = 0
    while match := _BARE.search(text, at):
        start, at = match.span()
        end = _CLOSING.search(text, start + 1) if closing and text[start] == '"' else None
        if end is not None:
            quoted, at = text[start + 1 : end.start()], end.end()
            tokens.append(quoted.replace('\\"', '"').replace("\\\\", "\\").strip())
            continue
        closing = closing and text[start] != '"'
        if sound and text[start] in _FORBIDDEN:
            sound = False  # once a line is enough
            rest = excerpt(text[start : start + 80])
            complaints.warn(number, f"{text[start]} cannot stand in a table: {rest}")
        if text[start] in "{;":
            break  # a comment, which has no place here
        tokens.append(match.group())
    return tokens


def _columns(tag: Tag, complaints: Complaints) -> tuple[Column, ...]:
    """The columns that the value of a table's tag describes, at least one."""
    columns = []
    for spec in tag.value.split(";", _MOST_COLUMNS):
        name, backslash, width = spec.strip().partition("\\")
        if backslash and not _WIDTH.fullmatch(width):
            reason = rf"the width of column {excerpt(spec)} is not a number and L or R, such as \5R"
            complaints.warn(tag.line, reason)
        order = name[0] if name[:1] in ("+", "-") else ""
        name = name.removeprefix(order)
        if not name:
            complaints.warn(tag.line, f"a column of {tag.name} has no name")
        columns.append(Column(_spelt(name, tag, complaints), order))
    return tuple(columns)


def _spelt(name: str, tag: Tag, complaints: Complaints) -> str:
    """The name in lower case; one that is nearly a known name is taken for it, with a warning."""
    word = name.lower()
    side = word[-3:] if word.endswith(("_ns", "_ew")) else ""
    base = word.removesuffix(side)
    if base in _KNOWN or not 4 < len(base) <= 20:
        return word
    near = next((_NEARLY[form] for form in _shortened(base) if form in _NEARLY), None)
    if near is None:
        return word
    complaints.warn(tag.line, f"column {name!r} was read as {near + side!r}")
    return near + side


def _shortened(word: str) -> tuple[str, ...]:
    """The word, and the word with each one letter left out."""
    return (word, *(word[:i] + word[i + 1 :] for i in range(len(word))))


# Two words that share a form differ by one letter more, less, other, or out of place (or by two).
_NEARLY = {form: word for word in _KNOWN for form in _shortened(word)}
