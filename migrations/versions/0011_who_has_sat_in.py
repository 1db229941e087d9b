"""Who has sat in for a player of an event and does not any more

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Going down forgets them: players whose substitutes have left came when they came themselves.

Revision: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

from server.storage.types import Number

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "event_relieved",
        sa.Column("event", Number, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("substitute", Number, nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_event_relieved_event")),
        sa.ForeignKeyConstraint(["player"], ["players.number"], name=op.f("fk_event_relieved_player")),
        sa.ForeignKeyConstraint(
            ["substitute"], ["players.number"], name=op.f("fk_event_relieved_substitute")
        ),
        sa.PrimaryKeyConstraint("event", "round", "player", "substitute", name=op.f("pk_event_relieved")),
    )


def downgrade() -> None:
    op.drop_table("event_relieved")
