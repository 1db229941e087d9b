"""Builds what readers return: boards, rows and totals without a file."""

from decimal import Decimal
from fractions import Fraction

from server.bridge.seats import Seat, Vulnerability
from server.formats.records import FileBoard, Method, Published, ResultFile, Row, Total
from server.services.verification import Check

NONE = Check(0, 0)


def rounded(value: Fraction, digits: int) -> Decimal:
    """Half away from zero, unlike the halves to even of the product."""
    size = int(abs(value) * 10**digits + Fraction(1, 2))
    return Decimal(size if value >= 0 else -size).scaleb(-digits)


def row(
    line: int, score: int | None, what: str = "imps", ns: object = None, ew: object = None, **more: object
) -> Row:
    """A row without contract; its pairs are numbered by its line."""
    published = ()
    if ns is not None or ew is not None:
        published = (
            Published(what, *(None if figure is None else Decimal(str(figure)) for figure in (ns, ew))),
        )
    given = {"ns": f"{line}", "ew": f"{line + 10}", "outcome": None, "published": published} | more
    return Row(line=line, score=score, **given)  # type: ignore[arg-type]


def board(number: int, method: Method, *rows: Row, **more: object) -> FileBoard:
    return FileBoard(number, number, Seat.N, Vulnerability.NONE, None, method, rows, **more)  # type: ignore[arg-type]


def file(*boards: FileBoard, totals: tuple[Total, ...] = ()) -> ResultFile:
    return ResultFile("pbn", "", boards[0].method if boards else Method.NONE, boards, totals)


def published_as(
    method: Method, what: str, scores: tuple[int, ...], values: list[Fraction], digits: int
) -> ResultFile:
    """One board with its figures for NS, rounded to so many digits."""
    rows = [
        row(i + 1, score, what, rounded(value, digits))
        for i, (score, value) in enumerate(zip(scores, values, strict=True))
    ]
    return file(board(1, method, *rows))
