"""The whole schema, for migrations: every room with tables is read."""

from server.storage import week_tables
from server.storage.tables import metadata

ROOMS = (week_tables,)

__all__ = ["ROOMS", "metadata"]
