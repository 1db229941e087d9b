"""Results from a CSV file, entered into their pool like posted ones."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from server.bridge.errors import BridgeError
from server.bridge.week import parse_week, week_of
from server.formats.records import Complaint, PostedRow
from server.services.arrivals import Taken, Verdict
from server.services.errors import BoardNotFound, ServiceError
from server.services.idempotency import Answered, Once
from server.services.imports import Entered, ImportReport
from server.services.ingest import Ingest
from server.services.names import LONGEST_ID, is_id
from server.services.reports import BoardNumber, Report
from server.storage import tokens
from server.storage.database import Database
from server.storage.errors import StorageError
from server.storage.ids import board_number

CLIENT = "import"  # in whose name results of files are entered
ABREAST = 1000  # rows submitted together


@dataclass(frozen=True, slots=True)
class Batch:
    """A file whose results are to be entered."""

    data: bytes
    pool: str
    now: datetime
    zone: ZoneInfo


async def enter_report(
    database: Database, ingest: Ingest, report: ImportReport, batch: Batch
) -> ImportReport:
    """Enter the results of a file that was read; the report says what became of them.

    The same file again changes nothing: a result's key is the file's hash and its line.
    """
    if not report.posted:
        return report
    client = await database.write(lambda connection: tokens.client_number(connection, CLIENT, batch.now))
    accepted = known = 0
    refused: list[Complaint] = []
    for rows in _portions(report.posted):
        for row, verdict in zip(rows, await _submit(ingest, rows, client, batch), strict=True):
            accepted += isinstance(verdict, Taken)
            known += isinstance(verdict, Answered)
            if isinstance(verdict, ServiceError | StorageError):
                refused.append(Complaint(row.line, str(verdict) or type(verdict).__doc__ or "refused"))
    return replace(
        report,
        refused=tuple(sorted((*report.refused, *refused), key=lambda each: each.line or 0)),
        entered=Entered(accepted, known),
    )


async def _submit(ingest: Ingest, rows: Sequence[PostedRow], client: int, batch: Batch) -> list[Verdict]:
    prefix = hashlib.sha256(batch.data).hexdigest()[:32]
    week = str(week_of(batch.now, batch.zone))
    parsed = [_report(row, client, prefix, batch.pool, week) for row in rows]
    left = iter(await ingest.submit([each for each in parsed if isinstance(each, Report)]))
    return [next(left) if isinstance(each, Report) else each for each in parsed]


def _portions(rows: Sequence[PostedRow]) -> Iterator[Sequence[PostedRow]]:
    for start in range(0, len(rows), ABREAST):
        yield rows[start : start + ABREAST]


def _report(row: PostedRow, client: int, prefix: str, pool: str, week: str) -> Report | ServiceError:
    for name in (row.table, *row.players):
        if not is_id(name):
            return ServiceError(f"{name!r} is no id: up to {LONGEST_ID} plain characters without slash")
    try:
        board = _board(row, pool, week)
        played_at = None if row.played_at is None else _moment(row.played_at)
    except (BridgeError, ValueError, OverflowError) as error:
        return ServiceError(str(error))
    except ServiceError as error:
        return error
    said = hashlib.sha256(repr(sorted(asdict(row).items())).encode()).hexdigest()
    return Report(
        once=Once(client, f"{prefix}-{row.line}", said),
        board=board,
        table=row.table,
        players=row.players,
        outcome=row.outcome,
        lead=row.lead,
        played_at=played_at,
    )


def _moment(text: str) -> datetime:
    """In UTC; ValueError or OverflowError for one that no calendar has there."""
    return datetime.fromisoformat(text).astimezone(UTC)


def _board(row: PostedRow, pool: str, week: str) -> int | BoardNumber:
    """A board by its id, or by its number in the week of the row (the open week when it names none)."""
    if row.board.isdecimal():
        return BoardNumber(str(parse_week(row.week)) if row.week else week, pool, int(row.board))
    number = board_number(row.board)
    if number is None:
        raise BoardNotFound(row.board)
    return number
