"""Result files of others: told apart by their content, read, and verified."""

import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace

from server.formats.errors import FileRefused
from server.formats.pbn import read_pbn
from server.formats.records import Complaint, Method, PostedRow, ResultFile
from server.formats.results_csv import REQUIRED, read_results_csv
from server.formats.text import decode
from server.formats.usebio import read_usebio
from server.services.verification import Check, Difference, verify

_READERS: dict[str, Callable[[bytes], ResultFile]] = {
    "pbn": read_pbn,
    "usebio": read_usebio,
    "csv": read_results_csv,
}
_PBN = re.compile(r'^(?:%[ \t]*PBN|[ \t]*\[[ \t]*[a-z][a-z0-9_]*[ \t]*")', re.IGNORECASE | re.MULTILINE)
_LIN = re.compile(r"(?:[a-z]{2}\|[^|]*\|\s*){2}", re.IGNORECASE)
_SEPARATOR = re.compile(r"[,;\t]")
_LONGEST_HEADER = 10_000
_LONGEST_COMPLAINT = 300


@dataclass(frozen=True, slots=True)
class Entered:
    """What became of the results that a file has for a pool."""

    accepted: int
    known: int  # entered before, from the same file


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of one file."""

    file: str  # its name, as given
    format: str  # "pbn", "usebio" or "csv"; empty when it is none of them
    event: str
    method: str  # by which the published board figures were computed
    boards: int
    rows: int  # of travellers, or results for a pool
    contract_scores: Check
    published: Check
    totals: Check
    differences: tuple[Difference, ...]
    warnings: tuple[Complaint, ...]
    refused: tuple[Complaint, ...]
    posted: tuple[PostedRow, ...] = ()  # results for a pool, to be entered like posted ones
    entered: Entered | None = None  # None: nothing was to be entered, or only a dry run

    def members(self) -> dict[str, object]:
        """The report as members of a JSON object: all but the results to be entered."""
        members = asdict(replace(self, posted=()))
        del members["posted"]
        if self.entered is None:
            del members["entered"]
        return members


def read_import(data: bytes, name: str) -> ImportReport:
    """Read and verify a file. Nothing is stored.

    A file that cannot be read at all gives a report as well, with the reason among ``refused``.
    """
    kind = ""
    try:
        kind = recognise(data)
        file = _READERS[kind](data)
    except FileRefused as refusal:
        refused = (Complaint(refusal.line, refusal.reason),)
        file = ResultFile(kind, "", Method.NONE, refused=refused)
    return _report(name, file)


def read_result_file(data: bytes) -> ResultFile:
    """What a file says, whatever its format. Raises FileRefused."""
    return _READERS[recognise(data)](data)


def recognise(data: bytes) -> str:
    """The format of a file by its content; raises FileRefused when it is none that can be read."""
    text = decode(data).replace("\r", "\n").lstrip()
    if not text:
        raise FileRefused("the file is empty")
    if text.startswith("<"):
        return "usebio"
    if _PBN.search(text):
        return "pbn"
    if _LIN.match(text):
        raise FileRefused("the file is LIN, which is not read")
    header = text[:_LONGEST_HEADER].partition("\n")[0].lower()
    if 2 * len({name.strip(' "') for name in _SEPARATOR.split(header)} & {*REQUIRED}) >= len(REQUIRED):
        return "csv"
    columns = ",".join(REQUIRED)
    raise FileRefused(f"neither PBN nor USEBIO, nor CSV with a header that has the columns {columns}")


def _report(name: str, file: ResultFile) -> ImportReport:
    verification = verify(file)
    warnings = (*file.warnings, *verification.warnings)
    named = {(row.week, row.board) for row in file.posted}
    return ImportReport(
        file=name,
        format=file.format,
        event=file.event,
        method=verification.method,
        boards=len(file.boards) or len(named),
        rows=sum(len(board.rows) for board in file.boards) or len(file.posted),
        contract_scores=verification.contract_scores,
        published=verification.published,
        totals=verification.totals,
        differences=verification.differences,
        warnings=_shortened(sorted(warnings, key=lambda warning: warning.line or 0)),
        refused=_shortened(file.refused),
        posted=file.posted,
    )


def _shortened(complaints: Iterable[Complaint]) -> tuple[Complaint, ...]:
    """Complaints quote what they are about, which may be megabytes on one line."""
    return tuple(
        complaint
        if len(complaint.text) <= _LONGEST_COMPLAINT
        else replace(complaint, text=complaint.text[:_LONGEST_COMPLAINT] + "…")
        for complaint in complaints
    )
