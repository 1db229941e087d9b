"""Bulletins: live messages, numbered for each channel

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Columns are added and dropped in place, so that no table is copied. Going down drops the bulletins: they are
messages about rows that stay.

Revision: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

from server.storage.types import Instant, Number

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "channels",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("last", Number, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_channels")),
    )
    op.create_table(
        "bulletins",
        sa.Column("id", Number, nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("number", Number, nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bulletins")),
        sa.UniqueConstraint("channel", "number", name=op.f("uq_bulletins_channel_number")),
    )
    op.create_index(op.f("ix_bulletins_at"), "bulletins", ["at"])
    unnumbered = sa.text("number IS NULL")
    op.create_index(
        "ix_bulletins_unnumbered",
        "bulletins",
        ["id"],
        sqlite_where=unnumbered,
        postgresql_where=unnumbered,
    )
    op.add_column("boards", sa.Column("bulletins", Number, server_default="0", nullable=False))
    op.add_column("boards", sa.Column("revealed_at", Instant(), nullable=True))
    unrevealed = sa.text("revealed_at IS NULL")
    op.create_index(
        "ix_boards_unrevealed", "boards", ["week"], sqlite_where=unrevealed, postgresql_where=unrevealed
    )


def downgrade() -> None:
    op.drop_index("ix_boards_unrevealed", table_name="boards")
    op.drop_column("boards", "revealed_at")
    op.drop_column("boards", "bulletins")
    op.drop_table("bulletins")
    op.drop_table("channels")
