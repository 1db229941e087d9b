"""Fewer foreign keys on what every result writes: half of a commit's time went into checking them

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Revision: 0003
Revises: 0002
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# Name, table, its columns, the table they name, that one's columns.
DROPPED = (
    ("fk_results_client", "results", ["client"], "clients", ["number"]),
    ("fk_plays_player", "plays", ["player"], "players", ["number"]),
    ("fk_plays_board_sequence", "plays", ["board", "sequence"], "results", ["board", "sequence"]),
    ("fk_awards_board_sequence", "awards", ["board", "sequence"], "results", ["board", "sequence"]),
    ("fk_idempotency_client", "idempotency", ["client"], "clients", ["number"]),
    ("fk_audit_client", "audit", ["client"], "clients", ["number"]),
)


def upgrade() -> None:
    for name, table, *_ in DROPPED:
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(name, type_="foreignkey")


def downgrade() -> None:
    for name, table, columns, other, others in DROPPED:
        with op.batch_alter_table(table) as batch:
            batch.create_foreign_key(name, other, columns, others)
