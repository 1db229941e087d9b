"""Secrets in the data folder, readable by their owner alone. No file is ever seen half-written."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from server.services.installation import InstallationRefused
from server.settings import Settings

ADMIN_TOKEN = "admin-token"  # file in the data folder
SECRET_KEY = "secret-key"


def secret_key(settings: Settings) -> bytes:
    """The key of this installation, from the environment or the data folder; made at the first start.

    Raises InstallationRefused when the file is empty.
    """
    given = settings.secret_key.get_secret_value()
    if given:
        return given.encode()
    path = settings.data_dir / SECRET_KEY
    if not path.exists():
        add_secret(path, secrets.token_urlsafe(32))
    key = path.read_bytes().strip()
    if not key:
        raise InstallationRefused(f"{path} is empty: put this installation's key into it, or remove the file")
    return key


def add_secret(path: Path, text: str) -> None:
    """Make a file, unless it is there already: of several at once one wins, and all read the same."""
    with _written(path, text) as made, suppress(FileExistsError):
        os.link(made, path)


def replace_secret(path: Path, text: str) -> None:
    """Make a file, or put it in the place of the one that is there."""
    with _written(path, text) as made:
        made.replace(path)


@contextmanager
def _written(path: Path, text: str) -> Iterator[Path]:
    """A file with this text beside ``path``, for its owner alone; gone when the block ends."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # mode 600
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)
