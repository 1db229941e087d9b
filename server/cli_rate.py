"""`crossruff rate`: closing weeks by hand."""

from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from server.app import closing_of
from server.bridge.errors import NotUnderstood
from server.bridge.week import Week, parse_week
from server.cli_running import existing, run, settings_of
from server.services import closing
from server.services.closing import Closed, Closing
from server.services.errors import ServiceError
from server.services.weeks import UNNAMED
from server.settings import Settings


@click.command("rate")
@click.argument("week", required=False)
def rate_command(week: str | None) -> None:
    """Close the ratings of WEEK (such as 2026-W48) and of every week before it.

    Without WEEK: every week whose time has come. The server does this by itself; doing it again changes
    nothing, unless results came or were corrected since: then a new revision is published, and the old one
    stays readable. May run beside a server.
    """
    run(_rate(settings_of(), None if week is None else _parsed(week)))


def _parsed(text: str) -> Week:
    try:
        return parse_week(text)
    except NotUnderstood as error:
        raise click.BadParameter(str(error), param_hint="WEEK") from error


async def _rate(settings: Settings, week: Week | None) -> None:
    async with existing(settings) as installed:
        verb = closing_of(settings, installed)
        with _shown() as progress:
            try:
                await verb.tidy()
                if week is None:
                    await _close_due(verb, progress)
                else:
                    for each in await verb.close_up_to(week, progress=progress):
                        _tell(each)
            except ServiceError as error:
                raise click.ClickException(f"{type(error).__doc__}: {error}") from error


async def _close_due(verb: Closing, progress: closing.Progress) -> None:
    if not await verb.close_due(progress, _tell):
        click.echo("nothing is due")
    for pool in verb.pools:
        if (unnamed := await verb.unnamed(pool)) is not None:
            click.echo(f"{unnamed} {pool}: waits, {UNNAMED}", err=True)


def _tell(closed: Closed) -> None:
    made = "published" if closed.changed else "unchanged"
    click.echo(f"{closed.week} {closed.pool}: revision {closed.revision} {made}, {closed.players} players")


@contextmanager
def _shown() -> Iterator[closing.Progress]:
    """A bar on a terminal, plain lines elsewhere."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("Rating", total=None)

        def show(week: Week, pool: str, stage: str, done: int, total: int) -> None:
            bar.update(task, description=f"{week} {pool}: {stage}", completed=done, total=total)
            if not console.is_terminal and done == 0:
                click.echo(f"{week} {pool}: {stage}", err=True)

        yield show
