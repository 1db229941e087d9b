"""The command line: `crossruff --help` lists what it can do."""

import os
import sys
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
import uvloop
from rich.console import Console
from rich.table import Table

from server import logs
from server.app import ADMIN_TOKEN, Installed, install
from server.cli_import import import_command
from server.cli_replay import replay_command
from server.cli_verify import verify_command
from server.services import installation, tokens
from server.services.installation import InstallationRefused
from server.services.tokens import Scope
from server.serving import serve, work
from server.settings import PREFIX, Settings, SettingsRefused, load_settings
from server.storage.database import open_database
from server.storage.errors import DatabaseBusy
from server.workers import Workers, command, reserve

T = TypeVar("T")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="crossruff", prog_name="crossruff")
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False),
    help="A TOML file with the settings that differ from config/default.toml.",
)
def main(config: str | None) -> None:
    """Crossruff: an online duplicate-bridge scoring server.

    Start it with `crossruff serve`; the first start makes the database in the folder var/ and prints a token
    for the API. Every setting is a key of config/default.toml and a variable CROSSRUFF_<KEY>.
    """
    if config is not None:
        os.environ[f"{PREFIX}CONFIG"] = config


main.add_command(import_command)
main.add_command(replay_command)
main.add_command(verify_command)


def run(task: Coroutine[Any, Any, T]) -> T:
    """Run a task to its end; what is refused ends the command with a clear message."""
    try:
        return uvloop.run(task)
    except (InstallationRefused, SettingsRefused, DatabaseBusy, OSError) as error:
        raise click.ClickException(str(error)) from error


def settings_of(**arguments: Any) -> Settings:
    """The settings, or the end of the command with what is wrong with them."""
    try:
        return load_settings(**arguments)
    except SettingsRefused as error:
        raise click.ClickException(str(error)) from error


@main.command("serve")
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
        return

    def announce(installed: Installed, address: str) -> None:
        if not shared:
            _announce(settings, installed, address)

    run(serve(settings, announce, shared))


def _serve_many(settings: Settings, workers: int) -> None:
    if settings.embedded:
        raise click.UsageError(
            "--workers needs PostgreSQL: SQLite has one writer, a second process would only wait for it"
        )
    run(_with_database(settings, installation.require_head))
    held = reserve(settings.host, settings.port)
    port = str(held.getsockname()[1])
    shared = (
        "serve",
        "--shared",
        "--host",
        settings.host,
        "--port",
        port,
        "--data-dir",
        str(settings.data_dir),
    )
    # One timetable is enough, though several would do no harm.
    commands = [
        command(*shared, *(() if i == 0 and settings.jobs else ("--no-jobs",))) for i in range(workers)
    ]
    click.echo(f"Crossruff listens on http://{settings.host}:{port} with {workers} processes")
    Workers(commands, click.echo).run()
    held.close()


def _announce(settings: Settings, installed: Installed, address: str) -> None:
    if installed.admin_token is not None:
        click.echo(f"Admin token, shown this once: {installed.admin_token}")
        click.echo(f"It is also in {settings.data_dir / ADMIN_TOKEN}, readable by you alone.")
    click.echo(f"Crossruff listens on {address}")


@main.command("jobs")
def jobs_command() -> None:
    """Run the timetable alone, beside `crossruff serve --no-jobs`."""
    settings = settings_of()
    logs.set_up()
    run(work(settings))


@main.command("migrate")
def migrate_command() -> None:
    """Bring the database to the schema of this version."""
    settings = settings_of()
    run(_with_database(settings, installation.migrate))
    click.echo("The schema is current.")


@main.command("settings")
def settings_command() -> None:
    """Show every setting in force, secrets masked."""
    settings = settings_of()
    for name, value in settings.model_dump().items():
        click.echo(f"{name} = {value}")


@main.group("token")
def token_group() -> None:
    """Make, list and revoke tokens of the API."""


@token_group.command("create")
@click.option("--name", required=True, help="The client that it belongs to, made when it is new.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    required=True,
    type=click.Choice([scope.value for scope in Scope]),
    help="What it allows; may be given several times.",
)
@click.option("--expires", type=click.DateTime(["%Y-%m-%d"]), help="The day (UTC) on which it ends.")
@click.option("--player", help="The player that a director is when he plays.")
def token_create(name: str, scopes: tuple[str, ...], expires: datetime | None, player: str | None) -> None:
    """Make a token and print it, this once."""
    settings = settings_of()
    ends = None if expires is None else expires.replace(tzinfo=UTC)

    async def create() -> str:
        installed = await install(settings)
        try:
            return await tokens.create(
                installed.database, name, frozenset(scopes), installed.clock.now(), ends, player
            )
        finally:
            await installed.database.close()

    click.echo(run(create()))


@token_group.command("list")
def token_list() -> None:
    """List all tokens: number, client, scopes, when they end."""
    table = Table("number", "client", "scopes", "player", "made", "ends", "revoked", box=None)
    for token in run(_with_database(settings_of(), tokens.get_all)):
        days = (token.created_at, token.expires_at, token.revoked_at)
        table.add_row(
            str(token.number),
            token.client_name,
            " ".join(sorted(token.scopes)),
            token.player or "",
            *("" if day is None else f"{day:%Y-%m-%d}" for day in days),
        )
    # Into a file or a pipe each token is one line.
    Console(width=None if sys.stdout.isatty() else 1000).print(table)


@token_group.command("revoke")
@click.argument("number", type=int)
def token_revoke(number: int) -> None:
    """Revoke the token with this NUMBER (see `token list`); it stops working within a second."""
    settings = settings_of()

    async def revoke() -> bool:
        installed = await install(settings)
        try:
            return await tokens.revoke(installed.database, number, installed.clock.now())
        finally:
            await installed.database.close()

    if not run(revoke()):
        raise click.ClickException(f"no token {number} that could be revoked")
    click.echo(f"Token {number} is revoked.")


async def _with_database(settings: Settings, task: Callable[[Any], Awaitable[T]]) -> T:
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = open_database(settings.database)
    try:
        return await task(database)
    finally:
        await database.close()
