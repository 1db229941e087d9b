"""Our own CSV of results: one line per table and board, to be entered like posted results.

Columns, in the order in which they are written; on reading, in any order:

========= ===============================================================================================
week      name of the week; may be empty or absent
board     number or id of the board
table     the platform's id of the table
north     the platform's id of the player; likewise east, south and west; four different ones
contract  level, strain and risk, such as ``4SX`` or ``3NT``; ``PASS`` when passed out
declarer  ``N``, ``E``, ``S`` or ``W``; empty when passed out
tricks    all tricks of declarer's side, 0 to 13; empty when passed out
lead      a card such as ``HK``; may be empty or absent
played_at time with offset, such as ``2026-03-09T19:30:00Z``; may be empty or absent
========= ===============================================================================================

What a spreadsheet does to the file, and what we do against it, is in ``csv_table``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from server.bridge.contract import PASSED_OUT, Outcome, parse_contract
from server.bridge.deal import parse_card
from server.bridge.errors import BridgeError
from server.bridge.seats import Seat
from server.formats.complaints import Complaints
from server.formats.csv_table import Record, read_table, write_table
from server.formats.records import Method, PostedRow, ResultFile
from server.formats.text import decode

_PLAYERS = ("north", "east", "south", "west")
COLUMNS = ("week", "board", "table", *_PLAYERS, "contract", "declarer", "tricks", "lead", "played_at")
OPTIONAL = ("week", "lead", "played_at")
REQUIRED = tuple(name for name in COLUMNS if name not in OPTIONAL)
_SEATS = {letter: seat for seat in Seat for letter in (seat.value, seat.value.lower())}
_TRICKS = re.compile(r"[0-9]{1,2}")


@dataclass(eq=False)
class _Wrong(ValueError):
    """A cell that makes its row unusable"""

    column: str
    reason: str

    def __str__(self) -> str:
        return f"column {self.column}: {self.reason}"


def read_results_csv(data: bytes) -> ResultFile:
    """Read a CSV of results into ``posted``.

    A wrong row is among ``refused`` with its line and column, and the rest is read. Raises FileRefused when
    there is no header with the required columns.
    """
    complaints = Complaints()
    posted = []
    for record in read_table(decode(data), REQUIRED, OPTIONAL, complaints):
        try:
            posted.append(_row(record))
        except _Wrong as error:
            complaints.refuse(record.line, str(error))
        else:
            _warn_of_spaces(record, complaints)
    return ResultFile(
        format="csv",
        event="",
        method=Method.NONE,
        posted=tuple(posted),
        warnings=complaints.warnings,
        refused=complaints.refused,
    )


def write_results_csv(rows: Iterable[PostedRow]) -> bytes:
    """The rows as CSV. ``read_results_csv`` gives them back, each with its new line number."""
    return write_table(COLUMNS, (_values(row) for row in rows))


def _values(row: PostedRow) -> list[str | int]:
    outcome = row.outcome
    return [
        row.week or "",
        row.board,
        row.table,
        *row.players,
        str(outcome.contract or "PASS"),
        str(outcome.declarer or ""),
        "" if outcome.tricks is None else outcome.tricks,
        row.lead or "",
        row.played_at or "",
    ]


def _row(record: Record) -> PostedRow:
    cells = record.cells
    for name in ("board", "table", *_PLAYERS):
        if not cells[name].strip():
            raise _Wrong(name, "empty")
    outcome = _outcome(cells)
    return PostedRow(
        line=record.line,
        week=cells.get("week") or None,
        board=cells["board"],
        table=cells["table"],
        players=_players(cells),
        outcome=outcome,
        lead=_lead(cells.get("lead", "").strip(), outcome),
        played_at=_played_at(cells.get("played_at", "").strip()),
    )


def _players(cells: dict[str, str]) -> tuple[str, str, str, str]:
    north, east, south, west = players = tuple(cells[name] for name in _PLAYERS)
    for at, player in enumerate(players):
        if player in players[:at]:
            raise _Wrong(_PLAYERS[at], f"{player!r} sits in two seats")
    return north, east, south, west


def _outcome(cells: dict[str, str]) -> Outcome:
    declarer, tricks = cells["declarer"].strip(), cells["tricks"].strip()
    try:
        contract = parse_contract(cells["contract"].strip())
    except BridgeError as error:
        raise _Wrong("contract", str(error)) from error
    if contract is None:
        for name, text in (("declarer", declarer), ("tricks", tricks)):
            if text:
                raise _Wrong(name, f"{text!r} on a passed-out board; expected nothing")
        return PASSED_OUT
    if declarer not in _SEATS:
        raise _Wrong("declarer", f"{declarer!r}: expected N, E, S or W")
    if not _TRICKS.fullmatch(tricks) or int(tricks) > 13:
        raise _Wrong("tricks", f"{tricks!r}: expected 0 to 13")
    return Outcome(contract, _SEATS[declarer], int(tricks))


def _lead(text: str, outcome: Outcome) -> str | None:
    if not text:
        return None
    if outcome.passed_out:
        raise _Wrong("lead", f"{text!r} on a passed-out board; expected nothing")
    try:
        return parse_card(text)
    except BridgeError as error:
        raise _Wrong("lead", str(error)) from error


def _played_at(text: str) -> str | None:
    """The text itself; what reads it later decides what the instant means."""
    if not text:
        return None
    try:
        known = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        known = False
    if not known:
        raise _Wrong("played_at", f"{text!r}: expected a time with offset, such as 2026-03-09T19:30:00Z")
    return text


def _warn_of_spaces(record: Record, complaints: Complaints) -> None:
    for name in ("week", "board", "table", *_PLAYERS):
        text = record.cells.get(name, "")
        if text != text.strip():
            complaints.warn(record.line, f"column {name}: {text!r} begins or ends with white space")
