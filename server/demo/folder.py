"""The data folder of a demonstration: what it was made from, and how to begin anew."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from server.demo.plan import Plan
from server.secret_files import ADMIN_TOKEN, SECRET_KEY, replace_secret

PLATFORM_TOKEN = "platform-token"  # of the simulated tables
_FILE = "demo.json"
_LOCK = "demo.lock"
_DATABASE = "crossruff.sqlite3"
_OURS = (  # what a demonstration leaves in its folder; what it is made from goes last
    *(_DATABASE, f"{_DATABASE}-wal", f"{_DATABASE}-shm", ADMIN_TOKEN, SECRET_KEY, PLATFORM_TOKEN),
    _FILE,
)


class FolderRefused(ValueError):
    """This folder cannot be used for a demonstration"""


@dataclass(frozen=True, slots=True)
class Kept:
    """What stands in the folder."""

    plan: Plan
    played: bool  # its weeks have been played to their end


def read(folder: Path) -> Kept | None:
    """What the folder was made from; None when there is nothing. Raises FolderRefused."""
    file = folder / _FILE
    if not file.exists():
        if folder.exists() and any(each.name != _LOCK for each in folder.iterdir()):
            raise FolderRefused(f"{folder} holds something, and no demonstration; name another --data-dir")
        return None
    try:
        return msgspec.json.decode(file.read_bytes(), type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FolderRefused(f"{file} cannot be read: {error}") from error


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep others from the folder until the block ends. Raises FolderRefused when one of them has it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FolderRefused(f"another demonstration runs in {folder}") from error
        yield


def write(folder: Path, kept: Kept) -> None:
    """Note what the folder is made from."""
    replace_secret(folder / _FILE, msgspec.json.encode(kept).decode())


def clear(folder: Path) -> None:
    """Remove a demonstration, and nothing else that may be there."""
    for name in _OURS:
        (folder / name).unlink(missing_ok=True)
