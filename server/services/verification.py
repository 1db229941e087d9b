"""What a result file publishes, computed again: contract scores, board figures, totals of pairs.

Nothing is taken on trust and nothing passed over: whatever differs is named with both values. The method of
the file is applied with the details that reproduce most of its rows (see ``verification_readings``). Figures
are equal within the precision they are printed with.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from server.bridge.score import score_ns
from server.formats.records import Complaint, ResultFile
from server.services.verification_rows import JudgedRow, judge_rows
from server.services.verification_totals import CheckedTotal, CheckedTotals, check_totals


@dataclass(frozen=True, slots=True)
class Check:
    """How many of something were compared, and how many of these were equal."""

    checked: int
    equal: int


@dataclass(frozen=True, slots=True)
class Difference:
    """One published figure that is not what it should be."""

    board: int | None  # None for a total of a pair
    row: int  # line of the file
    what: str
    published: str
    computed: str


@dataclass(frozen=True, slots=True)
class Verification:
    """Everything that was compared."""

    method: str  # by which the published board figures were computed
    contract_scores: Check  # traveller rows
    published: Check  # traveller rows, equal when every figure in them is
    totals: Check  # pairs, equal when every total of theirs is
    differences: tuple[Difference, ...]  # by line, those of totals last
    warnings: tuple[Complaint, ...]  # what could not be compared


def verify(file: ResultFile) -> Verification:
    """Compute everything that the file publishes, and compare.

    Artificial scores are no results: they are not counted, but a wrong one is among the differences. So is a
    total that agrees with its published figures while one of these is wrong.
    """
    contract_scores, differences = _contract_scores(file)
    rows = judge_rows(file.boards)
    totals = check_totals(file.totals, (judged.figure for row in rows for judged in row.figures))
    differences += [*_row_differences(rows), *_total_differences(totals)]
    compared = [row for row in rows if row.compared]
    return Verification(
        method=_method(file, rows),
        contract_scores=contract_scores,
        published=Check(len(compared), sum(row.equal for row in compared)),
        totals=_count_totals(totals.by_published),
        differences=tuple(sorted(differences, key=lambda found: (found.board is None, found.row))),
        warnings=(*_not_compared(rows), *_totals_not_compared(totals)),
    )


def _contract_scores(file: ResultFile) -> tuple[Check, list[Difference]]:
    checked = 0
    differences = []
    for board in file.boards:
        for row in board.rows:
            if row.outcome is None or row.score is None or row.artificial is not None:
                continue
            checked += 1
            score = score_ns(row.outcome, board.vulnerability)
            if score != row.score:
                values = (str(row.score), str(score))
                differences.append(Difference(board.number, row.line, "contract score", *values))
    return Check(checked, checked - len(differences)), differences


def _row_differences(rows: Sequence[JudgedRow]) -> Iterator[Difference]:
    for row in rows:
        for judged in row.figures:
            if not judged.figure.equal:
                published = str(judged.figure.published)
                yield Difference(row.board.number, row.row.line, judged.label, published, judged.shown)


def _total_differences(totals: CheckedTotals) -> Iterator[Difference]:
    wrong = [checked for checked in totals.by_published if not checked.equal]
    for checked in wrong:
        yield _total_difference(checked, "")
    for checked in totals.contradicted:
        yield _total_difference(checked, ", with its board figures put right")


def _total_difference(checked: CheckedTotal, how: str) -> Difference:
    total = checked.total
    pair = total.pair if total.pair.endswith(total.direction) else total.pair + total.direction
    return Difference(
        None, total.line, f"{checked.what} of {pair}{how}", str(checked.published), checked.shown
    )


def _count_totals(totals: Sequence[CheckedTotal]) -> Check:
    """A pair counts once, however many of its totals are published."""
    pairs = {checked.total for checked in totals}
    wrong = {checked.total for checked in totals if not checked.equal}
    return Check(len(pairs), len(pairs) - len(wrong))


def _method(file: ResultFile, rows: Sequence[JudgedRow]) -> str:
    """The method of most compared figures; without any, what the file says."""
    methods = Counter(judged.reading.method for row in rows if row.compared for judged in row.figures)
    return (methods.most_common(1)[0][0] if methods else file.method).value


def _not_compared(rows: Sequence[JudgedRow]) -> Iterator[Complaint]:
    """One warning for each board with rows whose figures cannot be computed."""
    silent = [row for row in rows if row.row.artificial is None and not row.compared]
    for board in {row.board.line: row.board for row in silent}.values():
        lines = [row.row.line for row in silent if row.board is board]
        reason = "published figures were not compared: too few results, or no scores, to compute them from"
        yield Complaint(lines[0], f"board {board.number}: {reason} ({len(lines)} rows)")


def _totals_not_compared(totals: CheckedTotals) -> Iterator[Complaint]:
    if totals.not_compared:
        reason = "totals were not compared, as no row names the pair"
        yield Complaint(None, f"{totals.not_compared} {reason}")
