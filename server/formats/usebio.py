"""USEBIO 1.2 and 1.3, the XML in which clubs of the English Bridge Union publish results.

Read are pairs, Swiss pairs and teams, with hands and totals. The format itself leaves open:

- Vulnerability and dealer are not written; they follow from the board number.
- SCORE is signed for North-South. ``A6040`` is an artificial adjusted score of 60 % and 40 %.
- CROSS_IMP_POINTS are divided by the number of other results (n - 1). No such mean can exceed 24, the most
  IMPs for one comparison, so a file with a higher figure prints the undivided sum.
- BUTLER_POINTS are IMPs against a datum without the highest and the lowest result.
- MATCH_POINTS give 2 for each worse score and 1 for each equal one.
- Totals of Swiss and team events are victory points.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from server.formats.complaints import Complaints
from server.formats.errors import FileRefused
from server.formats.records import FileBoard, Method, ResultFile, Total
from server.formats.text import decode
from server.formats.usebio_boards import BoardReader, read_deals
from server.formats.usebio_layout import Part, parts_of
from server.formats.usebio_methods import in_victory_points, kind_of, scoring_of
from server.formats.usebio_pairs import read_totals
from server.formats.usebio_words import read_date
from server.formats.xml_tree import Element, read_tree


@dataclass(frozen=True, slots=True)
class _Event:
    """What was read of one EVENT."""

    title: str
    played_on: date | None
    method: Method
    boards: tuple[FileBoard, ...]
    totals: tuple[Total, ...]


def read_usebio(data: bytes) -> ResultFile:
    """Read a USEBIO file.

    A line, board or event that cannot be understood is among ``refused`` with its line, and the rest is read.
    Raises FileRefused when the file is no XML, declares entities, or is no USEBIO.
    """
    complaints = Complaints()
    root = read_tree(decode(data), complaints)
    if root.name != "USEBIO":
        raise FileRefused(f"the document is {root.name}, not USEBIO", root.line)
    events = list(_events(root, complaints))
    first = events[0] if events else _Event("", None, Method.NONE, (), ())
    return ResultFile(
        format="usebio",
        event=first.title,
        method=first.method,
        boards=tuple(board for event in events for board in event.boards),
        totals=tuple(total for event in events for total in event.totals),
        warnings=complaints.warnings,
        refused=complaints.refused,
        played_on=first.played_on,
    )


def _events(root: Element, complaints: Complaints) -> Iterator[_Event]:
    found = root.all("EVENT")
    if not found:
        complaints.refuse(root.line, "no EVENT")
    shared = [Part(handset, (), None) for handset in root.all("HANDSET")]
    for element in found:
        kind = kind_of(element, complaints)
        if kind is not None:
            yield _read_event(element, kind, shared, complaints)


def _read_event(element: Element, kind: str, shared: list[Part], complaints: Complaints) -> _Event:
    parts = list(parts_of(element))
    scoring = scoring_of(element, kind)
    deals = read_deals([*shared, *(part for part in parts if part.element.name == "HANDSET")], complaints)
    boards = tuple(BoardReader(scoring, deals, complaints).boards(parts))
    if not boards:
        complaints.warn(element.line, "no boards")
    return _Event(
        title=element.text_of("EVENT_DESCRIPTION") or element.text_of("TITLE"),
        played_on=read_date(element, complaints),
        method=scoring.of_event(boards),
        boards=boards,
        totals=tuple(_totals(parts, kind, complaints)),
    )


def _totals(parts: list[Part], kind: str, complaints: Complaints) -> Iterator[Total]:
    for part in parts:
        if part.element.name == "PARTICIPANTS":
            yield from read_totals(part.element, part.section, in_victory_points(kind), complaints)
