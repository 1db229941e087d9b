"""The whole schema, for migrations: every room with tables is read."""

from server.storage import bulletin_tables, event_tables, search_tables, week_tables
from server.storage.tables import metadata

ROOMS = (bulletin_tables, event_tables, search_tables, week_tables)

__all__ = ["ROOMS", "metadata"]
