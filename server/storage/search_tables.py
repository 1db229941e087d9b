"""What finds players at once: by words of their names, and those who are hidden."""

from sqlalchemy import Column, ForeignKey, Index, PrimaryKeyConstraint, Table, text

from server.storage.tables import metadata, players
from server.storage.types import Number, Sorted

name_words = Table(  # by what words players' shown names are found
    "name_words",
    metadata,
    Column("word", Sorted, nullable=False),
    Column("player", Number, ForeignKey("players.number"), nullable=False, index=True),
    PrimaryKeyConstraint("word", "player"),
)

Index(  # few: lists leave them out
    "ix_players_hidden",
    players.c.number,
    sqlite_where=text("hidden"),
    postgresql_where=text("hidden"),
)
