"""`crossruff serve`, `jobs`, `migrate`, `settings`: running the server, and what it runs on."""

from functools import partial
from pathlib import Path

import click

from server import logs
from server.app import migrate
from server.cli_running import installed, refusals, run, settings_of
from server.secret_files import secret_key
from server.serving import address, serve, work
from server.settings import Settings, lines
from server.workers import Workers, command, listened_on, reserve


@click.command("serve")
@click.option("--host", help="Address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=int, help="Port to listen on; 0 takes a free one.  [default: 8080]")
@click.option("--data-dir", type=click.Path(file_okay=False, path_type=Path), help="Data folder.  [var/]")
@click.option("--no-jobs", is_flag=True, help="Leave the timetable to `crossruff jobs`.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, help="Processes; PostgreSQL only.  [1]")
@click.option("--shared", is_flag=True, hidden=True, help="One of several processes on the address.")
def serve_command(
    host: str | None, port: int | None, data_dir: Path | None, no_jobs: bool, workers: int, shared: bool
) -> None:
    """Run the server: API, pages and, unless --no-jobs, the timetable.

    The embedded database is migrated first. SIGTERM ends it in good order: what was acknowledged is kept.
    """
    jobs = False if no_jobs else None
    settings = settings_of(host=host, port=port, data_dir=data_dir, jobs=jobs)
    logs.set_up()
    if workers > 1:
        _serve_many(settings, workers)
    else:
        run(_serve(settings, shared))


async def _serve(settings: Settings, shared: bool) -> None:
    def announce(url: str) -> None:
        if not shared:
            click.echo(f"Crossruff listens on {url}")

    async with installed(settings, err=False) as found:
        await serve(settings, found, announce, shared)


def _serve_many(settings: Settings, workers: int) -> None:
    if settings.embedded:
        raise click.UsageError(
            "--workers needs PostgreSQL: SQLite has one writer, a second process would only wait for it"
        )
    run(_check(settings))
    with refusals():
        held = reserve(settings.host, settings.port)
    port = held.getsockname()[1]
    where = ("--host", settings.host, "--port", str(port), "--data-dir", str(settings.data_dir))
    # One timetable is enough, though several would do no harm.
    commands = [
        command("serve", "--shared", *where, *(() if i == 0 and settings.jobs else ("--no-jobs",)))
        for i in range(workers)
    ]
    said = f"Crossruff, {workers} processes, listens on {address(settings.host, port)}"
    with held:
        done = Workers(commands, partial(listened_on, held), partial(click.echo, said), click.echo).run()
    if not done:
        raise click.ClickException(
            "every process ended as soon as it was started; what they said stands above"
        )


async def _check(settings: Settings) -> None:
    """Whatever would be refused to each process is refused once, before they are started."""
    async with installed(settings, err=False):
        secret_key(settings)


@click.command("jobs")
def jobs_command() -> None:
    """Run the timetable alone, beside `crossruff serve --no-jobs`."""
    settings = settings_of()
    logs.set_up()
    run(_work(settings))


async def _work(settings: Settings) -> None:
    async with installed(settings, err=False) as found:
        await work(settings, found)


@click.command("migrate")
def migrate_command() -> None:
    """Bring the database to the schema of this version."""
    run(migrate(settings_of()))
    click.echo("The schema is current.")


@click.command("settings")
def settings_command() -> None:
    """Show every setting in force, secrets masked."""
    for line in lines(settings_of()):
        click.echo(line)
