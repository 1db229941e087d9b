"""The command line: `crossruff --help` lists what it can do.

Each command is read when it is called for, so that help is there at once.
"""

import os
from importlib import import_module
from typing import NamedTuple

import click


class _Place(NamedTuple):
    module: str
    name: str
    about: str  # one line of the list


_COMMANDS = {
    "demo": _Place("cli_demo", "demo_command", "Show a living example with simulated players."),
    "import": _Place("cli_import", "import_command", "Read result files: PBN, USEBIO, CSV."),
    "jobs": _Place("cli_serve", "jobs_command", "Run the timetable alone, beside serve --no-jobs."),
    "migrate": _Place("cli_serve", "migrate_command", "Bring the database to this version's schema."),
    "rate": _Place("cli_rate", "rate_command", "Close the ratings of a week."),
    "replay": _Place("cli_replay", "replay_command", "Post a file's tables to a running server."),
    "serve": _Place("cli_serve", "serve_command", "Run the server: API, pages and timetable."),
    "settings": _Place("cli_serve", "settings_command", "Show every setting in force, secrets masked."),
    "token": _Place("cli_tokens", "token_group", "Make, list and revoke tokens of the API."),
    "verify": _Place("cli_verify", "verify_command", "Recompute everything and report any difference."),
}


class _Commands(click.Group):
    """The commands of the table above."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in order."""
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, read now."""
        place = _COMMANDS.get(cmd_name)
        if place is None:
            return None
        found = getattr(import_module(f"server.{place.module}"), place.name)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called. Raises NoSuchCommand, with those that it might have been."""
        if args[0].isidentifier() and args[0] not in _COMMANDS:
            raise click.exceptions.NoSuchCommand(args[0], possibilities=_COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list without reading any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name].about) for name in sorted(_COMMANDS)])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
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
    os.umask(0o077)  # the database holds what nobody else on this machine may read
    if config is not None:
        os.environ["CROSSRUFF_CONFIG"] = config
