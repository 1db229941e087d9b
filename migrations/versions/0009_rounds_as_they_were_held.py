"""Rounds as they were held: until when boards were dealt, and boards that a table may not play

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Going down forgets both: rounds that were over early are scored as if boards had been dealt until shortly
before their ends.

Revision: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

from server.storage.types import Instant

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event_rounds", sa.Column("playable_until", Instant(), nullable=True))
    op.add_column(
        "event_matches", sa.Column("skipped", sa.Integer(), server_default=sa.text("'0'"), nullable=False)
    )


def downgrade() -> None:
    op.drop_column("event_matches", "skipped")
    op.drop_column("event_rounds", "playable_until")
