"""Penalties that were lifted, until when boards of a round are dealt, registration that waits

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Going down forgets them: penalties that were lifted count again, boards are dealt until shortly before the
round ends, whatever made it longer, and whoever could not be entered is tried again at once.

Revision: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

from server.storage.types import Instant, Number

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("events", sa.Column("playable_until", Instant(), nullable=True))
    op.add_column("events", sa.Column("room_waits", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("event_penalties", sa.Column("lift_reason", sa.Text(), nullable=True))
    op.add_column("event_penalties", sa.Column("lifted_by", Number, nullable=True))
    op.add_column("event_penalties", sa.Column("lifted_at", Instant(), nullable=True))


def downgrade() -> None:
    op.drop_column("event_penalties", "lifted_at")
    op.drop_column("event_penalties", "lifted_by")
    op.drop_column("event_penalties", "lift_reason")
    op.drop_column("events", "room_waits")
    op.drop_column("events", "playable_until")
