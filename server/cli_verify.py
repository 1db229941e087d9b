"""`crossruff verify`: everything computed again from the results."""

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from server.cli_running import existing, run, settings_of
from server.services.verify import verify
from server.services.verify_boards import Discrepancy
from server.services.verify_ratings import verify_ratings
from server.services.verify_totals import verify_totals
from server.settings import Settings

SHOWN = 100


@click.command("verify")
@click.pass_context
def verify_command(context: click.Context) -> None:
    """Compute every score, award, total, rating and cache again from the results, and report any difference.

    Reads only, also beside a running server. Exit code 1 when anything differs.
    """
    found = run(_verify(settings_of()))
    for each in found[:SHOWN]:
        click.echo(f"{each.where}: {each.what} is {each.stored}, computed {each.computed}")
    if found:
        context.exit(1)


async def _verify(settings: Settings) -> list[Discrepancy]:
    console = Console(stderr=True)
    boards = results = weeks = 0
    waiting = False
    found: list[Discrepancy] = []
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    async with existing(settings) as installed:
        with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
            task = bar.add_task("Verifying", total=None)
            async for page in verify(installed.database, installed.clock.now()):
                boards, results = boards + page.boards, results + page.results
                found += page.discrepancies
                bar.update(task, description=f"Verifying: {boards} boards, {results} results")
            async for counted in verify_totals(installed.database):
                found += counted.discrepancies
            async for rated in verify_ratings(installed.database, settings.all_pools()):
                weeks, waiting = weeks + rated.weeks, waiting or rated.waiting
                found += rated.discrepancies
                bar.update(task, description=f"Verifying: {weeks} rated weeks")
    also = f" and {weeks} rated weeks" if weeks else ""
    click.echo(f"{results} results of {boards} boards{also} computed again, {len(found)} differences")
    if waiting:
        click.echo("Some weeks changed and wait to be rated again; they were passed over.")
    return found
