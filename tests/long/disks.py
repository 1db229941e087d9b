"""Disks that are full, and files that somebody else holds."""

import asyncio
import errno
import resource
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from tests.long import places
from tests.long.places import Place

_PAGE = 4096


@asynccontextmanager
async def write_lock(file: Path) -> AsyncIterator[None]:
    """Nobody else can write to the SQLite database until the block ends."""
    other = sqlite3.connect(file, isolation_level=None, timeout=30, check_same_thread=False)
    try:
        await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
    finally:
        other.close()


@contextmanager
def no_growth(process: int) -> Iterator[None]:
    """The process writes no file beyond its first page until the block ends, as if the disk were full."""
    limits = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (_PAGE, limits[1]))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, limits)


class Disk:
    """A small disk of one's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def place(self) -> Place:
        """A fresh SQLite database on it."""
        place = Place(f"sqlite:///{self.folder / 'space' / 'crossruff.sqlite3'}", self.folder / "space")
        await places.settle(place)
        return place

    def fill(self) -> None:
        """Until nothing more fits."""
        with (self.folder / "ballast").open("wb", buffering=0) as ballast:
            for size in (1024 * 1024, _PAGE, 1):
                try:
                    while ballast.write(bytes(size)) == size:
                        pass
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def make_room(self) -> None:
        """Remove what filled it."""
        (self.folder / "ballast").unlink()


@contextmanager
def small_disk(size: str, owner: str | None = None) -> Iterator[Disk]:
    """A disk of this size in memory, with a folder ``space``. Raises CalledProcessError where forbidden."""
    folder = Path(tempfile.mkdtemp(prefix="crossruff-disk-"))
    try:
        command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", folder]
        subprocess.run(command, check=True, capture_output=True)
        try:
            space = folder / "space"
            space.mkdir()
            if owner is not None:
                shutil.chown(space, owner)
            yield Disk(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)
    finally:
        folder.rmdir()


def may_mount() -> bool:
    """Whether this process may make such disks; that takes root."""
    try:
        with small_disk("1m"):
            return True
    except (subprocess.CalledProcessError, OSError):
        return False
