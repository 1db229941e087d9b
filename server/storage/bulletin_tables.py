"""Tables of live messages."""

from sqlalchemy import Column, Index, Table, Text, UniqueConstraint, text

from server.storage.tables import metadata
from server.storage.types import Instant, Number

channels = Table(  # counters of the channels that everybody shares
    "channels",
    metadata,
    Column("name", Text, primary_key=True),
    Column("last", Number, nullable=False),
)

bulletins = Table(  # live messages
    "bulletins",
    metadata,
    Column("id", Number, primary_key=True),  # order of writing; followers go by channel and number
    Column("channel", Text, nullable=False),
    Column("number", Number),  # null: of a shared channel, numbered within a second
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at", Instant, nullable=False, index=True),
    UniqueConstraint("channel", "number"),
)
Index(
    "ix_bulletins_unnumbered",
    bulletins.c.id,
    sqlite_where=text("number IS NULL"),
    postgresql_where=text("number IS NULL"),
)
