"""Builds small USEBIO files, one element to a line: a test can ask for the line of anything in them."""

from server.formats.records import ResultFile, Row
from server.formats.usebio import read_usebio

HEAD = '<?xml version="1.0"?>\n<!DOCTYPE USEBIO SYSTEM "http://results.example/usebio_v1_2.dtd">'
PLAYED = {
    "NS_PAIR_NUMBER": "1",
    "EW_PAIR_NUMBER": "2",
    "CONTRACT": "4S",
    "PLAYED_BY": "N",
    "LEAD": "KD",
    "TRICKS": "10",
    "SCORE": "420",
    "NS_MATCH_POINTS": "1",
    "EW_MATCH_POINTS": "1",
}


def element(name: str, *inside: str, **attributes: str) -> str:
    """One element with what is inside it on lines of its own."""
    start = name + "".join(f' {key}="{value}"' for key, value in attributes.items())
    return "\n".join([f"<{start}>", *inside, f"</{name}>"])


def leaves(**texts: str) -> list[str]:
    """Elements that hold text only."""
    return [f"<{name}>{text}</{name}>" for name, text in texts.items()]


def traveller(*without: str, **changed: str) -> str:
    """An ordinary traveller line, changed, and without some of its elements."""
    texts = {name: text for name, text in (PLAYED | changed).items() if name not in without}
    return element("TRAVELLER_LINE", *leaves(**texts))


def board(number: str, *lines: str, **attributes: str) -> str:
    """A BOARD with its traveller lines or hands."""
    return element("BOARD", f"<BOARD_NUMBER>{number}</BOARD_NUMBER>", *lines, **attributes)


def event(*parts: str, kind: str = "MP_PAIRS", after: str = "") -> bytes:
    """A file with one event, and elements after it."""
    inside = element("EVENT", *parts, EVENT_TYPE=kind)
    return "\n".join([HEAD, element("USEBIO", inside, after, Version="1.2"), ""]).encode()


def line_of(data: bytes, text: str) -> int:
    """The line on which a text stands first."""
    return 1 + data[: data.index(text.encode())].count(b"\n")


def only_row(data: bytes) -> Row:
    """The row of a file that has one, without any complaint."""
    file = read_usebio(data)
    assert (file.refused, file.warnings) == ((), ())
    [row] = [row for each in file.boards for row in each.rows]
    return row


def rows_of(file: ResultFile) -> list[Row]:
    """Every row of every board."""
    return [row for each in file.boards for row in each.rows]
