"""Events as values of result files, as far as everybody may see them: one board, or all that are revealed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import Connection

from server.bridge.adjustments import Average
from server.bridge.swiss_scoring import Scoring
from server.formats.records import FileBoard, FileMatch, Method, ResultFile, Row, Total
from server.services import event_reading
from server.services.event_field import Field
from server.services.event_reading import BoardView, FieldView
from server.services.exports import board_of, decimal, rows_of, shown_name
from server.services.secrecy import Reader, Secrecy
from server.storage.database import Database
from server.storage.event_rounds import Match

METHODS = {
    Scoring.CROSS_IMPS: Method.CROSS_IMPS_PER_COMPARISON,
    Scoring.TOTAL_IMP: Method.CROSS_IMPS,
    # Files have no word for our datum, which drops more results the more there are.
    Scoring.DATUM: Method.IMPS,
    Scoring.MATCHPOINTS: Method.MATCHPOINTS,
}
_AVERAGES = {Average.PLUS: "60", Average.AVERAGE: "50", Average.MINUS: "40"}


@dataclass(frozen=True, slots=True)
class Held:
    """An event with its boards."""

    view: FieldView
    boards: tuple[BoardView, ...]  # that are revealed, by number

    @property
    def method(self) -> Method:
        """How its boards are scored."""
        return METHODS[self.view.field.event.rules.scores.by_board]


async def held(database: Database, number: int, reader: Reader, secrecy: Secrecy, now: datetime) -> Held:
    """The event as far as the reader may see it. Raises EventNotFound, ScopeMissing."""

    def query(connection: Connection) -> Held:
        view = event_reading.field_in(connection, number, reader.caller)
        shown = event_reading.boards_in(connection, view.field.event, reader, secrecy, now)
        return Held(view, tuple(each for each in shown if each.traveller.open))

    return await database.read(query)


def event_file(found: Held) -> ResultFile:
    """All boards that are revealed, the pairs with their totals and, in victory points, the matches."""
    field = found.view.field
    by_vps = field.event.rules.scoring is Scoring.VP
    return ResultFile(
        "",
        field.event.name,
        found.method,
        tuple(_board(each, found.method) for each in found.boards),
        tuple(_totals(found.view)),
        matches=tuple(_matches(found)) if by_vps else (),
    )


def board_file(found: BoardView, scoring: Scoring, title: str) -> ResultFile:
    """One board; nothing of one that may still be played."""
    method = METHODS[scoring]
    return ResultFile("", title, method, (_board(found, method),) if found.traveller.open else ())


def _board(found: BoardView, method: Method) -> FileBoard:
    view = found.traveller
    live = [row for row in view.rows if row.result.live]
    awarded = [each for each in found.adjustments if each.score is not None]
    rows = rows_of(view, [_pairs(found.matches, row.result.table) for row in live], not awarded)
    tables = {match.table: match for match in found.matches.values()}
    for each in awarded:
        if each.score is not None:
            match = tables[each.table]
            both = f"A{_AVERAGES[each.score.ns]}{_AVERAGES[each.score.ew]}"
            rows.append(Row(0, str(match.ns), str(match.ew), None, None, both))
    return board_of(view, method, rows)


def _pairs(matches: Mapping[str, Match], table: str) -> tuple[str, str]:
    match = matches.get(table)
    return ("", "") if match is None else (str(match.ns), str(match.ew))


def _totals(view: FieldView) -> Iterator[Total]:
    """Every pair, in the order of the standings as far as they are public."""
    field = view.field
    entries = {each.number: each for each in field.entries}
    scored = view.open and field.scored > 0
    by_percent = field.event.rules.scoring is Scoring.MATCHPOINTS
    for placing in field.placings:
        names = tuple(shown_name(view.people[player]) for player in entries[placing.pair].players)
        total = decimal(field.standings[placing.pair].score) if scored else None
        place = str(placing.rank) if scored and placing.rank is not None else ""
        score, percent = (None, total) if by_percent else (total, None)
        yield Total(0, str(placing.pair), "", score, percent, place, names=names)


def _matches(found: Held) -> Iterator[FileMatch]:
    numbers: dict[int, list[int]] = {}
    for each in found.boards:
        numbers.setdefault(each.round, []).append(each.board.number)
    field = found.view.field
    for match in field.matches:
        if match.round in numbers:
            ns, ew = (_score(field, pair, match.round) for pair in (match.ns, match.ew))
            yield FileMatch(match.round, str(match.ns), str(match.ew), tuple(numbers[match.round]), ns, ew)


def _score(field: Field, pair: int, number: int) -> Decimal | None:
    worth = field.worth(pair, number)
    return None if worth is None else decimal(worth)
