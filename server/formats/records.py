"""What a result file says, whatever its format: the values that every reader returns."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from server.bridge.contract import Outcome
from server.bridge.deal import Deal
from server.bridge.seats import Seat, Vulnerability


class Method(StrEnum):
    """How the file's publisher scored its boards."""

    BUTLER = "butler"  # IMPs against the datum, one result dropped at each end from four results on
    CROSS_IMPS = "cross_imps"  # sum of IMPs against every other result
    CROSS_IMPS_PER_SCORE = "cross_imps_per_score"  # that sum / number of results
    CROSS_IMPS_PER_COMPARISON = "cross_imps_per_comparison"  # that sum / number of other results
    BUTLER_UNTRIMMED = "butler_untrimmed"  # IMPs against the datum of all results
    IMPS = "imps"  # IMPs, but the file does not say against what
    MATCHPOINTS = "matchpoints"  # 2 per worse score, 1 per equal
    MATCHPOINTS_HALVES = "matchpoints_halves"  # 1 per worse score, 1/2 per equal
    MP = "mp"  # matchpoints or a percentage, but the file does not say how they are counted
    ASCHERMAN = "ascherman"  # percentage (m + 1) / 2n
    NONE = "none"  # the file names no method, or publishes no board scores


@dataclass(frozen=True, slots=True)
class Complaint:
    """A line of the file that was warned about or refused, in words."""

    line: int | None  # counted from 1; None when it concerns the whole file
    text: str


@dataclass(frozen=True, slots=True)
class Published:
    """One figure printed in a row, for each side that the file gives. Decimals keep the printed precision."""

    what: str  # "imps", "matchpoints" or "percent"
    ns: Decimal | None
    ew: Decimal | None


@dataclass(frozen=True, slots=True)
class Row:
    """One traveller row."""

    line: int
    ns: str | None  # pair numbers as printed
    ew: str | None
    outcome: Outcome | None  # None: artificial, not played, or not known
    score: int | None  # as printed, signed for NS, in total points
    artificial: str | None = None  # as printed, such as "A6040" or "^40"
    lead: str | None = None  # card as suit and rank, "HK"
    published: tuple[Published, ...] = ()
    multiplicity: int = 1  # how many tables this one row stands for
    players: tuple[str, ...] = ()  # N, E, S, W as printed, where the row itself names them


@dataclass(frozen=True, slots=True)
class FileBoard:
    """One board of the file with all its rows."""

    line: int
    number: int
    dealer: Seat
    vulnerability: Vulnerability
    deal: Deal | None
    method: Method
    rows: tuple[Row, ...] = ()
    section: str = ""  # as printed; "" when the file has no sections. Each section is a field of its own


@dataclass(frozen=True, slots=True)
class Total:
    """What the file publishes for a pair over all its boards."""

    line: int
    pair: str
    direction: str  # "NS", "EW", or "" when the pair sat both ways
    total: Decimal | None
    percent: Decimal | None
    place: str = ""  # as printed, such as "5="
    section: str = ""  # as printed; "" when the pair is listed for the whole event
    names: tuple[str, ...] = ()  # of its players, as printed
    victory_points: bool = False  # the total is VPs of matches, not a sum of board scores


@dataclass(frozen=True, slots=True)
class FileMatch:
    """Two pairs in a round: the boards that they play, and what each has from them in victory points."""

    round: int
    ns: str
    ew: str
    boards: tuple[int, ...]  # by number; each is the match's in this round alone
    ns_score: Decimal | None  # None: not scored
    ew_score: Decimal | None


@dataclass(frozen=True, slots=True)
class PostedRow:
    """A result for a pool, as the CSV format carries it: one table, to be entered like a posted result."""

    line: int
    week: str | None
    board: str
    table: str
    players: tuple[str, str, str, str]  # N, E, S, W
    outcome: Outcome
    lead: str | None
    played_at: str | None


@dataclass(frozen=True, slots=True)
class ResultFile:
    """Everything that was understood of one file, and every complaint about the rest."""

    format: str  # "pbn", "usebio", "csv"
    event: str  # its title
    method: Method
    boards: tuple[FileBoard, ...] = ()
    totals: tuple[Total, ...] = ()
    posted: tuple[PostedRow, ...] = ()
    warnings: tuple[Complaint, ...] = field(default=())
    refused: tuple[Complaint, ...] = field(default=())
    played_on: date | None = None
    matches: tuple[FileMatch, ...] = ()  # to be written; no reader gives them
