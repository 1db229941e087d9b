"""Brings the schema to the newest version, and tells whether it is there."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

import migrations


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.attributes["connection"] = connection
    return config


@cache
def head() -> str | None:
    """The newest revision that the code knows."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def revision(connection: Connection) -> str | None:
    """The revision that the database is at; None when it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def is_known(name: str) -> bool:
    """Whether the code has this revision; not when a newer version wrote it."""
    return name in {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def upgrade(connection: Connection, target: str = "head") -> None:
    """Bring the schema up to ``target``, in the caller's transaction."""
    command.upgrade(_config(connection), target)


def downgrade(connection: Connection, target: str) -> None:
    """Take the schema back to ``target`` (``base``: empty), in the caller's transaction."""
    command.downgrade(_config(connection), target)
