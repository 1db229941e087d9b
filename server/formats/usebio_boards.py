"""The boards of a USEBIO event: rows and deals brought together, each with the method of its figures."""

from collections.abc import Iterator
from dataclasses import dataclass

from server.bridge.deal import Deal
from server.bridge.seats import dealer_of, vulnerability_of
from server.formats.complaints import Complaints
from server.formats.records import FileBoard, Method, Row
from server.formats.usebio_hands import read_deal
from server.formats.usebio_layout import Part, Sheet, board_number, sheets_of
from server.formats.usebio_methods import Scoring, kind_of
from server.formats.usebio_rows import printed_methods, read_row

Deals = dict[tuple[tuple[str, ...], int], tuple[int, Deal | None]]  # by scope and number: line and deal


def read_deals(handsets: list[Part], complaints: Complaints) -> Deals:
    """The deals of all HANDSET elements. Hands given twice for a board are warned about; the first stand."""
    deals: Deals = {}
    for handset in handsets:
        for board in handset.element.all("BOARD"):
            number = board_number(board, complaints)
            if number is None:
                continue
            if (handset.scope, number) in deals:
                complaints.warn(board.line, f"board {number}: its hands are given again; the first stand")
                continue
            deals[handset.scope, number] = board.line, read_deal(board, complaints)
    return deals


@dataclass(frozen=True, slots=True)
class BoardReader:
    """Reads the boards of one event."""

    scoring: Scoring
    deals: Deals
    complaints: Complaints

    def boards(self, parts: list[Part]) -> Iterator[FileBoard]:
        """Every board with its rows; in an event without any BOARD, the deals alone."""
        sheets = list(sheets_of(parts, self.complaints))
        for sheet in sheets:
            first = sheet.parts[0].element
            own = kind_of(first, self.complaints) if "EVENT_TYPE" in first.attributes else ""
            if own is not None:
                yield self._board(sheet, self.scoring.of_board(own, printed_methods(sheet.lines)))
        if not sheets:
            yield from self._hand_records()

    def _board(self, sheet: Sheet, method: Method) -> FileBoard:
        return FileBoard(
            line=sheet.parts[0].element.line,
            number=sheet.number,
            dealer=dealer_of(sheet.number),
            vulnerability=vulnerability_of(sheet.number),
            deal=self._deal(sheet),
            method=method,
            rows=self._rows(sheet, method),
            section=sheet.section,
        )

    def _rows(self, sheet: Sheet, method: Method) -> tuple[Row, ...]:
        rows: list[Row] = []
        seen: set[str] = set()
        for part in sheet.parts:
            for line in part.element.all("TRAVELLER_LINE"):
                row = read_row(line, part.match, method, self.complaints)
                if row is not None:
                    rows.append(row)
                    self._warn_of_pairs_seen(row, sheet.number, seen)
        return tuple(rows)

    def _warn_of_pairs_seen(self, row: Row, number: int, seen: set[str]) -> None:
        pairs = {f"{pair} {side}" for side, pair in (("NS", row.ns), ("EW", row.ew)) if pair}
        for pair in sorted(pairs & seen):
            self.complaints.warn(row.line, f"board {number}: pair {pair} has a result on it already")
        seen |= pairs

    def _deal(self, sheet: Sheet) -> Deal | None:
        """The deal given nearest to the board: in its section, its session, or for the whole event."""
        scope = sheet.parts[0].scope
        nearest = (scope[:length] for length in range(len(scope), -1, -1))
        given = next(
            (self.deals[at, sheet.number] for at in nearest if (at, sheet.number) in self.deals), None
        )
        if given is None:
            return None
        line, deal = given
        if sheet.again:
            self.complaints.warn(line, f"board {sheet.number}: dealt anew each round; whose hands are these?")
            return None
        return deal

    def _hand_records(self) -> Iterator[FileBoard]:
        for (scope, number), (line, deal) in self.deals.items():
            if deal is not None:
                dealer, vulnerability = dealer_of(number), vulnerability_of(number)
                section = "/".join(scope)
                yield FileBoard(line, number, dealer, vulnerability, deal, Method.NONE, section=section)
