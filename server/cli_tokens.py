"""`crossruff token`: makes, lists and revokes tokens of the API."""

import sys
from datetime import UTC, datetime

import click
from rich.console import Console
from rich.table import Table

from server.cli_running import existing, installed, run, settings_of
from server.services import tokens
from server.services.tokens import Scope
from server.settings import Settings
from server.storage.tokens import Token

LONGEST_NAME = 100
_SCOPE = click.Choice([scope.value for scope in Scope])


@click.group("token")
def token_group() -> None:
    """Make, list and revoke tokens of the API."""


def _name(_context: click.Context, _parameter: click.Parameter, given: str) -> str:
    name = given.strip()
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise click.BadParameter(f"expected 1 to {LONGEST_NAME} characters without control characters")
    return name


@token_group.command("create")
@click.option(
    "--name", required=True, callback=_name, help="The client that it belongs to, made when it is new."
)
@click.option("--scope", "scopes", multiple=True, required=True, type=_SCOPE, help="What it allows.")
@click.argument("more", nargs=-1, type=_SCOPE, metavar="[SCOPE]...")
@click.option("--expires", type=click.DateTime(["%Y-%m-%d"]), help="The day (UTC) on which it ends.")
@click.option("--player", help="The player that a director is when he plays.")
def token_create(
    name: str, scopes: tuple[str, ...], more: tuple[str, ...], expires: datetime | None, player: str | None
) -> None:
    """Make a token and print it, this once.

    It may have several scopes: `--scope results:write boards:write`.
    """
    ends = None if expires is None else expires.replace(tzinfo=UTC)
    click.echo(run(_create(settings_of(), name, frozenset(scopes + more), ends, player)))


async def _create(
    settings: Settings, name: str, scopes: frozenset[str], ends: datetime | None, player: str | None
) -> str:
    async with installed(settings) as found:
        now = found.clock.now()
        if ends is not None and ends <= now:
            raise click.BadParameter(
                f"{ends:%Y-%m-%d} has begun: nobody could use it", param_hint="--expires"
            )
        return await tokens.create(found.database, name, scopes, now, ends, player)


@token_group.command("list")
def token_list() -> None:
    """List all tokens: number, client, scopes, when they end."""
    table = Table("number", "client", "scopes", "player", "made", "ends", "revoked", box=None)
    for token in run(_get_all(settings_of())):
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


async def _get_all(settings: Settings) -> list[Token]:
    async with existing(settings) as found:
        return await tokens.get_all(found.database)


@token_group.command("revoke")
@click.argument("number", type=int)
def token_revoke(number: int) -> None:
    """Revoke the token with this NUMBER (see `token list`); it stops working within a second."""
    if not run(_revoke(settings_of(), number)):
        raise click.ClickException(f"no token {number} that could be revoked")
    click.echo(f"Token {number} is revoked.")


async def _revoke(settings: Settings, number: int) -> bool:
    async with existing(settings) as found:
        return await tokens.revoke(found.database, number, found.clock.now())
