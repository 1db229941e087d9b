"""A result file as the requests with which a platform would have reported it."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from server.formats.records import FileBoard, ResultFile, Row


@dataclass(frozen=True, slots=True)
class ReplayTable:
    """One table of the file, to be posted as a result."""

    key: str  # unique in the file
    body: dict[str, Any]  # of POST /results, without its board


@dataclass(frozen=True, slots=True)
class ReplayBoard:
    """One board of the file with its tables, in their order."""

    body: dict[str, Any]  # of one board of POST /board-sets, without its number
    tables: tuple[ReplayTable, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """What a file gives to post, and how many of its rows give nothing."""

    boards: tuple[ReplayBoard, ...]
    skipped: int  # rows without a result: artificial scores, sit-outs, boards not played


def replay_of(data: bytes, file: ResultFile) -> Replay:
    """The requests that ``file``, read from ``data``, gives; boards without results are left out."""
    prefix = hashlib.sha256(data).hexdigest()[:8]
    boards, skipped = [], 0
    for index, board in enumerate(file.boards):
        tables = tuple(_tables(board, prefix, index))
        skipped += sum(row.outcome is None for row in board.rows)
        if tables:
            boards.append(ReplayBoard(_board(board), tables))
    return Replay(tuple(boards), skipped)


def _board(board: FileBoard) -> dict[str, Any]:
    known = board.deal is not None and board.deal.complete
    return {
        "dealer": board.dealer.value,
        "vulnerability": board.vulnerability.value,
        **({"deal": str(board.deal)} if known else {}),
    }


def _tables(board: FileBoard, prefix: str, index: int) -> Iterator[ReplayTable]:
    for row in board.rows:
        if row.outcome is None:
            continue
        for copy in range(row.multiplicity):
            table = f"{prefix}-{index + 1}-{row.line}-{copy + 1}"
            yield ReplayTable(table, _result(board, row, table, prefix))


def _result(board: FileBoard, row: Row, table: str, prefix: str) -> dict[str, Any]:
    north, south = _pair(row.ns, row, f"{table}-ns", prefix)
    east, west = _pair(row.ew, row, f"{table}-ew", prefix)
    body: dict[str, Any] = {
        "table": table,
        "players": {"N": north, "E": east, "S": south, "W": west},
        "contract": "PASS",
    }
    outcome = row.outcome
    if outcome is not None and outcome.contract is not None and outcome.declarer is not None:
        body["contract"] = str(outcome.contract)
        body["declarer"] = outcome.declarer.value
        body["tricks"] = outcome.tricks
        if row.lead is not None and _could_lead(board, row):
            body["lead"] = row.lead
    return body


def _could_lead(board: FileBoard, row: Row) -> bool:
    """Whether the leader held the card: files that name a wrong lead still have a result."""
    if board.deal is None or row.outcome is None or row.outcome.declarer is None:
        return True
    hand = board.deal.hand(row.outcome.declarer.next)
    return hand is None or row.lead in hand


def _pair(name: str | None, row: Row, table: str, prefix: str) -> tuple[str, str]:
    """Ids of two players. A pair that the file does not name, or a row that stands for many, is invented."""
    known = name is not None and name.strip("?- ") and row.multiplicity == 1 and row.ns != row.ew
    pair = f"{prefix}-{name}" if known else table
    return f"{pair}-1".replace("/", "_"), f"{pair}-2".replace("/", "_")
