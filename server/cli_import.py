"""``crossruff import``: result files read, verified, and reported on."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from server.app import make_ingest
from server.cli_running import installed, refusals, run, settings_of
from server.formats.records import Complaint
from server.services.entries import Batch, enter_report
from server.services.imports import ImportReport, read_import
from server.services.verification import Check
from server.settings import Settings

_SHOWN = 20  # lines of each kind in the report for people; --json has them all


@click.command("import")
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, readable=True),
)
@click.option("--dry-run", is_flag=True, help="Read and verify only; enter nothing.")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
@click.option("--pool", default="imps", show_default=True, help="The pool that CSV rows are entered into.")
@click.pass_context
def import_command(
    context: click.Context, files: Sequence[str], dry_run: bool, as_json: bool, pool: str
) -> None:
    """Read result files: PBN, USEBIO, or CSV with results for a pool.

    Every contract score, board score and total that a file publishes is computed again and compared. Rows
    of CSV files are entered like posted results; the same file again changes nothing. Exit code 1 when
    anything was refused.
    """
    with refusals():
        read = {name: Path(name).read_bytes() for name in files}
    reports = [read_import(read[name], name) for name in _with_progress(files)]
    if not dry_run and any(report.posted for report in reports):
        reports = run(_enter(settings_of(), reports, read, pool))
    if as_json:
        click.echo(
            json.dumps({"files": [report.members() for report in reports]}, ensure_ascii=False, indent=2)
        )
    else:
        text = "\n\n".join("\n".join(map(_printable, _lines(report, dry_run))) for report in reports)
        click.echo(text)
    if any(report.refused for report in reports):
        context.exit(1)


async def _enter(
    settings: Settings, reports: list[ImportReport], read: Mapping[str, bytes], pool: str
) -> list[ImportReport]:
    """Enter the rows of CSV files, and what became of them into their reports."""
    if pool not in settings.all_pools():
        raise click.UsageError(f"no pool is called {pool!r}")
    async with installed(settings) as found:
        ingest = make_ingest(settings, found, lambda _reports, _taken, _seconds: None)
        ingest.start()
        try:
            return [
                await enter_report(
                    found.database,
                    ingest,
                    report,
                    Batch(read[report.file], pool, found.clock.now(), settings.zone),
                )
                for report in reports
            ]
        finally:
            await ingest.stop()


def _with_progress(files: Sequence[str]) -> Iterable[str]:
    """The names; on a terminal with a bar while they are worked off, which leaves standard output alone."""
    console = Console(stderr=True)
    if not console.is_terminal:
        return files
    return track(files, "Reading", console=console, transient=True)


def _lines(report: ImportReport, dry_run: bool) -> Iterator[str]:
    """The report on one file for people."""
    yield f"{report.file}: {report.format.upper() or 'not read'}{', ' if report.event else ''}{report.event}"
    if report.format:
        yield f"  read: {_count(report.boards, 'board')}, {_count(report.rows, 'result')}"
    if report.contract_scores.checked:
        yield f"  contract scores: {_equal(report.contract_scores)}"
    if report.published.checked:
        yield f"  published board scores reproduced ({report.method}): {_equal(report.published)}"
    if report.totals.checked:
        yield f"  totals of pairs: {_equal(report.totals)}"
    yield from _some(
        "different",
        [
            f"line {found.row}{'' if found.board is None else f', board {found.board}'}: {found.what}: "
            f"published {found.published}, computed {found.computed}"
            for found in report.differences
        ],
    )
    yield from _some("warning", [_complaint(complaint) for complaint in report.warnings])
    yield from _some("refused", [_complaint(complaint) for complaint in report.refused])
    if report.entered is not None:
        known = f", {report.entered.known} were there before" if report.entered.known else ""
        yield f"  entered: {_count(report.entered.accepted, 'result')}{known}"
    elif report.posted and dry_run:
        yield f"  {_count(len(report.posted), 'result')} for a pool, not entered: dry run"
    elif report.format:
        yield "  verified only: imported events come later, so nothing was entered"


def _printable(line: str) -> str:
    """Without control characters: what a file carries must not steer the terminal."""
    return "".join(mark if mark.isprintable() else "?" for mark in line)


def _some(word: str, texts: list[str]) -> Iterator[str]:
    for text in texts[:_SHOWN]:
        yield f"  {word}: {text}"
    if len(texts) > _SHOWN:
        yield f"  {word}: and {len(texts) - _SHOWN} more, all of them with --json"


def _complaint(complaint: Complaint) -> str:
    return complaint.text if complaint.line is None else f"line {complaint.line}: {complaint.text}"


def _equal(check: Check) -> str:
    return f"{check.equal} of {check.checked}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
