"""Artificial scores of boards of events, why an event is paused, what is carried over into it

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Going down drops these adjustments; scores of rounds stay as they were computed with them.

Revision: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

from server.storage.types import Instant, Number, Scores

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("events", sa.Column("pause_reason", sa.Text(), nullable=True))
    op.add_column("events", sa.Column("carried", sa.Text(), nullable=True))
    op.add_column(
        "event_entries", sa.Column("earlier_ranks", Scores(), server_default=sa.text("''"), nullable=False)
    )
    op.create_table(
        "event_adjustments",
        sa.Column("event", Number, nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ns", sa.Text(), nullable=True),
        sa.Column("ew", sa.Text(), nullable=True),
        sa.Column("basis", sa.Text(), nullable=True),
        sa.Column("infraction", sa.Text(), nullable=True),
        sa.Column("damage", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("client", Number, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event", "board"],
            ["event_boards.event", "event_boards.number"],
            name="fk_event_adjustments_board",
        ),
        sa.PrimaryKeyConstraint(
            "event", "board", "table_number", "version", name=op.f("pk_event_adjustments")
        ),
    )


def downgrade() -> None:
    op.drop_table("event_adjustments")
    op.drop_column("event_entries", "earlier_ranks")
    op.drop_column("events", "carried")
    op.drop_column("events", "pause_reason")
