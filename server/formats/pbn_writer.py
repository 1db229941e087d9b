"""PBN 2.1: boards with their travellers to bytes, in export format.

Each board is a game with the mandatory tags in their order and a ScoreTable. `read_pbn` gives back what was
written, but for quotation marks and backslashes in names, which tables have no way to write.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from server.bridge.seats import Vulnerability
from server.formats.records import FileBoard, Method, Published, ResultFile, Row

_LONGEST = 255  # characters of a line
_SEATS = ("North", "East", "South", "West")
_VULNERABLE = {
    Vulnerability.NONE: "None",
    Vulnerability.NS: "NS",
    Vulnerability.EW: "EW",
    Vulnerability.BOTH: "All",
}
_SCORING = {
    Method.BUTLER: "IMP;Butler-2",
    Method.BUTLER_UNTRIMMED: "IMP;Butler",
    Method.CROSS_IMPS: "IMP;Cross",
    Method.CROSS_IMPS_PER_SCORE: "IMP;Cross1",
    Method.CROSS_IMPS_PER_COMPARISON: "IMP;Cross2",
    Method.IMPS: "IMP",
    Method.MATCHPOINTS: "MatchPoints;MP1",
    Method.MATCHPOINTS_HALVES: "MatchPoints;MP2",
    Method.MP: "MatchPoints",
    Method.ASCHERMAN: "MatchPoints;Ascherman",
    Method.NONE: "",
}
_SIT_OUT = ("bye", "sit-out", "sitout")
_FIGURES = {"imps": "IMP", "matchpoints": "MP", "percent": "Percentage"}


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of a ScoreTable with its cells."""

    name: str
    right: bool  # its cells are numbers
    cells: list[str]

    @property
    def width(self) -> int:
        return max(len(cell) for cell in self.cells)


def write_pbn(file: ResultFile) -> bytes:
    """Boards as a PBN file in UTF-8."""
    lines = ["% PBN 2.1", "% EXPORT", "%"]
    for board in file.boards:
        lines += [*_game(board, file.event, file.played_on), ""]
    return "".join(f"{line}\r\n" for line in lines).encode()


def _game(board: FileBoard, event: str, day: date | None) -> Iterator[str]:
    tags = {
        "Event": event,
        "Site": "",
        "Date": "" if day is None else f"{day:%Y.%m.%d}",
        "Board": str(board.number),
        **dict.fromkeys(("West", "North", "East", "South"), ""),
        "Dealer": board.dealer.value,
        "Vulnerable": _VULNERABLE[board.vulnerability],
        "Deal": "" if board.deal is None else str(board.deal),
        "Scoring": _SCORING[board.method],
        **dict.fromkeys(("Declarer", "Contract", "Result"), "?"),
    }
    for name, value in tags.items():
        yield f'[{name} "{_escaped(value)}"]'
    if board.rows:
        yield from _table(list(_columns(board.rows)))


def _escaped(text: str) -> str:
    """The text of a tag, so short that its line is not too long."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    most = _LONGEST - 20
    return plain if len(plain) <= most else plain[:most].rstrip("\\")


def _columns(rows: tuple[Row, ...]) -> Iterator[_Column]:
    for place, seat in enumerate(_SEATS):
        if any(row.players for row in rows):
            cells = [row.players[place] if row.players else "" for row in rows]
            yield _Column(f"PlayerId_{seat}", False, [_quoted(cell) for cell in cells])
    for name, pairs in (("NS", [row.ns for row in rows]), ("EW", [row.ew for row in rows])):
        if any(pair is not None for pair in pairs):
            yield _Column(f"PairId_{name}", True, [_quoted(pair or "") for pair in pairs])
    yield _Column("Contract", False, [_contract(row) for row in rows])
    yield _Column("Declarer", False, [_told(row.outcome and row.outcome.declarer) for row in rows])
    yield _Column("Result", True, [_told(row.outcome and row.outcome.tricks) for row in rows])
    if any(row.lead for row in rows):
        yield _Column("Lead", False, [_told(row.lead) for row in rows])
    yield _Column("Score_NS", True, [_told(row.score) for row in rows])
    for what, name in _FIGURES.items():
        figures = [_figure(row, what) for row in rows]
        for side in ("NS", "EW"):
            values = [_of_side(figure, side) for figure in figures]
            if any(value is not None for value in values):
                yield _Column(f"{name}_{side}", True, [_told(value) for value in values])


def _contract(row: Row) -> str:
    if row.outcome is None:
        return "-"
    return "Pass" if row.outcome.contract is None else str(row.outcome.contract)


def _figure(row: Row, what: str) -> Published | None:
    return next((each for each in row.published if each.what == what), None)


def _of_side(figure: Published | None, side: str) -> Decimal | None:
    if figure is None:
        return None
    return figure.ns if side == "NS" else figure.ew


def _told(value: object) -> str:
    """A value, or the sign for none."""
    return "-" if value is None or value == "" else str(value)


def _quoted(text: str) -> str:
    """A name as one word of a table."""
    plain = " ".join(text.split()).replace('"', "'").replace("\\", "/")
    if plain.lower() in _SIT_OUT:
        plain = f"'{plain}'"  # or its row would be none
    return plain if plain.isascii() and plain.isalnum() else f'"{plain}"' if plain else "-"


def _table(columns: list[_Column]) -> Iterator[str]:
    widths = (f"{column.name}\\{column.width}{'R' if column.right else 'L'}" for column in columns)
    yield f'[ScoreTable "{";".join(widths)}"]'
    for cells in zip(*(column.cells for column in columns), strict=True):
        aligned = [
            cell.rjust(column.width) if column.right else cell.ljust(column.width)
            for column, cell in zip(columns, cells, strict=True)
        ]
        yield from _lines(aligned)


def _lines(cells: Iterable[str]) -> Iterator[str]:
    """A row on as many lines as it needs."""
    line = ""
    for cell in cells:
        if line and len(line) + 1 + len(cell) > _LONGEST:
            yield line.rstrip()
            line = ""
        line = f"{line} {cell}" if line else cell
    yield line.rstrip()
