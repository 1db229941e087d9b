"""Runs what a command does. Whatever is refused ends it with a clear message and exit code 1."""

from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

import click
import uvloop

from server.app import Installed, install, open_installed
from server.formats.errors import FileRefused
from server.secret_files import ADMIN_TOKEN, replace_secret
from server.services.installation import InstallationRefused
from server.settings import Settings, SettingsRefused, load_settings
from server.storage.errors import StorageError

T = TypeVar("T")


class Refused(Exception):
    """What a command cannot do; its text is the message"""


REFUSALS = (Refused, SettingsRefused, InstallationRefused, StorageError, FileRefused, OSError)


@contextmanager
def refusals(about: str = "") -> Iterator[None]:
    """Within the block, whatever is refused ends the command. ``about`` is what it is refused about."""
    try:
        yield
    except (*REFUSALS, ExceptionGroup) as error:
        refusal = _first(error)
        if refusal is None:
            raise
        text = _text(refusal)
        raise click.ClickException(f"{about}: {text}" if about else text) from error


def _first(error: Exception) -> Exception | None:
    """The first refusal of a group of tasks; None when something else went wrong as well."""
    if not isinstance(error, ExceptionGroup):
        return error
    if error.split(REFUSALS)[1] is not None:
        return None
    return _first(error.exceptions[0])


def _text(error: Exception) -> str:
    if isinstance(error, StorageError):
        return f"{type(error).__doc__}: {error}"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def run(task: Coroutine[Any, Any, T]) -> T:
    """Run a task to its end; what it refuses ends the command."""
    with refusals():
        return uvloop.run(task)


def settings_of(**arguments: Any) -> Settings:
    """The settings, or the end of the command with what is wrong with them."""
    with refusals():
        return load_settings(**arguments)


@asynccontextmanager
async def installed(settings: Settings, err: bool = True) -> AsyncIterator[Installed]:
    """The database, made ready if need be, until the block ends.

    Whichever command comes first makes the admin token, and shows it: on standard error if ``err``.
    """
    found = await install(settings)
    try:
        if found.admin_token is not None:
            path = settings.data_dir / ADMIN_TOKEN
            click.echo(f"Admin token, shown this once: {found.admin_token}", err=err)
            replace_secret(path, found.admin_token)
            click.echo(f"It is also in {path}, readable by you alone.", err=err)
        yield found
    finally:
        await found.database.close()


@asynccontextmanager
async def existing(settings: Settings) -> AsyncIterator[Installed]:
    """The database, as it is, until the block ends; refused when there is none, or another version's."""
    found = await open_installed(settings)
    try:
        yield found
    finally:
        await found.database.close()
