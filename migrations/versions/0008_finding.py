"""Finding: players by the beginnings of names and ids, and those who are hidden at once

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Going down drops the words: they follow from the names.

Revision: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

from server.services.search_words import found_by
from server.storage.types import Number, Sorted

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_AT_ONCE = 5000


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("players", "id", type_=Sorted, existing_nullable=False)
    op.create_table(
        "name_words",
        sa.Column("word", Sorted, nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.number"], name=op.f("fk_name_words_player")),
        sa.PrimaryKeyConstraint("word", "player", name=op.f("pk_name_words")),
    )
    op.create_index(op.f("ix_name_words_player"), "name_words", ["player"], unique=False)
    _fill(op.get_bind())
    op.create_index(
        "ix_players_hidden",
        "players",
        ["number"],
        unique=False,
        sqlite_where=sa.text("hidden"),
        postgresql_where=sa.text("hidden"),
    )


def _fill(connection: sa.Connection) -> None:
    """The words of the names that there are."""
    players = sa.table("players", *map(sa.column, ("number", "name", "alias")))
    words = sa.table("name_words", sa.column("word"), sa.column("player"))
    shown = sa.func.coalesce(players.c.alias, players.c.name).label("shown")
    after = 0
    while True:
        named = sa.select(players.c.number, shown).where(shown.is_not(None), players.c.number > after)
        found = connection.execute(named.order_by(players.c.number).limit(_AT_ONCE)).all()
        rows = [{"word": word, "player": row.number} for row in found for word in found_by(row.shown)]
        if rows:
            connection.execute(sa.insert(words), rows)
        if len(found) < _AT_ONCE:
            return
        after = found[-1].number


def downgrade() -> None:
    op.drop_index(
        "ix_players_hidden",
        table_name="players",
        sqlite_where=sa.text("hidden"),
        postgresql_where=sa.text("hidden"),
    )
    op.drop_index(op.f("ix_name_words_player"), table_name="name_words")
    op.drop_table("name_words")
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("players", "id", type_=sa.Text(), existing_nullable=False)
